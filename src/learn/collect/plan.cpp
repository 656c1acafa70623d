#include "learn/collect/plan.h"

#include <numeric>
#include <utility>

namespace autoschedule_gpu {

Plan::Plan(const std::vector<Workload> &workloads, const SampleFolder &folder, int goal,
           Sampler sampler, uint64_t seed)
    : workloads_(workloads),
      folder_(folder),
      goal_(goal),
      sampler_(std::move(sampler)),
      seed_(seed),
      progress_(workloads.size()) {}

std::vector<PlannedDraw> Plan::next(int most) {
    std::vector<PlannedDraw> draws;
    int missing = goal_ - samples();
    for (const Progress &progress : progress_) missing -= progress.pending;
    while (missing > 0 && static_cast<int>(draws.size()) < most) {
        const std::optional<size_t> workload = furthest_behind();
        if (!workload) break;
        draws.push_back({*workload, next_draw(*workload)});
        ++progress_[*workload].pending;
        --missing;
    }
    return draws;
}

void Plan::release(const PlannedDraw &planned) {
    --progress_[planned.workload].pending;
}

int Plan::samples() const {
    return std::accumulate(
        workloads_.begin(), workloads_.end(), 0,
        [&](int sum, const Workload &workload) { return sum + folder_.counts(workload).samples; });
}

bool Plan::given_up(size_t workload) const {
    const SampleCounts counts = folder_.counts(workloads_[workload]);
    return counts.failed() >= kPatience + kPatiencePerSample * counts.samples;
}

// Noise that is not explained yet counts as a sample, so that another pipeline has its turn: if
// that can be timed, the machine is not to blame.
std::optional<size_t> Plan::furthest_behind() const {
    std::optional<size_t> best;
    int fewest = 0;
    for (size_t i = 0; i < workloads_.size(); ++i) {
        const SampleCounts counts = folder_.counts(workloads_[i]);
        const int samples = counts.samples + counts.noisy_unexplained + progress_[i].pending;
        if ((best && samples >= fewest) || given_up(i)) continue;
        best = i;
        fewest = samples;
    }
    return best;
}

// Draws that an earlier call has tried are skipped.
ScheduleRequest Plan::next_draw(size_t workload) {
    while (true) {
        ScheduleRequest draw =
            draw_schedule(sampler_, seed_, workloads_[workload], progress_[workload].number++);
        if (!folder_.was_tried(workloads_[workload], draw.schedule)) return draw;
    }
}

}  // namespace autoschedule_gpu
