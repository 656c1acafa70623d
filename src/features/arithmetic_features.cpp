// Features of the group "arithmetic": what the threads of a stage compute.
#include <algorithm>

#include "features/thread_view.h"

namespace autoschedule_gpu {

// Evaluates the stage's regions for one unrolled tile. What the tile's points have in common is
// computed once: a Func is evaluated at most once per point of the box that the tile needs, unless
// data says which points these are.
FeatureExtractor::TileCounts FeatureExtractor::count_tile(const ThreadView &view, const Band &inner,
                                                          const FlatStage &flat) {
    const Stage &stage = dag_.stage(inner.stage);
    const UnrolledLoops unrolled(dag_, inner);
    const bool own_stage = inner.stage == view.threads->stage;
    TileCounts counts;
    ranges_.clear();
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        const Loop &loop = stage.loops[i];
        const int64_t start =
            own_stage || loop.dim < 0
                ? (own_stage ? view.first[i].min : loop.range.min)
                : (thread_.touched(stage.func) ? thread_.box(stage.func)[loop.dim].min : 0);
        const int64_t points = unrolled[i] ? inner.trips[i] : 1;
        ranges_.push_back(Interval::from_extent(start, points));
        counts.own *= static_cast<double>(points);
    }
    tile_.clear();
    propagate(dag_, inner.stage, ranges_, flat.inlined, tile_);

    for (FuncId func : flat.inlined) evaluations_[func.index()] = 0;
    size_t call = 0;
    const auto calls_of = [&](StageId via, double evaluations) {
        for (; call < flat.calls.size() && flat.calls[call].via == via; ++call) {
            evaluations_[flat.calls[call].callee.index()] += evaluations * flat.calls[call].sites;
        }
    };
    calls_of(inner.stage, counts.own);
    for (size_t i = 0; i < flat.inlined.size(); ++i) {
        const FuncId func = flat.inlined[i];
        double &evaluations = evaluations_[func.index()];
        if (!flat.gathered[i]) evaluations = std::min(evaluations, tile_.points(func));
        counts.inlined += evaluations;
        calls_of(dag_.func(func).stages[0], evaluations);
    }
    return counts;
}

void FeatureExtractor::add_arithmetic(const FlatStage &flat, const TileCounts &counts,
                                      double passes, StageFeatures &row) const {
    const auto add = [&](const OpHistogram &ops, double evaluations) {
        const auto fused = [&](OpType type) {
            return evaluations * std::min(ops.at(OpKind::add, type), ops.at(OpKind::mul, type));
        };
        row.fp32_fused_per_thread += fused(OpType::single);
        row.int_fused_per_thread += fused(OpType::integer);
        for (size_t k = 0; k < kOpKindCount; ++k) {
            const OpKind kind = static_cast<OpKind>(k);
            for (size_t t = 0; t < kOpTypeCount; ++t) {
                const OpType type = static_cast<OpType>(t);
                const double count = ops.at(kind, type) * evaluations;
                if (count == 0) continue;
                const bool floating =
                    type == OpType::half || type == OpType::single || type == OpType::wide_float;
                const bool special =
                    kind == OpKind::sqrt || kind == OpKind::transcendental || kind == OpKind::div;
                if (special) {
                    row.special_ops_per_thread += count;
                } else if (!floating || kind == OpKind::compare || kind == OpKind::select ||
                           kind == OpKind::cast || kind == OpKind::logic) {
                    // 64-bit integers take two instructions at least.
                    row.int_ops_per_thread += type == OpType::wide_integer ? 2 * count : count;
                } else if (type == OpType::single) {
                    row.fp32_ops_per_thread += count;
                } else if (type == OpType::half) {
                    row.fp16_ops_per_thread += count;
                } else {
                    row.fp64_ops_per_thread += count;
                }
            }
        }
    };
    add(dag_.stage(flat.stage).ops, counts.own * passes);
    for (FuncId func : flat.inlined) {
        add(dag_.stage(dag_.func(func).stages[0]).ops, evaluations_[func.index()] * passes);
    }
}

}  // namespace autoschedule_gpu
