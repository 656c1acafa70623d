// One row of the stage table: what one thread computes, loads and stores.
#include <algorithm>

#include "features/thread_view.h"

namespace autoschedule_gpu {

namespace {

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

void FeatureExtractor::fill_stage_row(const ThreadView &view, const Band &inner,
                                      StageFeatures &row) {
    row.stage = inner.stage;
    const FlatStage &flat = this->flat(inner.stage, view.kernel->inlined);
    const TileCounts counts = count_tile(view, inner, flat);
    const double passes = view.loop_iterations * passes_of(dag_, inner);
    add_parallelism(view, inner, passes, row);
    row.unrolled_points = counts.own;
    row.points_computed_per_thread = counts.own * passes;
    row.num_scalars = row.points_computed_per_thread * row.num_threads_per_block * view.blocks;
    row.inlined_calls = counts.inlined * passes;
    row.working_set_at_thread = working_set(*view.threads);
    row.expr_branching = flat.branching;
    row.vector_width = vector_width(inner);
    row.algorithm = flat.algorithm;
    add_arithmetic(flat, counts, passes, row);
    add_loads(view, inner, flat, counts, passes, row);
    add_stores(view, inner, passes, row);
    if (view.atomic && inner.stage == view.threads->stage) add_atomics(inner, row);
    add_footprints(view, inner, flat, row);
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
