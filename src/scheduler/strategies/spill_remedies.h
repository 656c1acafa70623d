// What is tried where a schedule that the judge accepts spills registers, without another search:
// the kernels that spill are made otherwise, alone, in the order in which that is found in no time
// and mostly helps.
//
//     little is spilled   neighbours: fewer steps written out, one decision changed
//     then                reductions as loops
//                         less inlined: what many points share is computed before
//                         tiled anew for a device with fewer registers per thread
//                         half the points in a thread, in all kernels and then one by one in every
//                         shape that holds none that spilled
//                         what they read of others in shared memory
#pragma once

#include "scheduler/strategies/composition.h"
#include "scheduler/strategies/trials.h"

namespace autoschedule_gpu {

// The first of the devices that a kernel or a schedule is made for where it spills: so many eighths
// of the registers per thread that there are.
inline constexpr int kFirstEighths = 6, kLastEighths = 5;
// Trials that take Halide longer are not worth it; others of a kernel together, too.
inline constexpr double kMostTrialSeconds = 2;

// The best of what was tried, which is `best` itself where nothing is better.
ComposedSchedule with_remedies_for_spills(const Composition &composition, SearchContext &context,
                                          Trials &trials, SearchReport &report,
                                          ComposedSchedule best);

}  // namespace autoschedule_gpu
