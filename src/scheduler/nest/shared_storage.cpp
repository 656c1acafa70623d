#include "scheduler/nest/shared_storage.h"

#include <algorithm>
#include <functional>
#include <numeric>

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

}  // namespace

int64_t widest_shared_element(const Dag &dag, const Kernel &kernel) {
    int64_t widest = 1;
    for (const Band *threads : thread_bands(kernel)) {
        if (threads->stage == kernel.stage || threads->memory != MemoryKind::shared) continue;
        for (const ScalarType &value : dag.func_of(threads->stage).values) {
            widest = std::max(widest, value.bytes());
        }
    }
    return widest;
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

int64_t stored_points(std::span<const int64_t> extents, int64_t row_alignment) {
    if (extents.empty()) return 1;
    const int64_t units = (extents.front() + row_alignment - 1) / row_alignment;
    return std::accumulate(extents.begin() + 1, extents.end(), units * row_alignment,
                           std::multiplies<>());
}

}  // namespace autoschedule_gpu
