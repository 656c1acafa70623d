#include "tune/strategies/neighbours.h"

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

Result<std::vector<Neighbour>> neighbours_of(std::string_view decisions) {
    const Result<ListedDecisions> list = ListedDecisions::parse(decisions);
    if (!list) return list.error();
    std::vector<Neighbour> neighbours;
    for (size_t i = 0; i < list->decisions().size(); ++i) add_neighbours(*list, i, neighbours);
    return neighbours;
}

}  // namespace autoschedule_gpu
