// Chooses which iterations of a loop are executed, and how many each stands for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/support/random.h"

namespace autoschedule_gpu {

struct SamplePoint {
    int64_t index = 0;
    double weight = 1;
};

// The first and the last iterations stand for themselves, because borders differ; `middle`
// neighbours stand for all those between. They are neighbours because patterns (where a row begins
// in a sector, for instance) repeat with a small period.
struct SampleRule {
    int64_t first = 1;
    int64_t middle = 1;
    int64_t last = 1;
};

inline constexpr SampleRule kEveryIteration = {INT64_MAX, 0, 0};

// Returns the points in order; their weights add up to the extent. A rule that asks for at least
// `extent` points gets the whole loop.
std::vector<SamplePoint> sample_points(int64_t extent, const SampleRule &rule);

// Returns how many points sample_points gives.
int64_t sample_count(int64_t extent, const SampleRule &rule);

// Returns up to `count` iterations drawn at random, each of weight zero, to see where else a loop
// goes.
std::vector<SamplePoint> random_points(int64_t extent, int64_t count, Random &random);

struct SamplePlan {
    SampleRule grid_x;  // a grid's first dimension, along which rows of memory usually run
    SampleRule grid;    // each other dimension, and loops around launches
    SampleRule serial;  // each loop inside a kernel
};

// Returns the plans from every iteration to the fewest, the cheapest last.
std::span<const SamplePlan> sample_plans();

}  // namespace autoschedule_gpu
