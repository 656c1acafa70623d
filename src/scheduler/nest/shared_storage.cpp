#include "scheduler/nest/shared_storage.h"

#include <algorithm>
#include <vector>

#include "scheduler/nest/shared_vectors.h"

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

// Those that the kernel computes in shared memory, as often as they have stages.
std::vector<FuncId> shared_funcs(const Dag &dag, const Kernel &kernel) {
    std::vector<FuncId> funcs;
    for (const Band *threads : thread_bands(kernel)) {
        if (is_in_shared_memory(kernel, *threads)) funcs.push_back(dag.stage(threads->stage).func);
    }
    return funcs;
}

}  // namespace

bool is_in_shared_memory(const Kernel &kernel, const Band &threads) {
    return threads.stage != kernel.stage && threads.memory == MemoryKind::shared;
}

bool has_shared_memory(const Kernel &kernel) {
    return std::ranges::any_of(thread_bands(kernel), [&](const Band *threads) {
        return is_in_shared_memory(kernel, *threads);
    });
}

int64_t widest_shared_element(const Dag &dag, const Kernel &kernel) {
    const std::vector<FuncId> funcs = shared_funcs(dag, kernel);
    if (funcs.empty()) return 1;
    int64_t widest = widest_shared_vector(dag, kernel);
    for (const FuncId func : funcs) {
        for (const ScalarType &value : dag.func(func).values) {
            widest = std::max(widest, value.bytes());
        }
    }
    return widest;
}

bool parts_shared_vectors(const Dag &dag, const Kernel &kernel) {
    const std::vector<FuncId> funcs = shared_funcs(dag, kernel);
    const auto is_point = [&](FuncId func) { return dag.func(func).dims.empty(); };
    return std::ranges::any_of(funcs, is_point) && widest_shared_vector(dag, kernel) > 1;
}

FuncId overwritten_in_loop(const Dag &dag, const Kernel &kernel) {
    const auto in_loop = [](const Band *threads) { return threads->loop.valid(); };
    if (std::ranges::none_of(thread_bands(kernel), in_loop)) return {};
    for (const Band *threads : thread_bands(kernel)) {
        if (!is_in_shared_memory(kernel, *threads)) continue;
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
