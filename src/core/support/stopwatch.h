// Wall time since something began.
#pragma once

#include <chrono>

namespace autoschedule_gpu {

// Runs from its construction on.
class Stopwatch {
public:
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

// Adds the seconds of its life to those of a phase.
class PhaseTimer {
public:
    explicit PhaseTimer(double &seconds) : seconds_(seconds) {}
    ~PhaseTimer() { seconds_ += watch_.seconds(); }
    PhaseTimer(const PhaseTimer &) = delete;
    PhaseTimer &operator=(const PhaseTimer &) = delete;

private:
    double &seconds_;
    Stopwatch watch_;
};

}  // namespace autoschedule_gpu
