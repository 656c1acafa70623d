// A plugin for the tests: the autoscheduler `Trace` applies the JSON trace in the file that
// `autoscheduler.trace` names. It reaches Halide the way the product does, so a generator that
// loads it writes the schedule header and the code for the same list of directives.
#include <Halide.h>

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "halide/apply/apply.h"
#include "halide/lower/trial_lower.h"
#include "scheduler/schedule/cpp_source.h"
#include "scheduler/schedule/trace.h"
#include "unit/halide/lower/dag_skeleton.h"

namespace autoschedule_gpu::test {
namespace {

template <typename T>
T unwrap(Result<T> result) {
    if (!result) throw std::runtime_error(result.error().message);
    return std::move(result).value();
}

std::string read_file(const std::string &path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("can't read " + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

void schedule_from_trace(const Halide::Pipeline &pipeline, const Halide::Target &target,
                         const Halide::AutoschedulerParams &params,
                         Halide::AutoSchedulerResults *results) {
    const Schedule schedule = unwrap(from_json(read_file(params.extra.at("trace"))));
    const Dag dag = dag_skeleton(pipeline);
    unwrap(check_against(schedule, dag));
    if (params.extra.contains("trial")) unwrap(trial_lower(schedule, pipeline, target));
    results->target = target;
    results->autoscheduler_params = params;
    results->schedule_source = cpp_source(schedule, dag);
    unwrap(apply_schedule(schedule, pipeline));
}

const bool registered = [] {
    Halide::Pipeline::add_autoscheduler("Trace", schedule_from_trace);
    return true;
}();

}  // namespace
}  // namespace autoschedule_gpu::test
