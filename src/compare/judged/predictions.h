// What the plugin's cost model says of schedules that somebody has simulated: each is made again by
// its application's generator from its list of decisions, and the report is read.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/judged/simulated.h"
#include "core/support/error.h"
#include "lab/build/build_candidate.h"

namespace autoschedule_gpu {

struct PredictedKernel {
    std::string stage = {};  // as the report calls it: "grid", "grid.update(0)"
    double us = 0;
    std::string bound_by = {};
};

struct JudgedKernel {
    PredictedKernel predicted = {};
    double simulated_us = 0;
    double share = 0;  // of the schedule's cycles

    double ratio() const { return predicted.us / simulated_us; }
};

struct JudgedSchedule {
    std::string application = {}, schedule = {};
    double simulated_us = 0, predicted_us = 0;
    std::vector<JudgedKernel> kernels = {};  // those that were found among the simulated ones

    double ratio() const { return predicted_us / simulated_us; }
};

struct JudgeRequest {
    std::string data;        // the folder with schedules and device.json
    std::string generators;  // the folder of NAME.generator
    std::string plugin;      // libautoschedule_gpu.so
    NamedValues parameters;  // for the plugin: {"model", "roofline"}
    StepLimits limits;
};

// An error that names a parameter which judges set themselves: the user's would count for nothing.
Status check_parameters(const NamedValues &parameters);

// What makes the schedule again; `folder` is for its list of decisions.
Outcome<Candidate> candidate_of(const JudgeRequest &request, const SimulatedSchedule &schedule,
                                const std::string &folder);

// Reads the kernels of the device in the plugin's report.
Result<std::vector<PredictedKernel>> parse_predictions(std::string_view report);

// Whether the Halide kernel of that name is that of the stage.
bool is_kernel_of(std::string_view kernel, std::string_view stage);

// Without the experts' schedules, of which there are no decisions. `done(n)` is called after each.
Outcome<std::vector<JudgedSchedule>> judge(const JudgeRequest &request,
                                           const std::vector<SimulatedSchedule> &schedules,
                                           const std::function<void(size_t)> &done);

}  // namespace autoschedule_gpu
