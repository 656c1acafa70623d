#include "scheduler/search/report.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace autoschedule_gpu {

void add_states(SearchReport &report, const SearchReport &part) {
    report.states_enumerated += part.states_enumerated;
    report.states_rejected += part.states_rejected;
    report.states_scored += part.states_scored;
    report.rejections.add(part.rejections);
}

void add_piece(SearchReport &report, SearchReport piece) {
    add_states(report, piece);
    report.kernels_asked += piece.kernels_asked;
    report.kernels_evaluated += piece.kernels_evaluated;
    report.memo_hits += piece.memo_hits;
    report.memo_evicted += piece.memo_evicted;
    report.times.refine += piece.times.refine;
    report.times.revise += piece.times.revise;
    report.times.stage += piece.times.stage;
    std::ranges::move(piece.parts, std::back_inserter(report.parts));
}

void RunningPart::done(double cost_after) {
    report_.parts.push_back({.attempt = {},
                             .name = name_,
                             .seconds = watch_.seconds(),
                             .states = report_.states_scored - states_before_,
                             .cost_before = cost_before_,
                             .cost_after = cost_after});
}

}  // namespace autoschedule_gpu
