#include "scheduler/strategies/trials.h"

#include <utility>
#include <vector>

#include "scheduler/strategies/compiled_cost.h"

namespace autoschedule_gpu {

namespace {

constexpr int64_t kFewSpilledBytes = 64;

// How much dearer what spills nothing may be.
double most_rise(const ComposedSchedule &instead_of) {
    if (spills_at_estimates(instead_of)) return kMostRise;
    return spills(instead_of) ? kMostRiseForOtherSizes : 1;
}

}  // namespace

std::vector<size_t> kernels_that_spill(const Judgement &judgement) {
    std::vector<size_t> found;
    for (size_t k = 0; k < judgement.kernels.size(); ++k) {
        const RegisterUse &use = judgement.kernels[k];
        if (use.spill_bytes > 0 || use.spill_bytes_at_other_sizes > 0) found.push_back(k);
    }
    return found;
}

bool spills(const ComposedSchedule &schedule) {
    return spills_at_estimates(schedule) || schedule.judgement.spill_bytes_at_other_sizes > 0;
}

bool spills_at_estimates(const ComposedSchedule &schedule) {
    return schedule.judgement.spill_bytes > 0;
}

bool is_little(const ComposedSchedule &schedule) {
    return schedule.judgement.spill_bytes <= kFewSpilledBytes;
}

std::optional<ComposedSchedule> Trials::judged(CompleteState candidate, Attempt attempt) {
    judged_.insert(candidate.state.id);
    RunningPart part(report_, "judge", candidate.state.cost);
    const std::optional<Judgement> judgement = judge_.judge(candidate, attempt);
    part.done(candidate.state.cost);
    if (!judgement) return std::nullopt;
    return ComposedSchedule{std::move(candidate), attempt, *judgement};
}

void Trials::prepare(std::span<const CompleteState *const> candidates, Attempt attempt) {
    if (candidates.empty()) return;
    RunningPart part(report_, "judge", candidates.front()->state.cost);
    if (judge_.prepare(candidates, attempt) > 0) part.done(candidates.front()->state.cost);
}

bool Trials::was_judged(const CompleteState &candidate) const {
    return judged_.contains(candidate.state.id);
}

bool Trials::is_worth_it(const CompleteState &other, const ComposedSchedule &best) const {
    return other.state.cost < most_cost(best) && !context_.clock.is_up() && !was_judged(other);
}

double Trials::most_cost(const ComposedSchedule &best) const {
    const double cost = spills_at_estimates(best) ? as_compiled(best) : best.complete.state.cost;
    return most_rise(best) * cost;
}

bool Trials::is_better(const ComposedSchedule &one, const ComposedSchedule &other) const {
    if (!one.judgement.spill_bytes) return false;
    return most_rise(one) * as_compiled(one) < most_rise(other) * as_compiled(other);
}

bool Trials::is_cleaner(const ComposedSchedule &one, const ComposedSchedule &other,
                        const ComposedSchedule &found) const {
    if (!one.judgement.spill_bytes) return false;
    const size_t kernels = kernels_that_spill(one.judgement).size();
    const size_t of_other = kernels_that_spill(other.judgement).size();
    if (kernels == of_other) return as_compiled(one) < as_compiled(other);
    return kernels < of_other && as_compiled(one) < kMostRise * as_compiled(found);
}

ComposedSchedule Trials::better_of(ComposedSchedule best, CompleteState other) {
    if (!is_worth_it(other, best)) return best;
    auto accepted = judged(std::move(other), best.attempt);
    if (accepted && is_better(*accepted, best)) return *std::move(accepted);
    return best;
}

double Trials::as_compiled(const ComposedSchedule &schedule) const {
    return compiled_cost(schedule.complete, schedule.judgement.kernels, of_.models.gpu,
                         *of_.models.model);
}

}  // namespace autoschedule_gpu
