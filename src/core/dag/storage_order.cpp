#include "core/dag/storage_order.h"

#include <algorithm>
#include <numeric>

#include "core/dag/strides.h"

namespace autoschedule_gpu {

namespace {

// The distances that come of an order, in elements.
std::vector<int64_t> strides_of(const Func &func, const std::vector<int> &order) {
    std::vector<int64_t> strides(func.dims.size());
    int64_t stride = 1;
    for (const int dim : order) {
        strides[static_cast<size_t>(dim)] = stride;
        stride = outer_stride(stride, func.dims[static_cast<size_t>(dim)].estimate.extent());
    }
    return strides;
}

bool is_as_chosen(const Func &func) {
    return std::ranges::equal(func.dims, strides_of(func, storage_order(func)), {},
                              &Dimension::stride);
}

}  // namespace

bool may_reorder_storage(const Dag &dag, FuncId id) {
    const Func &func = dag.func(id);
    if (func.kind != Func::Kind::internal || !func.may_be_in_kernel()) return false;
    if (func.keeps_storage || func.must_inline || func.on_host() || !func.user_directives.empty())
        return false;
    const bool leaves_device = std::ranges::any_of(dag.consumers[id.index()], [&](EdgeId edge) {
        return dag.func_of(dag.edge(edge).consumer).on_host();
    });
    return !leaves_device && func.dims.size() > 1 && is_as_chosen(func);
}

void keep_storage_orders(Dag &dag) {
    for (Func &func : dag.funcs) func.keeps_storage = true;
}

int innermost_dimension(const Func &func) {
    return std::max(0, func.stored_first);
}

std::vector<int> storage_order(const Func &func) {
    return dimensions_from(func, innermost_dimension(func));
}

std::vector<int> dimensions_from(const Func &func, int innermost) {
    std::vector<int> order(func.dims.size());
    std::iota(order.begin(), order.end(), 0);
    const auto first = order.begin() + innermost;
    std::rotate(order.begin(), first, first + 1);
    return order;
}

Dag with_innermost(Dag dag, FuncId id, int dim) {
    Func &func = dag.funcs[id.index()];
    func.stored_first = dim > 0 ? dim : -1;
    const std::vector<int64_t> strides = strides_of(func, storage_order(func));
    for (size_t d = 0; d < strides.size(); ++d) func.dims[d].stride = strides[d];
    return dag;
}

}  // namespace autoschedule_gpu
