#include "tune/strategies/listed_decisions.h"

#include <algorithm>
#include <utility>

#include "core/json/json.h"
#include "core/support/hash.h"
#include "core/support/hex.h"

namespace autoschedule_gpu {
namespace {

constexpr std::string_view kPlace = "place";

// "sum" of "sum.update(0)".
std::string_view func_of_stage(std::string_view stage) {
    return stage.substr(0, stage.rfind('.'));
}

ChoiceText text_of(const Json &value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

Json json_of(const ListedDecision &decision, const ChoiceText &choice) {
    return decision.is_size ? parse_loosely(choice) : Json(choice);
}

ListedDecision decision_of(const Json &json) {
    const Json &choices = json.at("choices"), &value = json.at("value");
    ListedDecision decision{.name = json.at("name").get<std::string>(),
                            .kind = json.at("kind").get<std::string>(),
                            .choices = {},
                            .is_size = value.is_number()};
    for (const Json &choice : choices) decision.choices.push_back(text_of(choice));
    const std::optional<size_t> chosen = decision.find(text_of(value));
    if (!chosen) decision.choices = {text_of(value)};
    decision.chosen = chosen.value_or(0);
    return decision;
}

}  // namespace

std::optional<size_t> ListedDecision::find(std::string_view choice) const {
    const auto found = std::ranges::find(choices, choice);
    if (found == choices.end()) return std::nullopt;
    return static_cast<size_t>(found - choices.begin());
}

Result<ListedDecisions> ListedDecisions::parse(std::string_view text) {
    const Json json = parse_loosely(text);
    if (json.is_discarded()) return Error{"expected a list of decisions as JSON, found none"};
    return read_fields<ListedDecisions>(
        json, "the list of decisions is not as it should be: ", [](const Json &list) {
            ListedDecisions result;
            for (const Json &one : list.at("decisions")) {
                result.decisions_.push_back(decision_of(one));
            }
            Json head = list;
            head["decisions"] = Json::array();
            result.head_ = dump(head);
            return result;
        });
}

std::vector<ListedDecisions::OfFunc> ListedDecisions::funcs() const {
    std::vector<OfFunc> funcs;
    std::vector<size_t> ahead;  // of all places
    for (size_t i = 0; i < decisions_.size(); ++i) {
        if (decisions_[i].kind == kPlace) funcs.emplace_back();
        (funcs.empty() ? ahead : funcs.back()).push_back(i);
    }
    for (const size_t d : ahead) {
        const auto own = std::ranges::find_if(funcs, [&](const OfFunc &func) {
            return decisions_[func.front()].name == func_of_stage(decisions_[d].name);
        });
        if (own != funcs.end()) own->push_back(d);
    }
    return funcs;
}

ListedDecisions ListedDecisions::with_funcs_of(const ListedDecisions &other, size_t first,
                                               size_t end) const {
    const std::vector<OfFunc> ours = funcs(), theirs = other.funcs();
    ListedDecisions mixed = *this;
    if (ours.empty()) return mixed;
    mixed.decisions_.resize(ours.front().front());
    for (size_t i = 0; i < ours.size(); ++i) {
        const auto same = std::ranges::find_if(theirs, [&](const OfFunc &func) {
            return other.decisions_[func.front()].name == decisions_[ours[i].front()].name;
        });
        const bool is_taken = i >= first && i < end && same != theirs.end();
        const ListedDecisions &from = is_taken ? other : *this;
        const OfFunc &func = is_taken ? *same : ours[i];
        for (const size_t d : func) {
            const bool is_ahead = d < func.front();
            if (is_ahead) {
                mixed.replace(from.decisions_[d]);
            } else {
                mixed.decisions_.push_back(from.decisions_[d]);
            }
        }
    }
    return mixed;
}

void ListedDecisions::replace(const ListedDecision &decision) {
    const auto same = std::ranges::find_if(decisions_, [&](const ListedDecision &one) {
        return one.name == decision.name && one.kind == decision.kind;
    });
    if (same != decisions_.end()) *same = decision;
}

std::string ListedDecisions::json() const {
    Json list = parse_loosely(head_);
    for (const ListedDecision &decision : decisions_) {
        Json choices = Json::array();
        for (const ChoiceText &choice : decision.choices) {
            choices.push_back(json_of(decision, choice));
        }
        list["decisions"].push_back({{"name", decision.name},
                                     {"kind", decision.kind},
                                     {"value", json_of(decision, decision.value())},
                                     {"choices", std::move(choices)}});
    }
    return dump(list);
}

ScheduleRequest request_of_decisions(const std::string &decisions) {
    return {.schedule = "decisions " + to_hex(Hasher().add(decisions).value()),
            .files = {{"decisions", decisions}}};
}

}  // namespace autoschedule_gpu
