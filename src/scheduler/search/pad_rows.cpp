#include "scheduler/search/pad_rows.h"

#include <utility>

#include "scheduler/nest/edit.h"
#include "scheduler/nest/padding.h"
#include "scheduler/search/each_kernel.h"

namespace autoschedule_gpu {
namespace {

State pad_stage(SearchParts &parts, State state, size_t k, StageId stage) {
    const KernelPtr &kernel = state.nest.kernels[k];
    const std::optional<int64_t> row = padded_row(parts.space.dag(), *kernel, stage);
    if (!row) return state;
    const KernelPtr padded = store_rows(kernel, stage, *row);
    if (parts.space.rejection(*padded)) return state;
    return with_cheapest(parts, std::move(state), k, {&padded, 1});
}

State pad(SearchParts &parts, State state, size_t k) {
    const KernelPtr kernel = state.nest.kernels[k];
    for (const Band *threads : thread_bands(*kernel)) {
        state = pad_stage(parts, std::move(state), k, threads->stage);
    }
    return state;
}

}  // namespace

State pad_rows(const SearchSpace &space, const CostModel &model, SearchContext &context,
               State state, SearchReport &report) {
    return improve_kernels("pad_rows", space, model, context, std::move(state), report, pad);
}

}  // namespace autoschedule_gpu
