#include "scheduler/features/kernel_facts.h"

#include <algorithm>
#include <vector>

#include "scheduler/features/facts_steps.h"
#include "scheduler/nest/channel_vectors.h"
#include "scheduler/nest/loads_ahead.h"
#include "scheduler/nest/multiples.h"
#include "scheduler/nest/pixel_vectors.h"
#include "scheduler/nest/shared_storage.h"
#include "scheduler/nest/step_vectors.h"
#include "scheduler/nest/vectors.h"

namespace autoschedule_gpu {

namespace {

struct Bands {
    std::span<ThreadFacts> threads;
    std::span<StageFacts> stages;
};

// Finds how many iterations of each loop are written out, and what steps read together.
void list_unrolled(const Dag &dag, const Kernel &kernel, StageFacts &stage,
                   ExtractionScratch &scratch) {
    const UnrolledLoops unrolled(dag, *stage.inner);
    const std::span<int64_t> loops = scratch.array<int64_t>(stage.inner->trips.size());
    for (size_t i = 0; i < loops.size(); ++i) loops[i] = unrolled[i];
    stage.unrolled = loops;
    const std::optional<StepVectors> vectors = step_vectors(dag, kernel, stage.stage);
    if (!vectors) return;
    loops[vectors->loop] = kVectorElements;
    const std::span<FuncId> inputs = scratch.array<FuncId>(vectors->reads.size());
    std::ranges::transform(vectors->reads, inputs.begin(), &StepVector::input);
    stage.read_by_steps = inputs;
}

void find_loads_ahead(const Dag &dag, const Kernel &kernel, StageFacts &stage) {
    const std::optional<LoadsAhead> ahead = loads_ahead(dag, kernel, stage.stage);
    if (!ahead) return;
    stage.loop_ahead = ahead->loop;
    for (const FuncId read : ahead->reads) {
        stage.values_ahead +=
            static_cast<double>(ahead->steps) * static_cast<double>(dag.func(read).values.size());
    }
}

void find_channels(const Dag &dag, const Kernel &kernel, StageFacts &stage,
                   ExtractionScratch &scratch) {
    const std::optional<ChannelVector> vector = channel_vector(dag, kernel, stage.stage);
    if (!vector) return;
    stage.channel_loop = vector->loop;
    const std::span<FuncId> reads = scratch.array<FuncId>(vector->reads.size());
    std::ranges::copy(vector->reads, reads.begin());
    stage.read_by_channels = reads;
}

void find_pixels(const Dag &dag, const Kernel &kernel, StageFacts &stage,
                 ExtractionScratch &scratch) {
    if (stage.stage != kernel.stage) return;
    const std::optional<PixelVectors> vectors = pixel_vectors(dag, kernel);
    if (!vectors) return;
    stage.pixels_at_once = vectors->points;
    const std::span<FuncId> reads = scratch.array<FuncId>(vectors->buffers.size() - 1);
    for (size_t i = 0; i < reads.size(); ++i) reads[i] = vectors->buffers[i + 1].func;
    stage.read_by_pixels = reads;
}

Bands list_bands(const Dag &dag, const Kernel &kernel, FlatStages &flats,
                 ExtractionScratch &scratch) {
    size_t stages = 0;
    for (const Band *threads : thread_bands(kernel)) stages += threads->body.size();
    const Bands bands = {scratch.array<ThreadFacts>(kernel.blocks->body.size()),
                         scratch.array<StageFacts>(stages)};
    const FlatStages::Inlining inlining(kernel.inlined);
    auto threads = bands.threads.begin();
    auto stage = bands.stages.begin();
    for (const Band *band : thread_bands(kernel)) {
        threads->band = band;
        for (const BandPtr &inner : band->body) {
            stage->stage = inner->stage;
            stage->func = dag.stage(inner->stage).func;
            stage->inner = inner.get();
            stage->threads = &*threads;
            stage->flat = &flats.of(inner->stage, inlining);
            stage->vector_loop = vector_loop(dag, kernel, inner->stage);
            list_unrolled(dag, kernel, *stage, scratch);
            find_loads_ahead(dag, kernel, *stage);
            find_channels(dag, kernel, *stage, scratch);
            find_pixels(dag, kernel, *stage, scratch);
            ++stage;
        }
        ++threads;
    }
    return bands;
}

// An array of a thread is kept in registers when every loop that indexes it is unrolled, or whole
// patterns of an index that repeats are.
bool is_indexed_by_constants(const KernelFacts &facts, const StageFacts &stage,
                             const AccessMatrix &access) {
    for (size_t d = 0; d < access.dims(); ++d) {
        for (size_t i = 0; i < access.loops(); ++i) {
            const Coefficient &c = access.at(d, i);
            if (!c.known && (c.period == 0 || !facts.knows_pattern(stage, i, c.period)))
                return false;
            if (c.value != 0 && stage.unrolled[i] < stage.inner->trips[i]) return false;
        }
    }
    return true;
}

void find_local_arrays(const KernelFacts &facts, std::span<MemoryKind> memory) {
    const auto index = [&](FuncId func, const StageFacts &stage, const AccessMatrix &access) {
        MemoryKind &kind = memory[func.index()];
        if (kind != MemoryKind::registers || is_indexed_by_constants(facts, stage, access)) return;
        kind = MemoryKind::local;
    };
    for (const StageFacts &stage : facts.stages) {
        index(stage.func, stage, facts.dag.stage(stage.stage).store);
        for (const FlatLoad &load : stage.flat->loads) index(load.producer, stage, load.access);
    }
}

// Finds where each Func's values are, and which Funcs are computed inside the kernel.
void place_funcs(KernelFacts &facts, ExtractionScratch &scratch) {
    const std::span<MemoryKind> memory = scratch.array<MemoryKind>(facts.dag.funcs.size());
    std::ranges::fill(memory, MemoryKind::global);
    const std::span<FuncId> inner = scratch.array<FuncId>(facts.stages.size());
    size_t found = 0;
    bool has_arrays = false;
    const auto place = [&](FuncId func, MemoryKind kind) {
        if (memory[func.index()] != MemoryKind::global) return;  // an earlier stage of it came by
        memory[func.index()] = kind;
        inner[found++] = func;
        has_arrays |= kind == MemoryKind::registers;
    };
    for (const Band *threads : thread_bands(facts.kernel)) {
        if (threads->stage != facts.kernel.stage) {
            place(facts.dag.stage(threads->stage).func, threads->memory);
        }
        for (const BandPtr &stage : threads->body) {
            if (stage->stage == threads->stage) continue;
            place(facts.dag.stage(stage->stage).func, stage->memory);
        }
    }
    if (has_arrays) find_local_arrays(facts, memory);
    facts.memory = memory;
    facts.inner_funcs = inner.first(found);
}

// Finds what lies otherwise in shared memory than its dimensions are.
void find_shared_channels(KernelFacts &facts, ExtractionScratch &scratch) {
    const std::span<SharedChannels> channels =
        scratch.array<SharedChannels>(facts.inner_funcs.size());
    size_t found = 0;
    for (const FuncId func : facts.inner_funcs) {
        const auto dim = channels_in_block(facts.dag, facts.kernel, func);
        if (dim) channels[found++] = {func, *dim};
    }
    facts.channels = channels.first(found);
}

// Makes what is computed in a loop as large as one iteration needs. What the loop reads from
// outside is needed for all iterations.
void walk_iteration(const Dag &dag, const Kernel &kernel, BlockLoop loop, RegionSet &iteration,
                    RegionSet &block) {
    std::vector<Interval> ranges;
    iteration_ranges(dag, loop, block.box(dag.stage(loop.update).func), ranges);
    iteration.clear();
    propagate(dag, loop.update, ranges, members_in_loop(dag, kernel, loop), iteration);
    for (const Band *threads : thread_bands(kernel)) {
        if (threads->loop != loop || has_own_loop(*threads)) continue;
        const FuncId func = dag.stage(threads->stage).func;
        if (!iteration.touched(func)) continue;
        std::ranges::copy(iteration.box(func), block.box(func).begin());
    }
}

// Makes what is computed in a block that walks as large as one tile needs, and finds how it slides.
void walk_tile(KernelFacts &facts, std::span<const Interval> of_block, RegionSet &tile,
               RegionSet &block, ExtractionScratch &scratch) {
    const Dag &dag = facts.dag;
    const Kernel &kernel = facts.kernel;
    const std::span<Interval> of_tile = scratch.array<Interval>(of_block.size());
    std::ranges::copy(of_block, of_tile.begin());
    const size_t loop = *walked_loop(kernel.tiling);
    of_tile[loop] = Interval::from_extent(of_block[loop].min, kernel.tiling[loop].points());
    propagate(dag, kernel.stage, of_tile, members_below(dag, kernel, *kernel.blocks), tile);
    const std::span<SlideFacts> slides = scratch.array<SlideFacts>(facts.inner_funcs.size());
    size_t found = 0;
    std::vector<int64_t> extents;
    for (const FuncId func : facts.inner_funcs) {
        if (!tile.touched(func)) continue;
        std::ranges::copy(tile.box(func), block.box(func).begin());
        if (facts.memory_of(func) != MemoryKind::shared) continue;
        extents.clear();
        for (const Interval &range : tile.box(func)) extents.push_back(range.extent());
        const std::optional<Slide> slide = slide_of(dag, kernel, func, extents);
        if (!slide) continue;
        const int64_t ring = ring_points(dag, kernel, func, *slide);
        slides[found++] = {func, *slide, static_cast<double>(ring)};
    }
    facts.slides = slides.first(found);
}

// Finds the regions of the whole launch, and of a block in the middle of it.
void walk_grid_and_block(KernelFacts &facts, ExtractionScratch &scratch) {
    const Dag &dag = facts.dag;
    const Kernel &kernel = facts.kernel;
    const Stage &stage = dag.stage(kernel.stage);
    const std::vector<FuncId> members = members_below(dag, kernel, *kernel.blocks);

    const std::span<Interval> of_grid = scratch.array<Interval>(stage.loops.size());
    const std::span<Interval> of_block = scratch.array<Interval>(stage.loops.size());
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        const Loop &loop = stage.loops[i];
        of_grid[i] = estimated_range(dag, stage, loop);
        of_block[i] = of_grid[i];
        if (!has_blocks(loop, kernel.tiling[i])) continue;
        const int64_t points = kernel.tiling[i].block_points();
        const int64_t first = of_grid[i].min + block_in_the_middle(kernel, i) * points;
        of_block[i] = Interval::from_extent(first, points);
    }
    RegionSet &grid = scratch.regions(), &block = scratch.regions();
    propagate(dag, kernel.stage, of_grid, members, grid);
    propagate(dag, kernel.stage, of_block, members, block);
    RegionSet &iteration = scratch.regions();
    for (const BlockLoop &loop : loops_of(kernel))
        walk_iteration(dag, kernel, loop, iteration, block);
    if (walked_loop(kernel.tiling)) walk_tile(facts, of_block, iteration, block, scratch);
    facts.grid = &grid;
    facts.block = &block;
    facts.grid_ranges = of_grid;
    facts.block_ranges = of_block;
}

double all_shared_bytes(const KernelFacts &facts) {
    double bytes = 0;
    for (FuncId func : facts.inner_funcs) bytes += facts.shared_bytes(func);
    return bytes;
}

double most_registers(std::span<const StageFacts> stages) {
    double most = 0;
    for (const StageFacts &stage : stages) most = std::max(most, stage.registers);
    return most;
}

}  // namespace

int64_t KernelFacts::row_in_block(FuncId func) const {
    const size_t *channels = shared_channels(func);
    const int64_t extent = block->box(func)[channels ? *channels : 0].extent();
    if (memory_of(func) != MemoryKind::shared) return extent;
    const Band &threads = *find_threads(kernel, dag.func(func).stages[0]);
    if (threads.row != 0) return threads.row;
    return stored_points({&extent, 1}, shared_row_alignment(dag.func(func), widest_shared_element));
}

const size_t *KernelFacts::shared_channels(FuncId func) const {
    const auto found = std::ranges::find(channels, func, &SharedChannels::func);
    return found == channels.end() ? nullptr : &found->dim;
}

double KernelFacts::dense_stride(FuncId func, size_t dim) const {
    if (const size_t *innermost = shared_channels(func)) {
        if (dim == *innermost) return 1;
        double dense = static_cast<double>(row_in_block(func));
        for (size_t d = 0; d < dim; ++d) {
            if (d != *innermost) dense *= static_cast<double>(block->box(func)[d].extent());
        }
        return dense;
    }
    if (dim == 0) return 1;
    double dense = static_cast<double>(row_in_block(func));
    for (size_t d = 1; d < dim; ++d) dense *= static_cast<double>(block->box(func)[d].extent());
    return dense;
}

bool KernelFacts::knows_pattern(const StageFacts &stage, size_t loop, int64_t period) const {
    if (stage.unrolled[loop] % period != 0) return false;
    if (ends_at_multiples) return true;
    if (!is_root(stage) || !is_aligned(dag, kernel, loop)) return false;
    const auto dim = static_cast<size_t>(dag.stage(stage.stage).loops[loop].dim);
    return dag.func(stage.func).dims[dim].constant_min &&
           kernel.tiling[loop].points() % period == 0;
}

bool KernelFacts::strides_along(FuncId func, const AccessMatrix &access, size_t loop) const {
    for (size_t d = 0; d < access.dims(); ++d) {
        const Coefficient &c = access.at(d, loop);
        if (c.known && c.value == 0) continue;
        if (!c.known || stride(func, d) != 1) return true;
    }
    return false;
}

const SlideFacts *KernelFacts::slide(FuncId func) const {
    const auto found = std::ranges::find(slides, func, &SlideFacts::func);
    return found == slides.end() ? nullptr : &*found;
}

double KernelFacts::shared_bytes(FuncId func) const {
    if (memory_of(func) != MemoryKind::shared || !block->touched(func)) return 0;
    const int64_t point = dag.func(func).bytes_per_point(gpu.shared_element_bytes);
    double bytes = static_cast<double>(point) * block->points(func);
    if (const SlideFacts *along = slide(func)) {
        bytes *= along->ring / static_cast<double>(block->box(func)[along->slide.dim].extent());
    }
    if (dag.func(func).dims.empty()) return bytes;
    const size_t *channels = shared_channels(func);
    return bytes / static_cast<double>(block->box(func)[channels ? *channels : 0].extent()) *
           static_cast<double>(row_in_block(func));
}

double whole_bytes(const Func &func) {
    double bytes = static_cast<double>(func.bytes_per_point());
    for (const Dimension &dim : func.dims) bytes *= static_cast<double>(dim.estimate.extent());
    return bytes;
}

double array_bytes(const Dag &dag, const Band &inner) {
    return static_cast<double>(iterations(inner) * dag.func_of(inner.stage).bytes_per_point());
}

bool adds_to_own(const Dag &dag, StageId stage) {
    const auto is_own = [&](const Load &load) { return load.producer == dag.stage(stage).func; };
    return std::ranges::any_of(dag.stage(stage).loads, is_own);
}

KernelFacts facts_of(const Dag &dag, const GpuModel &gpu, const Kernel &kernel, FlatStages &flats,
                     ExtractionScratch &scratch) {
    KernelFacts facts = {.dag = dag, .gpu = gpu, .kernel = kernel};
    const Bands bands = list_bands(dag, kernel, flats, scratch);
    facts.threads = bands.threads;
    facts.stages = bands.stages;
    facts.block_size = block_size(kernel);
    facts.widest_shared_element = widest_shared_element(dag, kernel);
    facts.blocks = static_cast<double>(iterations(*kernel.blocks));
    facts.ends_at_multiples = !multiples(dag, kernel).empty();
    place_funcs(facts, scratch);
    find_shared_channels(facts, scratch);
    walk_grid_and_block(facts, scratch);
    size_t first = 0;
    for (ThreadFacts &threads : bands.threads) {
        const auto stages = bands.stages.subspan(first, threads.band->body.size());
        find_threads(facts, threads, stages, scratch);
        count_work(facts, stages, scratch);
        estimate_registers(facts, stages);
        first += stages.size();
    }
    facts.shared_bytes_per_block = all_shared_bytes(facts);
    facts.registers_per_thread = most_registers(facts.stages);
    for (const StageFacts &stage : facts.stages) {
        facts.spills_per_thread += estimated_spills(facts, stage);
    }
    return facts;
}

void set_register_use(const RegisterUse &found, KernelFacts &facts) {
    constexpr double kBytesPerValue = 4 + 4;  // stored and loaded
    if (found.registers) facts.registers_per_thread = static_cast<double>(*found.registers);
    facts.spills_per_thread = static_cast<double>(found.spill_bytes) / kBytesPerValue;
}

}  // namespace autoschedule_gpu
