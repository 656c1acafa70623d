#include "scheduler/nest/shared_vectors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "scheduler/nest/channel_vectors.h"
#include "scheduler/nest/pixel_vectors.h"
#include "scheduler/nest/shared_storage.h"
#include "scheduler/nest/vectors.h"

namespace autoschedule_gpu {

namespace {

// Of loads further apart Halide makes no vector.
constexpr int64_t kMostStride = 4;

// A loop of a stage, or the dimension of a Func that goes along it.
struct Along {
    bool moves = false;    // from one thread to the next
    int64_t per_lane = 0;  // elements from one lane of the vector to the next, at most; 0: none

    friend auto operator<=>(const Along &, const Along &) = default;
};

// A dimension that is read by so many iterations of loops.
Along along(const AccessMatrix &access, size_t dim, const std::vector<Along> &loops) {
    Along result;
    for (size_t i = 0; i < loops.size(); ++i) {
        const Coefficient &c = access.at(dim, i);
        if (c.known && c.value == 0) continue;
        result.moves |= loops[i].moves && c.known;
        if (loops[i].per_lane == 0) continue;
        const double step = c.known ? std::abs(c.value) * static_cast<double>(loops[i].per_lane)
                                    : static_cast<double>(kMostStride);
        const auto whole = static_cast<uint64_t>(std::ceil(step));
        result.per_lane = std::max(
            result.per_lane, std::min(kMostStride, static_cast<int64_t>(std::bit_ceil(whole))));
    }
    return result;
}

// What the lanes of one vector read.
class ReadsOfVector {
public:
    ReadsOfVector(const Dag &dag, const Kernel &kernel, int64_t lanes)
        : dag_(dag), kernel_(kernel), lanes_(lanes) {}

    void add(StageId id, const std::vector<Along> &loops) {
        // Once, however many paths of what is inlined lead to it.
        if (!seen_.emplace(id, loops).second) return;
        const Stage &stage = dag_.stage(id);
        for (const Load &load : stage.loads) {
            if (load.producer != stage.func) add(load, loops);
        }
    }

    int64_t widest_bytes() const { return widest_; }

private:
    void add(const Load &load, const std::vector<Along> &loops) {
        const Func &func = dag_.func(load.producer);
        const bool inlined = is_inlined(kernel_, load.producer);
        if (!inlined && !lies_in_shared_memory(load.producer)) return;
        std::vector<Along> dims;
        for (size_t d = 0; d < func.dims.size(); ++d) dims.push_back(along(load.access, d, loops));
        if (inlined) {
            std::vector<Along> own;
            for (const Loop &loop : dag_.stage(func.stages[0]).loops) {
                own.push_back(loop.dim < 0 ? Along() : dims[static_cast<size_t>(loop.dim)]);
            }
            return add(func.stages[0], own);
        }
        if (std::ranges::any_of(dims, &Along::moves)) return;
        for (const Along &dim : dims) {
            for (const ScalarType &value : func.values) {
                widest_ = std::max(widest_, lanes_ * dim.per_lane * value.bytes());
            }
        }
    }

    bool lies_in_shared_memory(FuncId func) const {
        if (dag_.func(func).is_input()) return false;
        const Band *threads = find_threads(kernel_, dag_.func(func).stages[0]);
        return threads != nullptr && is_in_shared_memory(kernel_, *threads);
    }

    const Dag &dag_;
    const Kernel &kernel_;
    const int64_t lanes_;
    std::set<std::pair<StageId, std::vector<Along>>> seen_;
    int64_t widest_ = 1;
};

// Whether all that the kernel's own stage reads of a Func in its threads moves with them along a
// dimension, and nothing else reads it.
bool moves_with_threads(const Dag &dag, const Kernel &kernel, FuncId func, size_t dim) {
    const std::vector<int64_t> &trips = root_threads(kernel)->trips;
    for (const EdgeId edge : dag.consumers[func.index()]) {
        const StageId reader = dag.edge(edge).consumer;
        if (dag.stage(reader).func != func && reader != kernel.stage) return false;
    }
    return std::ranges::all_of(dag.stage(kernel.stage).loads, [&](const Load &load) {
        if (load.producer != func) return true;
        for (size_t i = 0; i < trips.size(); ++i) {
            const Coefficient &c = load.access.at(dim, i);
            if (trips[i] > 1 && c.known && c.value != 0) return true;
        }
        return false;
    });
}

// Of the loops of a stage, of which one is a vector.
std::vector<Along> loops_of(const Dag &dag, const Kernel &kernel, const Band &threads,
                            const Band &inner, size_t vector) {
    const Stage &stage = dag.stage(inner.stage);
    std::vector<Along> loops(stage.loops.size());
    for (size_t i = 0; i < loops.size(); ++i) {
        const int dim = stage.loops[i].dim;
        loops[i].moves =
            threads.stage == inner.stage
                ? threads.trips[i] > 1
                : dim >= 0 && moves_with_threads(dag, kernel, stage.func, static_cast<size_t>(dim));
    }
    loops[vector].per_lane = 1;
    return loops;
}

struct VectorLoop {
    size_t loop;
    int64_t lanes;
};

std::optional<VectorLoop> vector_of(const Dag &dag, const Kernel &kernel, const Band &inner) {
    if (const auto channels = channel_vector(dag, kernel, inner.stage)) {
        return VectorLoop{channels->loop, inner.trips[channels->loop]};
    }
    if (const auto row = vector_loop(dag, kernel, inner.stage)) {
        return VectorLoop{*row, kVectorElements};
    }
    if (inner.stage != kernel.stage) return std::nullopt;
    const std::optional<PixelVectors> pixels = pixel_vectors(dag, kernel);
    return pixels ? std::optional(VectorLoop{pixels->loop, pixels->points}) : std::nullopt;
}

}  // namespace

int64_t widest_shared_vector(const Dag &dag, const Kernel &kernel) {
    int64_t widest = 1;
    for (const Band *threads : thread_bands(kernel)) {
        for (const BandPtr &inner : threads->body) {
            const std::optional<VectorLoop> vector = vector_of(dag, kernel, *inner);
            if (!vector) continue;
            ReadsOfVector reads(dag, kernel, vector->lanes);
            reads.add(inner->stage, loops_of(dag, kernel, *threads, *inner, vector->loop));
            widest = std::max(widest, reads.widest_bytes());
            if (channels_in_block(dag, kernel, dag.stage(inner->stage).func)) {
                widest = std::max(widest, vector->lanes * kVectorElementBytes);
            }
        }
    }
    return widest;
}

}  // namespace autoschedule_gpu
