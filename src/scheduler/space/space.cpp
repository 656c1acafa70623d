#include "scheduler/space/space.h"

#include <algorithm>
#include <iterator>

#include "scheduler/nest/edit.h"
#include "scheduler/rules/named_rules.h"
#include "scheduler/space/from_coordinates.h"
#include "scheduler/space/kernel_builder.h"
#include "scheduler/space/point_by_point.h"
#include "scheduler/space/tilings.h"
#include "scheduler/space/walking_tilings.h"
#include "scheduler/space/wrappers.h"

namespace autoschedule_gpu {

namespace {

bool touches_what_is_stored_otherwise(const Dag &before, const Dag &after, StageId stage) {
    const auto changed = [&](FuncId func) {
        return before.func(func).stored_first != after.func(func).stored_first;
    };
    const Stage &touching = after.stage(stage);
    return changed(touching.func) || std::ranges::any_of(touching.loads, changed, &Load::producer);
}

}  // namespace

SearchSpace::SearchSpace(const Dag &dag, const GpuModel &gpu, const RuleBook &rules,
                         Freedom freedom)
    : facts_{.dag = dag,
             .gpu = gpu,
             .rules = std::make_shared<const RuleBook>(rules),
             .own_rules = std::make_shared<const RuleBook>(rules.without_added()),
             .freedom = freedom,
             .tilings = StageTilings(dag.stages.size())} {
    facts_.site_extents = std::make_shared<SiteExtents>(dag, gpu.runtime_threads != 0);
    facts_.walks = std::make_shared<const SpaceFacts::Tilings>(dag.stages.size());
    list_steps();
    for (const Step &step : steps_) {
        if (step.kind == Step::Kind::tile) facts_.tilings.list_anew(step.stage);
    }
}

void SearchSpace::list_steps() {
    const std::vector<Func> &funcs = facts_.dag.funcs;
    facts_.copies.assign(funcs.size(), false);
    facts_.always_inlined.assign(funcs.size(), false);
    facts_.cheap_from_coordinates = cheap_from_coordinates(facts_.dag);
    for (size_t i = 0; i < funcs.size(); ++i) facts_.copies[i] = is_copy(facts_.dag, FuncId(i));
    for (size_t i = funcs.size(); i-- > 0;) {
        const FuncId func(i);
        if (funcs[i].is_input()) continue;
        facts_.always_inlined[i] = always_inlined(func);
        if (facts_.always_inlined[i]) continue;
        steps_.push_back({Step::Kind::place, func, StageId()});
        if (funcs[i].on_host() || !may_be_at_root(func)) continue;
        for (StageId stage : funcs[i].stages) steps_.push_back({Step::Kind::tile, func, stage});
    }
}

SearchSpace SearchSpace::stored_otherwise(const Dag &dag) const {
    SearchSpace space(
        {.dag = dag,
         .gpu = facts_.gpu,
         .rules = facts_.rules,
         .own_rules = facts_.own_rules,
         .freedom = facts_.freedom,
         .site_extents = std::make_shared<SiteExtents>(dag, facts_.gpu.runtime_threads != 0),
         .tilings = facts_.tilings,
         .walks = facts_.walks});
    space.list_steps();
    for (const Step &step : space.steps_) {
        if (step.kind != Step::Kind::tile) continue;
        if (touches_what_is_stored_otherwise(facts_.dag, dag, step.stage)) {
            space.facts_.tilings.list_anew(step.stage);
        }
    }
    return space;
}

SearchSpace SearchSpace::with_steps_of(std::span<const FuncId> wrappers) const {
    SearchSpace space = *this;
    for (FuncId wrapper : wrappers) {
        if (!space.facts_.always_inlined[wrapper.index()]) continue;
        space.facts_.always_inlined[wrapper.index()] = false;
        space.steps_.push_back({Step::Kind::place, wrapper, StageId()});
    }
    std::stable_sort(space.steps_.begin(), space.steps_.end(),
                     [](const Step &a, const Step &b) { return a.func > b.func; });
    return space;
}

SearchSpace SearchSpace::with_walks(const State &state) const {
    SearchSpace space = *this;
    RuleCounts unused{};
    SpaceFacts::Tilings walks(dag().stages.size());
    for (const KernelPtr &kernel : state.nest.kernels) {
        if (kernel->on_host) continue;
        walks[kernel->stage.index()] =
            walking_tilings(dag(), gpu(), rules(), kernel->stage, unused);
    }
    space.facts_.walks = std::make_shared<const SpaceFacts::Tilings>(std::move(walks));
    return space;
}

bool SearchSpace::always_inlined(FuncId id) const {
    const Func &func = facts_.dag.func(id);
    const std::vector<EdgeId> &edges = facts_.dag.consumers[id.index()];
    if (func.must_inline || func.reader.valid()) return true;
    if (func.stored_first >= 0) return false;
    if (facts_.freedom == Freedom::root_only) return func.wraps.valid();
    if (!func.can_inline || func.on_host() || func.is_output() || edges.empty()) return false;
    if (is_for_extern(id)) return false;
    if (facts_.cheap_from_coordinates[id.index()]) return true;
    if (facts_.copies[id.index()]) {
        const bool read_by_copies = std::ranges::all_of(edges, [&](EdgeId edge) {
            return facts_.copies[facts_.dag.stage(facts_.dag.edge(edge).consumer).func.index()];
        });
        return read_by_copies || facts_.freedom == Freedom::no_fusion ||
               is_read_point_by_point(facts_.dag, id);
    }
    if (func.wraps.valid()) return false;  // of a reduction; its kernel's root
    return is_computed_by_readers(facts_.dag, id);
}

// Extern stages take buffers.
bool SearchSpace::is_for_extern(FuncId id) const {
    return std::ranges::any_of(facts_.dag.consumers[id.index()], [&](EdgeId edge) {
        return facts_.dag.func_of(facts_.dag.edge(edge).consumer).is_extern;
    });
}

bool SearchSpace::may_be_at_root(FuncId id) const {
    if (facts_.dag.func(id).reader.valid()) return false;
    return facts_.freedom == Freedom::root_only || facts_.dag.func(id).on_host() ||
           !facts_.copies[id.index()] || is_for_extern(id);
}

State SearchSpace::initial() const {
    State state;
    state.nest = empty_nest(facts_.dag);
    for (size_t i = 0; i < facts_.always_inlined.size(); ++i) {
        if (facts_.always_inlined[i]) state.nest.places[i] = Place::inlined;
    }
    state.home.assign(facts_.dag.stages.size(), -1);
    state.id = state.nest.hash();
    return state;
}

// ---- which decisions there are

void SearchSpace::list_decisions(const State &state, const Step &step, Retile retile,
                                 std::vector<Decision> &out, RuleCounts &rejected) const {
    if (step.kind == Step::Kind::tile) {
        list_tilings(state, step, out);
    } else {
        list_places(state, step.func, retile, out, rejected);
    }
}

void SearchSpace::list_tilings(const State &state, const Step &step,
                               std::vector<Decision> &out) const {
    if (state.nest.place(step.func) != Place::root) {
        out.push_back({});
        return;
    }
    const size_t kernel = static_cast<size_t>(state.home[step.stage.index()]);
    out.reserve(tilings(step.stage).size() + row_tilings(step.stage).size());
    for (const std::vector<Tiling> *list : {&tilings(step.stage), &row_tilings(step.stage)}) {
        for (const Tiling &tiling : *list) out.push_back(decide_tiling(step.func, kernel, tiling));
    }
}

void SearchSpace::list_places(const State &state, FuncId id, Retile retile,
                              std::vector<Decision> &out, RuleCounts &rejected) const {
    const Func &func = facts_.dag.func(id);
    const std::vector<size_t> consumers = consumer_kernels(facts_.dag, state, id);
    const bool host =
        func.on_host() || std::any_of(consumers.begin(), consumers.end(),
                                      [&](size_t k) { return state.nest.kernels[k]->on_host; });
    if (!func.is_output() && !consumers.empty()) {
        // A copy that is not worth a kernel is inline on the host, too.
        const bool is_for_host = host && may_be_at_root(id);
        if (host) rejected.count(kHostBoundary);
        if (!is_for_host && func.can_inline && freedom() != Freedom::root_only) {
            out.push_back(decide_place(id, Place::inlined));
        }
        if (!host && freedom() == Freedom::full) {
            InsideKernel(facts_).list(state, id, consumers, retile, out, rejected);
        }
    }
    if (may_be_at_root(id)) out.push_back(decide_place(id, Place::root));
}

RuleCounts SearchSpace::static_rejections() const {
    RuleCounts counts;
    for (const Step &step : steps_) {
        if (step.kind == Step::Kind::tile) counts.add(facts_.tilings_of(step.stage).rejections);
    }
    return counts;
}

Decision SearchSpace::plain_decision(const Step &step) const {
    if (step.kind == Step::Kind::tile) return {};
    return decide_place(step.func, may_be_at_root(step.func) ? Place::root : Place::inlined);
}

// ---- what they make of a state

std::variant<Successor, Rejection> SearchSpace::apply(const State &state,
                                                      const Decision &decision) const {
    if (is_nothing(decision)) return Successor{FuncId(), Place::root, {}};
    if (is_tiling(decision)) return tiled_successor(state, decision);
    if (decision.place == Place::inlined) return inline_successor(state, decision.func);
    if (decision.place == Place::root) return root_successor(state, decision.func);
    return inside_successor(state, decision);
}

std::variant<Successor, Rejection> SearchSpace::tiled_successor(const State &state,
                                                                const Decision &decision) const {
    auto kernel = KernelBuilder(facts_).retiled(*state.nest.kernels[decision.kernel],
                                                *decision.tiling, nullptr);
    if (const Rejection *no = std::get_if<Rejection>(&kernel)) return *no;
    return Successor{
        decision.func, Place::root, {{decision.kernel, std::get<KernelPtr>(std::move(kernel))}}};
}

std::variant<Successor, Rejection> SearchSpace::inline_successor(const State &state,
                                                                 FuncId func) const {
    Successor successor{func, Place::inlined, {}};
    for (size_t k : consumer_kernels(facts_.dag, state, func)) {
        if (state.nest.kernels[k]->on_host) continue;  // it does not list what is inlined
        auto kernel = with_inlined(*state.nest.kernels[k], func);
        if (const Rejection *no = std::get_if<Rejection>(&kernel)) return *no;
        successor.changes.push_back({k, std::get<KernelPtr>(std::move(kernel))});
    }
    return successor;
}

// A copy that can't be at root has no other place that always exists. A kernel that was rejected
// without it, as where every tiling exceeds the grid, is no reason to leave it out.
std::variant<KernelPtr, Rejection> SearchSpace::with_inlined(const Kernel &kernel,
                                                             FuncId func) const {
    const KernelBuilder builder(facts_);
    if (may_be_at_root(func)) return builder.with_inlined(kernel, func, *facts_.rules);
    auto made = builder.with_inlined(kernel, func, *facts_.own_rules);
    if (std::holds_alternative<KernelPtr>(made)) return made;
    const bool was_rejected =
        builder.rejection(kernel, KernelCandidate::Asked::complete, *facts_.own_rules).has_value();
    if (was_rejected) return builder.with_inlined(kernel, func);
    return made;
}

std::variant<Successor, Rejection> SearchSpace::inside_successor(const State &state,
                                                                 const Decision &decision) const {
    const KernelBuilder builder(facts_);
    const auto with_it = [&](const Kernel &before) {
        return decision.tiling == nullptr ? builder.with_member(before, decision)
                                          : builder.retiled(before, *decision.tiling, &decision);
    };
    const Kernel &now = *state.nest.kernels[decision.kernel];
    auto kernel = is_inlined(now, decision.func) ? with_it(without_inlined(now, decision.func))
                                                 : with_it(now);
    if (const Rejection *no = std::get_if<Rejection>(&kernel)) return *no;
    return Successor{
        decision.func, decision.place, {{decision.kernel, std::get<KernelPtr>(std::move(kernel))}}};
}

Successor SearchSpace::root_successor(const State &state, FuncId id) const {
    Successor successor{id, Place::root, {}};
    for (StageId stage : facts_.dag.func(id).stages) {
        successor.changes.push_back({state.nest.kernels.size() + successor.changes.size(),
                                     KernelBuilder(facts_).at_root(stage)});
    }
    return successor;
}

std::optional<Rejection> SearchSpace::rejection(const Kernel &kernel) const {
    return KernelBuilder(facts_).rejection(kernel, KernelCandidate::Asked::complete, *facts_.rules);
}

State SearchSpace::adopt(const Nest &nest) const {
    State state = initial();
    state.nest.places = nest.places;
    for (const KernelPtr &kernel : nest.kernels) {
        const int32_t index = static_cast<int32_t>(state.nest.kernels.size());
        if (kernel->on_host) {
            state.nest.kernels.push_back(kernel);
            state.home[kernel->stage.index()] = index;
            continue;
        }
        state.nest.kernels.push_back(KernelBuilder(facts_).with_always_inlined(*kernel));
        for (const BandPtr &threads : kernel->blocks->body) {
            for (const BandPtr &inner : threads->body) state.home[inner->stage.index()] = index;
        }
    }
    state.id = state.nest.hash();
    return state;
}

}  // namespace autoschedule_gpu
