// A pipeline at one size: what is scheduled and measured. It is one of the random pipelines, or an
// application (application.h) at one of its sizes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/error.h"
#include "lab/build/build_candidate.h"
#include "lab/run/input_range.h"
#include "lab/run/tolerance.h"
#include "lab/workloads/application.h"

namespace autoschedule_gpu {

struct Workload {
    std::string pipeline = {};   // as samples call it: "random:17", "app:harris"
    std::string size = {};       // "small"; of an application one of its app.json
    std::string generator = {};  // the program
    std::string generator_name = {};
    NamedValues params = {};
    Tolerance tolerance = {};
    InputRanges inputs = {};  // of inputs that are not filled as usual
};

// Returns the application at one of its sizes; the error lists the sizes that there are.
Result<Workload> workload_at(const Application &application, const std::string &size);

// Where workloads come from.
struct WorkloadSource {
    std::string random_generator = {};  // the program random_pipeline.generator
    std::string work = "small";         // of random pipelines: small or large
    std::vector<Application> applications = {};
    std::string app_size = "reduced";
};

// Parts with '+' between:
//
//     random:20      the random pipelines of seeds 0 to 19
//     random:20-39   of seeds 20 to 39
//     apps           all applications
//     apps:harris    those named, with commas between
//     both           random:100+apps
//
// The error names the part. A workload that is named twice is there once.
Result<std::vector<Workload>> parse_workloads(std::string_view text, const WorkloadSource &source);

// A generator program of the user's own, with `params` as NAME=VALUE. An empty `name`, as which it
// is registered, is that of the program.
Result<Workload> generator_workload(const std::string &program, std::string name,
                                    const std::vector<std::string> &params);

}  // namespace autoschedule_gpu
