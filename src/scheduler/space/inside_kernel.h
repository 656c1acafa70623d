// Which decisions there are to compute a Func inside the only kernel that reads it: in its block or
// in its threads, as it is tiled or with another tiling. Pure functions of the facts and their
// arguments; safe from any thread.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "scheduler/space/decision.h"
#include "scheduler/space/space_facts.h"
#include "scheduler/space/state.h"

namespace autoschedule_gpu {

// A kernel's tiling is chosen for its root stage alone. `yes`: there are also decisions that
// compute a Func in a kernel and tile that kernel anew, since the best tiling depends on what is
// computed inside.
enum class Retile : uint8_t { no, yes };

class InsideKernel {
public:
    // The facts must outlive it.
    explicit InsideKernel(const SpaceFacts &facts) : facts_(facts), dag_(facts.dag) {}

    // Adds the decisions for `func`, which the kernels `consumers` read, in a fixed order.
    void list(const State &state, FuncId func, const std::vector<size_t> &consumers, Retile retile,
              std::vector<Decision> &out, RuleCounts &rejected) const;

    // The decision to compute a Func so in the only kernel that reads it, as that is tiled, whether
    // it is listed or not.
    std::variant<Decision, Rejection> decision_of(const State &state, const Member &member,
                                                  std::vector<int64_t> serial = {}) const;

    // Decisions that compute an inlined copy in the kernel that reads it, as the kernel is tiled or
    // with another tiling.
    std::vector<Decision> staging(const State &state, FuncId copy, RuleCounts &rejected) const;

    // Decisions that compute a Func that is in the kernel's block already with other points per
    // thread, the kernel being tiled as it is; of each such Func.
    std::vector<Decision> other_tiles(const State &state, size_t kernel,
                                      RuleCounts &rejected) const;

    // Decisions that tile the kernel so, and in whose block one Func that is there already is
    // fitted to the root stage's threads (fitted_members.h); of each such Func. The tiling must
    // outlive them.
    std::vector<Decision> fitted_tiles(const State &state, size_t kernel,
                                       const Tiling &tiling) const;

private:
    bool may_fill_loop(const State &state, BlockLoop loop) const;
    std::vector<BlockLoop> loops_for(const State &state, const Kernel &kernel, FuncId func) const;
    void list_as_tiled(const Kernel &kernel, size_t index, FuncId func,
                       std::span<const BlockLoop> loops, std::vector<Decision> &out,
                       RuleCounts &rejected) const;
    void list_in_block(const Kernel &kernel, size_t index, FuncId func, BlockLoop loop,
                       std::vector<Decision> &out, RuleCounts &rejected) const;
    void list_retilings(const Kernel &kernel, size_t index, FuncId func,
                        std::span<const BlockLoop> loops, std::vector<Decision> &out) const;
    void list_walks(const Kernel &kernel, size_t index, FuncId func,
                    std::vector<Decision> &out) const;
    std::vector<const Tiling *> fitting_block(const Kernel &kernel, FuncId func,
                                              std::vector<const Tiling *> tilings) const;

    const SpaceFacts &facts_;
    const Dag &dag_;
};

}  // namespace autoschedule_gpu
