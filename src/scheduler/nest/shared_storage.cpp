#include "scheduler/nest/shared_storage.h"

#include <algorithm>
#include <optional>

#include "scheduler/nest/channel_vectors.h"
#include "scheduler/nest/vectors.h"

namespace autoschedule_gpu {

namespace {

bool touches(const Dag &dag, const Kernel &kernel, const Band &threads, FuncId func) {
    return std::ranges::any_of(threads.body, [&](const BandPtr &inner) {
        return dag.stage(inner->stage).func == func || reads(dag, kernel, inner->stage, func);
    });
}

// Whether the band is the first of a Func that is stored in each iteration of its loop anew.
bool begins_storage_in_loop(const Dag &dag, const Band &threads) {
    return threads.loop.valid() && threads.memory == MemoryKind::shared &&
           dag.stage(threads.stage).func != dag.stage(threads.loop.update).func &&
           dag.stage(threads.stage).index == 0;
}

bool is_overwritten_in_loop(const Dag &dag, const Kernel &kernel, FuncId func) {
    const Band *last = nullptr;  // that needs the Func
    bool other_comes_after = false;
    for (const Band *threads : thread_bands(kernel)) {
        if (touches(dag, kernel, *threads, func)) {
            last = threads;
            other_comes_after = false;
        } else if (last != nullptr && threads->loop == last->loop) {
            other_comes_after |= begins_storage_in_loop(dag, *threads);
        }
    }
    return last != nullptr && last->loop.valid() && other_comes_after;
}

// Whether the place of a stage's points along a loop depends on the thread.
bool moves_with_threads(const Dag &dag, const Kernel &kernel, StageId id, size_t loop) {
    const std::vector<int64_t> &trips = root_threads(kernel)->trips;
    if (id == kernel.stage) return trips[loop] > 1;
    const auto dim = static_cast<size_t>(dag.stage(id).loops[loop].dim);
    const auto moves = [&](const Load &load) {
        if (load.producer != dag.stage(id).func) return false;
        for (size_t i = 0; i < trips.size(); ++i) {
            const Coefficient &c = load.access.at(dim, i);
            if (trips[i] > 1 && c.known && c.value != 0) return true;
        }
        return false;
    };
    return std::ranges::any_of(dag.stage(kernel.stage).loads, moves);
}

// Whether a vector of the threads (scheduler/nest/vectors.h) may load a Func in shared memory at
// one place.
bool loads_row_at_one_place(const Dag &dag, const Kernel &kernel, FuncId func) {
    return std::ranges::any_of(root_threads(kernel)->body, [&](const BandPtr &inner) {
        const std::optional<size_t> loop = vector_loop(dag, *inner);
        return loop && !moves_with_threads(dag, kernel, inner->stage, *loop) &&
               reads(dag, kernel, inner->stage, func) && vector_loop(dag, kernel, inner->stage);
    });
}

// Returns the bytes of the vector by which a Func in shared memory is loaded or stored at a place
// that may be one; 1 if there is none.
int64_t shared_vector(const Dag &dag, const Kernel &kernel, FuncId id) {
    const Func &func = dag.func(id);
    if (!has_vector_elements(func)) return 1;
    if (const std::optional<size_t> channels = channels_in_block(dag, kernel, id)) {
        return func.dims[*channels].estimate.extent() * kVectorElementBytes;
    }
    const bool in_rows = kernel.vectors && loads_row_at_one_place(dag, kernel, id);
    return in_rows ? kVectorElements * kVectorElementBytes : 1;
}

// Those that the kernel computes in shared memory.
template <typename Visit>
void for_each_shared(const Dag &dag, const Kernel &kernel, const Visit &visit) {
    for (const Band *threads : thread_bands(kernel)) {
        if (threads->stage == kernel.stage || threads->memory != MemoryKind::shared) continue;
        visit(dag.stage(threads->stage).func);
    }
}

}  // namespace

int64_t widest_shared_element(const Dag &dag, const Kernel &kernel) {
    int64_t widest = 1;
    for_each_shared(dag, kernel, [&](FuncId func) {
        for (const ScalarType &value : dag.func(func).values) {
            widest = std::max(widest, value.bytes());
        }
        widest = std::max(widest, shared_vector(dag, kernel, func));
    });
    return widest;
}

bool parts_shared_vectors(const Dag &dag, const Kernel &kernel) {
    bool has_point = false, has_vector = false;
    for_each_shared(dag, kernel, [&](FuncId func) {
        has_point |= dag.func(func).dims.empty();
        has_vector |= shared_vector(dag, kernel, func) > 1;
    });
    return has_point && has_vector;
}

FuncId overwritten_in_loop(const Dag &dag, const Kernel &kernel) {
    const auto in_loop = [](const Band *threads) { return threads->loop.valid(); };
    if (std::ranges::none_of(thread_bands(kernel), in_loop)) return {};
    for (const Band *threads : thread_bands(kernel)) {
        if (threads->stage == kernel.stage || threads->memory != MemoryKind::shared) continue;
        const FuncId func = dag.stage(threads->stage).func;
        if (begins_storage_in_loop(dag, *threads)) continue;
        if (is_overwritten_in_loop(dag, kernel, func)) return func;
    }
    return {};
}

int64_t shared_row_alignment(const Func &func, int64_t widest_element) {
    if (func.dims.empty()) return 1;  // one point is the lesser of two wherever it is put
    int64_t alignment = 1;
    for (const ScalarType &value : func.values) {
        alignment = std::max(alignment, widest_element / value.bytes());
    }
    return alignment;
}

int64_t stored_points(std::span<const int64_t> extents, int64_t row_alignment, size_t innermost) {
    int64_t points = 1;
    for (size_t d = 0; d < extents.size(); ++d) {
        const int64_t units = (extents[d] + row_alignment - 1) / row_alignment;
        points *= d == innermost ? units * row_alignment : extents[d];
    }
    return points;
}

}  // namespace autoschedule_gpu
