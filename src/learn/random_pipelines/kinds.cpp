#include "learn/random_pipelines/kinds.h"

namespace autoschedule_gpu::random_pipelines {

bool has_tricky(Family family) {
    return family == Family::tricky || family == Family::all;
}

std::vector<Kind> kinds_of(Family family) {
    std::vector<Kind> all;
    const auto add = [&](std::span<const Kind> kinds) {
        all.insert(all.end(), kinds.begin(), kinds.end());
    };
    if (family != Family::tricky) {
        add(pointwise_kinds());
        add(access_kinds());
        add(stencil_kinds());
        add(reduction_kinds());
        add(update_kinds());
    }
    if (has_tricky(family)) {
        add(tricky_index_kinds());
        add(tricky_chain_kinds());
        add(tricky_value_kinds());
        add(tricky_update_kinds());
        add(tricky_stage_kinds());
        add(tricky_algorithm_kinds());
    }
    if (family == Family::clamped) add(clamped_kinds());
    if (family == Family::tables) add(table_kinds());
    return all;
}

}  // namespace autoschedule_gpu::random_pipelines
