// Registers the autoscheduler with Halide when the library is loaded.
#define HALIDE_KEEP_MACROS
#include <Halide.h>

#include "plugins/autoscheduler/autoschedule.h"

namespace {

void run(const Halide::Pipeline &pipeline, const Halide::Target &target,
         const Halide::AutoschedulerParams &params, Halide::AutoSchedulerResults *results) {
    const auto done = autoschedule_gpu::autoschedule(pipeline, target, params.extra);
    if (!done) {
        // Throws (or ends the process, as the application has chosen).
        _halide_user_error << "GPU autoscheduler: " << done.error().message << "\n";
        return;
    }
    results->target = target;
    results->autoscheduler_params = params;
    results->schedule_source = done->schedule_source;
    results->featurization.assign(done->featurization.begin(), done->featurization.end());
    for (const std::string &warning : done->warnings) {
        _halide_user_warning << "GPU autoscheduler: " << warning << "\n";
    }
}

[[maybe_unused]] const bool registered = [] {
    Halide::Pipeline::add_autoscheduler("GPU", run);
    return true;
}();

}  // namespace
