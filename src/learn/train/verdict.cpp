#include "learn/train/verdict.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "core/support/random.h"

namespace autoschedule_gpu {

namespace {

constexpr size_t kDraws = 2000;
constexpr double kOutside = 0.025;  // on either side

struct Accuracies {
    double now = 0, in_use = 0;
};

// The accuracies over some pipelines, with repetitions, and seeds, likewise.
Accuracies accuracies(std::span<const PairedPipeline *const> pipelines,
                      std::span<const size_t> seeds) {
    PairCount now, in_use;
    for (const PairedPipeline *pipeline : pipelines) {
        for (const size_t seed : seeds) now += pipeline->now[seed];
        in_use += pipeline->in_use;
    }
    return {.now = *now.accuracy(), .in_use = *in_use.accuracy()};
}

AccuracyRange range(double mean, std::vector<double> drawn) {
    std::sort(drawn.begin(), drawn.end());
    const auto at = [&](double share) {
        return drawn[static_cast<size_t>(share * static_cast<double>(drawn.size() - 1) + 0.5)];
    };
    return {.mean = mean, .low = at(kOutside), .high = at(1 - kOutside)};
}

// Replaces each entry by one of `all`, drawn at random.
template <typename T>
void draw(std::vector<T> &drawn, const std::vector<T> &all, Random &random) {
    for (T &one : drawn) one = all[random.below(all.size())];
}

std::string range_text(const char *format, const AccuracyRange &range) {
    char text[96];
    std::snprintf(text, sizeof text, format, range.mean, range.low, range.high);
    return text;
}

std::string counted(size_t number, const std::string &what) {
    return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

}  // namespace

std::string_view to_string(Verdict verdict) {
    constexpr std::array<std::string_view, 3> kNames = {"better", "worse", "undecided"};
    return kNames[static_cast<size_t>(verdict)];
}

Difference difference_of(std::span<const PairedPipeline> pipelines) {
    std::vector<const PairedPipeline *> all;
    for (const PairedPipeline &pipeline : pipelines) {
        if (pipeline.in_use.pairs > 0) all.push_back(&pipeline);
    }
    Difference result{.pipelines = all.size()};
    if (all.empty()) return result;
    std::vector<size_t> seeds(all.front()->now.size());
    for (size_t i = 0; i < seeds.size(); ++i) seeds[i] = i;
    result.seeds = seeds.size();

    const Accuracies found = accuracies(all, seeds);
    std::vector<double> now, more;
    std::vector<const PairedPipeline *> some = all;
    std::vector<size_t> some_seeds = seeds;
    Random random(kDraws);
    for (size_t i = 0; i < kDraws; ++i) {
        draw(some, all, random);
        draw(some_seeds, seeds, random);
        const Accuracies drawn = accuracies(some, some_seeds);
        now.push_back(drawn.now);
        more.push_back(drawn.now - drawn.in_use);
    }
    result.now = range(found.now, std::move(now));
    result.in_use = found.in_use;
    result.more = range(found.now - found.in_use, std::move(more));
    if (result.pipelines < kFewestPipelines) return result;
    if (result.more.low > 0) result.verdict = Verdict::better;
    if (result.more.high < 0) result.verdict = Verdict::worse;
    return result;
}

std::string verdict_text(const Difference &d, const std::string &in_use) {
    if (d.pipelines == 0) {
        return "undecided: no pipeline that neither the network nor " + in_use +
               " was trained on has two schedules of different times";
    }
    std::string text;
    switch (d.verdict) {
        case Verdict::better:
            text = "better than " + in_use;
            break;
        case Verdict::worse:
            text = "worse than " + in_use;
            break;
        case Verdict::undecided:
            text = "undecided whether better or worse than " + in_use;
            break;
    }
    char other[16];
    std::snprintf(other, sizeof other, "%.3f", d.in_use);
    text += ": on pipelines that it has not seen, the network puts " +
            range_text("%.3f (%.3f to %.3f)", d.now) + " of the pairs in order, " + in_use + " " +
            other + "; the difference is " + range_text("%+.3f (%+.3f to %+.3f", d.more) +
            " with 95 %, " + counted(d.pipelines, "pipeline") + ", " + counted(d.seeds, "seed") +
            ")";
    if (d.pipelines < kFewestPipelines) {
        text += "; fewer than " + std::to_string(kFewestPipelines) + " pipelines decide nothing";
    }
    return text;
}

}  // namespace autoschedule_gpu
