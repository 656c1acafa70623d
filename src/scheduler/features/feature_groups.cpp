#include "scheduler/features/feature_groups.h"

#include <array>

namespace autoschedule_gpu {

std::span<const FeatureGroup> feature_groups() {
    static constexpr std::array kGroups = {
        FeatureGroup{"parallelism", add_parallelism},
        FeatureGroup{"occupancy", add_occupancy},
        FeatureGroup{"arithmetic", add_arithmetic},
        FeatureGroup{"algorithm", add_algorithm},
        FeatureGroup{"global_memory", add_global_memory},
        FeatureGroup{"shared_memory", add_shared_memory},
        FeatureGroup{"register", add_registers},
        FeatureGroup{"atomic", add_atomics},
        FeatureGroup{"footprint", add_footprints},
    };
    return kGroups;
}

}  // namespace autoschedule_gpu
