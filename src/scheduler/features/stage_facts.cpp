// How often one thread evaluates a stage and what is inlined into it, and what it loads and stores.
#include <algorithm>

#include "scheduler/features/facts_steps.h"
#include "scheduler/nest/vectors.h"

namespace autoschedule_gpu {

namespace {

// Evaluates the regions of one pass, and of one evaluation.
void walk_pass(const KernelFacts &facts, StageFacts &stage, ExtractionScratch &scratch) {
    const std::vector<Loop> &loops = facts.dag.stage(stage.stage).loops;
    const RegionSet &in_thread = *stage.threads->regions;
    const std::span<Interval> ranges = scratch.array<Interval>(loops.size());
    for (size_t i = 0; i < loops.size(); ++i) {
        const Loop &loop = loops[i];
        int64_t start = loop.range.min;
        if (stage.owns_threads()) {
            start = stage.threads->ranges[i].min;
        } else if (loop.dim >= 0) {
            start = in_thread.touched(stage.func) ? in_thread.box(stage.func)[loop.dim].min : 0;
        }
        const int64_t trips = stage.inner->trips[i], written = stage.unrolled[i];
        ranges[i] = Interval::from_extent(start, written);
        stage.points_per_pass *= static_cast<double>(written);
        if (written == trips) continue;  // which may be none at all
        stage.passes *= static_cast<double>(trips) / static_cast<double>(written);
    }
    RegionSet &regions = scratch.regions();
    propagate(facts.dag, stage.stage, ranges, stage.flat->inlined, regions);
    stage.pass_regions = &regions;
    if (stage.points_per_pass == 1 || facts.memory_of(stage.func) != MemoryKind::shared) return;
    for (Interval &range : ranges) range = Interval::from_extent(range.min, 1);
    RegionSet &of_point = scratch.regions();
    propagate(facts.dag, stage.stage, ranges, stage.flat->inlined, of_point);
    stage.point_regions = &of_point;
}

// Returns how many points of a Func a pass evaluates or loads at most; `from_shared`: what comes of
// loads from shared memory.
double distinct_points(const StageFacts &stage, FuncId func, bool from_shared) {
    const double in_pass = stage.pass_regions->points(func);
    if (!from_shared || stage.point_regions == nullptr) return in_pass;
    return stage.points_per_pass * stage.point_regions->points(func);
}

// Returns which inlined Funcs load from shared memory, themselves or through others.
std::span<const bool> loads_from_shared(const KernelFacts &facts, const FlatStage &flat,
                                        ExtractionScratch &scratch) {
    const std::span<bool> from_shared = scratch.array<bool>(flat.inlined.size());
    for (const FlatLoad &load : flat.loads) {
        if (load.caller == FlatStage::kOwn) continue;
        from_shared[load.caller] |= facts.memory_of(load.producer) == MemoryKind::shared;
    }
    // Callees come after their callers, and their calls after those of the callers.
    size_t caller = flat.inlined.size();
    for (size_t c = flat.calls.size(); c-- > 0;) {
        const FlatCall &call = flat.calls[c];
        if (call.via == flat.stage) break;
        while (caller > 0 && facts.dag.func(flat.inlined[caller - 1]).stages[0] != call.via)
            --caller;
        if (caller > 0) from_shared[caller - 1] |= from_shared[call.position];
    }
    return from_shared;
}

// Counts how often one pass evaluates each inlined Func. What the points of a pass have in common
// is computed once: a Func is evaluated at most once per point of the box that the pass needs,
// unless data says which points these are.
void count_inlined(const KernelFacts &facts, StageFacts &stage, ExtractionScratch &scratch) {
    const FlatStage &flat = *stage.flat;
    const std::span<double> evaluations = scratch.array<double>(flat.inlined.size());
    const std::span<const bool> from_shared =
        stage.point_regions ? loads_from_shared(facts, flat, scratch) : std::span<const bool>();
    size_t call = 0;
    const auto calls_of = [&](StageId via, double times) {
        for (; call < flat.calls.size() && flat.calls[call].via == via; ++call) {
            evaluations[flat.calls[call].position] += times * flat.calls[call].sites;
        }
    };
    calls_of(stage.stage, stage.points_per_pass);
    for (size_t i = 0; i < evaluations.size(); ++i) {
        const FuncId func = flat.inlined[i];
        double &times = evaluations[i];
        const bool again = !from_shared.empty() && from_shared[i];
        if (!flat.gathered[i]) times = std::min(times, distinct_points(stage, func, again));
        calls_of(facts.dag.func(func).stages[0], times);
    }
    stage.inlined_per_pass = evaluations;
}

// Returns how many points of the stage's own Func one pass accesses: the iterations of an unrolled
// reduction add to one value, which is loaded and stored once.
double own_points(const StageFacts &stage, const AccessMatrix &access) {
    double points = 1;
    for (size_t i = 0; i < stage.unrolled.size(); ++i) {
        if (access.moves(i)) points *= static_cast<double>(stage.unrolled[i]);
    }
    return points;
}

// Returns how many of the points that a load of the stage's own Func needs in a pass are not what
// the pass has just stored: a scan reads what its step before has written, so that of the steps
// that are written out the first alone loads.
double own_points_loaded(const KernelFacts &facts, const StageFacts &stage,
                         const AccessMatrix &access) {
    const Stage &data = facts.dag.stage(stage.stage);
    double points = own_points(stage, access);
    for (size_t i = 0; i < stage.unrolled.size(); ++i) {
        if (data.loops[i].parallel || !access.moves(i)) continue;
        bool as_stored = true;
        for (size_t d = 0; d < access.dims(); ++d) {
            const Coefficient &load = access.at(d, i), &store = data.store.at(d, i);
            as_stored &= load.known && store.known && load.value == store.value;
        }
        if (as_stored) points /= std::max(1.0, static_cast<double>(stage.unrolled[i]));
    }
    return points;
}

// Returns how often one pass makes a load, at so many sites. Loads of one Func share the points of
// its box; each gets its part of them. Where the address depends on data nothing is known to be
// shared.
double loads_per_pass(const KernelFacts &facts, const StageFacts &stage, const FlatLoad &load,
                      double sites, std::span<const double> all_sites) {
    if (load.source == FlatStage::kOwn) {
        // An atomic operation is one, whatever the operations beside it add to.
        if (stage.threads->atomic) return sites;
        return std::min(sites, load.sites * own_points_loaded(facts, stage, load.access));
    }
    if (load.is_gather || !stage.pass_regions->touched(load.producer)) return sites;
    const double all = all_sites[load.source];
    const double values = static_cast<double>(facts.dag.func(load.producer).values.size());
    const bool from_shared = facts.memory_of(load.producer) == MemoryKind::shared;
    const double distinct =
        std::min(all, values * distinct_points(stage, load.producer, from_shared));
    return all > 0 ? sites * (distinct / all) : sites;
}

// Returns how many elements one instruction moves of an access of global memory: a vector, if
// neighbouring points along the vector's loop access neighbours in aligned rows.
int64_t elements_at_once(const StageFacts &stage, const AccessMatrix &access, bool is_aligned) {
    if (!stage.vector_loop || !is_aligned || access.dims() == 0) return 1;
    for (size_t d = 0; d < access.dims(); ++d) {
        const Coefficient &c = access.at(d, *stage.vector_loop);
        if (!c.known || c.value != (d == 0 ? 1 : 0)) return 1;
    }
    return kVectorElements;
}

void list_accesses(const KernelFacts &facts, StageFacts &stage, ExtractionScratch &scratch) {
    const FlatStage &flat = *stage.flat;
    const auto sites = [&](const FlatLoad &load) {
        const bool own = load.caller == FlatStage::kOwn;
        return load.sites * (own ? stage.points_per_pass : stage.inlined_per_pass[load.caller]);
    };
    const std::span<double> all_sites = scratch.array<double>(flat.producers.size());
    for (const FlatLoad &load : flat.loads) {
        const bool shares = load.source != FlatStage::kOwn && !load.is_gather;
        if (shares) all_sites[load.source] += sites(load);
    }
    const std::vector<ScalarType> &values = facts.dag.func(stage.func).values;
    const auto accesses = scratch.array<AccessFacts>(flat.loads.size() + values.size());
    auto access = accesses.begin();
    for (const FlatLoad &load : flat.loads) {
        const double loads = loads_per_pass(facts, stage, load, sites(load), all_sites);
        const bool is_aligned = load.source == FlatStage::kOwn
                                    ? facts.is_root(stage)
                                    : !load.is_gather && flat.follows[load.source];
        *access++ = {.func = load.producer,
                     .direction = Direction::load,
                     .memory = facts.memory_of(load.producer),
                     .bytes = load.bytes,
                     .count = loads * stage.passes,
                     .vector = std::ranges::find(stage.read_by_steps, load.producer) !=
                                       stage.read_by_steps.end()
                                   ? kVectorElements
                                   : elements_at_once(stage, load.access, is_aligned),
                     .matrix = &load.access};
    }
    const AccessMatrix &store = facts.dag.stage(stage.stage).store;
    const double stores =
        stage.threads->atomic ? stage.points_per_thread : own_points(stage, store) * stage.passes;
    for (const ScalarType &value : values) {
        *access++ = {.func = stage.func,
                     .direction = Direction::store,
                     .memory = facts.memory_of(stage.func),
                     .bytes = value.bytes(),
                     .count = stores,
                     .vector = elements_at_once(stage, store, facts.is_root(stage)),
                     .matrix = &store};
    }
    stage.accesses = accesses;
}

}  // namespace

void count_work(const KernelFacts &facts, std::span<StageFacts> stages,
                ExtractionScratch &scratch) {
    for (StageFacts &stage : stages) {
        walk_pass(facts, stage, scratch);
        stage.passes *= stage.threads->loop_iterations;
        stage.points_per_thread = stage.points_per_pass * stage.passes;
        stage.points = stage.points_per_thread * stage.threads->threads * facts.blocks;
        count_inlined(facts, stage, scratch);
        list_accesses(facts, stage, scratch);
    }
}

}  // namespace autoschedule_gpu
