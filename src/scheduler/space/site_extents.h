// How much of Funcs a block or a thread of a kernel needs, as far as it bears on what may be
// computed there (scheduler/nest/regions.h). Many tilings of many kernels ask the same, since only
// the points of a tile make a difference, and what is computed on the way; so answers are
// remembered, in bounded memory. That changes no result. May be called from any thread.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/dag/dag.h"
#include "core/support/shared_memo.h"
#include "scheduler/nest/nest.h"
#include "scheduler/nest/regions.h"
#include "scheduler/rules/candidates.h"

namespace autoschedule_gpu {

// Of one Func.
struct SiteExtentsOfFunc {
    // Known to Halide when it compiles, or only at run time: the most there may be or, where
    // parameters decide, what there is at the estimates (scheduler/nest/regions.h).
    enum class Known : uint8_t { no, at_run_time, constant };
    Known known = Known::no;
    std::vector<int64_t> points;  // per dimension, unless not known
    uint64_t varying = 0;         // bits of the dimensions that are known at run time only
};

class SiteExtents : public BlockNeeds {
public:
    using Known = SiteExtentsOfFunc::Known;
    using Answer = std::shared_ptr<const SiteExtentsOfFunc>;

    // `dag` must outlive this object. `may_be_at_run_time`: false for a device whose blocks must
    // have a constant size; what would be known at run time is then not known.
    SiteExtents(const Dag &dag, bool may_be_at_run_time);

    // What a block needs of `funcs`, if the kernel's root stage were tiled as given; with a loop of
    // the kernel, what one iteration of it needs, which must be constant. Empty if that of some
    // Func can't be known.
    std::vector<Answer> in_block(const Kernel &kernel, const Tiling &tiling,
                                 std::span<const FuncId> funcs, BlockLoop loop = {});

    // Of one Func, as the kernel is tiled.
    Answer in_block(const Kernel &kernel, FuncId func, BlockLoop loop = {});

    std::vector<int64_t> needed_in_block(const Kernel &kernel, FuncId func,
                                         BlockLoop loop) override;

    // What a thread of that band needs of `func`: constant, or not known.
    Answer in_thread(const Kernel &kernel, const Band &threads, FuncId func);

    // needs_alignment_in_block and needs_alignment_in_thread.
    bool needs_alignment(const Kernel &kernel, const Member &member);

private:
    std::vector<SiteExtentsOfFunc> compute_in_block(const Kernel &kernel, const Tiling &tiling,
                                                    std::span<const FuncId> funcs,
                                                    BlockLoop loop) const;

    const Dag &dag_;
    const bool may_be_at_run_time_;
    SharedMemo<Answer> known_;
    SharedMemo<bool> alignment_;
};

}  // namespace autoschedule_gpu
