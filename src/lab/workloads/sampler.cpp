#include "lab/workloads/sampler.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/support/file.h"
#include "core/support/hash.h"
#include "core/support/hex.h"
#include "core/support/random.h"
#include "scheduler/model/weights_file.h"

namespace autoschedule_gpu {
namespace {

constexpr std::string_view kSize = "size=";

std::string seed_text(Random &random) {
    return std::to_string(random.next() >> 1);  // the plugin takes 63 bits
}

// Under the network, where there is one.
NamedValues by(const Sampler &sampler, NamedValues params) {
    if (sampler.weights) {
        params.emplace_back("model", "network");
        params.emplace_back("weights_path", sampler.weights->path);
    }
    return params;
}

// The least is that of the mixed sampler: below, next to nothing but roots is left.
constexpr std::array kKeptAfterRedraws = {100, 50, 25, 10, 5, 3};
static_assert(kKeptAfterRedraws.size() == kMostRedraws);

NamedValues draw_paper(const Sampler &sampler, Random &random, int number, int redraws) {
    constexpr int kBatch = 80;
    const bool thorough = number % kBatch == 0;
    const int kept = kKeptAfterRedraws[static_cast<size_t>(redraws)];
    NamedValues params = {{"strategy", "sampled"},
                          {"beam_size", thorough ? "32" : "1"},
                          {"num_passes", thorough ? "5" : "1"},
                          {"seed", seed_text(random)}};
    if (kept < 100) params.emplace_back("random_dropout", std::to_string(kept));
    return by(sampler, std::move(params));
}

// Heuristics of the search space that leave out slow schedules, and sometimes a fast one. Those
// that keep generated code small are not among them.
std::string rules_to_drop(Random &random) {
    static constexpr std::array kRules = {"idle_sms", "low_lane_use", "excess_recompute"};
    std::string rules;
    for (const char *rule : kRules) {
        if (random.below(2) == 0) rules += (rules.empty() ? "" : ",") + std::string(rule);
    }
    return rules;
}

NamedValues draw_quick(const Sampler &sampler, Random &random) {
    // As many under 3 % as under 10, 30 and 95: what matters is the chance that a Func keeps one of
    // its good decisions, of which it may have few or hundreds.
    const double kept = std::round(std::exp(random.unit() * std::log(95.0)));
    const bool wide = random.below(4) == 0;
    NamedValues params = {
        {"strategy", "beam"}, {"beam_size", wide ? "8" : "1"}, {"num_passes", "1"}};
    const char *untrained = random.below(4) == 0 ? "analytical" : "roofline";
    if (sampler.weights && random.below(2) == 0) {
        params = by(sampler, std::move(params));
    } else {
        params.emplace_back("model", untrained);
    }
    params.emplace_back("random_dropout", std::to_string(static_cast<int>(kept)));
    params.emplace_back("random_dropout_seed", seed_text(random));
    if (random.below(4) == 0) {
        if (std::string rules = rules_to_drop(random); !rules.empty()) {
            params.emplace_back("disable_rules", std::move(rules));
        }
    }
    return params;
}

NamedValues draw_mixed(const Sampler &sampler, Random &random, int number, int redraws) {
    std::vector<NamedValues> first = {
        {{"strategy", "beam"}}, {{"strategy", "greedy_grouping"}}, {{"strategy", "plain"}}};
    if (sampler.weights) {
        first.push_back(by(sampler, {{"strategy", "beam"}}));
        first.push_back(by(sampler, {{"strategy", "greedy_grouping"}}));
    }
    const bool is_first = redraws == 0 && number < static_cast<int>(first.size());
    if (is_first) return first[static_cast<size_t>(number)];
    return draw_quick(sampler, random);
}

// As a sample calls it. Weights by their name, for the file may be moved or written anew.
std::string text_of(const Sampler &sampler, const NamedValues &params) {
    std::string text;
    for (const auto &[name, value] : params) {
        text +=
            name == "weights_path" ? " weights=" + sampler.weights->name : " " + name + "=" + value;
    }
    return text;
}

}  // namespace

Result<SamplerKind> parse_sampler(std::string_view text) {
    const auto found = std::find(kSamplerNames.begin(), kSamplerNames.end(), text);
    if (found != kSamplerNames.end())
        return static_cast<SamplerKind>(found - kSamplerNames.begin());
    return Error{"expected mixed or paper, found '" + std::string(text) + "'"};
}

Result<SamplerWeights> sampler_weights(const std::string &path) {
    const Result<std::string> bytes = read_file(path);
    if (!bytes) return bytes.error();
    if (const Result<Weights> weights = parse_weights(*bytes); !weights) {
        return Error{path + ": " + weights.error().message};
    }
    return SamplerWeights{.path = path, .name = to_hex(Hasher().add(*bytes).value())};
}

ScheduleRequest draw_schedule(const Sampler &sampler, uint64_t seed, const Workload &workload,
                              int number, int redraws) {
    Hasher hasher;
    hasher.add(seed).add(workload.pipeline).add(workload.size).add(static_cast<uint64_t>(number));
    if (redraws > 0) hasher.add(static_cast<uint64_t>(redraws));
    Random random(hasher.value());
    NamedValues params = sampler.kind == SamplerKind::paper
                             ? draw_paper(sampler, random, number, redraws)
                             : draw_mixed(sampler, random, number, redraws);
    return {.schedule = std::string(kSize) + workload.size + text_of(sampler, params),
            .scheduler_params = std::move(params)};
}

// What stands behind a space is no size any more.
std::string schedule_at_size(std::string size, std::string_view schedule) {
    std::ranges::replace(size, ' ', ',');
    return std::string(kSize) + size + " " + std::string(schedule);
}

std::string_view size_of_schedule(std::string_view schedule) {
    if (!schedule.starts_with(kSize)) return {};
    schedule.remove_prefix(kSize.size());
    return schedule.substr(0, schedule.find(' '));
}

}  // namespace autoschedule_gpu
