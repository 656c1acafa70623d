// From a Halide generator program to a shared library that the pipeline runner can load:
//
//     Candidate ─► generate ─► object, device code, schedule ─► link_library ─► .so
//
// The library needs a Halide runtime. A target that holds one (no `no_runtime`) is easiest: then a
// C compiler is all that linking needs. For many candidates it is faster to compile the runtime
// once. Every function works in the folder that it is given and leaves its other files alone.
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
    std::string generator = {};       // the program
    std::string generator_name = {};  // as registered in it
    std::string target = {};          // Halide's: "host-cuda", "host-opencl", "host"
    NamedValues params = {};          // of the generator: {"manual", "true"}
    std::string plugin = {};          // the scheduler's library; may be empty
    std::string scheduler = {};       // "GPU", "Anderson2021"; empty: the generator's own schedule
    NamedValues scheduler_params = {};  // {"gpu", "A100"} becomes autoscheduler.gpu=A100
    std::string runtime = {};           // object of generate_runtime, for a target with no_runtime
};

// What the generator is to write; the names are Halide's.
struct GeneratorOutputs {
    bool object = true;
    bool device_code = true;  // only for a target with a GPU
    bool schedule = true;     // only with a scheduler
    bool stmt = false;
    bool featurization =
        false;  // of the schedule (lab/samples/featurization.h); only with a scheduler
};

struct Generated {
    std::string object_path = {};       // these five are empty where not asked for
    std::string device_code_path = {};  // PTX, or OpenCL C
    std::string schedule_path = {};     // the schedule as C++
    std::string stmt_path = {};
    std::string featurization_path = {};
    std::string messages = {};  // what the generator printed: warnings of Halide
    StepCost cost = {};
};

// Runs the generator: search, lowering and code generation in one. Kinds of failure: setup, search,
// halide, compile, resource (the memory limit), timeout, crash.
Outcome<Generated> generate(const Candidate &candidate, const std::string &folder,
                            const StepLimits &limits = {}, const GeneratorOutputs &outputs = {});

// Halide's runtime for a target, as an object file in `folder`. Any generator program has it.
Outcome<std::string> generate_runtime(const std::string &generator, const std::string &target,
                                      const std::string &folder, const StepLimits &limits = {});

struct Linked {
    std::string library_path = {};
    StepCost cost = {};
};

// `compiler` links `object_path`, and the candidate's runtime if it has one, into FOLDER/NAME.so.
Outcome<Linked> link_library(const Candidate &candidate, const std::string &object_path,
                             const std::string &folder, const std::string &compiler = "cc",
                             const StepLimits &limits = {});

// The commands that these two run, argument by argument.
std::vector<std::string> generator_command(const Candidate &candidate, const std::string &folder,
                                           const GeneratorOutputs &outputs = {});
std::vector<std::string> link_command(const Candidate &candidate, const std::string &object_path,
                                      const std::string &folder, const std::string &compiler);

// Which kind of failure a generator's message tells of. For generate and its tests: a generator
// ends with the same status whatever went wrong, so that its words are all there is to go by.
FailureKind classify_generator_message(std::string_view message);

}  // namespace autoschedule_gpu
