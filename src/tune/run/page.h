// A tuning run as one HTML page that needs nothing else: what came of it, and the convergence: the
// best time so far over the trials.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tune/session/session.h"
#include "tune/strategies/final_comparison.h"

namespace autoschedule_gpu {

// A measured trial of the plot, and the best of all up to it.
struct ConvergencePoint {
    int trial = 0;  // its number, from 0
    double median_ms = 0;
    double best_ms = 0;
};

// A schedule of the finals, with its median there.
struct ConvergenceFinal {
    std::string name = {};
    double median_ms = 0;
    bool is_winner = false;
};

struct Convergence {
    std::vector<ConvergencePoint> points = {};
    int trials = 0;                         // known ones and those that failed as well
    std::optional<double> default_ms = {};  // of the schedule without tuning, measured first
    std::vector<ConvergenceFinal> finals = {};
};

// Points and trials.
Convergence convergence(const Journal &journal);

// For the page; empty without points.
std::string convergence_svg(const Convergence &run);

struct TunePageHeader {
    std::string title = {};
    std::string date = {};
    std::string command = {};    // of the run
    std::string reproduce = {};  // the winner
    std::string winner = {};     // where it is none of this run's finals; else empty
};

std::string tune_page(const TunePageHeader &header, const Session &session, const Finals &finals);

}  // namespace autoschedule_gpu
