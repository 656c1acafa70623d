#include "decisions/decision_list.h"

#include <array>

#include "schedule/strict_json.h"
#include "support/hex.h"

namespace autoschedule_gpu {
namespace {

constexpr std::string_view kFormat = "autoschedule_gpu.decisions";

constexpr std::array<std::string_view, kDecisionKinds> kKinds = {
    "place", "member_tile", "reduction", "serial", "threads", "unroll"};
static_assert(static_cast<int>(DecisionKind::unroll) + 1 == kDecisionKinds);

constexpr std::array<std::string_view, kPlaces> kPlaceNames = {"inline", "threads",    "loop",
                                                               "block",  "block_loop", "root"};
static_assert(static_cast<int>(Place::root) + 1 == kPlaces);

constexpr std::array<std::string_view, 3> kFreedoms = {"full", "no_fusion", "root_only"};
static_assert(static_cast<int>(Freedom::root_only) + 1 == std::size(kFreedoms));

template <typename Enum, size_t N>
std::optional<Enum> find_name(const std::array<std::string_view, N> &names, std::string_view name) {
    for (size_t i = 0; i < N; ++i) {
        if (names[i] == name) return static_cast<Enum>(i);
    }
    return std::nullopt;
}

std::optional<Freedom> freedom_of(std::string_view name) {
    return find_name<Freedom>(kFreedoms, name);
}

std::optional<DecisionKind> kind_of(std::string_view name) {
    return find_name<DecisionKind>(kKinds, name);
}

// ---- writing

Json value_to_json(const DecisionValue &value) {
    return std::visit([](const auto &one) { return Json(one); }, value);
}

Json decision_to_json(const Decision &decision) {
    Json choices = Json::array();
    for (const DecisionValue &choice : decision.choices) choices.push_back(value_to_json(choice));
    return {{"name", decision.name},
            {"kind", name(decision.kind)},
            {"value", value_to_json(decision.value)},
            {"choices", std::move(choices)}};
}

// ---- reading

DecisionValue value_from_json(const Fields &fields, DecisionKind kind, const Json &json) {
    if (is_size(kind)) {
        const bool size = json.is_number_unsigned() && json.get<uint64_t>() >= 1 &&
                          json.get<uint64_t>() <= static_cast<uint64_t>(kMaxJsonInt);
        if (size) return json.get<int64_t>();
        fields.expected("an integer in [1, " + std::to_string(kMaxJsonInt) + "]", json);
    }
    if (!json.is_string()) fields.expected("a string", json);
    return json.get<std::string>();
}

Decision decision_from_json(const Json &json, size_t index) {
    Fields fields(json, "decision " + std::to_string(index + 1));
    Decision decision;
    decision.name = fields.text("name");
    decision.kind = fields.choice<DecisionKind>("kind", kind_of, kDecisionKinds);
    decision.value = value_from_json(fields, decision.kind, fields.get("value"));
    for (const Json &choice : fields.array("choices")) {
        decision.choices.push_back(value_from_json(fields, decision.kind, choice));
    }
    fields.finish();
    return decision;
}

DecisionList list_from_json(const Json &json) {
    Fields fields(json, "the list");
    fields.format(kFormat, kDecisionsVersion);
    DecisionList list;
    list.pipeline_hash = fields.hash("pipeline");
    list.freedom = fields.choice<Freedom>("freedom", freedom_of, std::size(kFreedoms));
    for (const Json &decision : fields.array("decisions")) {
        list.decisions.push_back(decision_from_json(decision, list.decisions.size()));
    }
    fields.finish();
    return list;
}

}  // namespace

std::string_view name(DecisionKind kind) {
    return kKinds[static_cast<size_t>(kind)];
}

std::string_view name(Freedom freedom) {
    return kFreedoms[static_cast<size_t>(freedom)];
}

std::string_view name(Place place) {
    return kPlaceNames[static_cast<size_t>(place)];
}

std::optional<Place> place_of(std::string_view name) {
    return find_name<Place>(kPlaceNames, name);
}

bool is_size(DecisionKind kind) {
    return kind == DecisionKind::serial || kind == DecisionKind::threads;
}

std::string to_json(const DecisionList &list) {
    std::string text = "{\n  \"format\": " + dump(kFormat) +
                       ",\n  \"version\": " + std::to_string(kDecisionsVersion) +
                       ",\n  \"pipeline\": \"" + to_hex(list.pipeline_hash) +
                       "\",\n  \"freedom\": " + dump(name(list.freedom)) + ",\n  \"decisions\": [";
    for (size_t i = 0; i < list.decisions.size(); ++i) {
        text += (i == 0 ? "\n    " : ",\n    ") + dump(decision_to_json(list.decisions[i]));
    }
    return text + (list.decisions.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

Result<DecisionList> parse_decisions(std::string_view json) {
    try {
        return list_from_json(parse_json(json));
    } catch (const Refusal &refusal) {
        return Error{"bad list of decisions: " + refusal.message};
    }
}

Error refusal(const DecisionList &list, size_t index, const std::string &why) {
    const Decision &decision = list.decisions[index];
    return Error{"decision " + std::to_string(index + 1) + ", " + std::string(name(decision.kind)) +
                 " of \"" + decision.name + "\", " + dump(value_to_json(decision.value)) + ": " +
                 why};
}

}  // namespace autoschedule_gpu
