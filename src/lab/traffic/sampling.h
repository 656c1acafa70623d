// Which iterations of a loop are executed, and how many each stands for.
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

// The first iterations and the last ones stand for themselves, for borders differ; `middle`
// neighbours stand for all between. Neighbours, because what repeats (where a row begins in a
// sector, say) repeats with a small period.
struct SampleRule {
    int64_t first = 1;
    int64_t middle = 1;
    int64_t last = 1;
};

inline constexpr SampleRule kEveryIteration = {INT64_MAX, 0, 0};

// In order, weights adding up to the extent; the whole loop where the rule asks for no less.
std::vector<SamplePoint> sample_points(int64_t extent, const SampleRule &rule);

// Their number.
int64_t sample_count(int64_t extent, const SampleRule &rule);

// Up to `count` iterations drawn at random, each of weight zero: to see where else a loop goes.
std::vector<SamplePoint> random_points(int64_t extent, int64_t count, Random &random);

struct SamplePlan {
    SampleRule grid_x;  // of a grid's first dimension, along which rows of memory usually run
    SampleRule grid;    // of each other one, and of loops around launches
    SampleRule serial;  // of each loop inside a kernel
};

// Returns the plans from every iteration to the fewest, the cheapest last.
std::span<const SamplePlan> sample_plans();

}  // namespace autoschedule_gpu
