#include "tune/strategies/compare_pair.h"

#include <vector>

#include "core/support/statistics.h"

namespace autoschedule_gpu {
namespace {

// At a level of a half, who is ahead has won, and no second look is needed.
constexpr double kWhoIsAhead = 0.5;

void append(std::vector<double> &all, const std::vector<double> &times_ms) {
    all.insert(all.end(), times_ms.begin(), times_ms.end());
}

}  // namespace

Result<std::optional<Duel>> compare_pair(Session &session, size_t challenger, size_t incumbent,
                                         const DuelSettings &settings) {
    std::vector<double> ours_ms, theirs_ms;
    Duel duel;
    const int looks = settings.level >= kWhoIsAhead ? 1 : settings.looks;
    for (int look = 1; look <= looks; ++look) {
        const size_t both[] = {challenger, incumbent};
        const auto times = session.compare(
            both,
            {.name = "duel", .part = look, .rounds = settings.rounds, .noise = settings.noise});
        if (!times) return times.error();
        const ComparedTimes &ours = (*times)[0], &theirs = (*times)[1];
        if (!ours) return std::optional(Duel{});
        append(ours_ms, *ours);
        if (!theirs) return std::optional(Duel{.is_won = true, .challenger_ms = median(ours_ms)});
        append(theirs_ms, *theirs);
        if (ours->empty() || theirs->empty()) {
            if (session.is_cut_off()) return std::optional<Duel>();
            break;  // the records have no more rounds
        }
        duel.challenger_ms = median(ours_ms);
        duel.incumbent_ms = median(theirs_ms);
        duel.chance_of_luck = chance_of_luck(ours_ms, theirs_ms);
        duel.is_won = duel.chance_of_luck < level_of_look(settings.level, looks);
        if (duel.is_won || duel.chance_of_luck > kHopeless) break;
    }
    return std::optional(duel);
}

}  // namespace autoschedule_gpu
