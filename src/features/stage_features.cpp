// One row of the stage table: what one thread computes, loads and stores, and what its warps make
// of that.
#include <algorithm>

#include "features/thread_view.h"

namespace autoschedule_gpu {

namespace {

// Warps of a block with at least one active thread, when lanes are numbered x first.
double active_warps(const ThreadExtents &block, const ThreadExtents &active, int64_t warp) {
    if (active.x == block.x && active.y == block.y) {
        return static_cast<double>((block.x * block.y * active.z + warp - 1) / warp);
    }
    // Rows of a block that is wider than this stage, or no multiple of a warp, straddle warps.
    int64_t warps = 0, next = 0;
    for (int64_t z = 0; z < active.z; ++z) {
        for (int64_t y = 0; y < active.y; ++y) {
            const int64_t lane = (z * block.y + y) * block.x;
            const int64_t last = (lane + active.x - 1) / warp;
            warps += last + 1 - std::max(next, lane / warp);
            next = last + 1;
        }
    }
    return static_cast<double>(warps);
}

// Iterations of the loops that are not unrolled.
double passes_of(const Dag &dag, const Band &inner) {
    const UnrolledLoops unrolled(dag, inner);
    double passes = 1;
    for (size_t i = 0; i < inner.trips.size(); ++i) {
        if (!unrolled[i]) passes *= static_cast<double>(inner.trips[i]);
    }
    return passes;
}

}  // namespace

StageFeatures FeatureExtractor::stage_row(const ThreadView &view, const Band &inner) {
    StageFeatures row;
    row.stage = inner.stage;
    const FlatStage &flat = this->flat(inner.stage, view.kernel->inlined);
    const TileCounts counts = count_tile(view, inner, flat);
    const double passes = view.loop_iterations * passes_of(dag_, inner);
    row.unrolled_points = counts.own;
    row.serial_iterations = passes;
    row.points_computed_per_thread = counts.own * passes;
    row.num_threads_per_block = view.active_threads();
    row.num_active_warps_per_block = active_warps(view.block, view.active, gpu_.warp_size);
    row.warp_lane_utilization = row.num_threads_per_block / (row.num_active_warps_per_block *
                                                             static_cast<double>(gpu_.warp_size));
    row.num_scalars = row.points_computed_per_thread * row.num_threads_per_block * view.blocks;
    row.inlined_calls = counts.inlined * passes;
    add_arithmetic(flat, counts, passes, row);
    add_loads(view, inner, flat, counts, passes, row);
    add_stores(view, inner, passes, row);
    if (view.atomic && inner.stage == view.threads->stage) add_atomics(inner, row);
    return row;
}

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

void FeatureExtractor::add_loads(const ThreadView &view, const Band &inner, const FlatStage &flat,
                                 const TileCounts &counts, double passes, StageFeatures &row) {
    const FuncId own = dag_.stage(inner.stage).func;
    const auto sites = [&](const FlatLoad &load) {
        const double evaluations =
            load.via == flat.stage ? counts.own : evaluations_[dag_.stage(load.via).func.index()];
        return load.sites * evaluations;
    };
    // Loads of one Func share the points of its box; each access gets its part of them. Where the
    // address depends on data nothing is known to be shared.
    for (const FlatLoad &load : flat.loads) shared_sites_[load.producer.index()] = 0;
    for (const FlatLoad &load : flat.loads) {
        if (!load.is_gather) shared_sites_[load.producer.index()] += sites(load);
    }
    for (const FlatLoad &load : flat.loads) {
        double loads = sites(load);
        if (load.producer == own) {
            // An atomic operation is one, whatever the operations beside it add to.
            if (!view.atomic) {
                loads = std::min(loads, load.sites * tile_points(inner, load.access));
            }
        } else if (!load.is_gather && tile_.touched(load.producer)) {
            const double all = shared_sites_[load.producer.index()];
            const double values = static_cast<double>(dag_.func(load.producer).values.size());
            const double distinct = std::min(all, values * tile_.points(load.producer));
            if (all > 0) loads *= distinct / all;
        }
        add_access(view, inner, load.producer, load.access, load.bytes, loads * passes, false, row);
    }
}

void FeatureExtractor::add_stores(const ThreadView &view, const Band &inner, double passes,
                                  StageFeatures &row) {
    const Stage &stage = dag_.stage(inner.stage);
    const double stores =
        view.atomic ? row.points_computed_per_thread : tile_points(inner, stage.store) * passes;
    for (const ScalarType &value : dag_.func(stage.func).values) {
        add_access(view, inner, stage.func, stage.store, value.bytes(), stores, true, row);
    }
}

// Without knowledge of the data, the elements that an index may name are named equally often.
void FeatureExtractor::add_atomics(const Band &inner, StageFeatures &row) const {
    const Stage &stage = dag_.stage(inner.stage);
    row.atomics_per_thread = row.points_computed_per_thread;
    if (homes_[stage.func.index()] != Home::global) return;
    row.num_global_atomics_per_block = row.num_global_mem_stores_per_block;
    const Func &func = dag_.func(stage.func);
    double elements = 1;
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        bool moves = false;
        for (size_t d = 0; d < stage.store.dims(); ++d) {
            moves |= stage.store.at(d, i).known && stage.store.at(d, i).value != 0;
        }
        const Loop &loop = stage.loops[i];
        const Interval range = loop.dim >= 0 ? func.dims[loop.dim].estimate : loop.range;
        if (moves) elements *= static_cast<double>(range.extent());
    }
    for (size_t d = 0; d < stage.store.dims(); ++d) {
        bool data_dependent = false;
        for (size_t i = 0; i < stage.loops.size(); ++i) {
            data_dependent |= !stage.store.at(d, i).known;
        }
        if (data_dependent) elements *= static_cast<double>(func.dims[d].estimate.extent());
    }
    row.atomics_per_element = row.num_scalars / std::max(1.0, elements);
}

// Points of the stage's own Func that one unrolled tile accesses: the iterations of an unrolled
// reduction add to one value, which is loaded and stored once.
double FeatureExtractor::tile_points(const Band &inner, const AccessMatrix &access) const {
    const UnrolledLoops unrolled(dag_, inner);
    double points = 1;
    for (size_t i = 0; i < inner.trips.size(); ++i) {
        bool moves = false;
        for (size_t d = 0; d < access.dims(); ++d) {
            moves |= !access.at(d, i).known || access.at(d, i).value != 0;
        }
        if (unrolled[i] && moves) points *= static_cast<double>(inner.trips[i]);
    }
    return points;
}

}  // namespace autoschedule_gpu
