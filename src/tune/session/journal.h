// What a tuning run decided, and from what: a file of JSON lines, one event each. It holds no clock
// times and no paths, so that a run that is repeated from its records writes the same bytes.
//
//     {"event": "trial", "number": 12, "schedule": "strategy=beam seed=5", "code_hash": "...",
//      "outcome": "measured", "predicted_ms": 0.4, "median_ms": 0.5, "best_ms": 0.45}
//     {"event": "chosen", "schedules": 5, "after_trials": 81}: of those trials, which had only been
//      compiled until then, so many are run
//     {"event": "retrained", "iteration": 2, "samples": 160}
//     {"event": "step", "decision": "blur_y.x threads", "from": "16", "to": "32",
//      "chance_of_luck": 0.003, "accepted": true, "speculative": false}
//     {"event": "evolved", "mutants": 1721, "refused": 17, "accepted": 1211, "found": 1349,
//      "chosen": 10}
//     {"event": "generation", "crossed": 50, "mutated": 51, "random": 14, "refused or known": 22}:
//      the last of all but those with every decision at random, which are drawn until there is one
//     {"event": "few schedules", "different": 13}
//     {"event": "strategy ended", "strategy": "genetic", "why": "the run is over"}
//     {"event": "winner", "schedule": ..., "code_hash": ..., "median_ms": ..., "default_ms": ...}
#pragma once

#include <string>
#include <vector>

#include "core/json/json.h"
#include "core/support/error.h"
#include "tune/session/trial.h"

namespace autoschedule_gpu {

class Journal {
public:
    using Event = Json;

    // `path` may be empty: kept in memory alone. An earlier file is replaced at the first save().
    explicit Journal(std::string path) : path_(std::move(path)) {}

    // What save() wrote there. The error names the line that is no event.
    static Result<Journal> read(const std::string &path);

    void add(Event event);
    // Of what leads to trials: stands before the next event, unless it is dropped. Where a run is
    // over before these trials, its records do not tell whether and how far it had come there.
    void announce(Event event) { announced_.push_back(std::move(event)); }
    void drop_announced() { announced_.clear(); }
    const std::vector<Event> &events() const { return events_; }

    // Writes beside the file, then renames.
    Status save() const;

private:
    std::string path_;
    std::vector<Event> events_, announced_;
};

// Returns the event of a draw, which `schedule` names, and the trial that it led to. `best_ms`: of
// the best so far, this one included.
Journal::Event trial_event(size_t number, const std::string &schedule, const Trial &trial,
                           std::string_view outcome, std::optional<double> best_ms);

}  // namespace autoschedule_gpu
