#include "tune/finals.h"

#include <algorithm>
#include <utility>

#include "records/tuning_record.h"
#include "tune/significance.h"

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

void choose_winner(const Session &session, Finals &finals) {
    const bool has_default = is_default(session, finals.finalists.front().trial);
    std::stable_sort(
        finals.finalists.begin() + has_default, finals.finalists.end(),
        [](const Finalist &a, const Finalist &b) { return a.median_ms < b.median_ms; });
    if (!has_default || finals.finalists.size() == 1) return;
    const Finalist &usual = finals.finalists[0], &best = finals.finalists[1];
    const double luck = chance_of_luck(best.samples_ms, usual.samples_ms);
    if (best.median_ms >= usual.median_ms || luck >= kSignificanceLevel) return;
    finals.winner = 1;
    finals.chance_of_luck = luck;
}

Finalist finalist(size_t trial, const std::vector<double> &samples_ms) {
    return {.trial = trial,
            .samples_ms = samples_ms,
            .median_ms = median(samples_ms),
            .interval_ms = median_interval(samples_ms)};
}

Finals of_first_samples(const Session &session, const std::vector<size_t> &indices) {
    Finals finals;
    for (size_t index : indices) {
        finals.finalists.push_back(finalist(index, session.trials()[index].samples_ms));
    }
    choose_winner(session, finals);
    return finals;
}

}  // namespace

Result<Finals> hold_finals(Session &session, const FinalsSettings &settings) {
    const std::vector<size_t> indices = chosen(session, settings);
    if (indices.empty()) return Error{"no schedule of the pipeline could be measured"};
    // Who has asked for the end gets what was measured so far.
    if (session.parts().stop && session.parts().stop()) return of_first_samples(session, indices);
    session.tell("measuring the best " + std::to_string(indices.size()) + " again");
    const auto times = session.compare(
        indices, {.name = "final", .rounds = settings.rounds, .noise = settings.noise});
    if (!times) return times.error();
    Finals finals;
    for (size_t i = 0; i < indices.size(); ++i) {
        if ((*times)[i]) finals.finalists.push_back(finalist(indices[i], *(*times)[i]));
    }
    if (finals.finalists.empty()) {
        return Error{"none of the best schedules ran again: " + times->front().error().reason};
    }
    choose_winner(session, finals);
    return finals;
}

}  // namespace autoschedule_gpu
