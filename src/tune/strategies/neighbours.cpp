#include "tune/strategies/neighbours.h"

#include <algorithm>

#include "core/json/json.h"
#include "core/support/hash.h"
#include "core/support/hex.h"

namespace autoschedule_gpu {
namespace {

std::string text_of(const Json &value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

bool is_ordered(const Json &choices) {
    return std::ranges::all_of(choices, [](const Json &choice) { return choice.is_number(); });
}

// Indices of the choices next to that one, or of all others.
std::vector<size_t> choices_beside(const Json &choices, size_t chosen) {
    std::vector<size_t> beside;
    for (size_t i = 0; i < choices.size(); ++i) {
        const size_t apart = i < chosen ? chosen - i : i - chosen;
        if (apart == 1 || (apart > 1 && !is_ordered(choices))) beside.push_back(i);
    }
    return beside;
}

void add_neighbours(const Json &list, size_t index, std::vector<Neighbour> &neighbours) {
    const Json &decision = list.at("decisions").at(index);
    const Json &choices = decision.at("choices");
    const auto chosen = std::find(choices.begin(), choices.end(), decision.at("value"));
    if (chosen == choices.end()) return;
    const auto place = static_cast<size_t>(chosen - choices.begin());
    for (size_t other : choices_beside(choices, place)) {
        Json changed = list;
        changed["decisions"][index]["value"] = choices[other];
        neighbours.push_back({.decision = index,
                              .what = decision.at("name").get<std::string>() + " " +
                                      decision.at("kind").get<std::string>(),
                              .from = text_of(*chosen),
                              .to = text_of(choices[other]),
                              .direction = !is_ordered(choices) ? 0
                                           : other < place      ? -1
                                                                : 1,
                              .decisions = changed.dump()});
    }
}

}  // namespace

Result<std::vector<Neighbour>> neighbours_of(std::string_view decisions) {
    using Neighbours = std::vector<Neighbour>;
    const Json json = parse_loosely(decisions);
    if (json.is_discarded()) return Error{"expected a list of decisions as JSON, found none"};
    return read_fields<Neighbours>(
        json, "the list of decisions is not as it should be: ", [](const Json &list) {
            Neighbours neighbours;
            for (size_t i = 0; i < list.at("decisions").size(); ++i) {
                add_neighbours(list, i, neighbours);
            }
            return neighbours;
        });
}

ScheduleRequest request_of_decisions(const std::string &decisions) {
    return {.schedule = "decisions " + to_hex(Hasher().add(decisions).value()),
            .files = {{"decisions", decisions}}};
}

}  // namespace autoschedule_gpu
