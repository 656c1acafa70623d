#include "scheduler/schedule/write/storage.h"

#include <optional>
#include <vector>

#include "core/dag/storage_order.h"
#include "scheduler/nest/channel_vectors.h"
#include "scheduler/nest/shared_storage.h"
#include "scheduler/schedule/write/bounds.h"
#include "scheduler/schedule/write/loop_names.h"

namespace autoschedule_gpu::writing {

namespace {

void reorder_storage(DirectiveList &out, FuncId func, const std::vector<int> &order) {
    if (order.size() < 2) return;
    Directive &reorder = out.add(func, DirectiveOp::reorder_storage);
    for (const int dim : order) reorder.loops.push_back(dimension(out.dag(), func, dim));
}

// The dimension that is innermost in memory of a Func in the kernel, if not the first.
std::optional<int> channels_of_member(const Dag &dag, const Kernel &kernel, FuncId func) {
    const StageId pure = dag.func(func).stages[0];
    if (find_threads(kernel, pure) != nullptr) return channels_in_block(dag, kernel, func);
    const std::optional<ChannelVector> channels = channel_vector(dag, kernel, pure);
    if (!channels) return std::nullopt;
    return dag.stage(pure).loops[channels->loop].dim;
}

// Elements from one row of a Func in shared memory to the next are a multiple of these.
int64_t row_alignment(const Dag &dag, const Kernel &kernel, const Func &func) {
    const int64_t padded = find_threads(kernel, func.stages[0])->row;
    return padded ? padded : shared_row_alignment(func, widest_shared_element(dag, kernel));
}

// Of channels that are a vector as wide as any element or vector beside it nothing is said.
bool says_itself(const Dag &dag, FuncId func, std::optional<int> channels, int64_t row) {
    if (row == 1) return true;
    return channels &&
           dag.func(func).dims[static_cast<size_t>(*channels)].estimate.extent() % row == 0;
}

}  // namespace

void write_root_storage(DirectiveList &out, FuncId id) {
    const Func &func = out.dag().func(id);
    if (func.stored_first >= 0) reorder_storage(out, id, storage_order(func));
}

void write_member_storage(DirectiveList &out, const Home &home, FuncId id) {
    const Dag &dag = out.dag();
    const Kernel &kernel = *home.kernel;
    const Func &func = dag.func(id);
    const MemoryKind memory = find_innermost(kernel, func.stages[0])->memory;
    // Of what is to be in registers Halide asks how much it is before it looks at the bounds.
    if (!bound_behind_guards(out, home, id)) out.add(id, DirectiveOp::store_in).memory = memory;
    const std::optional<int> channels = channels_of_member(dag, kernel, id);
    if (channels) reorder_storage(out, id, dimensions_from(func, *channels));
    if (memory != MemoryKind::shared) return;
    const int64_t row = row_alignment(dag, kernel, func);
    if (says_itself(dag, id, channels, row)) return;
    Directive &align = out.add(id, DirectiveOp::align_storage);
    align.loops = {dimension(dag, id, channels.value_or(0))};
    align.factor = row;
}

}  // namespace autoschedule_gpu::writing
