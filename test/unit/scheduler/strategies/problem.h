// Problems for strategies: an example pipeline on an A100, ranked by the roofline.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/nest/check.h"
#include "scheduler/space/wrappers.h"
#include "scheduler/strategies/registry.h"
#include "scheduler/strategies/strategy.h"
#include "unit/example_dags.h"

namespace autoschedule_gpu::example {

struct Problem {
    explicit Problem(const Dag &pipeline, Freedom freedom = Freedom::full)
        : dag(std::make_shared<const Dag>(with_wrapped_reductions(pipeline))),
          models(find_preset("a100").value(), model),
          space(*dag, models.gpu, rules, freedom) {
        options.limits.threads = 1;
        options.limits.beam_size = 8;
        options.limits.num_passes = 2;
        options.limits.time_limit_s = 1e6;
    }
    SearchProblem value() const { return {space, models}; }

    SearchResult found_by(const std::string &strategy) const {
        SearchContext context(options);
        return StrategyRegistry().find(strategy).value()->search(value(), context);
    }

    std::shared_ptr<const Dag> dag;
    ModelChoice model;
    RuleBook rules;
    RankingModels models;
    SearchSpace space;
    SearchOptions options;
};

// Each once, where several of a name follow each other.
inline std::vector<std::string> part_names(const SearchReport &report) {
    std::vector<std::string> names;
    for (const SearchPart &part : report.parts) {
        if (names.empty() || names.back() != part.name) names.push_back(part.name);
    }
    return names;
}

}  // namespace autoschedule_gpu::example
