#include "tune/strategies/measured_dataset.h"

#include "lab/workloads/sampler.h"

namespace autoschedule_gpu {

Result<Dataset> measured_dataset(const Session &session) {
    const Session::Parts &parts = session.parts();
    const auto &[pipeline, environment] = parts.executor.tuned();
    NamedSampleFile all;
    all.path = "the measurements of this run";
    all.file.origin.device = environment.device;
    all.file.origin.driver = environment.driver;
    all.file.origin.gpu = parts.gpu;
    for (const Trial &trial : session.trials()) {
        if (!trial.is_measured() || trial.kernels.empty()) continue;
        all.file.samples.push_back(
            {.pipeline = pipeline.name,
             .schedule = schedule_at_size(pipeline.size, trial.draw.schedule),
             .code_hash = trial.code_hash,
             .kernels = trial.kernels,
             .times_ms = trial.samples_ms});
    }
    return make_dataset({&all, 1});
}

}  // namespace autoschedule_gpu
