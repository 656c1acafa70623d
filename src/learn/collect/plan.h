// Decides which schedule of which pipeline is tried next. The pipeline with the fewest samples
// comes first, so that all get their share. A pipeline that hardly yields samples is given up, and
// the others take over its share. Noise counts towards that only once a later draw has become a
// sample: on a machine that is too busy for any, no pipeline is given up, and the caller ends
// (kMostNoisyDraws).
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
    // The first two arguments must outlive the plan. `goal` includes the samples that the folder
    // already has of the workloads.
    Plan(const std::vector<Workload> &workloads, const SampleFolder &folder, int goal,
         Sampler sampler, uint64_t seed);

    // Returns at most `most` draws, and no more than are missing if all of them become samples.
    // Empty: the goal is reached, or every workload is given up.
    std::vector<PlannedDraw> next(int most);

    // Tells the plan that a draw from next() is in the folder now, or will not be made.
    void release(const PlannedDraw &planned);

    int samples() const;  // of the workloads, in the folder

private:
    // A workload is given up after so many draws without a sample, plus so many for each sample
    // that it has. Workloads with few schedules are given up soon, because drawing the same ones
    // again costs as much as new ones of other pipelines.
    static constexpr int kPatience = 8;
    static constexpr int kPatiencePerSample = 1;

    struct Progress {
        int number = 0;   // number of the next draw
        int pending = 0;  // draws that were given and not released
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
