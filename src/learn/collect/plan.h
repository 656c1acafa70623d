// Which schedule of which pipeline is tried next: those of the pipeline that has fewest samples, so
// that all get their share. A pipeline of which hardly anything becomes a sample is given up, and
// the others share what it had.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/workloads/sampler.h"
#include "lab/workloads/workload.h"
#include "learn/collect/sample_folder.h"

namespace autoschedule_gpu {

struct PlannedDraw {
    size_t workload = 0;  // index
    ScheduleRequest draw = {};
};

class Plan {
public:
    // All three outlive the plan. `goal` counts the samples of the workloads that the folder has
    // already.
    Plan(const std::vector<Workload> &workloads, const SampleFolder &folder, int goal,
         Sampler sampler, uint64_t seed);

    // At most so many, and no more than what is missing if all of them become samples. None: the
    // goal is reached, or every workload is given up.
    std::vector<PlannedDraw> next(int most);

    // Says that a draw which next() gave is in the folder now, or is given back.
    void release(const PlannedDraw &planned);

    int samples() const;  // of the workloads, in the folder

private:
    // Draws without a sample before a workload is given up, and for each sample that it has. What
    // has few schedules is given up soon: to draw them again and again costs as much as new ones of
    // other pipelines.
    static constexpr int kPatience = 8;
    static constexpr int kPatiencePerSample = 1;

    struct Progress {
        int number = 0;   // of the next draw
        int pending = 0;  // given and not released
    };

    bool given_up(size_t workload) const;
    std::optional<size_t> furthest_behind() const;
    ScheduleRequest next_draw(size_t workload);

    const std::vector<Workload> &workloads_;
    const SampleFolder &folder_;
    int goal_;
    Sampler sampler_;
    uint64_t seed_;
    std::vector<Progress> progress_;
};

}  // namespace autoschedule_gpu
