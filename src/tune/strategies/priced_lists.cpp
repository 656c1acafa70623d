#include "tune/strategies/priced_lists.h"

#include <string>
#include <utility>

#include "tune/strategies/attempt_all.h"

namespace autoschedule_gpu {
namespace {

constexpr int kMostRounds = 8;

// Each open decision gets another choice with that chance.
ListedDecisions redrawn(ListedDecisions list, double share, Random &random) {
    for (size_t i = 0; i < list.decisions().size(); ++i) {
        const size_t choices = list.decisions()[i].choices.size();
        if (choices > 1 && random.unit() < share) list.choose(i, random.below(choices));
    }
    return list;
}

}  // namespace

Result<std::vector<PricedList>> new_lists(Session &session, std::span<const ListedDecisions> lists,
                                          ScheduleHashes &seen) {
    std::vector<PricedList> found;
    if (lists.empty()) return found;
    std::vector<std::string> texts;
    for (const ListedDecisions &list : lists) texts.push_back(list.json());
    const Result<Prices> prices = session.price(texts);
    if (!prices) return prices.error();
    for (size_t i = 0; i < lists.size(); ++i) {
        const Result<Price> &price = (*prices)[i];
        if (price && seen.insert(price->schedule).second) found.push_back({lists[i], *price});
    }
    return found;
}

Result<std::vector<PricedList>> random_lists(Session &session, const ListedDecisions &origin,
                                             size_t count, Random &random, ScheduleHashes &seen) {
    std::vector<PricedList> found;
    double share = 1;
    for (int round = 0; round < kMostRounds && found.size() < count && !session.is_over();
         ++round) {
        std::vector<ListedDecisions> drawn;
        for (size_t i = 0; i < 2 * count; ++i) drawn.push_back(redrawn(origin, share, random));
        Result<std::vector<PricedList>> valid = new_lists(session, drawn, seen);
        if (!valid) return valid;
        found.insert(found.end(), valid->begin(), valid->end());
        share /= 2;
    }
    for (; found.size() > count; found.pop_back()) seen.erase(found.back().price.schedule);
    return found;
}

Result<std::vector<size_t>> attempt_lists(Session &session, std::span<const PricedList> lists) {
    std::vector<ScheduleRequest> requests;
    for (const PricedList &one : lists) requests.push_back(request_of_decisions(one.list.json()));
    return attempt_all(session, requests);
}

Result<ListedDecisions> origin_of(const Session &session) {
    const auto has_list = [](const Trial &trial) { return !trial.decisions.empty(); };
    if (!session.trials().empty() && has_list(session.trials().front())) {
        return ListedDecisions::parse(session.trials().front().decisions);
    }
    const std::optional<size_t> best = session.best(has_list);
    if (!best) return Error{"no measured schedule has a list of decisions"};
    return ListedDecisions::parse(session.trials()[*best].decisions);
}

}  // namespace autoschedule_gpu
