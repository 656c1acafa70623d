#include "tune/strategies/listed_decisions.h"

#include <algorithm>
#include <utility>

#include "core/json/json.h"
#include "core/support/hash.h"
#include "core/support/hex.h"

namespace autoschedule_gpu {
namespace {

constexpr std::string_view kPlace = "place";

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

std::vector<ListedDecisions::Range> ListedDecisions::funcs() const {
    std::vector<Range> funcs;
    for (size_t i = 0; i < decisions_.size(); ++i) {
        if (decisions_[i].kind == kPlace) funcs.push_back({i, i});
        if (!funcs.empty()) funcs.back().end = i + 1;
    }
    return funcs;
}

ListedDecisions ListedDecisions::with_funcs_of(const ListedDecisions &other, size_t first,
                                               size_t end) const {
    const std::vector<Range> ours = funcs(), theirs = other.funcs();
    ListedDecisions mixed = *this;
    if (ours.empty()) return mixed;
    mixed.decisions_.resize(ours.front().first);
    for (size_t i = 0; i < ours.size(); ++i) {
        const auto same = std::ranges::find_if(theirs, [&](const Range &func) {
            return other.decisions_[func.first].name == decisions_[ours[i].first].name;
        });
        const bool is_taken = i >= first && i < end && same != theirs.end();
        const ListedDecisions &from = is_taken ? other : *this;
        const Range &func = is_taken ? *same : ours[i];
        for (size_t d = func.first; d < func.end; ++d) {
            mixed.decisions_.push_back(from.decisions_[d]);
        }
    }
    return mixed;
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
