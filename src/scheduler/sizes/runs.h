// Which of several schedules, each made for one size of a pipeline, is used at which sizes, and how
// these are told apart: by how far the pipeline's buffers extend.
//
//     sizes, the greatest first     s0  s1 │ s2  s3 │ s4
//     runs, with a schedule each     of s0   of s3   of s4
//
// Pure functions of numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace autoschedule_gpu {

struct SizeCosts {
    // Nanoseconds, by the size that a schedule was made for and the size at which it runs; none:
    // nothing is known of it there. At its own size every schedule has a cost.
    std::vector<std::vector<std::optional<double>>> cost;
    std::vector<double> weights;                // by size, above 0
    std::vector<std::vector<int64_t>> extents;  // by size and dimension: of all buffers
    size_t first = 0;  // of the dimensions, that sizes are told apart by where they differ in them
};

// Sizes that follow each other in the order of their extents, and the schedule for all of them.
struct Run {
    size_t made_for = 0;  // one of its own sizes
    std::vector<size_t> sizes = {};
    // By dimension, extents from which on the schedule is used, unless an earlier one is. They
    // leave out all sizes of later runs. 0: any. The last run is used for whatever is left.
    std::vector<int64_t> least = {};
};

// How much longer a schedule may take than the one that was made for a size, to be used there for
// the sake of fewer schedules.
inline constexpr double kMostRegret = 0.1;

// The fewest runs, the greatest sizes first; of these, those of the least regret, weighted. A
// schedule is used where its regret is at most that. Nothing where sizes that need different
// schedules extend equally far.
std::optional<std::vector<Run>> fewest_runs(const SizeCosts &costs, double most_regret);

// One schedule for all sizes, that of the least regret, weighted; nothing where the costs of none
// are known at all sizes.
std::optional<Run> one_run(const SizeCosts &costs);

}  // namespace autoschedule_gpu
