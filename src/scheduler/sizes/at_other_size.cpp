#include "scheduler/sizes/at_other_size.h"

#include <algorithm>
#include <ranges>
#include <set>
#include <utility>
#include <vector>

#include "core/dag/storage_order.h"
#include "scheduler/nest/edit.h"
#include "scheduler/nest/launch.h"
#include "scheduler/schedule/directives_of_nest.h"
#include "scheduler/search/launch_costs.h"
#include "scheduler/search/pass.h"
#include "scheduler/sizes/same_directives.h"
#include "scheduler/space/wrappers.h"

namespace autoschedule_gpu {
namespace {

// What is made for another size may break rules that are about what pays.
RuleBook without_wishes(RuleBook rules) {
    for (size_t i = 0; i < rules.size(); ++i) rules.switch_off(RuleId(i));
    return rules;
}

bool have_same_loops(const Stage &a, const Stage &b) {
    return a.func == b.func && std::ranges::equal(a.loops, b.loops, {}, &Loop::name, &Loop::name);
}

// Whether two Dags are of one pipeline.
bool are_of_one_pipeline(const Dag &a, const Dag &b) {
    const auto is_same = [](const Func &one, const Func &other) {
        return one.name == other.name && one.halide_index == other.halide_index &&
               one.dims.size() == other.dims.size() && one.host_reason == other.host_reason;
    };
    return std::ranges::equal(a.funcs, b.funcs, is_same) &&
           std::ranges::equal(a.stages, b.stages, have_same_loops);
}

// Wrappers shift the ids of what comes behind them.
std::optional<FuncId> find(const Dag &dag, const Func &like) {
    const auto found = std::ranges::find_if(dag.funcs, [&](const Func &func) {
        return func.name == like.name && func.halide_index == like.halide_index;
    });
    if (found == dag.funcs.end()) return std::nullopt;
    return FuncId(static_cast<size_t>(found - dag.funcs.begin()));
}

// With the wrappers of single readers and the orders in memory that `like` has.
std::optional<Dag> with_funcs_of(const Dag &like, const Dag &dag) {
    std::set<WrappedRead> reads;
    for (const FuncId wrapper : single_reader_wrappers(like)) {
        const auto func = find(dag, like.func(like.func(wrapper).wraps));
        const auto reader = find(dag, like.func(like.func(wrapper).reader));
        if (!func || !reader) return std::nullopt;
        reads.insert({*func, *reader});
    }
    if (!std::ranges::includes(wrappable_reads(dag), reads)) return std::nullopt;
    Dag result = with_wrappers(dag, reads);
    if (!are_of_one_pipeline(like, result)) return std::nullopt;
    for (size_t f = 0; f < like.funcs.size(); ++f) {
        if (like.funcs[f].stored_first < 0) continue;
        if (!may_reorder_storage(result, FuncId(f))) return std::nullopt;
        result = with_innermost(std::move(result), FuncId(f), like.funcs[f].stored_first);
    }
    return result;
}

// Everything that is not decided at a step of the space; null where a stage is not in the kernel.
KernelPtr with_settings_of(const Dag &dag, KernelPtr kernel, const Kernel &like) {
    for (const Band *threads : thread_bands(like)) {
        for (const Band *wanted : innermost_bands(*threads)) {
            if (find_innermost(*kernel, wanted->stage) == nullptr) return nullptr;
            kernel = unroll_stage(dag, kernel, wanted->stage, wanted->unroll);
            kernel = step_stage(dag, kernel, wanted->stage, wanted->steps);
        }
        if (threads->row == 0) continue;
        if (find_threads(*kernel, threads->stage) == nullptr) return nullptr;
        kernel = store_rows(kernel, threads->stage, threads->row);
    }
    for (const auto &[is_on, off] : kKernelOptions) kernel = switched(kernel, is_on, like.*is_on);
    return in_launch_of(kernel, like.with);
}

// The kernels of the state as those of `like`, with the same root stages, are set.
bool take_settings(const Dag &dag, const Nest &like, State &state) {
    for (KernelPtr &kernel : state.nest.kernels) {
        const auto same = std::ranges::find(like.kernels, kernel->stage,
                                            [](const KernelPtr &other) { return other->stage; });
        if (same == like.kernels.end() || kernel->on_host != (*same)->on_host) return false;
        if (kernel->on_host) continue;
        kernel = with_settings_of(dag, kernel, **same);
        if (kernel == nullptr) return false;
    }
    state.id = state.nest.hash();
    return true;
}

std::vector<std::vector<int64_t>> extents_of_funcs(const Dag &dag) {
    std::vector<std::vector<int64_t>> extents;
    for (const Func &func : dag.funcs) {
        if (func.halide_index < 0) continue;
        const auto index = static_cast<size_t>(func.halide_index);
        if (extents.size() <= index) extents.resize(index + 1);
        for (const Dimension &dim : func.dims) extents[index].push_back(dim.estimate.extent());
    }
    return extents;
}

}  // namespace

std::optional<AtOtherSize> at_other_size(const MadeForSize &made, const Dag &base,
                                         const Pricing &pricing, SearchContext &context) {
    std::optional<Dag> found = with_funcs_of(made.dag, base);
    if (!found) return std::nullopt;
    const auto dag = std::make_shared<const Dag>(*std::move(found));
    const RuleBook rules = without_wishes(pricing.rules);
    const auto space_over = [&](const Dag &of) {
        return SearchSpace(of, pricing.gpu, rules, made.freedom)
            .with_steps_of(single_reader_wrappers(of));
    };
    const SearchSpace there = space_over(made.dag), here = space_over(*dag);
    SearchReport report;
    Workbench bench(here, pricing.model, context, report);
    bench.decided = Decided(there, made.state);
    Pass::Outcome outcome = Pass(bench.parts, 1, Coverage::at_all_if_few).run();
    if (!outcome.complete) return std::nullopt;
    State state = std::move(outcome.states.front());
    if (!take_settings(*dag, made.state.nest, state)) return std::nullopt;
    const bool is_same = are_same_directives(directives(made.dag, made.state.nest),
                                             directives(*dag, state.nest), extents_of_funcs(*dag));
    if (!is_same) return std::nullopt;
    state.cost = 0;
    return AtOtherSize{dag, with_costs_of_launches(*dag, pricing.gpu, pricing.model,
                                                   with_costs(bench.costs, std::move(state)))};
}

}  // namespace autoschedule_gpu
