// Kernels that share launches (search/share_launches.h) can't be changed alone. What changes
// kernels after the search takes them apart and puts them together again.
#pragma once

#include "scheduler/search/report.h"
#include "scheduler/search/search_context.h"
#include "scheduler/strategies/composition.h"
#include "scheduler/strategies/strategy.h"

namespace autoschedule_gpu {

class CommonLaunches {
public:
    // All must outlive it.
    CommonLaunches(const Composition &of, SearchContext &context, SearchReport &report)
        : of_(of), context_(context), report_(report) {}

    // With a launch for each kernel.
    CompleteState apart(CompleteState complete) const;
    // A state whose kernels have launches of their own, with launches that they share, if another
    // state has such.
    CompleteState together_as(const CompleteState &other, CompleteState complete) const;
    // What it costs on the device that there is, with a launch for each kernel; it may have been
    // found for another.
    void set_true_costs(CompleteState &found) const;

private:
    const Composition &of_;
    SearchContext &context_;
    SearchReport &report_;
};

}  // namespace autoschedule_gpu
