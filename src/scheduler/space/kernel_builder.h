// Kernels as decisions make them: with a Func computed in them, with another tiling, with a Func
// inline. Each is complete (what is always inlined is listed) and asked of the rules; a Rejection
// says which rule says no. Pure functions of the facts and their arguments; safe from any thread.
#pragma once

#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "scheduler/nest/edit.h"
#include "scheduler/space/decision.h"
#include "scheduler/space/space_facts.h"

namespace autoschedule_gpu {

class KernelBuilder {
public:
    // The facts must outlive the builder.
    explicit KernelBuilder(const SpaceFacts &facts) : facts_(facts), dag_(facts.dag) {}

    // The kernel of a stage at root in the default tiling; no rule is asked.
    KernelPtr at_root(StageId stage) const;

    // The kernel with what is always inlined; no rule is asked.
    KernelPtr with_always_inlined(const Kernel &kernel) const;

    // The kernel with the Func inline; no rule is asked.
    KernelPtr with_inlined(const Kernel &kernel, FuncId func) const;

    // Asked are `rules`.
    std::variant<KernelPtr, Rejection> with_inlined(const Kernel &kernel, FuncId func,
                                                    const RuleBook &rules) const;

    // The kernel as it is tiled, with the Func of a decision in it. Where its tiles are aligned for
    // that Func, what was computed in it before is computed over the regions of aligned tiles.
    std::variant<KernelPtr, Rejection> with_member(const Kernel &kernel,
                                                   const Decision &decision) const;

    // The kernel with another tiling of its root stage and everything in it computed as before,
    // over the regions that this leads to; `added` as well, unless it is null, or instead of what
    // was decided for its Func before.
    std::variant<KernelPtr, Rejection> retiled(const Kernel &kernel, const Tiling &wanted,
                                               const Decision *added) const;

    // What a block with that tiling needs of the members that are computed there, by member. Empty
    // if that of some can't be known.
    std::vector<SiteExtents::Answer> extents_in_block(const Kernel &kernel, const Tiling &tiling,
                                                      std::span<const Member> members) const;

    // What one of `rules` that are asked then says against a kernel.
    std::optional<Rejection> rejection(const Kernel &kernel, KernelCandidate::Asked asked,
                                       const RuleBook &rules) const;

private:
    std::variant<KernelPtr, Rejection> retiled_once(const Kernel &kernel, const Tiling &wanted,
                                                    const Decision *added) const;
    std::optional<Rejection> add(KernelDraft &draft, const Member &member,
                                 std::span<const int64_t> extents,
                                 std::span<const int64_t> serial) const;
    // Whether a Func may be dealt, some of whose extents (bits by dimension) are known at run time
    // only.
    bool may_vary(FuncId func, uint64_t varying) const;
    // Puts a member into the block that the root stage's threads compute in rounds; false if none
    // of its loops can be dealt to them.
    bool deal(KernelDraft &draft, const Member &member, std::span<const int64_t> extents) const;
    // A narrower tiling, where some of the members, which need so much, are to fit.
    std::optional<Tiling> fitting(const Kernel &kernel, const Tiling &tiling,
                                  std::span<const Member> members,
                                  std::span<const SiteExtents::Answer> extents) const;
    bool shares_reduction_before(const Kernel &kernel, const Decision &decision) const;
    std::span<const int64_t> known_serial(const Kernel &kernel, const Member &member) const;
    std::optional<Rejection> rejection(const Kernel &kernel, const Member &member,
                                       std::span<const int64_t> extents) const;
    void add_always_inlined(KernelDraft &draft) const;
    // Rows that were padded are padded again, for what the block needs now.
    void pad_rows_as(const Kernel &before, KernelDraft &draft) const;
    // What was written out of reductions is again, as far as it may be.
    void step_as(const Kernel &before, KernelDraft &draft) const;
    // What is switched off stays so.
    static void switch_as(const Kernel &before, KernelPtr &kernel);
    // What is always inlined has been.
    std::variant<KernelPtr, Rejection> completed(KernelDraft draft, const RuleBook &rules) const;

    const SpaceFacts &facts_;
    const Dag &dag_;
};

}  // namespace autoschedule_gpu
