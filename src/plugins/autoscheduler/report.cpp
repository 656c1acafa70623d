#include "plugins/autoscheduler/report.h"

#include "core/json/json.h"
#include "core/support/hex.h"
#include "plugins/autoscheduler/report_kernels.h"
#include "scheduler/model/weights_file.h"

namespace autoschedule_gpu {

namespace {

Json pipeline_json(const Dag &dag) {
    size_t images = 0, fallbacks = 0;
    for (const Func &func : dag.funcs) images += func.is_input();
    for (const Edge &edge : dag.edges) fallbacks += edge.fallback;
    return {{"hash", to_hex(dag.hash())},
            {"input_images", images},
            {"funcs", dag.funcs.size() - images},
            {"stages", dag.stages.size()},
            {"edges", dag.edges.size()},
            {"fallback_edges", fallbacks},
            {"fallback_share", dag.edges.empty() ? 0.0 : double(fallbacks) / dag.edges.size()}};
}

// What users have scheduled, and was kept.
Json respected_json(const Dag &dag) {
    Json result = Json::array();
    for (const Func &func : dag.funcs) {
        if (func.user_directives.empty()) continue;
        result.push_back({{"func", func.name},
                          {"directives", func.user_directives},
                          {"loops", func.ours == Func::Ours::nothing ? "user's" : "ours"}});
    }
    return result;
}

double share(uint64_t part, uint64_t whole) {
    return whole == 0 ? 0 : double(part) / double(whole);
}

Json stop_json(const StopReason &reason) {
    const bool stopped = reason.kind == StopReason::Kind::time_limit;
    return {{"reason", to_string(reason.kind)},
            {"seconds", stopped ? Json(reason.measured) : Json()},
            {"limit_seconds", stopped ? Json(reason.limit) : Json()},
            {"text", to_text(reason)}};
}

Json parts_json(const std::vector<SearchPart> &parts) {
    const auto cost = [](double ns) { return ns > 0 ? Json(ns / 1000) : Json(); };
    Json result = Json::array();
    for (const SearchPart &part : parts) {
        result.push_back({{"attempt", part.attempt},
                          {"name", part.name},
                          {"seconds", part.seconds},
                          {"states", part.states},
                          {"cost_before_us", cost(part.cost_before)},
                          {"cost_after_us", cost(part.cost_after)}});
    }
    return result;
}

Json search_json(const SearchReport &search, const RuleBook &rules) {
    Json rejections = Json::object();
    for (size_t i = 0; i < rules.size(); ++i) {
        rejections[rules[RuleId(i)].name] = search.rejections[RuleId(i)];
    }
    Json pass_costs = Json::array();
    for (double cost : search.pass_costs) pass_costs.push_back(cost / 1000);
    const SearchTimes &times = search.times;
    const Json phases = {
        {"draft", times.draft},         {"freeze", times.freeze},
        {"enumerate", times.enumerate}, {"apply", times.apply},
        {"evaluate", times.evaluate},   {"select", times.select},
        {"refine", times.refine},       {"revise", times.revise},
        {"stage", times.stage},         {"fewer_registers", times.fewer_registers}};
    return {{"stop_reason", to_string(search.stop_reason.kind)},
            {"steps", search.steps},
            {"passes", search.passes},
            {"states_enumerated", search.states_enumerated},
            {"states_rejected", search.states_rejected},
            {"states_scored", search.states_scored},
            {"share_scored", share(search.states_scored, search.states_enumerated)},
            {"kernels_asked", search.kernels_asked},
            {"kernels_evaluated", search.kernels_evaluated},
            {"sampling", search.sampling},
            {"freeze", search.freeze},
            {"funcs_frozen", search.funcs_frozen},
            {"memo", search.memo},
            {"memo_hits", search.memo_hits},
            {"memo_hit_rate", share(search.memo_hits, search.kernels_asked)},
            {"memo_evicted", search.memo_evicted},
            {"pass_costs_us", pass_costs},
            {"draft_cost_us", search.draft_cost / 1000},
            {"seconds", times.draft + times.total + times.stage + times.fewer_registers},
            {"phase_seconds", phases},
            {"rejections", rejections},
            {"stop", stop_json(search.stop_reason)},
            {"parts", parts_json(search.parts)}};
}

Json text_or_null(const std::string &text) {
    return text.empty() ? Json() : Json(text);
}

Json weights_json(const Weights *weights) {
    if (weights == nullptr) return {};
    const WeightsOrigin &origin = weights->origin;
    return {{"device", origin.device},
            {"gpu", origin.gpu},
            {"trained_from", origin.trained_from.substr(0, origin.trained_from.find('\n'))},
            {"date", origin.date}};
}

// Null: not known, like the grid of an output of any size.
Json constant(int64_t value) {
    return value < 0 ? Json() : Json(value);
}

Json launches_json(const TrialLowering &lowered) {
    Json result = Json::array();
    for (const KernelLaunch &kernel : lowered.kernels) {
        if (!kernel.at_estimates) continue;
        Json blocks = Json::array(), threads = Json::array();
        for (int64_t n : kernel.blocks) blocks.push_back(constant(n));
        for (int64_t n : kernel.threads) threads.push_back(constant(n));
        result.push_back({{"name", kernel.name},
                          {"blocks", blocks},
                          {"threads", threads},
                          {"shared_bytes", constant(kernel.shared_bytes)},
                          {"live_words", constant(kernel.live_words)},
                          {"code_values", constant(kernel.values)},
                          {"registers", constant(kernel.registers)},
                          {"spill_bytes", constant(kernel.spill_bytes)}});
    }
    return result;
}

// Names of what a library adds.
template <typename List, typename NameOf>
void add_names(Json &names, const List &list, NameOf name_of) {
    for (const auto &item : list) names.push_back(name_of(item));
}

Json extensions_json(const Extensions &extensions) {
    Json result = Json::array();
    for (const auto &[library, path, version, added] : extensions.all()) {
        const auto own_name = [](const auto &item) { return item.name; };
        const auto asked_name = [](const auto &item) { return std::string(item->name()); };
        Json rules = Json::array(), models = Json::array(), strategies = Json::array(),
             kinds = Json::array(), tuner_strategies = Json::array(), executors = Json::array();
        add_names(rules, added.tiling_rules, own_name);
        add_names(rules, added.fusion_rules, own_name);
        add_names(rules, added.kernel_rules, own_name);
        add_names(models, added.models, own_name);
        add_names(strategies, added.strategies, asked_name);
        add_names(kinds, added.decision_kinds, asked_name);
        add_names(tuner_strategies, added.tuner_strategies, asked_name);
        add_names(executors, added.executors, asked_name);
        result.push_back({{"library", library},
                          {"path", path},
                          {"version", version},
                          {"rules", rules},
                          {"models", models},
                          {"strategies", strategies},
                          {"decision_kinds", kinds},
                          {"tuner_strategies", tuner_strategies},
                          {"executors", executors}});
    }
    return result;
}

// How reductions are taken apart, and what a quick search predicted of each way.
Json reductions_json(const PipelineVariant &variant, const std::vector<TriedFactorings> &tried) {
    Json decided = Json::array(), compared = Json::array();
    for (const Coordinate &decision : variant.decisions) {
        Json choices = Json::array();
        for (const DecisionValue &choice : decision.choices) {
            choices.push_back(std::get<std::string>(choice));
        }
        decided.push_back({{"name", decision.name},
                           {"rfactor", std::get<std::string>(decision.value)},
                           {"choices", choices}});
    }
    for (const TriedFactorings &one : tried) {
        Json values = Json::array();
        for (const Factoring &factoring : one.choices) values.push_back(to_string(factoring));
        compared.push_back(
            {{"rfactor", values}, {"predicted_us", one.cost ? Json(*one.cost / 1000) : Json()}});
    }
    return {{"decided", decided}, {"compared", compared}};
}

Json value_json(const DecisionValue &value) {
    return std::visit([](const auto &known) { return Json(known); }, value);
}

Json alternatives_json(const std::optional<Alternatives> &alternatives) {
    if (!alternatives) return {};
    Json decisions = Json::array();
    for (const PricedDecision &decision : alternatives->decisions) {
        Json others = Json::array();
        for (const PricedChoice &other : decision.others) {
            others.push_back(
                {{"value", value_json(other.value)},
                 {"predicted_us", other.cost_ns ? Json(*other.cost_ns / 1000) : Json()},
                 {"refused", text_or_null(other.refused)}});
        }
        decisions.push_back({{"name", decision.name},
                             {"kind", decision.kind},
                             {"value", value_json(decision.value)},
                             {"others", others}});
    }
    return {{"predicted_us", alternatives->cost_ns / 1000},
            {"seconds", alternatives->seconds},
            {"decisions", decisions}};
}

// What the schedule is worth at each of several sizes, beside one that was made for it alone.
Json sizes_json(const std::vector<AtSize> &sizes) {
    Json result = Json::array();
    for (const auto &[name, weight, made_for, predicted, alone] : sizes) {
        result.push_back({{"name", name},
                          {"weight", weight},
                          {"made_for", made_for},
                          {"predicted_us", predicted ? Json(*predicted / 1000) : Json()},
                          {"alone_us", alone / 1000},
                          {"regret", predicted ? Json(*predicted / alone - 1) : Json()}});
    }
    return result;
}

Json trials_json(const ChosenSchedule &chosen) {
    const TrialRecord &trials = chosen.trials;
    return {{"made", trials.made},
            {"stopped", trials.stopped},
            {"chosen_was_tried", chosen.accepted.lowered.has_value()},
            {"in_this_process", text_or_null(trials.in_this_process)}};
}

}  // namespace

std::string report_json(const ReportInput &in) {
    const auto &[attempt, variant, tried, accepted, complete, refusals, trials, search, model,
                 sizes, schedules_for_sizes, section_reads, warnings] = in.chosen;
    const TrialLowering lowered = accepted.lowered.value_or(TrialLowering());
    Json refused = Json::array();
    for (const RefusedAttempt &refusal : refusals) {
        refused.push_back({{"kind", to_string(refusal.attempt)},
                           {"error", refusal.error},
                           {"nest", refusal.nest}});
    }
    const std::string &error = lowered.code_check_error;
    const Json report = {
        {"format", "autoschedule_gpu.report"},
        {"version", 1},
        {"target", in.target},
        {"assumed", in.pipeline.assumed},
        {"respected", respected_json(in.pipeline)},
        {"gpu", in.gpu.name},
        {"model", model ? Json(model->name()) : Json()},
        {"weights", weights_json(in.weights)},
        {"parameters", in.parameters},
        {"pipeline", pipeline_json(in.pipeline)},
        {"search", search ? search_json(*search, in.rules) : Json()},
        {"chosen", attempt},
        {"trial_lowerings_refused", refused},
        {"trials", trials_json(in.chosen)},
        {"reductions", reductions_json(variant, tried)},
        {"sizes", sizes_json(sizes)},
        {"schedules_for_sizes", schedules_for_sizes},
        {"predicted_us", complete ? Json(complete->state.cost / 1000) : Json()},
        {"predictions", predictions_json(in)},
        {"kernels", launches_json(lowered)},
        {"funcs", funcs_json(in)},
        {"loops", loops_json(in)},
        {"alternatives", alternatives_json(in.alternatives)},
        {"ptxas", text_or_null(in.spill_check.ptxas())},
        {"ptxas_not_used", text_or_null(error.empty() ? in.spill_check.why_no_ptxas() : error)},
        {"nest", complete ? Json(to_text(*complete->dag, complete->state.nest)) : Json()},
        {"extensions", extensions_json(in.extensions)},
        {"total_seconds", in.total_s}};
    return dump(report, 2) + "\n";
}

}  // namespace autoschedule_gpu
