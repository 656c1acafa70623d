// What one strategy made of one pipeline under one seed, as data and as JSON; or why it made
// nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/error.h"
#include "core/support/statistics.h"

namespace autoschedule_gpu {

// From here on this was the best that was known.
struct CoursePoint {
    int trials = 0;      // made so far, this one included
    double seconds = 0;  // since the run began; 0: not known
    double best_ms = 0;  // by its first measurement

    friend bool operator==(const CoursePoint &, const CoursePoint &) = default;
};

// A schedule that was measured, and what the model thought of it before that.
struct Prediction {
    double predicted_ms = 0, measured_ms = 0;

    friend bool operator==(const Prediction &, const Prediction &) = default;
};

// A time of the finals, with the confidence interval of its median over the rounds.
struct VerifiedTime {
    double median_ms = 0;
    double low_ms = 0, high_ms = 0;

    friend bool operator==(const VerifiedTime &, const VerifiedTime &) = default;
};

struct ContestRun {
    std::string app = {}, strategy = {};
    uint64_t seed = 0;
    std::string settings = {};  // equal for runs of equal settings
    std::string size = {}, device = {};
    int trials = 0, measured = 0, failed = 0;
    int different = 0;   // codes among the trials
    double seconds = 0;  // of wall time, the finals not counted; 0: not known
    double build_s = 0, run_s = 0, train_s = 0;  // to build: prices of what could be, too
    std::vector<CoursePoint> course = {};        // by trials
    // Before the first retraining of the model, and after it.
    std::vector<Prediction> untrained = {}, retrained = {};
    VerifiedTime best = {};  // compiled again from its trace, output compared with the reference
    std::optional<VerifiedTime> untuned = {};  // in the same finals; none: it does not run
    std::string winner = {};

    // How many times as fast the winner is as without tuning.
    std::optional<double> gain() const {
        if (!untuned) return std::nullopt;
        return untuned->median_ms / best.median_ms;
    }

    friend bool operator==(const ContestRun &, const ContestRun &) = default;
};

// A run that led to nothing.
struct FailedRun {
    std::string app = {}, strategy = {};
    uint64_t seed = 0;
    std::string why = {};

    friend bool operator==(const FailedRun &, const FailedRun &) = default;
};

// "harris top5, seed 3: it crashed".
std::string to_string(const FailedRun &run);
// Reads that back; nullopt for any other text.
std::optional<FailedRun> parse_failed_run(std::string_view text);

// One line.
std::string to_json(const ContestRun &run);
// The error says what is missing or of another type.
Result<ContestRun> parse_contest_run(std::string_view json);

}  // namespace autoschedule_gpu
