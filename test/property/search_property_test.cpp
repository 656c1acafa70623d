// Searches of random pipelines.
#include <gtest/gtest.h>

#include "core/dag/text.h"
#include "property/random_dag.h"
#include "scheduler/model/roofline.h"
#include "scheduler/nest/check.h"
#include "scheduler/schedule/directives_of_nest.h"
#include "scheduler/schedule/trace.h"
#include "scheduler/search/beam_search.h"

namespace autoschedule_gpu {
namespace {

TEST(SearchOfRandomPipelines, IsSoundAndTheSameOnAnyNumberOfThreads) {
    for (uint64_t seed = 0; seed < 60; ++seed) {
        const Dag dag = example::random_dag(seed, 8);
        const GpuModel gpu = find_preset(preset_names()[seed % preset_names().size()]).value();
        const SearchSpace space(dag, gpu, RuleBook(), Freedom::full);
        const Roofline model(gpu);
        SearchOptions options;
        options.limits = {4, 1, 1, 1e6};
        options.seed = seed;
        options.random_dropout = seed % 2 == 0 ? 100 : 50;
        SearchContext on_one(options);
        const SearchResult one = beam_search(space, model, on_one);
        options.limits.threads = 8;
        SearchContext on_eight(options);
        const SearchResult eight = beam_search(space, model, on_eight);
        ASSERT_EQ(one.best.size(), eight.best.size()) << seed;
        for (size_t i = 0; i < one.best.size(); ++i) {
            const Nest &nest = one.best[i].nest;
            EXPECT_EQ(one.best[i].id, eight.best[i].id) << seed;
            EXPECT_EQ(one.best[i].cost, eight.best[i].cost) << seed;
            ASSERT_EQ(check(dag, nest, Completeness::complete), std::vector<std::string>{})
                << seed << "\n"
                << to_text(dag) << to_text(dag, nest);
            const Status sound = check_against(directives(dag, nest), dag);
            ASSERT_TRUE(sound.ok()) << seed << " " << sound.error().message;
        }
        EXPECT_LE(one.best[0].cost, one.best.back().cost * (1 + 1e-9));
    }
}

TEST(SearchOfRandomPipelines, CompletesPlainlyWhenThereIsNoTime) {
    for (uint64_t seed = 0; seed < 200; ++seed) {
        const Dag dag = example::random_dag(seed, 9);
        const GpuModel gpu = find_preset(preset_names()[seed % preset_names().size()]).value();
        const SearchSpace space(dag, gpu, RuleBook(), Freedom::full);
        SearchOptions options;
        options.limits = {4, 1, 1, 0};
        SearchContext context(options);
        const SearchResult result = beam_search(space, Roofline(gpu), context);
        ASSERT_EQ(check(dag, result.best.at(0).nest, Completeness::complete),
                  std::vector<std::string>{})
            << seed << "\n"
            << to_text(dag);
    }
}

}  // namespace
}  // namespace autoschedule_gpu
