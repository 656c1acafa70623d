// The walk from the loops of one of a kernel's stages to what is read there, through the Funcs that
// are computed on the way: for constant_extents.cpp and runtime_extents.cpp, which do it over
// different kinds of intervals. Only the boxes that are asked for, or lead to them, are kept, so
// that a walk costs the same in a pipeline of a thousand stages. A Domain has
//
//     Interval                                   of one dimension or loop
//     evaluate(dag, program, in, out)            a region program (core/dag/region_program.h)
//     include(interval, other)                   the smallest one that contains both
//     reduction(loop)                            the range of a reduction loop
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "core/dag/dag.h"

namespace autoschedule_gpu {

template <typename Domain>
class MemberWalk {
public:
    using Interval = typename Domain::Interval;

    // `members`: of the kernel, descending; those that can't lead to any of `asked`, of which boxes
    // may be asked later, are left out.
    MemberWalk(const Dag &dag, std::span<const FuncId> members, std::span<const FuncId> asked)
        : dag_(dag) {
        boxes_.reserve(members.size() + asked.size());
        const auto last = std::ranges::min_element(asked);
        for (FuncId func : members) {
            if (last != asked.end() && func >= *last) boxes_.push_back({func, 0, true});
        }
        for (FuncId func : asked) {
            const auto at = place(func);
            if (at == boxes_.end() || at->func != func) boxes_.insert(at, {func, 0, false});
        }
        for (Box &box : boxes_) {
            box.first = intervals_.size();
            intervals_.resize(box.first + dag.func(box.func).dims.size());
        }
    }

    // The loops of `stage` run over `ranges`. What an earlier walk found is forgotten.
    void walk(StageId stage, std::span<const Interval> ranges) {
        for (Box &box : boxes_) box.touched = false;
        read_edges(stage, ranges);
        for (const Box &box : boxes_) {
            if (!box.is_member || !box.touched) continue;
            const Func &func = dag_.func(box.func);
            const std::span<Interval> mine = intervals(box);
            // What is computed may be more than what is required (bound, updates, self-reads).
            std::ranges::copy(evaluate(func.computed, mine), mine.begin());
            for (StageId id : func.stages) {
                ranges_.clear();
                for (const Loop &loop : dag_.stage(id).loops) {
                    ranges_.push_back(loop.dim >= 0 ? mine[loop.dim] : Domain::reduction(loop));
                }
                read_edges(id, ranges_);
            }
        }
    }

    // What is required of a Func, or, of a member, computed; nothing if it is not read. Valid until
    // the next walk.
    std::optional<std::span<const Interval>> box(FuncId func) const {
        const auto at = place(func);
        if (!at->touched) return std::nullopt;
        return intervals(*at);
    }

    // What is computed of a Func. Valid until the next call.
    std::optional<std::span<const Interval>> computed(FuncId func) {
        const auto at = place(func);
        if (!at->touched) return std::nullopt;
        if (at->is_member) return intervals(*at);
        return evaluate(dag_.func(func).computed, intervals(*at));
    }

private:
    struct Box {
        FuncId func;
        size_t first;  // in intervals_
        bool is_member;
        bool touched = false;
    };

    // Where a Func's box is or would be.
    auto place(FuncId func) const { return place_in(boxes_, func); }
    auto place(FuncId func) { return place_in(boxes_, func); }
    template <typename Boxes>
    static auto place_in(Boxes &boxes, FuncId func) {
        return std::ranges::lower_bound(boxes, func, std::greater<>(), &Box::func);
    }

    std::span<Interval> intervals(const Box &box) {
        return std::span(intervals_).subspan(box.first, dag_.func(box.func).dims.size());
    }
    std::span<const Interval> intervals(const Box &box) const {
        return std::span(intervals_).subspan(box.first, dag_.func(box.func).dims.size());
    }

    std::span<const Interval> evaluate(RegionProgramId program, std::span<const Interval> in) {
        results_.resize(std::max(results_.size(), dag_.regions.outputs(program)));
        Domain::evaluate(dag_, program, in, results_);
        return std::span(results_).first(dag_.regions.outputs(program));
    }

    void read_edges(StageId id, std::span<const Interval> ranges) {
        for (EdgeId edge_id : dag_.stage(id).edges) {
            const Edge &edge = dag_.edge(edge_id);
            const auto box = place(edge.producer);
            if (box == boxes_.end() || box->func != edge.producer) continue;
            const std::span<const Interval> read = evaluate(edge.region, ranges);
            const std::span<Interval> mine = intervals(*box);
            for (size_t d = 0; d < mine.size(); ++d) {
                if (box->touched) {
                    Domain::include(mine[d], read[d]);
                } else {
                    mine[d] = read[d];
                }
            }
            box->touched = true;
        }
    }

    const Dag &dag_;
    std::vector<Box> boxes_;  // descending by func, so consumers first
    std::vector<Interval> intervals_, ranges_, results_;
};

}  // namespace autoschedule_gpu
