#include "plugins/autoscheduler/report_kernels.h"

#include <algorithm>
#include <set>
#include <string>

#include "core/dag/text.h"
#include "core/gpu/occupancy.h"
#include "plugins/autoscheduler/chosen_kernels.h"
#include "scheduler/features/buffer_use.h"
#include "scheduler/model/roofline.h"
#include "scheduler/nest/level_name.h"
#include "scheduler/schedule/loop_tree.h"

namespace autoschedule_gpu {

namespace {

std::string_view name_of(MemoryKind memory) {
    switch (memory) {
        case MemoryKind::shared:
            return "shared";
        case MemoryKind::registers:
            return "registers";
        case MemoryKind::local:
            return "local";
        case MemoryKind::host:
            return "host";
        case MemoryKind::automatic:
        case MemoryKind::global:
            return "global";
    }
    return "";
}

std::string_view name_of(BufferAccess access) {
    switch (access) {
        case BufferAccess::read:
            return "read";
        case BufferAccess::written:
            return "written";
        case BufferAccess::kept:
            return "kept";
    }
    return "";
}

Json terms_json(const Roofline::Terms &terms) {
    return {{"launch", terms.launch / 1000},
            {"arithmetic", terms.arithmetic / 1000},
            {"load_store", terms.load_store / 1000},
            {"l2", terms.l2 / 1000},
            {"dram", terms.dram / 1000},
            {"latency", terms.latency / 1000},
            {"blocks", terms.blocks / 1000},
            {"barriers", terms.barriers / 1000}};
}

// What limits the warps that an SM has at once; null on the host.
Json occupancy_json(const GpuModel &gpu, const KernelFeatures &kernel) {
    if (kernel.on_host > 0) return {};
    const auto registers =
        std::min(static_cast<int64_t>(kernel.registers_per_thread), gpu.max_registers_per_thread);
    const Occupancy found =
        occupancy(gpu, static_cast<int64_t>(kernel.threads_per_block), registers,
                  static_cast<int64_t>(kernel.shared_bytes_per_block));
    return {{"limit", to_string(found.limit)},
            {"blocks_per_sm", found.blocks_per_sm},
            {"warps_per_sm", found.active_warps_per_sm},
            {"most_warps_per_sm", gpu.max_warps_per_sm}};
}

Json buffers_json(const Dag &dag, const std::vector<BufferUse> &uses) {
    Json result = Json::array();
    for (const BufferUse &use : uses) {
        result.push_back({{"func", dag.func(use.func).name},
                          {"access", name_of(use.access)},
                          {"memory", name_of(use.memory)},
                          {"bytes", use.bytes},
                          {"bytes_of_block", use.bytes_of_block},
                          {"dram", use.dram}});
    }
    return result;
}

Json tree_json(const LoopTree &tree) {
    Json loops = Json::array(), body = Json::array();
    for (const TreeLoop &loop : tree.loops) {
        loops.push_back({{"name", loop.name},
                         {"extent", loop.extent ? Json(*loop.extent) : Json()},
                         {"written_out", loop.written_out}});
    }
    for (const LoopTree &child : tree.body) body.push_back(tree_json(child));
    return {{"stage", tree.stage},
            {"level", to_string(tree.level)},
            {"loops", loops},
            {"memory", name_of(tree.memory)},
            {"in_loop_of", tree.in_loop_of.empty() ? Json() : Json(tree.in_loop_of)},
            {"body", body}};
}

std::string_view name_of(Func::Kind kind) {
    switch (kind) {
        case Func::Kind::input_image:
            return "input";
        case Func::Kind::internal:
            return "internal";
        case Func::Kind::output:
            return "output";
    }
    return "";
}

// The Funcs that a Func reads, each once, without itself.
Json reads_json(const Dag &dag, FuncId id) {
    std::set<FuncId> reads;
    for (const StageId stage : dag.func(id).stages) {
        for (const Load &load : dag.stage(stage).loads) reads.insert(load.producer);
    }
    reads.erase(id);
    Json result = Json::array();
    for (const FuncId read : reads) result.push_back(dag.func(read).name);
    return result;
}

Json prediction_json(const ReportInput &in, const Dag &dag, const std::vector<KernelPtr> &launch,
                     const FeatureTable &table) {
    const Roofline::Terms terms = Roofline(in.gpu).explain(table);
    double predicted_ns = 0;
    in.chosen.model->estimate({&table, 1}, {&predicted_ns, 1});
    Json inlined = Json::array(), stages = Json::array();
    for (const KernelPtr &one : launch) {
        for (FuncId func : one->inlined) inlined.push_back(dag.func(func).name);
    }
    double loads = 0, stores = 0;  // sectors of a block
    for (const StageFeatures &row : table.stages) {
        stages.push_back(stage_name(dag, StageId(row.stage)));
        loads += row.num_global_mem_loads_per_block;
        stores += row.num_global_mem_stores_per_block;
    }
    const KernelPtr &kernel = launch.front();
    const std::string &host_reason = dag.func(dag.stage(kernel->stage).func).host_reason;
    const KernelFeatures &row = table.kernel;
    const double sector_bytes = row.num_blocks * static_cast<double>(in.gpu.l1_sector_bytes);
    return {{"stage", stage_name(dag, kernel->stage)},
            {"on_host", kernel->on_host},
            {"host_reason", host_reason.empty() ? Json() : Json(host_reason)},
            {"stages", stages},
            {"inlined", inlined},
            {"predicted_us", predicted_ns / 1000},
            {"bound_by", terms.bound_by()},
            {"terms_us", terms_json(terms)},
            {"warp_occupancy", terms.warp_occupancy},
            {"occupancy", occupancy_json(in.gpu, row)},
            {"blocks", row.num_blocks},
            {"threads_per_block", row.threads_per_block},
            {"shared_bytes_per_block", row.shared_bytes_per_block},
            {"registers_estimated", row.registers_per_thread},
            {"spills_estimated", row.spills_per_thread},
            {"global_bytes_read", row.global_bytes_read},
            {"dram_bytes_read", row.dram_bytes_read},
            {"dram_bytes_written", row.dram_bytes_written},
            {"transaction_load_bytes", sector_bytes * loads},
            {"transaction_store_bytes", sector_bytes * stores},
            {"buffers", buffers_json(dag, buffer_uses(dag, in.gpu, launch))}};
}

}  // namespace

Json predictions_json(const ReportInput &in) {
    if (!in.chosen.complete) return {};
    const Dag &dag = *in.chosen.complete->dag;
    const std::vector<std::vector<KernelPtr>> launches =
        in_launches(in.chosen.complete->state.nest);
    Json result = Json::array();
    for (size_t i = 0; i < launches.size(); ++i) {
        result.push_back(prediction_json(in, dag, launches[i], in.tables[i]));
    }
    return result;
}

Json loops_json(const ReportInput &in) {
    Json result = Json::array();
    if (!in.chosen.complete) {
        for (const LoopTree &tree : loop_trees(in.chosen.accepted.schedule)) {
            result.push_back(tree_json(tree));
        }
        return result;
    }
    const auto &[dag, state, freedom] = *in.chosen.complete;
    for (const KernelPtr &kernel : in_launch_order(state.nest)) {
        if (!kernel->on_host) result.push_back(tree_json(loop_tree(*dag, *kernel)));
    }
    return result;
}

Json funcs_json(const ReportInput &in) {
    const auto &complete = in.chosen.complete;
    const Dag &dag = complete ? *complete->dag : *in.chosen.variant.read;
    Json result = Json::array();
    for (size_t i = 0; i < dag.funcs.size(); ++i) {
        const Func &func = dag.funcs[i];
        Json types = Json::array(), extents = Json::array();
        for (const ScalarType &type : func.values) types.push_back(to_text(type));
        for (const Dimension &dim : func.dims) extents.push_back(dim.estimate.extent());
        const std::string place(complete ? to_string(complete->state.nest.place(FuncId(i))) : "");
        result.push_back({{"name", func.name},
                          {"kind", name_of(func.kind)},
                          {"types", types},
                          {"extents", extents},
                          {"reads", reads_json(dag, FuncId(i))},
                          {"updates", func.stages.empty() ? 0 : func.stages.size() - 1},
                          {"place", place.empty() || func.is_input() ? Json() : Json(place)}});
    }
    return result;
}

}  // namespace autoschedule_gpu
