// Writes samples of devices that do not exist (synthetic_samples.h), for tests of tools and for
// timing them.
//
// usage: write_synthetic_samples FILE DEVICE SEED PIPELINES SCHEDULES [STAGES [APPLICATIONS]]
//     DEVICE: A or B; SCHEDULES: of each pipeline; STAGES: 0: 2 to 8
#include <cstdlib>
#include <iostream>
#include <string>

#include "unit/learn/train/synthetic_samples.h"

int main(int argc, char **argv) {
    using namespace autoschedule_gpu;
    if (argc < 6) {
        std::cerr << "usage: " << argv[0] << " FILE DEVICE SEED PIPELINES SCHEDULES [STAGES "
                  << "[APPLICATIONS]]\n";
        return 2;
    }
    synthetic::Settings settings;
    if (argv[2] == std::string("B")) settings.device = synthetic::slow_memory_device();
    settings.seed = std::strtoull(argv[3], nullptr, 10);
    settings.pipelines = std::strtoull(argv[4], nullptr, 10);
    settings.schedules = std::strtoull(argv[5], nullptr, 10);
    if (argc > 6) settings.stages = std::strtoull(argv[6], nullptr, 10);
    if (argc > 7) settings.applications = std::strtoull(argv[7], nullptr, 10);
    const SampleFile file = synthetic::samples(settings);
    const Status written = append_samples(argv[1], file.origin, file.samples);
    if (written) return 0;
    std::cerr << written.error().message << "\n";
    return 1;
}
