#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "fake_session.h"
#include "tune/strategies/func_rules.h"
#include "tune/strategies/registry.h"

namespace autoschedule_gpu {
namespace {

using Point = FakeExecutor::Point;

// An output and three Funcs that it reads, one of which is inlined.
constexpr const char *kFuncs = R"({"decisions": [
    {"name": "out", "kind": "place", "value": "root", "choices": ["root"]},
    {"name": "out.x", "kind": "serial", "value": 2, "choices": [1, 2, 4]},
    {"name": "out.x", "kind": "threads", "value": 32, "choices": [8, 16, 32, 64]},
    {"name": "out.y", "kind": "serial", "value": 1, "choices": [1, 2]},
    {"name": "out.y", "kind": "threads", "value": 4, "choices": [1, 4, 8]},
    {"name": "out", "kind": "unroll", "value": "none", "choices": ["none", "all"]},
    {"name": "out", "kind": "vectors", "value": "off", "choices": ["off", "on"]},
    {"name": "a", "kind": "place", "value": "root", "choices": ["inline", "threads", "block", "root"]},
    {"name": "a.x", "kind": "serial", "value": 4, "choices": [1, 2, 4]},
    {"name": "a.x", "kind": "threads", "value": 8, "choices": [8, 16, 32, 64]},
    {"name": "b", "kind": "place", "value": "block", "choices": ["block", "root"]},
    {"name": "c", "kind": "place", "value": "inline", "choices": ["inline", "root"]}]})";
constexpr size_t kOut = 0, kA = 1, kB = 2, kC = 3;

ListedDecisions funcs_list() {
    return ListedDecisions::parse(kFuncs).value();
}

// The value of a Func's decision: "threads of a.x".
std::string value_of(const ListedDecisions &list, const std::string &kind,
                     const std::string &name) {
    for (const ListedDecision &one : list.decisions()) {
        if (one.kind == kind && one.name == name) return one.value();
    }
    return "";
}

ListedDecisions after(std::string_view rule, size_t func, uint64_t seed,
                      ListedDecisions list = funcs_list()) {
    Random random(seed);
    for (const FuncRule &one : func_rules()) {
        if (one.name == rule) one.apply(list, func, random);
    }
    return list;
}

// The Funcs that a rule has changed, whatever the seed.
std::set<std::string> changed_by(std::string_view rule, size_t func) {
    std::set<std::string> changed;
    const ListedDecisions before = funcs_list();
    for (uint64_t seed = 0; seed < 60; ++seed) {
        const ListedDecisions list = after(rule, func, seed);
        for (size_t d = 0; d < list.decisions().size(); ++d) {
            if (list.decisions()[d].chosen == before.decisions()[d].chosen) continue;
            changed.insert(list.decisions()[d].kind + " of " + list.decisions()[d].name);
        }
    }
    return changed;
}

using Texts = std::set<std::string>;

TEST(FuncRules, AreEightOfWhichTwoAreDrawnTwiceAsOften) {
    ASSERT_EQ(func_rules().size(), 8u);
    uint64_t sum = 0;
    for (const FuncRule &rule : func_rules()) sum += rule.weight;
    EXPECT_EQ(sum, 10u);
}

TEST(FuncRules, RandomizeConstantsChangesSizesAlone) {
    EXPECT_EQ(changed_by("randomize constants", kA), (Texts{"serial of a.x", "threads of a.x"}));
    EXPECT_EQ(changed_by("randomize constants", kC), Texts{});
}

TEST(FuncRules, ReplaceChangesAllOfTheFunc) {
    EXPECT_EQ(changed_by("replace", kA), (Texts{"place of a", "serial of a.x", "threads of a.x"}));
}

TEST(FuncRules, CopyTakesOverWhatTheOtherFuncDecidesAlike) {
    // Of `out`: root, 2 points and 32 threads along its first loop; of `c`: inline.
    EXPECT_EQ(changed_by("copy", kA), (Texts{"place of a", "serial of a.x", "threads of a.x"}));
    std::set<std::string> threads;
    for (uint64_t seed = 0; seed < 60; ++seed) {
        threads.insert(value_of(after("copy", kA, seed), "threads", "a.x"));
    }
    EXPECT_EQ(threads, (Texts{"8", "32"}));
}

TEST(FuncRules, AddRemoveAndReplaceChangeOneTransformation) {
    EXPECT_EQ(changed_by("add a transformation", kOut),
              (Texts{"serial of out.y", "unroll of out", "vectors of out"}));
    EXPECT_EQ(changed_by("remove a transformation", kOut),
              (Texts{"serial of out.x", "threads of out.x", "threads of out.y"}));
    EXPECT_EQ(changed_by("replace a transformation", kA),
              (Texts{"serial of a.x", "threads of a.x"}));
    for (uint64_t seed = 0; seed < 20; ++seed) {
        const ListedDecisions list = after("remove a transformation", kA, seed);
        const bool is_least = value_of(list, "serial", "a.x") == "1";
        EXPECT_TRUE(is_least);  // threads have the least already
    }
}

TEST(FuncRules, LoopFusionTilesAFuncAndMovesOthersIntoIt) {
    std::map<std::string, int> places;
    for (uint64_t seed = 0; seed < 60; ++seed) {
        const ListedDecisions list = after("loop fusion", kOut, seed);
        EXPECT_NE(value_of(list, "threads", "out.x"), "8");  // the least
        EXPECT_EQ(value_of(list, "unroll", "out"), "all");
        EXPECT_EQ(value_of(list, "place", "c"), "inline");
        ++places[value_of(list, "place", "a") + " " + value_of(list, "place", "b")];
    }
    EXPECT_EQ(places.size(), 1u);  // b is in a block anyway
    EXPECT_EQ(places.begin()->first, "threads block");
}

TEST(FuncRules, TemplatesAreFour) {
    Texts seen;
    for (uint64_t seed = 0; seed < 60; ++seed) {
        const ListedDecisions list = after("template", kA, seed);
        seen.insert(value_of(list, "place", "a") + ", " + value_of(list, "serial", "a.x") +
                    " points, " + value_of(list, "threads", "a.x") + " threads");
    }
    EXPECT_TRUE(seen.contains("threads, 4 points, 8 threads"));  // under x, sizes as they were
    EXPECT_TRUE(seen.contains("root, 1 points, 64 threads"));    // parallel along x
    EXPECT_TRUE(seen.contains("root, 1 points, 16 threads"));    // tiled on the GPU
    EXPECT_TRUE(seen.contains("root, 2 points, 32 threads"));    // fully parallelized and tiled
    for (const std::string &one : seen) EXPECT_EQ(one.find("inline"), std::string::npos);
}

// An output and a sum, of which an update could be taken apart.
std::string list_with_sum(const std::string &rfactor) {
    return R"J({"decisions": [
        {"name": "sum.update(0)", "kind": "rfactor", "value": ")J" +
           rfactor + R"J(", "choices": ["none", "32", "256x8"]},
        {"name": "out", "kind": "place", "value": "root", "choices": ["root"]},
        {"name": "sum", "kind": "place", "value": "root", "choices": ["root"]}]})J";
}
constexpr size_t kSum = 1;

ListedDecisions sum_list(const std::string &rfactor) {
    return ListedDecisions::parse(list_with_sum(rfactor)).value();
}

// How the sum is taken apart after that rule, whatever the seed.
Texts factored_by(std::string_view rule, const std::string &before) {
    Texts seen;
    for (uint64_t seed = 0; seed < 60; ++seed) {
        const ListedDecisions list = after(rule, kSum, seed, sum_list(before));
        seen.insert(value_of(list, "rfactor", "sum.update(0)"));
    }
    return seen;
}

TEST(FuncRules, TakeReductionsOfTheFuncApart) {
    EXPECT_EQ(factored_by("replace", "none"), (Texts{"none", "32", "256x8"}));
    EXPECT_EQ(factored_by("add a transformation", "none"), (Texts{"32", "256x8"}));
    EXPECT_EQ(factored_by("remove a transformation", "32"), Texts{"none"});
    EXPECT_EQ(factored_by("replace a transformation", "32"), (Texts{"none", "256x8"}));
    EXPECT_EQ(factored_by("randomize constants", "32"), Texts{"32"});
}

TEST(Reasonable, LeavesInlinedFuncsAndTilesOrParallelizesOthersByACoin) {
    Random random(1);
    const ListedDecisions tiled = reasonable(funcs_list(), 1, random);
    EXPECT_EQ(value_of(tiled, "place", "c"), "inline");
    EXPECT_EQ(value_of(tiled, "unroll", "out"), "all");
    const ListedDecisions plain = reasonable(funcs_list(), 0, random);
    EXPECT_EQ(value_of(plain, "threads", "out.x"), "64");
    EXPECT_EQ(value_of(plain, "threads", "out.y"), "1");
    EXPECT_EQ(value_of(plain, "vectors", "out"), "on");
}

TEST(BreadthFirst, PutsAllAtRootThatMayBe) {
    for (const char *func : {"out", "a", "b", "c"}) {
        EXPECT_EQ(value_of(breadth_first(funcs_list()), "place", func), "root");
    }
}

TEST(Crossed, TakesNeighbouringFuncsOfTheOther) {
    const ListedDecisions ours = funcs_list(), theirs = breadth_first(after("replace", kOut, 3));
    Random random(1);
    Texts seen;
    for (int i = 0; i < 200; ++i) {
        const ListedDecisions child = crossed(ours, theirs, random);
        seen.insert(value_of(child, "place", "b") + " " + value_of(child, "place", "c"));
    }
    EXPECT_EQ(seen, (Texts{"block inline", "root inline", "block root", "root root"}));
    EXPECT_EQ(ours.funcs().size(), kC + 1);
    EXPECT_EQ(kB, 2u);
}

TEST(Crossed, TakesHowReductionsAreTakenApartWithTheirFunc) {
    Random random(1);
    Texts seen;
    for (int i = 0; i < 60; ++i) {
        const ListedDecisions child = crossed(sum_list("none"), sum_list("32"), random);
        seen.insert(value_of(child, "rfactor", "sum.update(0)"));
    }
    EXPECT_EQ(seen, (Texts{"none", "32"}));
}

double pit(const Point &point) {
    double ms = 1;
    for (int x : point) ms += 0.1 * std::pow(std::log2(x) - 3, 2);
    return ms;
}

void search_genetically(FakeSession &fake, const TuneOptions &options) {
    const ScheduleRequest usual[] = {default_request()};
    const auto batch = fake.session.attempt(usual);
    ASSERT_TRUE(batch);
    ASSERT_TRUE(fake.session.close(*batch));
    ASSERT_TRUE(TuneStrategyRegistry().find("genetic").value().make(options)->run(fake.session));
}

TEST(Genetic, ComesNearTheBottomInFewerTrialsThanThereArePoints) {
    FakeSession fake({1, 64, 1, 64, 1, 64}, 64, pit);
    search_genetically(fake, {.batch = 64, .iterations = 12, .seed = 1});
    EXPECT_LT(fake.session.trials()[*fake.session.best()].median_ms(), 1.15);
    EXPECT_LT(fake.executor.runs.size(), 800u);  // of 117,649
    const auto generations = fake.events("generation");
    ASSERT_EQ(generations.size(), 12u);
    EXPECT_EQ(generations[0]["random"], 63);  // beside the default schedule
    EXPECT_GT(generations[5]["crossed"], 0);
    EXPECT_GT(generations[5]["mutated"], 0);
}

TEST(Genetic, TriesEachScheduleOnceAndNothingThatLeadsNowhere) {
    FakeSession fake({1, 1}, 16, pit);
    fake.executor.refuses = [](const Point &p) { return p[0] == 4; };
    search_genetically(fake, {.batch = 8, .iterations = 40, .seed = 1});
    EXPECT_EQ(fake.session.state().failed, 0);
    for (const auto &[code, runs] : fake.executor.runs) EXPECT_EQ(runs, 1);
    EXPECT_GT(fake.executor.runs.size(), 14u);  // of 20; draws find what is left less and less
    EXPECT_EQ(fake.events("strategy ended").front()["why"], "no further schedule is found");
}

TEST(Genetic, SpendsItsBudgetOnSingleIndividualsToo) {
    FakeSession fake({1, 64, 1, 64}, 64, pit, {.seconds = {}, .trials = 16});
    search_genetically(fake, {.batch = 1, .iterations = 40, .seed = 1});
    EXPECT_EQ(fake.session.state().trials, 16);
    EXPECT_EQ(fake.events("strategy ended").front()["why"], "the run is over");
    EXPECT_EQ(fake.executor.runs.size(), 16u);  // the default schedule is not tried again
}

TEST(Genetic, KeepsTheSharesOfKindsThoughOneIsRefusedMostOften) {
    // Hardly any random draw leads to a schedule: at most six of 24 sizes are more than the least.
    FakeSession fake(Point(24, 1), 64, pit);
    fake.executor.refuses = [](const Point &p) { return std::ranges::count(p, 1) < 18; };
    search_genetically(fake, {.batch = 64, .iterations = 6, .seed = 1});
    const auto generations = fake.events("generation");
    ASSERT_EQ(generations.size(), 6u);
    std::map<std::string, double> made;
    for (size_t i = 1; i < generations.size(); ++i) {
        for (const char *kind : {"crossed", "mutated", "random"}) {
            made[kind] += generations[i][kind].get<double>();
        }
    }
    const double all = 5 * (64 - 6);  // but elites
    EXPECT_EQ(made["crossed"] + made["mutated"] + made["random"], all);
    EXPECT_NEAR(made["crossed"] / all, 4.0 / 9, 0.08);
    EXPECT_NEAR(made["mutated"] / all, 4.0 / 9, 0.08);
    EXPECT_NEAR(made["random"] / all, 1.0 / 9, 0.05);
}

TEST(Genetic, DrawsRandomOnesWhereHardlyAnyDrawLeadsToASchedule) {
    FakeSession fake(Point(24, 1), 64, pit);
    fake.executor.refuses = [](const Point &p) { return std::ranges::count(p, 1) < 23; };
    search_genetically(fake, {.batch = 16, .iterations = 1, .seed = 1});
    EXPECT_EQ(fake.events("generation").front()["random"], 15);
    EXPECT_EQ(fake.executor.runs.size(), 16u);
}

TEST(Genetic, CrossesNothingOfASingleFunc) {
    FakeSession fake({1}, 1 << 20, pit);
    search_genetically(fake, {.batch = 6, .iterations = 3, .seed = 1});
    const auto generations = fake.events("generation");
    ASSERT_EQ(generations.size(), 3u);
    for (const auto &generation : generations) {
        EXPECT_EQ(generation["crossed"], 0);
        EXPECT_EQ(generation["mutated"].get<int>() + generation["random"].get<int>(), 5);
    }
}

TEST(Genetic, GoesOnWhereManyFail) {
    FakeSession fake({1, 1, 1}, 64, [](const Point &p) { return p[0] > 1 ? -1 : pit(p); });
    search_genetically(fake, {.batch = 16, .iterations = 6, .seed = 1});
    EXPECT_GT(fake.session.state().failed, 0);
    EXPECT_GT(fake.session.state().measured, 20);  // of 49, beside six times as many that fail
    EXPECT_NEAR(fake.session.trials()[*fake.session.best()].median_ms(), 1.9, 0.15);
}

}  // namespace
}  // namespace autoschedule_gpu
