// What the passes of a search and what improves their states work with.
#pragma once

#include "scheduler/search/decided.h"
#include "scheduler/search/report.h"
#include "scheduler/search/search_context.h"
#include "scheduler/search/search_costs.h"
#include "scheduler/search/structure_book.h"

namespace autoschedule_gpu {

// All must outlive it.
struct SearchParts {
    const SearchSpace &space;
    const SearchOptions &options;
    ThreadPool &pool;
    SearchCosts &costs;
    StructureBook &book;
    const Decided &decided;  // what is not to be decided anew
    SearchReport &report;
    SearchClock &clock;

    bool time_is_up() const { return clock.is_up(); }

    // For a pass of its own over another space: with the same threads, costs and clock.
    SearchParts over(const SearchSpace &other, const SearchOptions &own, StructureBook &own_book,
                     const Decided &own_decided, SearchReport &own_report) const {
        return {other, own, pool, costs, own_book, own_decided, own_report, clock};
    }
};

// Owns them for one search of a space.
struct Workbench {
    // All must outlive it.
    Workbench(const SearchSpace &space, const CostModel &model, SearchContext &context,
              SearchReport &report)
        : threads(context),
          costs(space, model, threads.pool(), context.clock, context.options.memo,
                context.options.limits.memo_bytes),
          parts{space, context.options, threads.pool(), costs,
                book,  decided,         report,         context.clock} {}
    Workbench(const Workbench &) = delete;
    Workbench &operator=(const Workbench &) = delete;

    PartThreads threads;
    SearchCosts costs;
    StructureBook book;
    Decided decided;  // nothing, at first
    SearchParts parts;
};

}  // namespace autoschedule_gpu
