// Tilings of one stage at root as a list of them comes about: those that keep the device busy and
// that no rule rejects.
#pragma once

#include <cstdint>
#include <vector>

#include "core/dag/dag.h"
#include "core/gpu/gpu_model.h"
#include "scheduler/nest/nest.h"
#include "scheduler/rules/rule_book.h"

namespace autoschedule_gpu {

class ListedTilings {
public:
    // All must outlive it.
    ListedTilings(const Dag &dag, const GpuModel &gpu, const RuleBook &rules, StageId stage,
                  RuleCounts &counts);

    // Of the stage's loops, at the estimates.
    const std::vector<int64_t> &extents() const { return extents_; }

    // Unless it has fewer blocks than the device has multiprocessors, or a rule rejects it.
    void add(Tiling tiling);
    // Unless a rule rejects it.
    void add_of_few_blocks(Tiling tiling);

    std::vector<Tiling> take() && { return std::move(found_); }

private:
    int64_t blocks(const Tiling &tiling) const;

    const Dag &dag_;
    const GpuModel &gpu_;
    const RuleBook &rules_;
    const StageId id_;
    RuleCounts &counts_;
    const std::vector<int64_t> extents_;
    std::vector<Tiling> found_;
};

}  // namespace autoschedule_gpu
