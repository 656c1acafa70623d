#include "tune/strategies/final_comparison.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "core/support/stopwatch.h"
#include "lab/records/tuning_record.h"
#include "lab/verdict/fastest.h"

namespace autoschedule_gpu {
namespace {

bool is_default(const Session &session, size_t trial) {
    return session.trials()[trial].draw.schedule == kFoundByDefault;
}

// The default schedule, then the fastest others, then those that are wanted in any case.
std::vector<size_t> chosen(const Session &session, const FinalsSettings &settings) {
    std::vector<size_t> measured;
    for (size_t i = 0; i < session.trials().size(); ++i) {
        if (session.trials()[i].is_measured()) measured.push_back(i);
    }
    std::stable_sort(measured.begin(), measured.end(), [&](size_t a, size_t b) {
        const bool a_first = is_default(session, a), b_first = is_default(session, b);
        if (a_first != b_first) return a_first;
        return session.trials()[a].median_ms() < session.trials()[b].median_ms();
    });
    const bool has_default = !measured.empty() && is_default(session, measured.front());
    measured.resize(std::min(measured.size(), settings.finalists + has_default));
    for (size_t index : settings.also) {
        const bool is_there = std::ranges::find(measured, index) != measured.end();
        if (session.trials()[index].is_measured() && !is_there) measured.push_back(index);
    }
    return measured;
}

// The finals so far: trials of the session, by index, as contenders.
using FinalTimes = std::map<size_t, Contender>;

// The default schedule first, if it is there; then by median.
std::vector<Finalist> ranked(const Session &session, const std::vector<size_t> &trials,
                             const std::vector<Contender> &contenders) {
    std::vector<Finalist> finalists;
    for (size_t i = 0; i < trials.size(); ++i) {
        const std::vector<double> samples_ms = times_that_count(contenders, i);
        finalists.push_back({.trial = trials[i],
                             .samples_ms = samples_ms,
                             .median_ms = median(samples_ms),
                             .interval_ms = median_interval(samples_ms)});
    }
    std::ranges::stable_sort(finalists, [&](const Finalist &a, const Finalist &b) {
        const bool a_first = is_default(session, a.trial), b_first = is_default(session, b.trial);
        return a_first != b_first ? a_first : a.median_ms < b.median_ms;
    });
    return finalists;
}

// What the finals have come to, and whether further rounds would hardly change who wins.
struct Standing {
    Finals finals;
    bool is_decided = true;
};

Standing standing(const Session &session, const FinalTimes &times) {
    std::vector<size_t> trials;
    std::vector<Contender> contenders;
    for (const auto &[trial, contender] : times) {
        if (contender.first_ms.empty() && contender.finals_ms.empty()) continue;
        trials.push_back(trial);
        contenders.push_back(contender);
    }
    const Verdict verdict = *find_fastest(contenders);
    Standing result{.finals = {.finalists = ranked(session, trials, contenders)}};
    const size_t winner = trials[verdict.winner];
    const auto place = std::ranges::find(result.finals.finalists, winner, &Finalist::trial);
    result.finals.winner = static_cast<size_t>(place - result.finals.finalists.begin());
    if (!verdict.reference || trials.size() == 1) return result;
    if (verdict.winner == *verdict.reference) {
        result.is_decided = verdict.challengers_luck > kHopeless;
    } else {
        result.finals.chance_of_luck = verdict.challengers_luck;
    }
    return result;
}

Finals of_first_samples(const Session &session, const std::vector<size_t> &indices) {
    FinalTimes times;
    for (size_t index : indices) {
        times[index] = {.is_reference = is_default(session, index),
                        .first_ms = session.trials()[index].samples_ms};
    }
    return standing(session, times).finals;
}

bool is_asked_to_end(const Session &session) {
    return session.parts().stop && session.parts().stop();
}

// Adds the times of one more part of the finals. What fails in it is out; whose run was ended from
// outside takes part again. False: the run was cut off before it, and nothing is added.
Result<bool> add_rounds(Session &session, const Comparison &more, FinalTimes &times) {
    std::vector<size_t> running;
    for (const auto &[trial, contender] : times) running.push_back(trial);
    const auto added = session.compare(running, more);
    if (!added) return added.error();
    const auto is_run = [](const ComparedTimes &own) { return !own || !own->empty(); };
    if (session.is_cut_off() && std::ranges::none_of(*added, is_run)) return false;
    for (size_t i = 0; i < running.size(); ++i) {
        if (const ComparedTimes &own = (*added)[i]; own) {
            if (!own->empty())
                times[running[i]].finals_ms[std::to_string(more.part) + " here"] = *own;
        } else if (!is_provisional(own.error().kind)) {
            times.erase(running[i]);
        }
    }
    const bool is_any_left =
        std::ranges::any_of(times, [](const auto &one) { return !one.second.finals_ms.empty(); });
    if (is_any_left || is_asked_to_end(session)) return is_any_left;
    const auto failed = std::ranges::find_if(*added, [](const auto &own) { return !own; });
    return Error{"none of the best schedules ran again" +
                 (failed == added->end() ? std::string() : ": " + failed->error().reason)};
}

// As many as are asked for, unless the budget's time is too short for them.
int rounds_in_time(const Session &session, int wanted, size_t finalists) {
    constexpr int kLeast = 3;
    const std::optional<double> left_s = session.left_for_finals_s();
    if (!left_s) return wanted;
    const double round_s = session.seconds_per_run() * static_cast<double>(finalists);
    return std::clamp(static_cast<int>(*left_s / round_s), std::min(kLeast, wanted), wanted);
}

// Whether one more part, as long as the one before, is not too long.
bool is_time_for(const Session &session, double part_s) {
    const std::optional<double> left_s = session.left_for_finals_s();
    return !left_s || *left_s >= part_s;
}

}  // namespace

Finals finals_of_first_measurements(const Session &session, const FinalsSettings &settings) {
    const std::vector<size_t> indices = chosen(session, settings);
    return indices.empty() ? Finals() : of_first_samples(session, indices);
}

Result<Finals> compare_finally(Session &session, const FinalsSettings &settings) {
    // A user who has asked for the end gets what was measured so far.
    if (is_asked_to_end(session)) return finals_of_first_measurements(session, settings);
    const std::vector<size_t> indices = chosen(session, settings);
    if (indices.empty()) return Error{"no schedule of the pipeline could be measured"};
    const int rounds = rounds_in_time(session, settings.rounds, indices.size());
    session.expect_trials(0, 0);
    FinalTimes times;
    for (size_t index : indices) times[index] = {.is_reference = is_default(session, index)};
    std::optional<Standing> now;
    for (int part = 1; part <= kLooksAtFinals; ++part) {
        const Stopwatch watch;
        session.expect_finals(std::max(1.0, kUsualLooksAtFinals - part + 1),
                              rounds * static_cast<int>(indices.size()));
        session.tell("measuring the best " + std::to_string(indices.size()) +
                     (part == 1 ? " again" : " once more, for it is not decided"));
        session.end_trials();
        const Comparison more{
            .name = std::string(kFinals), .part = part, .rounds = rounds, .noise = settings.noise};
        const Result<bool> added = add_rounds(session, more, times);
        if (!added) return added.error();
        if (!*added) break;
        now = standing(session, times);
        const bool has_time = is_time_for(session, watch.seconds());
        if (now->is_decided || !has_time || is_asked_to_end(session)) break;
    }
    return now ? now->finals : of_first_samples(session, indices);
}

}  // namespace autoschedule_gpu
