// Trials of states: what the compiler says of one, and whether that makes it better than what there
// is. No state is tried twice.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "scheduler/search/report.h"
#include "scheduler/search/search_context.h"
#include "scheduler/strategies/composition.h"

namespace autoschedule_gpu {

// Positions in the nest, as far as they are known.
std::vector<size_t> kernels_that_spill(const Judgement &judgement);

// Any of its kernels, those for other sizes included.
bool spills(const ComposedSchedule &schedule);
bool spills_at_estimates(const ComposedSchedule &schedule);
// What it spills at the estimates, if anything.
bool is_little(const ComposedSchedule &schedule);

class Trials {
public:
    // All must outlive it.
    Trials(const Composition &of, SearchContext &context, Judge &judge, SearchReport &report)
        : of_(of), context_(context), judge_(judge), report_(report) {}

    // Nothing: the judge refuses it.
    std::optional<ComposedSchedule> judged(CompleteState candidate, Attempt attempt);
    bool was_judged(const CompleteState &candidate) const;
    // Of candidates that may be judged next, in this order (Judge::prepare).
    void prepare(std::span<const CompleteState *const> candidates, Attempt attempt);

    // Whether a state may become better than a schedule, if it should spill nothing. What was
    // judged before is not judged again.
    bool is_worth_it(const CompleteState &other, const ComposedSchedule &best) const;
    // Of what may become better than a schedule.
    double most_cost(const ComposedSchedule &best) const;
    // Whether a schedule takes the place of another: it is cheaper as it was compiled, or not much
    // dearer where it spills nothing and the other does, or less of it where it runs at the
    // estimates. Of what nobody could compile in time that is not known.
    bool is_better(const ComposedSchedule &one, const ComposedSchedule &other) const;
    // Whether fewer kernels spill than in another schedule, for not much more than was `found`, or
    // as many, and it is cheaper. What frees one kernel after the other becomes dearer before
    // nothing spills.
    bool is_cleaner(const ComposedSchedule &one, const ComposedSchedule &other,
                    const ComposedSchedule &found) const;
    // A schedule, or what a trial makes of a state, if that is better.
    ComposedSchedule better_of(ComposedSchedule best, CompleteState other);

private:
    double as_compiled(const ComposedSchedule &schedule) const;

    const Composition &of_;
    SearchContext &context_;
    Judge &judge_;
    SearchReport &report_;
    std::unordered_set<uint64_t> judged_;  // ids of states
};

// How much a schedule that spills nothing may cost more than one that does, as both were compiled:
// what spills cost is known less well than anything else. What is not dearer than this by the
// estimate, in which nothing spills, is good enough: another search takes as long as the first.
inline constexpr double kMostRise = 1.1;
// The same where the other spills in kernels for other sizes alone: at the estimates it is as fast
// as it is predicted to be.
inline constexpr double kMostRiseForOtherSizes = 1.01;

}  // namespace autoschedule_gpu
