// Rules that a user adds: each list asks them, and the report counts them.
#include <gtest/gtest.h>

#include "scheduler/decisions/decisions_of_state.h"
#include "scheduler/decisions/follow.h"
#include "scheduler/nest/check.h"
#include "scheduler/space/tilings.h"
#include "unit/example_dags.h"
#include "unit/scheduler/search/searched.h"
#include "unit/scheduler/space/walk.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

struct WithRule {
    explicit WithRule(const AnyRule &rule) : id(rules.add(rule).value()) {}
    RuleBook rules;
    RuleId id;
};

TilingRule narrow(TilingCandidate::Asked asked) {
    return {{"narrow", "blocks of more than 64 threads"},
            asked,
            [](const TilingCandidate &c) -> Verdict {
                if (c.threads <= 64) return std::nullopt;
                return Finding{double(c.threads), 64, "threads per block"};
            }};
}

class TilingsOfAUser : public testing::TestWithParam<TilingCandidate::Asked> {};

TEST_P(TilingsOfAUser, AreNarrowAndTheOthersAreCounted) {
    const Dag dag = copy(4096, 4096);
    const WithRule mine(narrow(GetParam()));
    const SearchSpace space(dag, kGpu, mine.rules, Freedom::full);
    const StageId out = find_stage(dag, "out");
    EXPECT_GT(space.static_rejections()[mine.id], 0u);
    EXPECT_FALSE(space.tilings(out).empty());
    for (const Tiling &tiling : space.tilings(out)) {
        EXPECT_LE(tiling[0].threads * tiling[1].threads, 64);
    }
    RuleBook off = mine.rules;
    off.switch_off(mine.id);
    const SearchSpace all(dag, kGpu, off, Freedom::full);
    EXPECT_EQ(all.static_rejections()[mine.id], 0u);
    EXPECT_GT(all.tilings(out).size(), space.tilings(out).size());
}

INSTANTIATE_TEST_SUITE_P(WhenAsked, TilingsOfAUser,
                         testing::Values(TilingCandidate::Asked::complete,
                                         TilingCandidate::Asked::early,
                                         TilingCandidate::Asked::wish));

TEST(TilingsOfAUser, MayBeNone) {
    const WithRule mine(TilingRule{{"none", "any tiling"},
                                   TilingCandidate::Asked::complete,
                                   [](const TilingCandidate &) { return Finding{}; }});
    const Search search(two_stencils(1536, 1024), Freedom::full, mine.rules);
    const SearchResult result = search.run();
    EXPECT_GT(result.report.rejections[mine.id], 0u);
    EXPECT_EQ(check(search.dag, result.best[0].nest, Completeness::complete),
              std::vector<std::string>{});
}

TEST(SharingOfAUser, IsForbidden) {
    const Dag dag = row_histograms(640, 480);
    const WithRule mine(TilingRule{{"no_atomics", "atomic operations"},
                                   TilingCandidate::Asked::sharing,
                                   [](const TilingCandidate &) { return Finding{}; }});
    RuleCounts counts;
    for (const Tiling &tiling :
         root_tilings(dag, kGpu, mine.rules, find_stage(dag, "hist.update(0)"), counts)) {
        EXPECT_TRUE(std::ranges::none_of(tiling, &LoopTile::atomic));
    }
    EXPECT_EQ(counts[mine.id], 1u);
}

TEST(FusionOfAUser, IsRejectedAndCounted) {
    const WithRule mine(FusionRule{{"never_blurred_in_threads", "f0 in a thread"},
                                   {},
                                   [](const FusionCandidate &c) -> Verdict {
                                       const bool is_f0 = c.dag.func(c.func).name == "f0";
                                       if (!is_f0 || c.site == nullptr) return std::nullopt;
                                       return Finding{double(c.points()), 0, "points per thread"};
                                   }});
    const Dag dag = two_stencils(1536, 1024);
    const SearchSpace space(dag, kGpu, mine.rules, Freedom::full);
    const State state = walk(space, {kRoot, tiled({{1, 32}, {1, 8}})});
    const std::vector<Decision> moves = moves_of(space, state, 2);
    EXPECT_EQ(rejection(space, state, *found(moves, kThread)), "never_blurred_in_threads");
    EXPECT_EQ(rejection(space, state, *found(moves, in_block({1, 1}))), std::nullopt);
    const Search search(two_stencils(1536, 1024), Freedom::full, mine.rules);
    EXPECT_GT(search.run().report.rejections[mine.id], 0u);
}

TEST(KernelsOfAUser, AreRejectedAndCounted) {
    const WithRule mine(KernelRule{{"one_func", "more than one Func in a kernel"},
                                   KernelCandidate::Asked::complete,
                                   [](const KernelCandidate &c) -> Verdict {
                                       const size_t bands = c.kernel.blocks->body.size();
                                       if (is_alone(c.kernel)) return std::nullopt;
                                       return Finding{double(bands), 1, "thread bands"};
                                   }});
    const Search search(two_stencils(1536, 1024), Freedom::full, mine.rules);
    const SearchResult result = search.run();
    EXPECT_GT(result.report.rejections[mine.id], 0u);
    for (const KernelPtr &kernel : result.best[0].nest.kernels) EXPECT_TRUE(is_alone(*kernel));
}

// Asked early, a rule is asked of a kernel while members come into it anew.
TEST(KernelsOfAUser, AreRejectedWhileTheyAreTiledAnew) {
    size_t unfinished = 0;
    const WithRule mine(KernelRule{{"watch", "nothing"},
                                   KernelCandidate::Asked::early,
                                   [&](const KernelCandidate &c) -> Verdict {
                                       unfinished += c.kernel.blocks != nullptr;
                                       return std::nullopt;
                                   }});
    const Dag dag = two_stencils(1536, 1024);
    const SearchSpace space(dag, kGpu, mine.rules, Freedom::full);
    const State fused = walk(space, {kRoot, tiled({{1, 32}, {1, 8}}), in_block({1, 1})});
    unfinished = 0;
    Decision again = decide_place(space.steps()[1].func, Place::undecided);
    const Tiling wider{{1, 64}, {1, 4}};
    again.tiling = &wider;
    EXPECT_EQ(rejection(space, fused, again), std::nullopt);
    EXPECT_EQ(unfinished, 2u);  // with the member, and when all is done
}

// The tuner asks the same lists, and names the decision that fails.
TEST(DecisionsOfATuner, AreRefusedByAUsersRules) {
    const Search search(two_stencils(512, 256));
    const State plain = search.run().best[0];
    Result<DecisionList> list =
        decisions_of_state(search.dag, plain, search.gpu, RuleBook(), Freedom::full, 1);
    ASSERT_TRUE(list.ok()) << list.error().message;
    ASSERT_TRUE(follow(*list, search.dag, search.gpu, RuleBook()).ok());
    for (const auto asked : {TilingCandidate::Asked::early, TilingCandidate::Asked::complete}) {
        const WithRule mine(TilingRule{
            {"one_thread", "more than one thread"}, asked, [](const TilingCandidate &c) -> Verdict {
                if (c.threads == 1) return std::nullopt;
                return Finding{double(c.threads), 1, "threads"};
            }});
        const auto followed = follow(*list, search.dag, search.gpu, mine.rules);
        ASSERT_FALSE(followed.ok());
        EXPECT_NE(followed.error().message.find("the rule one_thread rejects it: "),
                  std::string::npos)
            << followed.error().message;
        EXPECT_NE(followed.error().message.find("threads, the rule allows 1"), std::string::npos)
            << followed.error().message;
    }
}

}  // namespace
}  // namespace autoschedule_gpu
