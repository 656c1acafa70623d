// What is known of one thread band while its stages are featurised (private to the extractor).
#pragma once

#include <array>
#include <map>
#include <vector>

#include "features/feature_extractor.h"

namespace autoschedule_gpu {

struct FeatureExtractor::ThreadView {
    const Kernel *kernel = nullptr;
    const Band *threads = nullptr;
    ThreadExtents block;   // of the kernel
    ThreadExtents active;  // of this band
    double blocks = 1;
    double loop_iterations = 1;   // of the loop around the band
    bool atomic = false;          // what the band's own stage adds up is added by atomic operations
    std::vector<Interval> first;  // ranges of the band's stage in its first thread
    // Per Func computed in the threads: how its region moves per thread, by axis and dimension.
    std::map<FuncId, std::array<std::vector<double>, 3>> steps;

    double active_threads() const { return static_cast<double>(active.total()); }
};

struct FeatureExtractor::TileCounts {
    double own = 1;      // evaluations of the stage itself
    double inlined = 0;  // evaluations of Funcs that are inlined into it
};

}  // namespace autoschedule_gpu
