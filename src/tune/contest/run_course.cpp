#include "tune/contest/run_course.h"

#include <algorithm>
#include <set>
#include <string>

#include "core/support/hex.h"

namespace autoschedule_gpu {
namespace {

// From so many trials on; what is found together is one point.
void add_best(int trials, double best_ms, const RunClock &clock, ContestRun &run) {
    if (!run.course.empty() && best_ms >= run.course.back().best_ms) return;
    const CoursePoint point{
        .trials = trials, .seconds = clock.seconds_at(trials), .best_ms = best_ms};
    if (!run.course.empty() && run.course.back().trials == trials) {
        run.course.back() = point;
    } else {
        run.course.push_back(point);
    }
}

void add_prediction(const Journal::Event &trial, bool is_retrained, ContestRun &run) {
    if (trial.at("predicted_ms").is_null()) return;
    (is_retrained ? run.retrained : run.untrained)
        .push_back(
            {.predicted_ms = trial.at("predicted_ms"), .measured_ms = trial.at("median_ms")});
}

}  // namespace

void add_course(const Journal &journal, const RunClock &clock, ContestRun &run) {
    std::set<std::string> codes;
    bool is_retrained = false;
    int run_after = 0;  // so many trials, if they were compiled before any of them was run
    for (const Journal::Event &event : journal.events()) {
        is_retrained |= event.at("event") == "retrained";
        if (event.at("event") == "chosen") run_after = event.at("after_trials");
        if (event.at("event") != "trial") continue;
        codes.insert(event.at("code_hash").get<std::string>());
        if (event.at("outcome") != "measured") continue;
        const int trials = std::max(event.at("number").get<int>() + 1, run_after);
        add_best(trials, event.at("best_ms"), clock, run);
        add_prediction(event, is_retrained, run);
    }
    codes.erase(to_hex(uint64_t{0}));
    run.different = static_cast<int>(codes.size());
}

}  // namespace autoschedule_gpu
