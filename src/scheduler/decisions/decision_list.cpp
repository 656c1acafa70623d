#include "scheduler/decisions/decision_list.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/json/strict_json.h"
#include "core/support/hex.h"
#include "scheduler/decisions/kinds/stage_kinds.h"

namespace autoschedule_gpu {
namespace {

constexpr std::string_view kFormat = "autoschedule_gpu.decisions";

constexpr std::string_view kKinds[] = {decision_kind::place,        decision_kind::member_tile,
                                       decision_kind::reduction,    decision_kind::serial,
                                       decision_kind::threads,      decision_kind::rows,
                                       decision_kind::rfactor,      decision_kind::storage,
                                       decision_kind::compute_with, decision_kind::sliding};

constexpr std::array<std::string_view, 3> kFreedoms = {"full", "no_fusion", "root_only"};
static_assert(static_cast<int>(Freedom::root_only) + 1 == std::size(kFreedoms));

template <typename Enum, size_t N>
std::optional<Enum> find_name(const std::array<std::string_view, N> &names, std::string_view name) {
    for (size_t i = 0; i < N; ++i) {
        if (names[i] == name) return static_cast<Enum>(i);
    }
    return std::nullopt;
}

std::optional<Freedom> parse_freedom(std::string_view name) {
    return find_name<Freedom>(kFreedoms, name);
}

bool is_size(std::string_view kind) {
    return kind == decision_kind::serial || kind == decision_kind::threads ||
           kind == decision_kind::sliding;
}

bool is_name(std::string_view kind) {
    return !is_size(kind) && std::ranges::find(kKinds, kind) != std::end(kKinds);
}

// ---- writing

Json value_to_json(const DecisionValue &value) {
    return std::visit([](const auto &one) { return Json(one); }, value);
}

Json decision_to_json(const Coordinate &decision) {
    Json choices = Json::array();
    for (const DecisionValue &choice : decision.choices) choices.push_back(value_to_json(choice));
    return {{"name", decision.name},
            {"kind", decision.kind},
            {"value", value_to_json(decision.value)},
            {"choices", std::move(choices)}};
}

// ---- reading

bool is_int64(const Json &json) {
    if (!json.is_number_unsigned()) return json.is_number_integer();
    return std::in_range<int64_t>(json.get<uint64_t>());
}

// Kinds of users may have both numbers, any, and names.
DecisionValue value_from_json(const Fields &fields, std::string_view kind, const Json &json) {
    if (is_size(kind)) {
        const bool in_range =
            is_int64(json) && json.get<int64_t>() >= 1 && json.get<int64_t>() <= kMaxJsonInt;
        if (in_range) return json.get<int64_t>();
        fields.expected("an integer in [1, " + std::to_string(kMaxJsonInt) + "]", json);
    }
    if (!is_name(kind) && json.is_number()) {
        if (is_int64(json)) return json.get<int64_t>();
        fields.expected("an integer of 64 bits", json);
    }
    if (!json.is_string()) fields.expected("a string", json);
    return json.get<std::string>();
}

bool has_kind(const StageKinds &kinds, const Json &name) {
    return name.is_string() && std::ranges::any_of(kinds, [&](const auto &kind) {
               return kind->name() == name.get_ref<const std::string &>();
           });
}

std::string kind_from_json(Fields &fields, const StageKinds &kinds) {
    const Json &json = fields.get("kind");
    if (has_kind(stage_kinds(), json) && !has_kind(kinds, json)) {
        fields.expected(
            "a kind that is not switched off (leave it out of autoscheduler.disable_decisions)",
            json);
    }
    std::vector<std::string_view> known(std::begin(kKinds), std::end(kKinds));
    for (const auto &kind : kinds) known.push_back(kind->name());
    std::string names;
    for (std::string_view name : known) {
        if (json.is_string() && json.get_ref<const std::string &>() == name)
            return std::string(name);
        names += (names.empty() ? "" : ", ") + std::string(name);
    }
    fields.expected("\"kind\" to be one of " + names, json);
}

Coordinate decision_from_json(const Json &json, size_t index, const StageKinds &kinds) {
    Fields fields(json, "decision " + std::to_string(index + 1));
    Coordinate decision;
    decision.name = fields.text("name");
    decision.kind = kind_from_json(fields, kinds);
    decision.value = value_from_json(fields, decision.kind, fields.get("value"));
    for (const Json &choice : fields.array("choices")) {
        decision.choices.push_back(value_from_json(fields, decision.kind, choice));
    }
    fields.finish();
    return decision;
}

DecisionList list_from_json(const Json &json, const StageKinds &kinds) {
    Fields fields(json, "the list");
    fields.format(kFormat, kDecisionsVersion);
    DecisionList list;
    list.pipeline_hash = fields.hash("pipeline");
    list.freedom = fields.choice<Freedom>("freedom", parse_freedom, std::size(kFreedoms));
    for (const Json &decision : fields.array("decisions")) {
        list.decisions.push_back(decision_from_json(decision, list.decisions.size(), kinds));
    }
    fields.finish();
    return list;
}

}  // namespace

std::string_view to_string(Freedom freedom) {
    return kFreedoms[static_cast<size_t>(freedom)];
}

std::string to_json(const DecisionList &list) {
    std::string text = "{\n  \"format\": " + dump(kFormat) +
                       ",\n  \"version\": " + std::to_string(kDecisionsVersion) +
                       ",\n  \"pipeline\": \"" + to_hex(list.pipeline_hash) +
                       "\",\n  \"freedom\": " + dump(to_string(list.freedom)) +
                       ",\n  \"decisions\": [";
    for (size_t i = 0; i < list.decisions.size(); ++i) {
        text += (i == 0 ? "\n    " : ",\n    ") + dump(decision_to_json(list.decisions[i]));
    }
    return text + (list.decisions.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

Result<DecisionList> parse_decisions(std::string_view json, const StageKinds &kinds) {
    try {
        return list_from_json(parse_json(json), kinds);
    } catch (const Refusal &refusal) {
        return Error{"bad list of decisions: " + refusal.message};
    }
}

Error refusal(const DecisionList &list, size_t index, const std::string &why) {
    const Coordinate &decision = list.decisions[index];
    return Error{"decision " + std::to_string(index + 1) + ", " + decision.kind + " of \"" +
                 decision.name + "\", " + dump(value_to_json(decision.value)) + ": " + why};
}

}  // namespace autoschedule_gpu
