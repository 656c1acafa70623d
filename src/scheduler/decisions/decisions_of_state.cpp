#include "scheduler/decisions/decisions_of_state.h"

#include <optional>
#include <utility>

#include "core/dag/storage_order.h"
#include "scheduler/decisions/choices.h"
#include "scheduler/decisions/kinds/compute_with.h"
#include "scheduler/decisions/kinds/place.h"
#include "scheduler/decisions/kinds/tiling.h"
#include "scheduler/decisions/names.h"
#include "scheduler/schedule/directives_of_nest.h"
#include "scheduler/space/wrappers.h"

namespace autoschedule_gpu {
namespace {

// Which dimension of a Func is innermost in memory, where that is for a schedule to choose.
void read_storage(const StepReader &reader, FuncId func, std::vector<Coordinate> &list) {
    const Func &data = reader.dag().func(func);
    const bool is_chosen = data.stored_first >= 0;
    const bool at_root = reader.state.nest.place(func) == Place::root;
    if (!(is_chosen || at_root) || !may_reorder_storage(reader.dag(), func)) return;
    const auto name = [&](int dim) { return reader.names.dimension(func, dim); };
    Coordinate decision{
        reader.names.func(func), decision_kind::storage, name(innermost_dimension(data)), {}};
    for (int d = 0; d < static_cast<int>(data.dims.size()); ++d) {
        const bool is_long = data.dims[static_cast<size_t>(d)].estimate.extent() > 1;
        if (is_long || d == innermost_dimension(data)) decision.choices.push_back(name(d));
    }
    if (decision.choices.size() > 1) list.push_back(std::move(decision));
}

// What the kinds about single stages have decided for a stage that is computed in a kernel.
void read_stage_kinds(const StepReader &reader, const StageKinds &kinds, StageId stage,
                      std::vector<Coordinate> &list) {
    const KernelPtr &kernel = reader.kernel_of(stage);
    if (kernel->on_host) return;
    for (const auto &kind : kinds) {
        const std::vector<DecisionValue> choices =
            kind->choices(reader.dag(), reader.space.gpu(), kernel, stage);
        if (choices.size() < 2) continue;
        const DecisionValue value = kind->value(*kernel, stage).value_or(choices.front());
        list.push_back({reader.names.stage(stage), std::string(kind->name()), value, choices});
    }
}

std::vector<Coordinate> read_decisions(const StepReader &reader, const StageKinds &kinds) {
    std::vector<Coordinate> list;
    for (const Step &step : reader.space.steps()) {
        const Place place = reader.state.nest.place(step.func);
        if (step.kind == Step::Kind::place) {
            read_place(reader, step.func, list);
            read_storage(reader, step.func, list);
            if (!is_in_kernel(place)) continue;
            for (StageId stage : reader.dag().func(step.func).stages) {
                read_stage_kinds(reader, kinds, stage, list);
            }
        } else if (place == Place::root) {
            read_tiling(reader, step.stage, list);
            read_stage_kinds(reader, kinds, step.stage, list);
            read_compute_with(reader, step.stage, list);
        }
    }
    return list;
}

// The first directive that is another, for a message.
std::optional<std::string> difference(const Schedule &wanted, const Schedule &found) {
    for (size_t i = 0; i < wanted.size(); ++i) {
        if (i < found.size() && wanted[i] == found[i]) continue;
        return "directive " + std::to_string(i + 1) + ", " + describe(wanted[i]) + ", would be " +
               (i < found.size() ? describe(found[i]) : "missing");
    }
    if (found.size() == wanted.size()) return std::nullopt;
    return "there would be a directive more, " + describe(found[wanted.size()]);
}

}  // namespace

Result<DecisionList> decisions_of_state(const Dag &dag, const State &state, const GpuModel &gpu,
                                        const RuleBook &rules, Freedom freedom,
                                        uint64_t pipeline_hash, const StageKinds &kinds) {
    const bool may_stage = freedom == Freedom::full && single_reader_wrappers(dag).empty();
    const WrappedReads wrapped =
        may_stage ? with_wrapped_reads(dag, state.nest) : WrappedReads{dag, state.nest, {}};
    const SearchSpace space(wrapped.dag, gpu, rules, freedom);
    const State complete = space.adopt(wrapped.nest);
    const SearchSpace stepped = space.with_steps_of(single_reader_wrappers(wrapped.dag));
    const Names names(wrapped.dag);
    DecisionList list{pipeline_hash, freedom, read_decisions({stepped, complete, names}, kinds)};
    const Result<State> end = add_choices(stepped, list, kinds);
    if (!end) return end.error();
    const auto other = difference(directives(dag, state.nest), directives(wrapped.dag, end->nest));
    if (other) return Error{*other};
    return list;
}

}  // namespace autoschedule_gpu
