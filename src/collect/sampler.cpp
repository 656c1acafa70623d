#include "collect/sampler.h"

#include <algorithm>
#include <cmath>

#include "support/hash.h"
#include "support/random.h"

namespace autoschedule_gpu {
namespace {

constexpr std::string_view kSize = "size=";

std::string seed_text(Random &random) {
    return std::to_string(random.next() >> 1);  // the plugin takes 63 bits
}

NamedValues draw_paper(Random &random, int number) {
    constexpr int kBatch = 80;
    if (number % kBatch == 0) {
        return {{"strategy", "beam"},
                {"beam_size", "32"},
                {"num_passes", "5"},
                {"seed", seed_text(random)}};
    }
    return {
        {"strategy", "beam"}, {"beam_size", "1"}, {"num_passes", "1"}, {"seed", seed_text(random)}};
}

NamedValues draw_mixed(Random &random, int number) {
    static constexpr std::array kFirst = {"beam", "greedy_grouping", "plain"};
    if (number < static_cast<int>(kFirst.size())) return {{"strategy", kFirst[number]}};
    // As many under 3 % as under 10, 30 and 95: what matters is the chance that a Func keeps one of
    // its good decisions, of which it may have few or hundreds.
    const double kept = std::round(std::exp(random.unit() * std::log(95.0)));
    const bool wide = random.below(4) == 0;
    return {{"strategy", "beam"},
            {"beam_size", wide ? "8" : "1"},
            {"num_passes", "1"},
            {"model", random.below(4) == 0 ? "analytical" : "roofline"},
            {"random_dropout", std::to_string(static_cast<int>(kept))},
            {"random_dropout_seed", seed_text(random)}};
}

}  // namespace

Result<Sampler> parse_sampler(std::string_view text) {
    const auto found = std::find(kSamplerNames.begin(), kSamplerNames.end(), text);
    if (found != kSamplerNames.end()) return static_cast<Sampler>(found - kSamplerNames.begin());
    return Error{"expected mixed or paper, found '" + std::string(text) + "'"};
}

Draw draw_schedule(Sampler sampler, uint64_t seed, const Subject &subject, int number) {
    Random random(Hasher()
                      .add(seed)
                      .add(subject.pipeline)
                      .add(subject.size)
                      .add(static_cast<uint64_t>(number))
                      .value());
    Draw draw{.schedule = std::string(kSize) + subject.size,
              .scheduler_params = sampler == Sampler::paper ? draw_paper(random, number)
                                                            : draw_mixed(random, number)};
    for (const auto &[name, value] : draw.scheduler_params) {
        draw.schedule += " " + name + "=" + value;
    }
    return draw;
}

std::string_view size_of_schedule(std::string_view schedule) {
    if (!schedule.starts_with(kSize)) return {};
    schedule.remove_prefix(kSize.size());
    return schedule.substr(0, schedule.find(' '));
}

}  // namespace autoschedule_gpu
