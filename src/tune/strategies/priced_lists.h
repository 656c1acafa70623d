// Lists of decisions that lead to schedules, with what these are worth under the model: how
// strategies look at many more schedules than they can measure, and refuse what is none before it
// costs a trial.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "core/support/error.h"
#include "core/support/random.h"
#include "tune/session/session.h"
#include "tune/strategies/listed_decisions.h"

namespace autoschedule_gpu {

struct PricedList {
    ListedDecisions list = {};
    Price price = {};
};

using ScheduleHashes = std::set<uint64_t>;  // Price::schedule

// In the order of the lists; nothing where one leads to no schedule.
Result<std::vector<std::optional<PricedList>>> priced(Session &session,
                                                      std::span<const ListedDecisions> lists);

// Those of the lists that lead to schedules which are not in `seen`, each schedule once, in their
// order. Adds these to `seen`.
Result<std::vector<PricedList>> new_lists(Session &session, std::span<const ListedDecisions> lists,
                                          ScheduleHashes &seen);

// `count` lists, or fewer where no more are found: each decision of `origin` has a choice at
// random, all with the same chance. What leads to no schedule, or to one that is seen, is drawn
// again. Where hardly any draw leads to one, as in pipelines of hundreds of decisions, a part of
// the decisions is left as in `origin`, each time half of those that were drawn.
Result<std::vector<PricedList>> random_lists(Session &session, const ListedDecisions &origin,
                                             size_t count, Random &random, ScheduleHashes &seen);

// Tries them; the trials, by index, of as many as the budget allows.
Result<std::vector<size_t>> attempt_lists(Session &session, std::span<const PricedList> lists);

// The default schedule, by its trial; where it has no list, the fastest schedule that has one. An
// Error where no measured schedule has.
Result<size_t> origin_trial(const Session &session);
// Its list.
Result<ListedDecisions> origin_of(const Session &session);

}  // namespace autoschedule_gpu
