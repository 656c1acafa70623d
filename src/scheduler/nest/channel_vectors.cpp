#include "scheduler/nest/channel_vectors.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/dag/storage_order.h"
#include "scheduler/nest/shared_storage.h"
#include "scheduler/nest/sliding.h"
#include "scheduler/nest/vectors.h"

namespace autoschedule_gpu {

namespace {

// All points of the dimension may be one vector.
bool is_vector(const Dimension &dim) {
    const int64_t points = dim.estimate.extent();
    return dim.constant && (points == kVectorElements / 2 || points == kVectorElements);
}

// Whether all points of a Func at root along a dimension lie side by side in global memory, by our
// choice.
bool lies_in_global_memory(const Func &func, size_t dim) {
    if (func.kind != Func::Kind::internal || func.ours != Func::Ours::all) return false;
    if (func.on_host() || !has_vector_elements(func)) return false;
    return static_cast<int>(dim) == innermost_dimension(func) && is_vector(func.dims[dim]) &&
           func.dims[dim].stride == 1;
}

// The dimension that a schedule may have innermost in shared memory, as one vector.
std::optional<size_t> possible_channels(const Func &func) {
    if (!func.channel_vectors || func.stages.size() != 1 || func.ours != Func::Ours::all ||
        !has_vector_elements(func) || !func.user_directives.empty()) {
        return std::nullopt;
    }
    const auto dim = std::ranges::find_if(func.dims, is_vector);
    if (dim == func.dims.end()) return std::nullopt;
    return static_cast<size_t>(dim - func.dims.begin());
}

// Whether it is computed in the block, all of it at once, in rows as long as they need be.
bool is_plain_in_block(const Dag &dag, const Kernel &kernel, FuncId func) {
    if (dag.func(func).is_input()) return false;
    const Band *threads = find_threads(kernel, dag.func(func).stages[0]);
    return threads != nullptr && is_in_shared_memory(kernel, *threads) && threads->row == 0 &&
           !walked_loop(kernel.tiling);
}

// What a stage reads along one of its loops. `assumed`: a Func that is taken to be computed in the
// block; invalid if there is none.
class ReadsAlong {
public:
    ReadsAlong(const Dag &dag, const Kernel &kernel, int64_t points, FuncId assumed)
        : dag_(dag), kernel_(kernel), points_(points), assumed_(assumed) {}

    void add(StageId id, size_t loop) {
        // Once, however many paths of what is inlined lead to it.
        if (chooses_ || !seen_.emplace(id, loop).second) return;
        const Stage &stage = dag_.stage(id);
        // Lanes would compute what each of them may not need.
        chooses_ |=
            std::ranges::find(stage.choices, loop, &LoopChoice::loop) != stage.choices.end();
        for (const Load &load : stage.loads) {
            if (load.producer != stage.func) add(load, loop);
        }
    }

    // Whether lanes differ in what they compute.
    bool chooses() const { return chooses_; }

    // Ascending; empty where lanes differ in what they compute.
    std::vector<FuncId> take() && {
        if (chooses_) return {};
        std::ranges::sort(found_);
        found_.erase(std::ranges::unique(found_).begin(), found_.end());
        return std::move(found_);
    }

private:
    void add(const Load &load, size_t loop) {
        const Func &func = dag_.func(load.producer);
        for (size_t d = 0; d < func.dims.size(); ++d) {
            if (!goes_along(load.access, loop, d)) continue;
            if (is_inlined(kernel_, load.producer)) {
                const StageId inlined = func.stages[0];
                const std::vector<Loop> &loops = dag_.stage(inlined).loops;
                const auto own = std::ranges::find(loops, static_cast<int>(d), &Loop::dim);
                add(inlined, static_cast<size_t>(own - loops.begin()));
            } else if (func.dims[d].estimate.extent() == points_ &&
                       lies_side_by_side(load.producer, d)) {
                found_.push_back(load.producer);
            }
        }
    }

    bool lies_side_by_side(FuncId id, size_t dim) const {
        const Func &func = dag_.func(id);
        if (id == assumed_ || is_plain_in_block(dag_, kernel_, id)) {
            return possible_channels(func) == dim;
        }
        return !is_computed_in(dag_, kernel_, id) && lies_in_global_memory(func, dim);
    }

    const Dag &dag_;
    const Kernel &kernel_;
    const int64_t points_;
    const FuncId assumed_;
    bool chooses_ = false;
    std::set<std::pair<StageId, size_t>> seen_;
    std::vector<FuncId> found_;
};

// The vector of a Func's only stage, if all of its dimension is computed by the thread.
std::optional<ChannelVector> along_best_loop(const Dag &dag, const Kernel &kernel, FuncId id,
                                             FuncId assumed = {}) {
    const Func &func = dag.func(id);
    if (!func.channel_vectors || func.stages.size() != 1 || !has_vector_elements(func) ||
        !func.user_directives.empty()) {
        return std::nullopt;
    }
    const Stage &stage = dag.stage(func.stages[0]);
    std::optional<ChannelVector> best;
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        const Dimension &dim = func.dims[static_cast<size_t>(stage.loops[i].dim)];
        if (!is_vector(dim)) continue;
        ReadsAlong reads(dag, kernel, dim.estimate.extent(), assumed);
        reads.add(func.stages[0], i);
        std::vector<FuncId> found = std::move(reads).take();
        if (found.size() > (best ? best->reads.size() : 0)) best = {i, std::move(found)};
    }
    return best;
}

// The vector along a dimension by which a stage is stored.
std::optional<ChannelVector> stored_along(const Dag &dag, const Kernel &kernel, StageId id, int dim,
                                          FuncId assumed) {
    const Stage &stage = dag.stage(id);
    const auto loop =
        static_cast<size_t>(std::ranges::find(stage.loops, dim, &Loop::dim) - stage.loops.begin());
    const Dimension &channels = dag.func(stage.func).dims[static_cast<size_t>(dim)];
    ReadsAlong reads(dag, kernel, channels.estimate.extent(), assumed);
    reads.add(id, loop);
    if (reads.chooses()) return std::nullopt;
    return ChannelVector{loop, std::move(reads).take(), true};
}

// The vector that the kernel's own Func is stored by, if all of its dimension is computed by the
// thread.
std::optional<ChannelVector> along_storage(const Dag &dag, const Kernel &kernel, FuncId id,
                                           FuncId assumed) {
    const Func &func = dag.func(id);
    if (!func.channel_vectors || func.stages.size() != 1 || func.stages[0] != kernel.stage ||
        !func.user_directives.empty() || func.dims.empty()) {
        return std::nullopt;
    }
    const int dim = innermost_dimension(func);
    if (!lies_in_global_memory(func, static_cast<size_t>(dim))) return std::nullopt;
    return stored_along(dag, kernel, kernel.stage, dim, assumed);
}

// The vector that a stage in the block is stored by in shared memory, likewise.
std::optional<ChannelVector> along_shared_storage(const Dag &dag, const Kernel &kernel,
                                                  StageId stage) {
    const std::optional<size_t> dim = channels_in_block(dag, kernel, dag.stage(stage).func);
    if (!dim) return std::nullopt;
    auto vector = stored_along(dag, kernel, stage, static_cast<int>(*dim), {});
    if (!vector) return std::nullopt;
    // No threads load those at once.
    std::erase_if(vector->reads, [&](FuncId read) {
        return is_plain_in_block(dag, kernel, read) && !channels_in_block(dag, kernel, read);
    });
    return vector;
}

std::optional<ChannelVector> possible_vector(const Dag &dag, const Kernel &kernel,
                                             const Band &innermost, FuncId assumed = {}) {
    const bool is_shared = innermost.memory == MemoryKind::shared;
    if (innermost.level != Level::serial && !(is_shared && innermost.level == Level::strided)) {
        return std::nullopt;
    }
    const Stage &stage = dag.stage(innermost.stage);
    std::optional<ChannelVector> vector = is_shared
                                              ? along_shared_storage(dag, kernel, innermost.stage)
                                          : innermost.memory == MemoryKind::registers
                                              ? along_best_loop(dag, kernel, stage.func, assumed)
                                              : along_storage(dag, kernel, stage.func, assumed);
    if (!vector) return std::nullopt;
    const int dim = stage.loops[vector->loop].dim;
    const bool has_all =
        innermost.trips[vector->loop] ==
            dag.func(stage.func).dims[static_cast<size_t>(dim)].estimate.extent() &&
        UnrolledLoops(dag, innermost).is_whole(vector->loop);
    return has_all ? std::move(vector) : std::nullopt;
}

}  // namespace

std::optional<size_t> channels_if_in_block(const Dag &dag, const Kernel &kernel, FuncId func) {
    if (!kernel.channel_vectors || walked_loop(kernel.tiling)) return std::nullopt;
    const std::optional<size_t> dim = possible_channels(dag.func(func));
    if (!dim) return std::nullopt;
    const auto loads_it = [&](const Band *inner) {
        if (inner->memory == MemoryKind::shared) return false;
        const auto vector = possible_vector(dag, kernel, *inner, func);
        return vector && std::ranges::binary_search(vector->reads, func);
    };
    return std::ranges::any_of(innermost_bands(*kernel.blocks), loads_it) ? dim : std::nullopt;
}

std::optional<size_t> channels_in_block(const Dag &dag, const Kernel &kernel, FuncId func) {
    return is_plain_in_block(dag, kernel, func) ? channels_if_in_block(dag, kernel, func)
                                                : std::nullopt;
}

bool goes_along(const AccessMatrix &access, size_t loop, size_t dim) {
    for (size_t d = 0; d < access.dims(); ++d) {
        const Coefficient &c = access.at(d, loop);
        if (!c.known || c.value != (d == dim ? 1 : 0)) return false;
    }
    return true;
}

std::optional<ChannelVector> channel_vector(const Dag &dag, const Kernel &kernel, StageId stage) {
    if (!kernel.channel_vectors || kernel.on_host) return std::nullopt;
    const Band *innermost = find_innermost(kernel, stage);
    return innermost == nullptr ? std::nullopt : possible_vector(dag, kernel, *innermost);
}

bool may_have_channel_vectors(const Dag &dag, const Kernel &kernel) {
    return !kernel.on_host &&
           std::ranges::any_of(innermost_bands(*kernel.blocks), [&](const Band *inner) {
               return possible_vector(dag, kernel, *inner).has_value();
           });
}

bool has_channel_vectors(const Dag &dag, const Kernel &kernel) {
    return kernel.channel_vectors && may_have_channel_vectors(dag, kernel);
}

std::vector<FuncId> inlined_channels(const Dag &dag, const Kernel &kernel) {
    std::vector<FuncId> found;
    if (kernel.on_host || !kernel.channel_vectors) return found;
    for (auto func = kernel.inlined.rbegin(); func != kernel.inlined.rend(); ++func) {
        const bool stays = dag.func(*func).must_inline || dag.func(*func).wraps.valid();
        if (!stays && along_best_loop(dag, kernel, *func)) found.push_back(*func);
    }
    return found;
}

}  // namespace autoschedule_gpu
