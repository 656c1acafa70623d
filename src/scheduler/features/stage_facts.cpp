// How often one thread evaluates a stage and what is inlined into it, and what it loads and stores.
#include <algorithm>

#include "core/dag/scans.h"
#include "core/dag/storage_order.h"
#include "scheduler/features/facts_steps.h"
#include "scheduler/nest/channel_vectors.h"
#include "scheduler/nest/pixel_vectors.h"
#include "scheduler/nest/vectors.h"

namespace autoschedule_gpu {

namespace {

// Returns the ranges of the iterations that one pass writes out.
std::span<Interval> ranges_of_pass(const KernelFacts &facts, const StageFacts &stage,
                                   ExtractionScratch &scratch) {
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
        ranges[i] = Interval::from_extent(start, stage.unrolled[i]);
    }
    return ranges;
}

void count_passes(StageFacts &stage) {
    for (size_t i = 0; i < stage.unrolled.size(); ++i) {
        const int64_t trips = stage.inner->trips[i], written = stage.unrolled[i];
        stage.points_per_pass *= static_cast<double>(written);
        if (written == trips) continue;  // which may be none at all
        stage.passes *= static_cast<double>(trips) / static_cast<double>(written);
    }
}

const RegionSet *regions_of(const KernelFacts &facts, const StageFacts &stage,
                            std::span<const Interval> ranges, ExtractionScratch &scratch) {
    RegionSet &regions = scratch.regions();
    propagate(facts.dag, stage.stage, ranges, stage.flat->inlined, regions);
    return &regions;
}

// Returns the loops that move loads of global memory from row to row.
uint64_t row_loops(const KernelFacts &facts, const StageFacts &stage) {
    uint64_t rows = 0;
    for (const FlatLoad &load : stage.flat->loads) {
        if (facts.memory_of(load.producer) == MemoryKind::global) rows |= load.row_loops;
    }
    return rows;
}

// Returns in how many rows of a pass, as such loops make them.
double rows_of(const StageFacts &stage, uint64_t row_loops) {
    double rows = 1;
    for (size_t i = 0; i < stage.unrolled.size(); ++i) {
        if (row_loops >> i & 1) rows *= static_cast<double>(stage.unrolled[i]);
    }
    return rows;
}

// Evaluates the regions of one pass, of one row of it and of one evaluation.
void walk_pass(const KernelFacts &facts, StageFacts &stage, ExtractionScratch &scratch) {
    count_passes(stage);
    const std::span<Interval> ranges = ranges_of_pass(facts, stage, scratch);
    stage.pass_regions = regions_of(facts, stage, ranges, scratch);
    const uint64_t rows = row_loops(facts, stage);
    if (rows_of(stage, rows) > 1) {
        for (size_t i = 0; i < ranges.size(); ++i) {
            if (rows >> i & 1) ranges[i] = Interval::from_extent(ranges[i].min, 1);
        }
        stage.row_regions = regions_of(facts, stage, ranges, scratch);
    }
    if (stage.points_per_pass == 1 || facts.memory_of(stage.func) != MemoryKind::shared) return;
    for (Interval &range : ranges) range = Interval::from_extent(range.min, 1);
    stage.point_regions = regions_of(facts, stage, ranges, scratch);
}

// Whether what a pass stores parts what its points load: compilers do not see that it is stored
// elsewhere.
bool is_parted(const KernelFacts &facts, const StageFacts &stage, const FlatLoad &load) {
    return stage.point_regions && facts.memory_of(load.producer) == MemoryKind::shared;
}

std::span<const bool> parted_loads(const KernelFacts &facts, const StageFacts &stage,
                                   ExtractionScratch &scratch) {
    const std::span<bool> parted = scratch.array<bool>(stage.flat->loads.size());
    for (size_t i = 0; i < parted.size(); ++i) {
        parted[i] = is_parted(facts, stage, stage.flat->loads[i]);
    }
    return parted;
}

// What loads are kept for: all of a pass, unless compilers do not see that they are the same.
struct KeptLoads {
    bool parted = false;
    uint64_t row_loops = 0;  // of loads from global memory
};

// Returns how many points of a box differ by their coordinates as they are written, where so many
// iterations of each loop are written out.
template <typename Iterations>
double points_as_written(const RegionSet &regions, FuncId func,
                         std::span<const DividedCoordinate> divided, const Iterations &iterations) {
    double points = regions.points(func);
    if (divided.empty() || !regions.touched(func)) return points;
    for (const DividedCoordinate &coordinate : divided) {
        points *= coordinate.different(iterations) /
                  static_cast<double>(regions.box(func)[coordinate.dim].extent());
    }
    return points;
}

// Returns how many points of a Func a pass evaluates or loads at most.
double distinct_points(const KernelFacts &facts, const StageFacts &stage, FuncId func,
                       std::span<const DividedCoordinate> divided, const KeptLoads &kept) {
    // Where tiles begin at multiples of their size, Halide knows what the quotients are.
    if (facts.kernel.aligned) divided = {};
    const auto written = [&](size_t i) { return static_cast<double>(stage.unrolled[i]); };
    double points = points_as_written(*stage.pass_regions, func, divided, written);
    if (kept.parted) {
        points = stage.points_per_pass *
                 points_as_written(*stage.point_regions, func, divided, [](size_t) { return 1.0; });
    }
    if (stage.row_regions == nullptr) return points;
    const auto in_row = [&](size_t i) { return kept.row_loops >> i & 1 ? 1.0 : written(i); };
    return std::max(points, rows_of(stage, kept.row_loops) *
                                points_as_written(*stage.row_regions, func, divided, in_row));
}

// Returns what inlined Funcs load, themselves or through others.
std::span<const KeptLoads> loads_of_inlined(const KernelFacts &facts, const FlatStage &flat,
                                            std::span<const bool> parted,
                                            ExtractionScratch &scratch) {
    const std::span<KeptLoads> loads = scratch.array<KeptLoads>(flat.inlined.size());
    for (size_t i = 0; i < flat.loads.size(); ++i) {
        const FlatLoad &load = flat.loads[i];
        if (load.caller == FlatStage::kOwn) continue;
        const MemoryKind memory = facts.memory_of(load.producer);
        loads[load.caller].parted |= parted[i];
        if (memory == MemoryKind::global) loads[load.caller].row_loops |= load.row_loops;
    }
    // Callees come after their callers, and their calls after those of the callers.
    size_t caller = flat.inlined.size();
    for (size_t c = flat.calls.size(); c-- > 0;) {
        const FlatCall &call = flat.calls[c];
        if (call.via == flat.stage) break;
        while (caller > 0 && facts.dag.func(flat.inlined[caller - 1]).stages[0] != call.via)
            --caller;
        if (caller == 0) continue;
        loads[caller - 1].parted |= loads[call.position].parted;
        loads[caller - 1].row_loops |= loads[call.position].row_loops;
    }
    return loads;
}

// Returns whether the iterations that one pass writes out are known to a choice: all of a loop, or
// whole patterns.
bool is_known(const KernelFacts &facts, const StageFacts &stage, const LoopChoice &choice) {
    if (choice.period > 0) return facts.knows_pattern(stage, choice.loop, choice.period);
    const Stage &of = facts.dag.stage(stage.stage);
    const Interval &all = estimated_range(facts.dag, of, of.loops[choice.loop]);
    return stage.unrolled[choice.loop] >= all.extent();
}

size_t known_choices(const KernelFacts &facts, const StageFacts &stage,
                     const FlatChoices &choices) {
    size_t known = choices.knowable;
    for (const auto &[choice, loop] : choices.loops) {
        if (!is_known(facts, stage, loop)) known &= ~(size_t{1} << choice);
    }
    return known;
}

void find_choices(const KernelFacts &facts, StageFacts &stage, ExtractionScratch &scratch) {
    const FlatStage &flat = *stage.flat;
    stage.known_choices = known_choices(facts, stage, flat.choices);
    const std::span<size_t> inlined = scratch.array<size_t>(flat.inlined.size());
    for (size_t i = 0; i < inlined.size(); ++i) {
        inlined[i] = known_choices(facts, stage, flat.inlined_choices[i]);
    }
    stage.inlined_known_choices = inlined;
}

// Returns how many of the sites are taken.
double taken(double sites, const std::vector<double> &untaken, size_t known) {
    return untaken.empty() ? sites : sites - untaken[known];
}

// Counts how often one pass evaluates each inlined Func. What the points of a pass have in common
// is computed once: a Func is evaluated at most once per point of the box that the pass needs,
// unless data says which points these are.
void count_inlined(const KernelFacts &facts, StageFacts &stage, std::span<const bool> parted,
                   ExtractionScratch &scratch) {
    const FlatStage &flat = *stage.flat;
    const std::span<double> evaluations = scratch.array<double>(flat.inlined.size());
    const std::span<const KeptLoads> loads = loads_of_inlined(facts, flat, parted, scratch);
    size_t call = 0;
    const auto calls_of = [&](StageId via, double times, size_t known) {
        for (; call < flat.calls.size() && flat.calls[call].via == via; ++call) {
            const FlatCall &of = flat.calls[call];
            evaluations[of.position] += times * taken(of.sites, of.untaken, known);
        }
    };
    calls_of(stage.stage, stage.points_per_pass, stage.known_choices);
    for (size_t i = 0; i < evaluations.size(); ++i) {
        const FuncId func = flat.inlined[i];
        double &times = evaluations[i];
        if (!flat.gathered[i]) {
            times = std::min(
                times, distinct_points(facts, stage, func, flat.inlined_divided[i], loads[i]));
        }
        calls_of(facts.dag.func(func).stages[0], times, stage.inlined_known_choices[i]);
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
        if (!goes_as_stored(data, access, i)) continue;
        points /= std::max(1.0, static_cast<double>(stage.unrolled[i]));
    }
    return points;
}

// Whether compilers do not see that what a load takes in one step of the loop lies apart from what
// is stored in another: not of distances that are known at run time, as strides of global memory
// are, nor of places that depend on data.
bool may_be_the_same(const KernelFacts &facts, const FlatLoad &load, size_t loop) {
    switch (facts.memory_of(load.producer)) {
        case MemoryKind::global:
            return facts.strides_along(load.producer, load.access, loop);
        case MemoryKind::shared:
            for (size_t d = 0; d < load.access.dims(); ++d) {
                if (!load.access.at(d, loop).known) return true;
            }
            return false;
        default:
            return false;
    }
}

// Whether the places in shared memory that a stage changes depend on data, which are in shared
// memory, too: those are loaded anew after each store, for it may have changed them, and then no
// two places are known to lie apart (read off the PTX of sums of cells).
bool loads_its_places_anew(const KernelFacts &facts, const StageFacts &stage) {
    const auto is_shared = [&](const FlatLoad &load) {
        return facts.memory_of(load.producer) == MemoryKind::shared;
    };
    const auto is_changed = [&](const FlatLoad &load) { return load.in_place > 0; };
    const std::vector<FlatLoad> &loads = stage.flat->loads;
    return std::ranges::any_of(loads,
                               [&](const FlatLoad &load) {
                                   return is_changed(load) && is_shared(load) && load.is_gather;
                               }) &&
           std::ranges::any_of(
               loads, [&](const FlatLoad &load) { return !is_changed(load) && is_shared(load); });
}

// Whether tiles that are cut off (has_cut_tiles) take part in the only wave of blocks that there
// is: then the device waits for them.
bool waits_for_cut_tiles(const KernelFacts &facts) {
    const double resident =
        static_cast<double>(facts.gpu.sm_count * facts.gpu.max_warps_per_sm * facts.gpu.warp_size);
    return facts.blocks * static_cast<double>(facts.block_size.total()) <= resident &&
           has_cut_tiles(facts.dag, facts.kernel);
}

// Whether each of the steps that are written out of a loop has a guard of its own where a tile is
// cut: Halide makes a copy without those for whole tiles alone. A branch lets no load ahead (a scan
// of 2,560 steps in two tiles of three channels takes 906 us on an H200, where the block with both
// takes 140).
bool has_guarded_steps(const KernelFacts &facts, const StageFacts &stage, size_t loop) {
    return stage.stage == facts.kernel.stage && stage.unrolled[loop] < stage.inner->trips[loop] &&
           waits_for_cut_tiles(facts);
}

// Whether the steps of a loop go on from what the step before has stored in global memory.
bool is_scan_in_memory(const KernelFacts &facts, const StageFacts &stage, size_t loop) {
    return facts.memory_of(stage.func) == MemoryKind::global &&
           is_scan_along(facts.dag.stage(stage.stage), loop);
}

// Returns how many steps of a pass wait for each other's loads. An update that changes what it
// reads loads a step's value after the step before has stored its own, and a scan what else it
// reads, unless compilers see that these lie apart (read off the machine code of scans: 32 loads
// before the first store, or load and store in turns; iir_blur with an address for each load takes
// 3.1 ms on an H200, and 0.69 with offsets of one address). Measured there, too: sums of cells in
// shared memory take 120 cycles a step.
double waiting_steps(const KernelFacts &facts, const StageFacts &stage) {
    if (stage.is_atomic()) return 1;
    if (loads_its_places_anew(facts, stage)) return stage.points_per_pass;
    const std::vector<Loop> &loops = facts.dag.stage(stage.stage).loops;
    double steps = 1;
    for (size_t i = 0; i < loops.size(); ++i) {
        if (loops[i].parallel || stage.unrolled[i] == 1) continue;
        const bool is_scan = is_scan_in_memory(facts, stage, i);
        const auto waits = [&](const FlatLoad &load) {
            const bool is_kept_back = is_scan ? load.source != FlatStage::kOwn : load.in_place > 0;
            return is_kept_back && may_be_the_same(facts, load, i);
        };
        const bool is_ahead = stage.loop_ahead == i;
        if ((!is_ahead && std::ranges::any_of(stage.flat->loads, waits)) ||
            has_guarded_steps(facts, stage, i)) {
            steps *= static_cast<double>(stage.unrolled[i]);
        }
    }
    return steps;
}

// Returns how many steps of a pass load before the first of them stores: those of a scan that do
// not wait (32 loads before 32 stores in PTX). None of what is no scan in global memory.
double steps_ahead(const KernelFacts &facts, const StageFacts &stage) {
    if (stage.waiting_steps > 1) return 0;
    const std::vector<Loop> &loops = facts.dag.stage(stage.stage).loops;
    for (size_t i = 0; i < loops.size(); ++i) {
        const bool is_written_out = !loops[i].parallel && stage.unrolled[i] > 1;
        if (is_written_out && is_scan_in_memory(facts, stage, i)) {
            return static_cast<double>(stage.unrolled[i]);
        }
    }
    return 0;
}

// What one pass loads of a Func: at all sites of its evaluations, and at most if each place in the
// code shared with itself alone.
struct LoadsOfFunc {
    double sites = 0, apart = 0;
};

// The same of one load, at most.
double loads_apart(const StageFacts &stage, const FlatLoad &load) {
    return stage.flat->sites_at_a_point(load) * own_points(stage, load.access);
}

// Whether a pass loads of a producer along different loops, and not all of these: in most passes
// parts that lie apart, though it be one at the place that the box is of.
bool is_crossed(const KernelFacts &facts, const StageFacts &stage, size_t producer) {
    const Stage &data = facts.dag.stage(stage.stage);
    for (size_t i = 0; i < data.loops.size(); ++i) {
        if ((stage.flat->crossed[producer] >> i & 1) == 0) continue;
        const Interval all = estimated_range(facts.dag, data, data.loops[i]);
        if (stage.unrolled[i] < all.extent()) return true;
    }
    return false;
}

// Returns how often one pass makes a load, at so many sites. Loads of one Func share the points of
// its box, and each gets its part of them; but where they go different ways (rows and columns of
// one matrix) the box is much larger than what they load. Where the address depends on data nothing
// is known to be shared.
double loads_per_pass(const KernelFacts &facts, const StageFacts &stage, const FlatLoad &load,
                      bool parted, double sites, std::span<const LoadsOfFunc> all_loads) {
    if (load.source == FlatStage::kOwn) {
        // An atomic operation is one, whatever the operations beside it add to.
        if (stage.threads->atomic) return sites;
        const double elsewhere = load.sites - load.in_place;
        return std::min(sites, load.in_place * own_points(stage, load.access) +
                                   elsewhere * own_points_loaded(facts, stage, load.access));
    }
    if (load.is_gather || !stage.pass_regions->touched(load.producer)) return sites;
    const auto [all, apart] = all_loads[load.source];
    const double values = static_cast<double>(facts.dag.func(load.producer).values.size());
    const MemoryKind memory = facts.memory_of(load.producer);
    const KeptLoads kept{.parted = parted,
                         .row_loops = memory == MemoryKind::global ? load.row_loops : 0};
    const auto &divided = stage.flat->producers_divided[load.source];
    const double distinct =
        std::min(all, values * distinct_points(facts, stage, load.producer, divided, kept));
    const bool is_no_box = apart < distinct || is_crossed(facts, stage, load.source);
    if (!parted && is_no_box) return std::min(sites, loads_apart(stage, load));
    return all > 0 ? sites * (distinct / all) : sites;
}

// Returns how many elements one instruction moves of an access of global memory: a vector, if
// neighbouring points along the vector's loop access neighbours in aligned rows.
int64_t elements_at_once(const StageFacts &stage, const AccessMatrix &access, bool is_aligned) {
    if (!stage.vector_loop || !is_aligned || access.dims() == 0) return 1;
    return goes_along(access, *stage.vector_loop, 0) ? kVectorElements : 1;
}

// Returns how many elements one load of a Func moves.
int64_t elements_of_load(const KernelFacts &facts, const StageFacts &stage, const FlatLoad &load) {
    if (stage.reads_by_steps(load.producer)) return kVectorElements;
    if (stage.reads_by_pixels(load.producer)) {
        return pixels_per_load(stage.pixels_at_once, load.bytes);
    }
    if (stage.reads_by_channels(load.producer)) {
        const Func &func = facts.dag.func(load.producer);
        const size_t *in_block = facts.shared_channels(load.producer);
        const auto dim = in_block ? *in_block : static_cast<size_t>(innermost_dimension(func));
        const bool all = goes_along(load.access, *stage.channel_loop, dim);
        return all ? func.dims[dim].estimate.extent() : 1;
    }
    const bool is_aligned = load.source == FlatStage::kOwn
                                ? facts.is_root(stage)
                                : !load.is_gather && stage.flat->follows[load.source];
    return elements_at_once(stage, load.access, is_aligned);
}

// Returns how many elements one store of the stage moves.
int64_t elements_of_store(const KernelFacts &facts, const StageFacts &stage,
                          const AccessMatrix &store) {
    const Func &func = facts.dag.func(stage.func);
    const bool in_block = facts.shared_channels(stage.func) != nullptr;
    if (!facts.is_root(stage) && !in_block) return 1;
    if (stage.pixels_at_once > 1) return stage.pixels_at_once;
    if (stage.channel_loop) return stage.inner->trips[*stage.channel_loop];
    return in_block ? 1 : elements_at_once(stage, store, func.aligned_rows);
}

// Returns how often a thread stores what the stage computes. A sum in shared memory is stored after
// each step that is written out if other shared memory is loaded between them: compilers keep the
// sum in a register, and yet do not see that nobody loads what they store.
double stores_of(const KernelFacts &facts, const StageFacts &stage, const AccessMatrix &store,
                 std::span<const AccessFacts> loads) {
    const bool loads_others = std::ranges::any_of(loads, [&](const AccessFacts &load) {
        return load.memory == MemoryKind::shared && load.func != stage.func;
    });
    const bool each = facts.memory_of(stage.func) == MemoryKind::shared && loads_others;
    if (stage.threads->atomic || each) return stage.points_per_thread;
    return own_points(stage, store) * stage.passes;
}

void list_accesses(const KernelFacts &facts, StageFacts &stage, std::span<const bool> parted,
                   ExtractionScratch &scratch) {
    const FlatStage &flat = *stage.flat;
    const auto sites = [&](const FlatLoad &load) {
        const bool own = load.caller == FlatStage::kOwn;
        const size_t known = own ? stage.known_choices : stage.inlined_known_choices[load.caller];
        const double times = own ? stage.points_per_pass : stage.inlined_per_pass[load.caller];
        return times * taken(load.sites, load.untaken, known);
    };
    const std::span<LoadsOfFunc> all_loads = scratch.array<LoadsOfFunc>(flat.producers.size());
    for (const FlatLoad &load : flat.loads) {
        if (load.source == FlatStage::kOwn || load.is_gather) continue;
        all_loads[load.source].sites += sites(load);
        all_loads[load.source].apart += loads_apart(stage, load);
    }
    const std::vector<ScalarType> &values = facts.dag.func(stage.func).values;
    const auto accesses = scratch.array<AccessFacts>(flat.loads.size() + values.size());
    auto access = accesses.begin();
    for (size_t i = 0; i < flat.loads.size(); ++i) {
        const FlatLoad &load = flat.loads[i];
        const double loads = loads_per_pass(facts, stage, load, parted[i], sites(load), all_loads);
        *access++ = {.func = load.producer,
                     .direction = Direction::load,
                     .memory = facts.memory_of(load.producer),
                     .bytes = load.bytes,
                     .count = loads * stage.passes,
                     .by_point = parted[i],
                     .vector = elements_of_load(facts, stage, load),
                     .matrix = &load.access};
    }
    const AccessMatrix &store = facts.dag.stage(stage.stage).store;
    const double stores = stores_of(facts, stage, store, {accesses.begin(), access});
    for (const ScalarType &value : values) {
        *access++ = {.func = stage.func,
                     .direction = Direction::store,
                     .memory = facts.memory_of(stage.func),
                     .bytes = value.bytes(),
                     .count = stores,
                     .vector = elements_of_store(facts, stage, store),
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
        stage.waiting_steps = waiting_steps(facts, stage);
        stage.steps_ahead = steps_ahead(facts, stage);
        find_choices(facts, stage, scratch);
        const std::span<const bool> parted = parted_loads(facts, stage, scratch);
        count_inlined(facts, stage, parted, scratch);
        list_accesses(facts, stage, parted, scratch);
    }
}

}  // namespace autoschedule_gpu
