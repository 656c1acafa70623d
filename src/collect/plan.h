// Which schedule of which pipeline is tried next: those of the pipeline that has fewest samples, so
// that all get their share. A pipeline of which hardly anything becomes a sample is given up, and
// the others share what it had.
#pragma once

#include <cstdint>
#include <vector>

#include "collect/ledger.h"
#include "trial/sampler.h"
#include "trial/subject.h"

namespace autoschedule_gpu {

struct PlannedDraw {
    size_t subject = 0;  // index
    Draw draw = {};
};

class Plan {
public:
    // All three outlive the plan. `goal` counts the samples of the subjects that the ledger has
    // already.
    Plan(const std::vector<Subject> &subjects, const Ledger &ledger, int goal, Sampler sampler,
         uint64_t seed);

    // At most so many, and no more than what is missing if all of them become samples. None: the
    // goal is reached, or every subject is given up.
    std::vector<PlannedDraw> next(int most);

    // A draw that next() gave is in the ledger now, or is given back.
    void settle(const PlannedDraw &planned);

    int samples() const;  // of the subjects, in the ledger

private:
    // Draws without a sample before a subject is given up, and for each sample that it has. What
    // has few schedules is given up soon: to draw them again and again costs as much as new ones of
    // other pipelines.
    static constexpr int kPatience = 8;
    static constexpr int kPatiencePerSample = 1;

    struct Progress {
        int number = 0;   // of the next draw
        int pending = 0;  // given and not settled
    };

    bool given_up(size_t subject) const;
    std::optional<size_t> neediest() const;
    Draw next_draw(size_t subject);

    const std::vector<Subject> &subjects_;
    const Ledger &ledger_;
    int goal_;
    Sampler sampler_;
    uint64_t seed_;
    std::vector<Progress> progress_;
};

}  // namespace autoschedule_gpu
