// A search with the roofline model on an A100, for tests.
#pragma once

#include <string>

#include "scheduler/model/roofline.h"
#include "scheduler/nest/check.h"
#include "scheduler/nest/text.h"
#include "scheduler/search/beam_search.h"
#include "scheduler/search/kernel_costs.h"
#include "scheduler/search/pass.h"
#include "scheduler/search/plain.h"
#include "unit/example_dags.h"

namespace autoschedule_gpu::example {

struct Search {
    explicit Search(Dag pipeline, Freedom freedom = Freedom::full, const RuleBook &rules = {},
                    GpuModel device = find_preset("a100").value())
        : dag(std::move(pipeline)),
          gpu(std::move(device)),
          model(gpu),
          space(dag, gpu, rules, freedom) {
        options.limits.threads = 1;
        options.limits.beam_size = 8;
        options.limits.time_limit_s = 1e6;
    }
    SearchResult run(const Nest *draft = nullptr) const {
        SearchContext context(options);
        return beam_search(space, model, context, draft);
    }

    Dag dag;
    GpuModel gpu;
    Roofline model;
    SearchSpace space;
    SearchOptions options;
};

// The parts that a search has, for what works on states.
struct OwnParts {
    explicit OwnParts(const Search &search)
        : context(search.options),
          bench(search.space, search.model, context, report),
          parts(bench.parts) {}

    SearchContext context;
    SearchReport report;
    Workbench bench;
    SearchParts &parts;
};

// A state of the search's space by the text of its nest, with its costs.
inline State state_by_text(const Search &search, const std::string &text) {
    const OwnParts own(search);
    return with_costs(own.parts.costs, search.space.adopt(parse_nest(search.dag, text).value()));
}

}  // namespace autoschedule_gpu::example
