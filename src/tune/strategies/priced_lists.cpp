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

Result<std::vector<std::optional<PricedList>>> priced(Session &session,
                                                      std::span<const ListedDecisions> lists) {
    std::vector<std::optional<PricedList>> found(lists.size());
    if (lists.empty()) return found;
    std::vector<std::string> texts;
    for (const ListedDecisions &list : lists) texts.push_back(list.json());
    const Result<Prices> prices = session.price(texts);
    if (!prices) return prices.error();
    for (size_t i = 0; i < lists.size(); ++i) {
        if ((*prices)[i]) found[i] = {lists[i], *(*prices)[i]};
    }
    return found;
}

Result<std::vector<PricedList>> new_lists(Session &session, std::span<const ListedDecisions> lists,
                                          ScheduleHashes &seen) {
    const auto all = priced(session, lists);
    if (!all) return all.error();
    std::vector<PricedList> found;
    for (const std::optional<PricedList> &one : *all) {
        if (one && seen.insert(one->price.schedule).second) found.push_back(*one);
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
        for (size_t i = 0; i < count; ++i) drawn.push_back(redrawn(origin, share, random));
        const auto all = priced(session, drawn);
        if (!all) return all.error();
        size_t schedules = 0;
        for (const std::optional<PricedList> &one : *all) {
            if (!one) continue;
            ++schedules;
            if (found.size() == count || !seen.insert(one->price.schedule).second) continue;
            found.push_back(*one);
        }
        if (4 * schedules < drawn.size()) share /= 2;
    }
    return found;
}

Result<std::vector<size_t>> attempt_lists(Session &session, std::span<const PricedList> lists) {
    std::vector<ScheduleRequest> requests;
    for (const PricedList &one : lists) requests.push_back(request_of_decisions(one.list.json()));
    return attempt_all(session, requests);
}

Result<size_t> origin_trial(const Session &session) {
    const auto has_list = [](const Trial &trial) { return !trial.decisions.empty(); };
    if (!session.trials().empty() && has_list(session.trials().front())) return size_t{0};
    const std::optional<size_t> best = session.best(has_list);
    if (!best) return Error{"no measured schedule has a list of decisions"};
    return *best;
}

Result<ListedDecisions> origin_of(const Session &session) {
    const Result<size_t> trial = origin_trial(session);
    if (!trial) return trial.error();
    return ListedDecisions::parse(session.trials()[*trial].decisions);
}

}  // namespace autoschedule_gpu
