// Builds, from a Halide generator program, a shared library that the pipeline runner can load:
//
//     Candidate ─► generate ─► object, device code, schedule ─► link_library ─► .so
//
// The library needs a Halide runtime. It is easiest to use a target that includes one (no
// `no_runtime`): linking then needs only a C compiler. For many candidates it is faster to compile
// the runtime once. Every function works in the folder that it is given and leaves other files
// there alone.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/build/failure.h"
#include "lab/build/step.h"

namespace autoschedule_gpu {

using NamedValues = std::vector<std::pair<std::string, std::string>>;

struct Candidate {
    std::string name = {};            // of the function and of its files: letters, digits and '_'
    std::string generator = {};       // the generator's program
    std::string generator_name = {};  // the name under which it is registered there
    std::string target = {};          // a Halide target: "host-cuda", "host-opencl", "host"
    NamedValues params = {};          // the generator's own: {"manual", "true"}
    std::string plugin = {};     // the scheduler's library, or several with commas; may be empty
    std::string scheduler = {};  // "GPU", "Anderson2021"; empty: the generator's own schedule
    NamedValues scheduler_params = {};  // {"gpu", "A100"} becomes autoscheduler.gpu=A100
    std::string runtime = {};           // object of generate_runtime, for a target with no_runtime
};

// What the generator is to write. The names are Halide's.
struct GeneratorOutputs {
    bool object = true;
    bool device_code = true;  // only for a target with a GPU
    bool schedule = true;     // only with a scheduler
    bool stmt = false;
    // The features of the schedule (lab/samples/featurization.h); only with a scheduler.
    bool featurization = false;
};

struct Generated {
    std::string object_path = {};       // empty if not asked for, like the next four
    std::string device_code_path = {};  // PTX, or OpenCL C
    std::string schedule_path = {};     // the schedule as C++
    std::string stmt_path = {};
    std::string featurization_path = {};
    std::string messages = {};  // what the generator printed, such as Halide's warnings
    StepCost cost = {};
};

// Runs the generator, which searches, lowers and generates code. Kinds of failure: setup, search,
// halide, compile, resource (the memory limit), timeout, crash.
Outcome<Generated> generate(const Candidate &candidate, const std::string &folder,
                            const StepLimits &limits = {}, const GeneratorOutputs &outputs = {});

// Compiles Halide's runtime for a target into an object file in `folder` and returns its path. Any
// generator program can do this.
Outcome<std::string> generate_runtime(const std::string &generator, const std::string &target,
                                      const std::string &folder, const StepLimits &limits = {});

struct Linked {
    std::string library_path = {};
    StepCost cost = {};
};

// Links `object_path`, and the candidate's runtime if it has one, into FOLDER/NAME.so with
// `compiler`.
Outcome<Linked> link_library(const Candidate &candidate, const std::string &object_path,
                             const std::string &folder, const std::string &compiler = "cc",
                             const StepLimits &limits = {});

// Return the commands of generate and link_library, argument by argument.
std::vector<std::string> generator_command(const Candidate &candidate, const std::string &folder,
                                           const GeneratorOutputs &outputs = {});
std::vector<std::string> link_command(const Candidate &candidate, const std::string &object_path,
                                      const std::string &folder, const std::string &compiler);

// Returns the kind of failure that a generator's message describes. A generator ends with the same
// status whatever went wrong, so its words are all there is. For generate and its tests.
FailureKind classify_generator_message(std::string_view message);

}  // namespace autoschedule_gpu
