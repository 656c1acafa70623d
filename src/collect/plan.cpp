#include "collect/plan.h"

#include <numeric>
#include <utility>

namespace autoschedule_gpu {

Plan::Plan(const std::vector<Subject> &subjects, const Ledger &ledger, int goal, Sampler sampler,
           uint64_t seed)
    : subjects_(subjects),
      ledger_(ledger),
      goal_(goal),
      sampler_(std::move(sampler)),
      seed_(seed),
      progress_(subjects.size()) {}

std::vector<PlannedDraw> Plan::next(int most) {
    std::vector<PlannedDraw> draws;
    int missing = goal_ - samples();
    for (const Progress &progress : progress_) missing -= progress.pending;
    while (missing > 0 && static_cast<int>(draws.size()) < most) {
        const std::optional<size_t> subject = neediest();
        if (!subject) break;
        draws.push_back({*subject, next_draw(*subject)});
        ++progress_[*subject].pending;
        --missing;
    }
    return draws;
}

void Plan::settle(const PlannedDraw &planned) {
    --progress_[planned.subject].pending;
}

int Plan::samples() const {
    return std::accumulate(
        subjects_.begin(), subjects_.end(), 0,
        [&](int sum, const Subject &subject) { return sum + ledger_.counts(subject).samples; });
}

bool Plan::given_up(size_t subject) const {
    const LedgerCounts counts = ledger_.counts(subjects_[subject]);
    return counts.misses() >= kPatience + kPatiencePerSample * counts.samples;
}

std::optional<size_t> Plan::neediest() const {
    std::optional<size_t> best;
    int fewest = 0;
    for (size_t i = 0; i < subjects_.size(); ++i) {
        const int samples = ledger_.counts(subjects_[i]).samples + progress_[i].pending;
        if ((best && samples >= fewest) || given_up(i)) continue;
        best = i;
        fewest = samples;
    }
    return best;
}

// Draws that were tried in an earlier call are passed over.
Draw Plan::next_draw(size_t subject) {
    while (true) {
        Draw draw = draw_schedule(sampler_, seed_, subjects_[subject], progress_[subject].number++);
        if (!ledger_.was_tried(subjects_[subject], draw.schedule)) return draw;
    }
}

}  // namespace autoschedule_gpu
