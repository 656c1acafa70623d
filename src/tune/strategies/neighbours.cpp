#include "tune/strategies/neighbours.h"

#include <utility>

namespace autoschedule_gpu {
namespace {

void add_neighbours(const ListedDecisions &list, size_t index, std::vector<Neighbour> &neighbours) {
    const ListedDecision &decision = list.decisions()[index];
    for (const size_t other : choices_beside(decision)) {
        ListedDecisions changed = list;
        changed.choose(index, other);
        neighbours.push_back({.decision = index,
                              .what = decision.name + " " + decision.kind,
                              .from = decision.value(),
                              .to = decision.choices[other],
                              .direction = !decision.is_size         ? 0
                                           : other < decision.chosen ? -1
                                                                     : 1,
                              .decisions = changed.json()});
    }
}

}  // namespace

std::vector<size_t> choices_beside(const ListedDecision &decision) {
    std::vector<size_t> beside;
    for (size_t i = 0; i < decision.choices.size(); ++i) {
        const size_t apart = i < decision.chosen ? decision.chosen - i : i - decision.chosen;
        if (apart == 1 || (apart > 1 && !decision.is_size)) beside.push_back(i);
    }
    return beside;
}

std::optional<std::string> beyond(std::string_view decisions, const Neighbour &step) {
    Result<ListedDecisions> parsed = ListedDecisions::parse(decisions);
    if (!parsed || step.direction == 0) return std::nullopt;
    ListedDecisions list = std::move(parsed).value();
    for (size_t i = 0; i < list.decisions().size(); ++i) {
        const ListedDecision &decision = list.decisions()[i];
        if (decision.name + " " + decision.kind != step.what) continue;
        const size_t next = decision.chosen + static_cast<size_t>(step.direction);  // wraps below 0
        if (next >= decision.choices.size()) return std::nullopt;
        list.choose(i, next);
        return list.json();
    }
    return std::nullopt;
}

Result<std::vector<Neighbour>> neighbours_of(std::string_view decisions) {
    const Result<ListedDecisions> list = ListedDecisions::parse(decisions);
    if (!list) return list.error();
    std::vector<Neighbour> neighbours;
    for (size_t i = 0; i < list->decisions().size(); ++i) add_neighbours(*list, i, neighbours);
    return neighbours;
}

}  // namespace autoschedule_gpu
