#include "tune/strategies/final_comparison.h"

#include <algorithm>
#include <map>
#include <utility>

#include "lab/records/tuning_record.h"
#include "tune/strategies/significance.h"

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

using SamplesOfTrials = std::map<size_t, std::vector<double>>;

// The default schedule first, if it is there; then by median.
std::vector<Finalist> ranked(const Session &session, const SamplesOfTrials &samples_ms) {
    std::vector<Finalist> finalists;
    for (const auto &[trial, samples] : samples_ms) {
        finalists.push_back({.trial = trial,
                             .samples_ms = samples,
                             .median_ms = median(samples),
                             .interval_ms = median_interval(samples)});
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

// `level`: of significance.
Standing standing(const Session &session, double level, const SamplesOfTrials &samples_ms) {
    Standing result{.finals = {.finalists = ranked(session, samples_ms)}};
    const std::vector<Finalist> &finalists = result.finals.finalists;
    if (finalists.size() == 1 || !is_default(session, finalists[0].trial)) return result;
    const Finalist &usual = finalists[0], &best = finalists[1];
    const double luck = chance_of_luck(best.samples_ms, usual.samples_ms);
    if (best.median_ms < usual.median_ms && luck < level) {
        result.finals.winner = 1;
        result.finals.chance_of_luck = luck;
    } else {
        result.is_decided = luck > kHopeless;
    }
    return result;
}

Finals of_first_samples(const Session &session, const std::vector<size_t> &indices) {
    SamplesOfTrials samples_ms;
    for (size_t index : indices) samples_ms[index] = session.trials()[index].samples_ms;
    return standing(session, kSignificanceLevel, samples_ms).finals;
}

// Adds the times of one more part of the finals. What fails in it is out.
Status add_rounds(Session &session, const FinalsSettings &settings, int part,
                  SamplesOfTrials &samples_ms) {
    std::vector<size_t> running;
    for (const auto &[trial, samples] : samples_ms) running.push_back(trial);
    const auto times = session.compare(
        running,
        {.name = "final", .part = part, .rounds = settings.rounds, .noise = settings.noise});
    if (!times) return times.error();
    for (size_t i = 0; i < running.size(); ++i) {
        if (const ComparedTimes &own = (*times)[i]; own) {
            std::vector<double> &all = samples_ms[running[i]];
            all.insert(all.end(), own->begin(), own->end());
        } else {
            samples_ms.erase(running[i]);
        }
    }
    if (!samples_ms.empty()) return Ok{};
    return Error{"none of the best schedules ran again: " + times->front().error().reason};
}

}  // namespace

Result<Finals> compare_finally(Session &session, const FinalsSettings &settings) {
    const std::vector<size_t> indices = chosen(session, settings);
    if (indices.empty()) return Error{"no schedule of the pipeline could be measured"};
    // A user who has asked for the end gets what was measured so far.
    if (session.parts().stop && session.parts().stop()) return of_first_samples(session, indices);
    session.tell("measuring the best " + std::to_string(indices.size()) + " again");
    SamplesOfTrials samples_ms;
    for (size_t index : indices) samples_ms[index] = {};
    Standing now;
    for (int part = 1; part <= settings.looks; ++part) {
        const Status added = add_rounds(session, settings, part, samples_ms);
        if (!added) return added.error();
        now = standing(session, level_of_look(kSignificanceLevel, settings.looks), samples_ms);
        const bool is_asked_to_end = session.parts().stop && session.parts().stop();
        if (now.is_decided || is_asked_to_end) break;
    }
    return now.finals;
}

}  // namespace autoschedule_gpu
