// Says in a word whether a new network ranks better than what is in use, and how sure that is.
//
// Other pipelines and another seed would give another difference, so both are drawn anew, with
// replacement, many times (the bootstrap: Efron and Tibshirani 1993, chapter 13): a pipeline with
// all of its pairs, for those resemble each other, and a seed with all of its trainings. The
// verdict is undecided if the middle 95 % of the differences hold 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "learn/train/rank_quality.h"

namespace autoschedule_gpu {

// The same pairs of one pipeline as two models order them. Neither was trained on the pipeline.
struct PairedPipeline {
    std::string pipeline = {};
    std::vector<PairCount> now = {};  // the new network's, by seed
    PairCount in_use = {};
};

enum class Verdict : uint8_t { better, worse, undecided };

std::string_view to_string(Verdict verdict);

// In each, 95 % of what was drawn.
struct AccuracyRange {
    double mean = 0, low = 0, high = 0;
};

struct Difference {
    Verdict verdict = Verdict::undecided;
    AccuracyRange now = {};   // accuracy of the new network, 0 to 1
    double in_use = 0;        // accuracy of what is in use
    AccuracyRange more = {};  // by how much the new accuracy is greater
    size_t pipelines = 0, seeds = 0;
};

// With fewer pipelines nothing is decided, however sure it is of these.
inline constexpr size_t kFewestPipelines = 5;

// Leaves out pipelines without pairs; all have one number of seeds. Equal arguments give equal
// results.
Difference difference_of(std::span<const PairedPipeline> pipelines);

// Returns a sentence: the verdict about `in_use`, as "the roofline", with its numbers.
std::string verdict_text(const Difference &difference, const std::string &in_use);

}  // namespace autoschedule_gpu
