// What all parts of one search share: what was asked for, and the clock. Threads are not shared:
// each part has its own and joins them, since processes are forked between parts.
#pragma once

#include <utility>

#include "scheduler/search/options.h"
#include "scheduler/search/search_clock.h"

namespace autoschedule_gpu {

struct SearchContext {
    // The clock starts now.
    explicit SearchContext(SearchOptions wanted)
        : options(std::move(wanted)), clock(options.limits.time_limit_s) {}
    SearchContext(SearchOptions wanted, SearchClock started)
        : options(std::move(wanted)), clock(std::move(started)) {}

    const SearchOptions options;
    SearchClock clock;
};

// For one of several pieces of work that are done at once.
inline SearchContext beside(const SearchContext &context, int threads) {
    SearchOptions options = context.options;
    options.limits.threads = threads;
    options.progress = {};
    return {std::move(options), context.clock.apart()};
}

}  // namespace autoschedule_gpu
