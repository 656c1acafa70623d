// A search with the roofline model on an A100, for tests.
#pragma once

#include <string>

#include "model/roofline.h"
#include "nest/check.h"
#include "search/pass.h"
#include "search/search.h"
#include "unit/example_dags.h"

namespace autoschedule_gpu::example {

struct Search {
    explicit Search(Dag pipeline, Freedom freedom = Freedom::full, const RuleSet &rules = {})
        : dag(std::move(pipeline)),
          gpu(find_preset("a100").value()),
          model(gpu),
          space(dag, gpu, rules, freedom) {
        options.limits.threads = 1;
        options.limits.beam_size = 8;
        options.limits.time_limit_s = 1e6;
    }
    SearchResult run() const { return beam_search(space, model, options); }

    Dag dag;
    GpuModel gpu;
    Roofline model;
    SearchSpace space;
    SearchOptions options;
};

// The parts that a search has, for what works on states.
struct OwnParts {
    explicit OwnParts(const Search &search)
        : pool(1),
          costs(search.dag, search.gpu, search.model, pool),
          parts{search.space, search.options, pool, costs, book, none, report, watch} {}

    ThreadPool pool;
    ModelCosts costs;
    StructureBook book;
    Decisions none;
    SearchReport report;
    Stopwatch watch;
    SearchParts parts;
};

}  // namespace autoschedule_gpu::example
