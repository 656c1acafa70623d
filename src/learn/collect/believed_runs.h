// Which of a schedule's times are believed. On a device that is the CPU, anything else that the
// machine does makes runs slower, never faster, for microseconds or for minutes. Times are believed
// if they can be had again: in another process, some time later.
//
//     process ─► runs that had their cores ─► the faster half ┐
//     process ─► ...                                          ├─► the two fastest agree? ─► sample
//     process ─► ...                                          ┘
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "lab/run/run_report.h"

namespace autoschedule_gpu {

// A run counts if its threads waited for cores for no longer than a share of its time and the time
// in which a thread that sleeps is woken, which is part of every launch.
inline constexpr double kMostWaiting = 0.1, kWakingMs = 0.1;

// How far the medians of two processes may be apart, as a share of the smaller: twice the noise
// within which times count as equal (learn/train/rank_quality.h), for the sample is between them.
inline constexpr double kAgreement = 0.1;

// As many processes run a schedule until two agree.
inline constexpr int kMostRounds = 6;

// Returns the faster half of the runs that count, in milliseconds, the middle one included; empty
// if none counts. Where the system does not tell how long threads waited, all runs count.
std::vector<double> believed_runs(const RunReport &report);

// Returns the runs of the two rounds with the smallest medians if these agree. Rounds without runs
// don't count; nullopt if fewer than two count, or if these do not agree.
std::optional<std::vector<double>> agreed_runs(std::span<const std::vector<double>> rounds);

}  // namespace autoschedule_gpu
