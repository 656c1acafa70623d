// What all parts of one search share: what was asked for, and the clock. Threads are shared only by
// what is done at once: else each part has its own and joins them, since processes are forked
// between parts.
#pragma once

#include <optional>
#include <utility>

#include "core/support/parallel.h"
#include "scheduler/search/options.h"
#include "scheduler/search/search_clock.h"

namespace autoschedule_gpu {

struct SearchContext {
    // The clock starts now.
    explicit SearchContext(SearchOptions wanted)
        : options(std::move(wanted)), clock(options.limits.time_limit_s) {}
    // `shared`: of a piece of work beside others, the threads of them all, which outlive it.
    SearchContext(SearchOptions wanted, SearchClock started, ThreadPool *shared = nullptr)
        : options(std::move(wanted)), clock(std::move(started)), threads(shared) {}

    const SearchOptions options;
    SearchClock clock;
    ThreadPool *const threads = nullptr;
};

// For one of several pieces of work that are done at once.
inline SearchContext beside(const SearchContext &context, ThreadPool &threads) {
    SearchOptions options = context.options;
    options.progress = {};
    return {std::move(options), context.clock.apart(), &threads};
}

// The threads of a part of a search: its own, unless it belongs to a piece of work beside others.
class PartThreads {
public:
    explicit PartThreads(const SearchContext &context) : shared_(context.threads) {
        if (shared_ == nullptr) own_.emplace(context.options.limits.threads);
    }

    ThreadPool &pool() { return own_ ? *own_ : *shared_; }

private:
    ThreadPool *shared_;
    std::optional<ThreadPool> own_;
};

}  // namespace autoschedule_gpu
