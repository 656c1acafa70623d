#include "scheduler/factors/factoring.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "scheduler/factors/reduction.h"

namespace autoschedule_gpu {
namespace {

// Shorter reductions are over before anything else has begun.
constexpr int64_t kLeastIterations = 64;

constexpr int64_t kLaneCounts[] = {32, 64, 256};
constexpr int64_t kStepCounts[] = {8, 32, 128, 512, 2048};
constexpr int64_t kThreadStepCounts[] = {32, 128, 512, 2048};

// Of a lane without chunks, where lanes are idle. More would take longer than another kernel.
constexpr int64_t kMostSteps = 1024;

// Points that are computed at once.
int64_t resident_threads(const GpuModel &gpu) {
    return gpu.sm_count * gpu.max_warps_per_sm * gpu.warp_size;
}

// With so many lanes for each value. A quarter of them hides most of what memory takes.
bool leaves_lanes_idle(const Reduction &reduction, const GpuModel &gpu, int64_t lanes = 1) {
    return reduction.points * lanes < resident_threads(gpu) / 4;
}

bool may_be_taken_apart(const Dag &dag, const Stage &stage) {
    const Func &func = dag.func(stage.func);
    if (stage.partials == Partials::no || func.on_host() || !func.user_directives.empty()) {
        return false;
    }
    return std::ranges::all_of(stage.loops, [](const Loop &loop) {
        return loop.kind == Loop::Kind::pure || loop.range.extent() > 0;
    });
}

// Whether several may compute a value together. Of nested loops whose order matters none can be
// shared out.
bool may_be_shared(const Reduction &reduction) {
    return reduction.iterations >= kLeastIterations &&
           (reduction.loops.size() == 1 || reduction.stage->partials == Partials::any_order);
}

int64_t chunks(const Reduction &reduction, const Factoring &factoring) {
    return reduction.extent(reduction.chunk) /
           reduction.chunk_size(factoring.lanes, factoring.steps);
}

// About as many as these, in whole iterations of the short loop that they take.
std::vector<int64_t> lane_counts(const Reduction &reduction) {
    std::vector<int64_t> result;
    for (const int64_t lanes : kLaneCounts) {
        const int64_t row = reduction.within ? reduction.extent(*reduction.within) : 1;
        const int64_t count = std::max<int64_t>(1, lanes / row) * row;
        if (result.empty() || result.back() != count) result.push_back(count);
    }
    return result;
}

// Whether a block for each value keeps the device busy.
bool has_blocks_enough(const Reduction &reduction, const GpuModel &gpu) {
    return reduction.points >= 4 * gpu.sm_count;
}

// Each lane of the device has something to do, and not too little.
void add_chunked(const Reduction &reduction, const GpuModel &gpu, std::vector<Factoring> &out) {
    if (has_blocks_enough(reduction, gpu)) return;
    for (const int64_t lanes : lane_counts(reduction)) {
        if (lanes > gpu.max_threads_per_block) continue;
        if (reduction.rows(lanes) > reduction.extent(reduction.lane)) continue;
        for (const int64_t steps : kStepCounts) {
            const Factoring factoring{lanes, steps};
            const int64_t blocks = reduction.points * chunks(reduction, factoring);
            const bool few = blocks < gpu.sm_count / 2 && steps > kStepCounts[0];
            const bool many = blocks * lanes > 8 * resident_threads(gpu);
            if (!few && !many && chunks(reduction, factoring) >= 2) out.push_back(factoring);
        }
    }
}

// Where the order matters, a lane has iterations that follow each other, and the more these are,
// the farther apart is what lanes read at once. In panels, which are short chunks, that is 16
// bytes: all that the lanes of a warp read comes with few sectors, which L1 keeps from step to
// step.
void add_panels(const Reduction &reduction, const GpuModel &gpu, std::vector<Factoring> &out) {
    const bool in_order = reduction.stage->partials == Partials::in_order;
    if (!in_order || !has_blocks_enough(reduction, gpu)) return;
    for (const int64_t lanes : kLaneCounts) {
        const Factoring factoring{lanes, kVectorElements};
        const bool fits = lanes <= gpu.max_threads_per_block;
        if (fits && chunks(reduction, factoring) >= 2) out.push_back(factoring);
    }
}

// Each iteration of a short loop to a lane of its own, where the reduction has others.
void add_short_loop(const Reduction &reduction, std::vector<Factoring> &out) {
    const int64_t lanes = reduction.extent(reduction.within.value_or(reduction.lane));
    const bool is_short = 2 <= lanes && lanes < kLaneCounts[0];
    if (is_short && reduction.loops.size() > 1) out.push_back({lanes, 0});
}

void add_whole(const Reduction &reduction, const GpuModel &gpu, std::vector<Factoring> &out) {
    for (const int64_t lanes : lane_counts(reduction)) {
        if (lanes > gpu.max_threads_per_block) continue;
        if (2 * reduction.rows(lanes) > reduction.extent(reduction.lane)) continue;
        const bool is_short = reduction.iterations / lanes <= kMostSteps;
        if (is_short || !leaves_lanes_idle(reduction, gpu, lanes)) out.push_back({lanes, 0});
    }
}

// Chunks of one lane, where few threads would be left if each had the points that it shares loads
// among. Not many more than fill the device: each is a value that is stored and loaded again.
void add_chunks_of_threads(const Reduction &reduction, const GpuModel &gpu,
                           std::vector<Factoring> &out) {
    const int64_t resident = resident_threads(gpu);
    if (reduction.loops.size() > 1 || reduction.points > resident) return;
    for (const int64_t steps : kThreadStepCounts) {
        const Factoring factoring{1, steps};
        const int64_t values = reduction.points * chunks(reduction, factoring);
        const bool is_apt = resident / 8 <= values && values <= 16 * resident;
        if (is_apt && chunks(reduction, factoring) >= 2) out.push_back(factoring);
    }
}

// Whether each iteration stores at the point of its other loops. Of what is stored elsewhere
// (histograms) every partial result is a copy of all points.
bool stores_at_own_point(const Stage &stage) {
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        const bool reduces = stage.loops[i].kind == Loop::Kind::reduction;
        if (reduces && stage.store.moves(i)) return false;
    }
    return true;
}

// Of what is stored elsewhere (histograms, sums of clusters) a thread has a chunk, and all points
// of its own. These are no more than the iterations: else they took longer than what they are for.
void add_chunks_of_scatters(const Func &func, const Reduction &reduction, const GpuModel &gpu,
                            std::vector<Factoring> &out) {
    int64_t stored = 1;
    for (const Dimension &dim : func.dims) stored *= std::max<int64_t>(1, dim.estimate.extent());
    int64_t parts_before = 0;
    for (const int64_t steps : kThreadStepCounts) {
        const Factoring factoring{1, steps};
        const int64_t parts = chunks(reduction, factoring);
        if (parts == std::exchange(parts_before, parts)) continue;  // each is an iteration
        const bool many = reduction.points * parts > 8 * resident_threads(gpu);
        const bool fits = stored * parts <= reduction.points * reduction.iterations;
        if (parts >= 2 && !many && fits) out.push_back(factoring);
    }
}

// In memory each iteration loads and stores its sum, for compilers can't tell the rows of a buffer
// apart; and nothing that the reduction reads can be staged for a tile of sums.
void add_own_registers(const Func &func, std::vector<Factoring> &out) {
    const bool is_in_memory = func.is_output() || func.ours == Func::Ours::loops;
    if (is_in_memory) out.push_back({1, 0});
}

std::vector<Factoring> choices_for(const Dag &dag, const Reduction &reduction,
                                   const GpuModel &gpu) {
    std::vector<Factoring> choices = {Factoring()};
    const bool has_idle_lanes = leaves_lanes_idle(reduction, gpu);
    const bool at_own_point = stores_at_own_point(*reduction.stage);
    if (at_own_point && !has_idle_lanes) {
        add_own_registers(dag.func(reduction.stage->func), choices);
    }
    if (!may_be_shared(reduction)) return choices;
    if (has_idle_lanes) add_short_loop(reduction, choices);
    if (!at_own_point) {
        const Func &func = dag.func(reduction.stage->func);
        const int64_t lanes = std::max<int64_t>(1, choices.back().lanes);
        if (leaves_lanes_idle(reduction, gpu, lanes)) {
            add_chunks_of_scatters(func, reduction, gpu, choices);
        }
        return choices;
    }
    if (has_idle_lanes || is_read_across(dag, *reduction.stage)) {
        add_whole(reduction, gpu, choices);
        add_chunked(reduction, gpu, choices);
        add_panels(reduction, gpu, choices);
    }
    add_chunks_of_threads(reduction, gpu, choices);
    return choices;
}

}  // namespace

std::string to_string(const Factoring &factoring) {
    if (factoring.is_none()) return "none";
    const std::string lanes = std::to_string(factoring.lanes);
    return factoring.steps == 0 ? lanes : lanes + "x" + std::to_string(factoring.steps);
}

std::optional<Factoring> parse_factoring(std::string_view text) {
    constexpr int64_t kMost = 1 << 20;
    if (text == "none") return Factoring();
    Factoring result;
    const char *const end = text.data() + text.size();
    auto read = std::from_chars(text.data(), end, result.lanes);
    if (read.ec != std::errc() || result.lanes < 1 || result.lanes > kMost) return std::nullopt;
    if (read.ptr == end) return result;
    if (*read.ptr != 'x') return std::nullopt;
    read = std::from_chars(read.ptr + 1, end, result.steps);
    const bool fits = read.ec == std::errc() && read.ptr == end && result.steps >= 1;
    return fits && result.steps <= kMost ? std::optional(result) : std::nullopt;
}

std::vector<Factorable> factorable_reductions(const Dag &dag, const GpuModel &gpu) {
    std::vector<Factorable> result;
    for (size_t i = 0; i < dag.stages.size(); ++i) {
        const Stage &stage = dag.stages[i];
        if (!may_be_taken_apart(dag, stage)) continue;
        const Reduction reduction = reduction_of(dag, stage);
        if (reduction.iterations <= 1) continue;
        std::vector<Factoring> choices = choices_for(dag, reduction, gpu);
        if (choices.size() > 1) result.push_back({StageId(i), std::move(choices)});
    }
    return result;
}

}  // namespace autoschedule_gpu
