// What the device can launch at all.
#include <algorithm>
#include <array>
#include <iterator>

#include "scheduler/nest/channel_vectors.h"
#include "scheduler/nest/full_tiles.h"
#include "scheduler/nest/shared_storage.h"
#include "scheduler/nest/sliding.h"
#include "scheduler/rules/families.h"

namespace autoschedule_gpu {

namespace {

constexpr int kThreadLoops = 3;  // thread x, y and z

Verdict at_most(int64_t found, int64_t allowed, const char *unit) {
    if (found <= allowed) return std::nullopt;
    return Finding{double(found), double(allowed), unit};
}

Verdict too_many_threads_of_tiling(const TilingCandidate &c) {
    if (const Verdict all = at_most(c.threads, c.gpu.max_threads_per_block, "threads per block")) {
        return all;
    }
    return at_most(c.thread_loops, kThreadLoops, "loops with threads");
}

Verdict too_many_thread_loops(const KernelCandidate &c) {
    for (const Band *threads : thread_bands(c.kernel)) {
        const auto loops =
            std::ranges::count_if(threads->trips, [](int64_t trips) { return trips > 1; });
        if (const Verdict no = at_most(loops, kThreadLoops, "loops with threads")) return no;
    }
    return std::nullopt;
}

Verdict too_many_threads(const KernelCandidate &c) {
    if (const Verdict loops = too_many_thread_loops(c)) return loops;
    const ThreadExtents block = block_size(c.kernel);
    if (const Verdict all =
            at_most(block.total(), c.gpu.max_threads_per_block, "threads per block")) {
        return all;
    }
    if (const Verdict x = at_most(block.x, c.gpu.max_threads_x, "threads along x")) return x;
    if (const Verdict y = at_most(block.y, c.gpu.max_threads_y, "threads along y")) return y;
    return at_most(block.z, c.gpu.max_threads_z, "threads along z");
}

// Extents of what a block stores of a stage's Func, at most.
std::vector<int64_t> stored_extents(const KernelCandidate &c, const Band &threads) {
    const Stage &stage = c.dag.stage(threads.stage);
    const Band &inner = *threads.body.back();
    if (inner.level == Level::strided) {  // rounded up; what it stores is not
        const BlockLoop loop = loop_around(c.dag, c.kernel, stage.func);
        return c.needs.needed_in_block(c.kernel, stage.func, loop);
    }
    std::vector<int64_t> extents(c.dag.func(stage.func).dims.size(), 1);
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        const auto dim = static_cast<size_t>(stage.loops[i].dim);
        extents[dim] = threads.trips[i] * inner.trips[i];
        if (is_set_by_parameters(c.dag, inner, i)) {
            extents[dim] = c.dag.func(stage.func).dims[dim].widest->extent();
        }
    }
    return extents;
}

// The same of a block that walks, whose `extents` are those of what a step adds.
std::vector<int64_t> stored_in_ring(const KernelCandidate &c, FuncId func,
                                    std::vector<int64_t> extents) {
    const std::vector<int64_t> window = c.needs.needed_in_block(c.kernel, func, {});
    if (window.size() != extents.size()) return extents;
    const std::optional<Slide> slide = slide_of(c.dag, c.kernel, func, window);
    if (slide) extents[slide->dim] = ring_points(c.dag, c.kernel, func, *slide);
    return extents;
}

Verdict too_much_shared(const KernelCandidate &c) {
    const int64_t widest = widest_shared_element(c.dag, c.kernel);
    int64_t shared = 0;
    for (const Band *threads : thread_bands(c.kernel)) {
        const Stage &stage = c.dag.stage(threads->stage);
        if (threads->stage == c.kernel.stage || stage.index > 0) continue;
        const Func &func = c.dag.func(stage.func);
        std::vector<int64_t> extents = stored_extents(c, *threads);
        if (walked_loop(c.kernel.tiling)) extents = stored_in_ring(c, stage.func, extents);
        if (threads->row != 0) extents[0] = threads->row;
        const size_t innermost = channels_in_block(c.dag, c.kernel, stage.func).value_or(0);
        shared += stored_points(extents, shared_row_alignment(func, widest), innermost) *
                  func.bytes_per_point(c.gpu.shared_element_bytes);
    }
    return at_most(shared, c.gpu.shared_bytes_per_block, "bytes of shared memory per block");
}

Verdict overwrites_in_loop(const KernelCandidate &c) {
    return overwritten_in_loop(c.dag, c.kernel).valid() ? Verdict(Finding{}) : std::nullopt;
}

Verdict parts_vectors(const KernelCandidate &c) {
    return parts_shared_vectors(c.dag, c.kernel) ? Verdict(Finding{}) : std::nullopt;
}

// Blocks along x, y and z. The third dimension takes every loop after the second, fused.
std::array<int64_t, 3> grid_of(const KernelCandidate &c) {
    std::array<int64_t, 3> grid = {1, 1, 1};
    size_t loops = 0;
    for (const size_t i : grid_loops(c.dag, c.kernel)) {
        grid[std::min<size_t>(loops++, 2)] *= c.kernel.blocks->trips[i];
    }
    return grid;
}

Verdict too_large_grid(const KernelCandidate &c) {
    const int64_t limits[] = {c.gpu.max_blocks_x, c.gpu.max_blocks_y, c.gpu.max_blocks_z};
    constexpr const char *kUnits[] = {"blocks along x", "blocks along y", "blocks along z"};
    const std::array<int64_t, 3> grid = grid_of(c);
    for (size_t i = 0; i < grid.size(); ++i) {
        if (const Verdict no = at_most(grid[i], limits[i], kUnits[i])) return no;
    }
    return std::nullopt;
}

RuleInfo legality(const char *name, const char *sentence) {
    return {name, sentence, InForce::always, "the device"};
}

}  // namespace

std::vector<AnyRule> hardware_rules() {
    const RuleInfo threads =
        legality("hardware_threads", "more threads per block than the device allows");
    return {
        TilingRule{threads, TilingCandidate::Asked::early, too_many_threads_of_tiling},
        KernelRule{threads, KernelCandidate::Asked::early, too_many_threads},
        KernelRule{
            legality("hardware_shared", "more shared memory per block than the device allows"),
            KernelCandidate::Asked::complete, too_much_shared},
        KernelRule{legality("overwritten_in_loop",
                            "what is in shared memory before a loop, and whose place Halide gives "
                            "to what is computed in it"),
                   KernelCandidate::Asked::complete, overwrites_in_loop},
        KernelRule{legality("parted_vectors",
                            "one point in shared memory beside vectors, which Halide takes for "
                            "aligned wherever it puts them"),
                   KernelCandidate::Asked::complete, parts_vectors},
        KernelRule{legality("hardware_grid", "more blocks than the device's grid holds"),
                   KernelCandidate::Asked::complete, too_large_grid},
    };
}

}  // namespace autoschedule_gpu
