// What a changed kernel may not exceed: the device, and the code that is written out.
#include <algorithm>

#include "gpu/occupancy.h"
#include "space/space.h"

namespace autoschedule_gpu {

namespace {

// Evaluations of inlined Funcs per point of a stage: their expressions are all written out.
constexpr double kMaxInlinedCalls = 64;
// The same per thread, in all points of its tile.
constexpr double kMaxUnrolledCalls = 128;
constexpr int64_t kRegisterBytes = 4;

// Points of an innermost band that are written out one after the other, reductions apart.
double unrolled_points(const Dag &dag, const Band &inner) {
    const UnrolledLoops unrolled(dag, inner);
    double points = 1;
    for (size_t i = 0; i < inner.trips.size(); ++i) {
        if (unrolled[i] && dag.stage(inner.stage).loops[i].parallel) {
            points *= static_cast<double>(inner.trips[i]);
        }
    }
    return points;
}

}  // namespace

// Calls of inlined Funcs are all written out, once for every point of an unrolled tile. Copies cost
// nothing, and what is always inlined is no reason against a tile of one point.
bool SearchSpace::too_much_code(const Kernel &kernel) const {
    if (kernel.inlined.empty()) return false;
    std::vector<double> calls(kernel.inlined.size());  // of each inlined Func, at the band's point
    const auto over_limit = [&](const Band &inner) {
        std::fill(calls.begin(), calls.end(), 0.0);
        const auto add = [&](StageId via, double evaluations) {
            for (const Load &load : dag_.stage(via).loads) {
                const auto at =
                    std::lower_bound(kernel.inlined.begin(), kernel.inlined.end(), load.producer);
                if (at == kernel.inlined.end() || *at != load.producer) continue;
                if (load.producer == dag_.stage(via).func) continue;
                calls[static_cast<size_t>(at - kernel.inlined.begin())] += evaluations * load.count;
            }
        };
        add(inner.stage, 1);
        double all = 0, chosen = 0;
        for (size_t i = kernel.inlined.size(); i-- > 0;) {
            const FuncId func = kernel.inlined[i];
            const double here = calls[i];
            if (here == 0) continue;
            add(dag_.func(func).stages[0], here);
            if (copies_[func.index()] || dag_.func(func).wraps.valid()) continue;
            all += here;
            if (!forced_inline_[func.index()]) chosen += here;
        }
        const double points = unrolled_points(dag_, inner);
        return chosen > kMaxInlinedCalls || (points > 1 && points * all > kMaxUnrolledCalls);
    };
    for (const BandPtr &threads : kernel.blocks->body) {
        for (const BandPtr &inner : threads->body) {
            if (over_limit(*inner)) return true;
        }
    }
    return false;
}

bool SearchSpace::too_many_threads(const Kernel &kernel) const {
    const ThreadExtents block = block_size(kernel);
    return block.total() > gpu_.max_threads_per_block || block.x > gpu_.max_threads_x ||
           block.y > gpu_.max_threads_y || block.z > gpu_.max_threads_z;
}

bool SearchSpace::too_much_shared(const Kernel &kernel) const {
    int64_t shared = 0;
    for (const BandPtr &threads : kernel.blocks->body) {
        const Stage &stage = dag_.stage(threads->stage);
        if (threads->stage == kernel.stage || stage.index > 0) continue;
        int64_t points = iterations(*threads) * iterations(*threads->body.back());
        if (threads->body.back()->level == Level::rounds) {  // rounded up; what it stores is not
            points = 1;
            const StageId loop = loop_around(dag_, kernel, stage.func);
            const SiteExtents::Answer extents = site_extents_->in_block(kernel, stage.func, loop);
            for (int64_t extent : extents->points) points *= extent;
        }
        shared += points * dag_.func(stage.func).bytes_per_point(gpu_.shared_element_bytes);
    }
    return shared > gpu_.shared_bytes_per_block;
}

// Arrays of a thread together, beside the registers that any code needs.
bool SearchSpace::too_much_in_registers(const Kernel &kernel) const {
    for (const BandPtr &threads : kernel.blocks->body) {
        int64_t bytes = 0;
        for (const BandPtr &inner : threads->body) {
            const Stage &stage = dag_.stage(inner->stage);
            if (inner->stage == threads->stage || stage.index > 0) continue;
            const int64_t point = dag_.func(stage.func).bytes_per_point();
            bytes += iterations(*inner) * std::max(kRegisterBytes, point);
        }
        if (bytes > kRegisterBytes * (gpu_.max_registers_per_thread - kBusyRegisters)) return true;
    }
    return false;
}

// The third grid dimension takes every loop after the second, fused.
bool SearchSpace::too_large_grid(const Kernel &kernel) const {
    std::vector<int64_t> grid;
    const std::vector<int> &axes = root_threads(kernel)->axes;
    for (int axis : axes) grid.push_back(kernel.blocks->trips[axis]);
    for (size_t i = 0; i < kernel.blocks->trips.size(); ++i) {
        const bool axis = std::find(axes.begin(), axes.end(), static_cast<int>(i)) != axes.end();
        if (!axis && is_split(dag_.stage(kernel.stage).loops[i], kernel.tiling[i])) {
            grid.push_back(kernel.blocks->trips[i]);
        }
    }
    while (grid.size() > 3) {
        grid[grid.size() - 2] *= grid.back();
        grid.pop_back();
    }
    const int64_t limits[] = {gpu_.max_blocks_x, gpu_.max_blocks_y, gpu_.max_blocks_z};
    for (size_t i = 0; i < grid.size(); ++i) {
        if (grid[i] > limits[i]) return true;
    }
    return false;
}

// Cheap questions first.
std::optional<Rule> SearchSpace::beyond_limits(const Kernel &kernel) const {
    if (too_many_threads(kernel)) return Rule::hardware_threads;
    if (too_much_shared(kernel)) return Rule::hardware_shared;
    if (too_large_grid(kernel)) return Rule::hardware_grid;
    if (rules_.has(Rule::large_thread_allocation) && too_much_in_registers(kernel)) {
        return Rule::large_thread_allocation;
    }
    if (rules_.has(Rule::tile_of_most) && !is_alone(kernel) && covers_most(dag_, kernel) &&
        dag_.func_of(kernel.stage).stages.size() == 1) {
        return Rule::tile_of_most;
    }
    if (rules_.has(Rule::code_size) && too_much_code(kernel)) return Rule::code_size;
    return std::nullopt;
}

}  // namespace autoschedule_gpu
