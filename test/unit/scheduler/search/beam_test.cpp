#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "scheduler/features/feature_extractor.h"
#include "scheduler/rules/named_rules.h"
#include "unit/scheduler/search/searched.h"

namespace autoschedule_gpu {
namespace {

using example::Search;

std::vector<std::string> texts(const Search &search, const SearchResult &result) {
    std::vector<std::string> all;
    for (const State &state : result.best) {
        all.push_back(to_text(search.dag, state.nest) + std::to_string(state.cost));
    }
    return all;
}

double cost_afresh(const Search &search, const Nest &nest) {
    double sum = 0;
    for (const KernelPtr &kernel : nest.kernels) {
        const FeatureTable table = FeatureExtractor(search.dag, search.gpu).extract(*kernel);
        double cost[1];
        search.model.estimate({&table, 1}, cost);
        sum += cost[0];
    }
    return sum;
}

TEST(BeamSearch, GivesCompleteSoundDifferentStatesBestFirst) {
    for (example::NamedDag &e : example::all()) {
        Search search(std::move(e.dag));
        const SearchResult result = search.run();
        ASSERT_FALSE(result.best.empty()) << e.name;
        EXPECT_LE(result.best.size(), 8u);
        EXPECT_EQ(result.report.stop_reason.kind, StopReason::Kind::completed);
        EXPECT_GE(result.report.passes, 3);
        EXPECT_LE(result.report.passes, 5);
        EXPECT_EQ(result.report.steps,
                  result.report.passes * static_cast<int>(search.space.steps().size()));
        std::set<uint64_t> ids;
        double previous = 0;
        for (const State &state : result.best) {
            EXPECT_EQ(check(search.dag, state.nest, Completeness::complete),
                      std::vector<std::string>{})
                << e.name;
            EXPECT_TRUE(ids.insert(state.id).second) << e.name;
            EXPECT_EQ(state.id, state.nest.hash());
            EXPECT_GE(state.cost, previous * (1 - 1e-9)) << e.name;
            EXPECT_NEAR(state.cost, cost_afresh(search, state.nest), 1e-6 * state.cost) << e.name;
            previous = state.cost;
        }
    }
}

TEST(BeamSearch, IsNoWorseThanGreedyOrThePlainSchedule) {
    for (example::NamedDag &e : example::all()) {
        Search search(std::move(e.dag));
        const double plain = plain_state(search.space, search.model).cost;
        search.options.limits.beam_size = 32;
        EXPECT_LE(search.run().best[0].cost, plain * (1 + 1e-9)) << e.name;
        search.options.sampling = Switch::off;
        const double beam = search.run().best[0].cost;
        search.options.limits.beam_size = 1;
        EXPECT_LE(beam, search.run().best[0].cost * (1 + 1e-9)) << e.name;
        EXPECT_LE(beam, plain * (1 + 1e-9)) << e.name;
    }
}

TEST(BeamSearch, FindsWithSamplingWhatItFindsWithout) {
    for (example::NamedDag &e : example::all()) {
        Search search(std::move(e.dag));
        search.options.limits.beam_size = 32;
        const double sampled = search.run().best[0].cost;
        search.options.sampling = Switch::off;
        EXPECT_LE(sampled, 1.05 * search.run().best[0].cost) << e.name;
    }
}

TEST(BeamSearch, FusesWhatTheModelSaysIsCheaperFused) {
    const Search together(example::two_stencils(4096, 4096));
    const Search apart(example::two_stencils(4096, 4096), Freedom::no_fusion);
    const State best = together.run().best[0];
    EXPECT_EQ(best.nest.kernels.size(), 1u) << to_text(together.dag, best.nest);
    EXPECT_LE(best.cost, apart.run().best[0].cost);
}

TEST(BeamSearch, GivesTheSameOnAnyNumberOfThreadsAndInEveryRun) {
    for (example::NamedDag &e : example::all()) {
        Search search(std::move(e.dag));
        const std::vector<std::string> expected = texts(search, search.run());
        for (int threads : {1, 2, 8}) {
            search.options.limits.threads = threads;
            const SearchResult result = search.run();
            EXPECT_EQ(texts(search, result), expected) << e.name << " on " << threads << " threads";
        }
    }
}

TEST(BeamSearch, CountsTheSameOnAnyNumberOfThreads) {
    Search search(example::stencil_chain(4, 1536, 1024));
    const SearchReport one = search.run().report;
    search.options.limits.threads = 8;
    const SearchReport eight = search.run().report;
    EXPECT_EQ(one.states_enumerated, eight.states_enumerated);
    EXPECT_EQ(one.states_rejected, eight.states_rejected);
    EXPECT_EQ(one.states_scored, eight.states_scored);
    EXPECT_EQ(one.kernels_asked, eight.kernels_asked);
    EXPECT_EQ(one.pass_costs, eight.pass_costs);
    EXPECT_EQ(one.rejections, eight.rejections);
}

// Rejections are of three kinds: of tilings, before the search; of whole groups of moves, that were
// never enumerated; and of moves.
TEST(BeamSearch, KeepsItsBooks) {
    for (example::NamedDag &e : example::all()) {
        const Search search(std::move(e.dag));
        const SearchReport report = search.run().report;
        EXPECT_EQ(report.rejections.total(),
                  report.states_rejected + search.space.static_rejections().total())
            << e.name;
        EXPECT_LE(report.states_scored, report.states_enumerated) << e.name;
        EXPECT_EQ(report.kernels_asked, report.kernels_evaluated + report.memo_hits) << e.name;
        EXPECT_EQ(static_cast<int>(report.pass_costs.size()), report.passes) << e.name;
        EXPECT_GT(report.states_scored, 0u) << e.name;
        EXPECT_GT(report.kernels_evaluated, 0u) << e.name;
        const SearchTimes &times = report.times;
        EXPECT_EQ(times.freeze, 0) << e.name;
        EXPECT_LE(times.enumerate + times.apply + times.evaluate + times.select + times.refine,
                  times.total)
            << e.name;
    }
}

TEST(BeamSearch, GivesTheSameWithAndWithoutMemo) {
    for (example::NamedDag &e : example::all()) {
        Search search(std::move(e.dag));
        const SearchResult with = search.run();
        search.options.memo = Switch::off;
        const SearchResult without = search.run();
        EXPECT_EQ(texts(search, with), texts(search, without)) << e.name;
        EXPECT_EQ(with.report.states_scored, without.report.states_scored) << e.name;
        EXPECT_EQ(without.report.memo_hits, 0u);
        EXPECT_EQ(with.report.kernels_asked, without.report.kernels_evaluated) << e.name;
        // So little memory that much is forgotten.
        search.options.memo = Switch::on;
        search.options.limits.memo_bytes = 5000;
        EXPECT_EQ(texts(search, search.run()), texts(search, with)) << e.name;
    }
}

TEST(BeamSearch, MakesOnePassWithoutSampling) {
    Search search(example::stencil_chain(4, 1536, 1024));
    const SearchReport sampled = search.run().report;
    search.options.sampling = Switch::off;
    const SearchReport all = search.run().report;
    EXPECT_TRUE(sampled.sampling);
    EXPECT_FALSE(all.sampling);
    EXPECT_GT(sampled.passes, 1);
    EXPECT_EQ(all.passes, 1);
    EXPECT_GT(all.states_scored / all.passes, sampled.states_scored / sampled.passes);
}

// Of cheap passes, one after the fifth is made only where one of the four before it found something
// cheaper.
TEST(BeamSearch, EndsAfterFourPassesThatFindNothingCheaper) {
    std::set<int> passes;
    for (example::NamedDag &e : example::all()) {
        Search search(std::move(e.dag));
        search.options.limits.num_passes = 20;
        const SearchReport report = search.run().report;
        const std::vector<double> &costs = report.pass_costs;
        for (size_t last = 5; last < costs.size(); ++last) {
            const auto four_before = costs.begin() + static_cast<std::ptrdiff_t>(last) - 4;
            EXPECT_LT(*std::min_element(four_before, four_before + 4),
                      *std::min_element(costs.begin(), four_before))
                << e.name << ", pass " << last + 1;
        }
        EXPECT_LT(report.passes, 20) << e.name;
        passes.insert(report.passes);
    }
    EXPECT_GT(passes.size(), 1u) << "all end after the same number";
}

TEST(BeamSearch, NeverGetsWorseByMorePasses) {
    for (example::NamedDag &e : example::all()) {
        Search search(std::move(e.dag));
        search.options.refine = false;  // which only adds to what passes find
        double previous = 0;
        // A single pass draws otherwise than the first of several, and may be luckier.
        for (int passes : {2, 3, 5, 7}) {
            search.options.limits.num_passes = passes;
            const SearchResult result = search.run();
            const std::vector<double> &costs = result.report.pass_costs;
            EXPECT_EQ(result.best[0].cost, *std::min_element(costs.begin(), costs.end()));
            if (previous > 0) {
                EXPECT_LE(result.best[0].cost, previous) << e.name << ", " << passes << " passes";
            }
            previous = result.best[0].cost;
        }
    }
}

TEST(BeamSearch, CompletesPlainlyWhenItsTimeIsUp) {
    for (example::NamedDag &e : example::all()) {
        Search search(std::move(e.dag));
        search.options.limits.time_limit_s = 0;
        const SearchResult result = search.run();
        ASSERT_EQ(result.best.size(), 1u) << e.name;
        EXPECT_EQ(result.report.stop_reason.kind, StopReason::Kind::time_limit) << e.name;
        EXPECT_EQ(check(search.dag, result.best[0].nest, Completeness::complete),
                  std::vector<std::string>{})
            << e.name;
        EXPECT_EQ(result.best[0].id, plain_state(search.space, search.model).id) << e.name;
    }
}

TEST(BeamSearch, StopsAsSoonAsItsTimeIsUp) {
    Search search(example::stencil_chain(6, 1536, 1024));
    int steps = 0;
    search.options.progress = [&](double) { ++steps; };
    SearchContext context(search.options, SearchClock(2.5, [&] { return double(steps); }));
    const SearchResult result = beam_search(search.space, search.model, context);
    EXPECT_EQ(result.report.stop_reason.kind, StopReason::Kind::time_limit);
    EXPECT_EQ(result.report.stop_reason.measured, 3);
    EXPECT_EQ(result.report.steps, 3);
    EXPECT_EQ(check(search.dag, result.best[0].nest, Completeness::complete),
              std::vector<std::string>{});
}

// After the passes, too: half of the time is for what improves their states.
TEST(BeamSearch, SaysThatAnImprovementWasCutShort) {
    Search search(example::stencil_chain(6, 1536, 1024));
    search.options.limits.num_passes = 1;
    const int steps = static_cast<int>(search.space.steps().size());
    int steps_done = 0, asked_since = 0;
    search.options.progress = [&](double) { ++steps_done; };
    const auto seconds = [&] { return steps_done < steps ? 0.0 : double(++asked_since); };
    SearchContext context(search.options, SearchClock(3, seconds));
    const SearchReport report = beam_search(search.space, search.model, context).report;
    EXPECT_EQ(report.pass_costs.size(), 1u) << "the pass was complete";
    EXPECT_EQ(report.stop_reason.kind, StopReason::Kind::time_limit);
}

TEST(BeamSearch, ListsItsParts) {
    Search search(example::stencil_chain(6, 1536, 1024));
    search.options.limits.num_passes = 2;
    search.options.freeze = Switch::on;
    const SearchResult result = search.run();
    const SearchReport &report = result.report;
    std::vector<std::string> names;
    double seconds = 0;
    for (const SearchPart &part : report.parts) {
        if (names.empty() || names.back() != part.name) names.push_back(part.name);
        seconds += part.seconds;
        if (part.cost_before > 0 && part.name != "pass") {
            EXPECT_LE(part.cost_after, part.cost_before) << part.name;
        }
    }
    EXPECT_EQ(names, (std::vector<std::string>{"freeze", "pass", "improve_tilings", "pass",
                                               "improve_tilings", "reconsider_places",
                                               "improve_members"}));
    EXPECT_LE(seconds, report.times.total);
    double least = report.parts[1].cost_after;
    for (const SearchPart &part : std::span(report.parts).subspan(1)) {
        least = std::min(least, part.cost_after);
    }
    EXPECT_EQ(least, result.best.front().cost);
    EXPECT_GT(report.parts[1].states, 0u);
}

TEST(BeamSearch, TellsHowFarItIs) {
    Search search(example::stencil_chain(3, 1536, 1024));
    std::vector<double> shares;
    search.options.progress = [&](double share) { shares.push_back(share); };
    search.options.limits.num_passes = 20;
    const SearchReport report = search.run().report;
    ASSERT_LT(report.passes, 20);
    ASSERT_EQ(static_cast<int>(shares.size()), report.steps + 1) << "the passes that are left out";
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_GT(shares.front(), 0);
    EXPECT_EQ(shares.back(), 1);
}

TEST(RandomDropout, DependsOnTheSeedAlone) {
    Search search(example::stencil_chain(4, 1536, 1024));
    search.options.random_dropout = 40;
    std::set<std::vector<std::string>> different;
    for (uint64_t seed = 0; seed < 6; ++seed) {
        search.options.seed = seed;
        search.options.limits.threads = 1;
        const std::vector<std::string> once = texts(search, search.run());
        search.options.limits.threads = 4;
        EXPECT_EQ(texts(search, search.run()), once) << seed;
        different.insert(once);
    }
    EXPECT_GT(different.size(), 1u);
    EXPECT_GT(search.run().report.rejections[kRandomDropout], 0u);
}

TEST(RandomDropout, LeavesSomethingEvenIfItDropsEverything) {
    for (example::NamedDag &e : example::all()) {
        Search search(std::move(e.dag));
        search.options.random_dropout = 0;
        const SearchResult result = search.run();
        ASSERT_FALSE(result.best.empty()) << e.name;
        EXPECT_EQ(check(search.dag, result.best[0].nest, Completeness::complete),
                  std::vector<std::string>{})
            << e.name;
    }
}

TEST(RandomDropout, OfNothingWithoutSamplingDoesNotDependOnTheSeed) {
    Search search(example::stencil_chain(4, 1536, 1024));
    search.options.sampling = Switch::off;
    const std::vector<std::string> expected = texts(search, search.run());
    search.options.seed = 12345;
    EXPECT_EQ(texts(search, search.run()), expected);
}

// 2^24 rows make more blocks than a grid holds, whatever the tile.
TEST(BeamSearch, HasAnAnswerEvenWhereNoTilingIsLegal) {
    Search search(example::copy(512, 1 << 24));
    SearchResult result = search.run();
    ASSERT_FALSE(result.best.empty());
    EXPECT_EQ(result.best[0].nest.kernels.size(), 1u);
    search.options.limits.time_limit_s = 0;
    EXPECT_FALSE(search.run().best.empty());
}

// What is clamped is a copy, which can't be at root: it is inline in a kernel that is too large.
TEST(BeamSearch, DecidesEveryFuncEvenWhereNoTilingIsLegal) {
    Search search(example::clamped_stencil(512, 1 << 28));
    for (double time_limit_s : {1e6, 0.0}) {
        search.options.limits.time_limit_s = time_limit_s;
        for (const State &state : search.run().best) {
            EXPECT_EQ(check(search.dag, state.nest, Completeness::complete),
                      std::vector<std::string>{})
                << to_text(search.dag, state.nest);
        }
    }
}

TEST(BeamSearch, HasAnAnswerForSmallSizesOnAllDevices) {
    for (const std::string &device : preset_names()) {
        for (int64_t size : {1, 2, 5, 17, 64}) {
            const Dag dag = example::two_stencils(size, size);
            const GpuModel gpu = find_preset(device).value();
            const SearchSpace space(dag, gpu, RuleBook(), Freedom::full);
            SearchOptions options;
            options.limits = {2, 1, 1, 1e6};
            SearchContext context(options);
            const SearchResult result = beam_search(space, Roofline(gpu), context);
            ASSERT_FALSE(result.best.empty()) << size << " on " << device;
            EXPECT_EQ(check(dag, result.best[0].nest, Completeness::complete),
                      std::vector<std::string>{});
        }
    }
}

TEST(PlainState, HasEveryFuncAtRootThatIsNotAlwaysInlined) {
    for (example::NamedDag &e : example::all()) {
        const Search search(std::move(e.dag));
        const State state = plain_state(search.space, search.model);
        EXPECT_EQ(check(search.dag, state.nest, Completeness::complete), std::vector<std::string>{})
            << e.name;
        EXPECT_NEAR(state.cost, cost_afresh(search, state.nest), 1e-6 * state.cost) << e.name;
        for (const KernelPtr &kernel : state.nest.kernels) {
            EXPECT_TRUE(kernel->on_host || kernel->blocks->body.size() == 1) << e.name;
        }
    }
}

TEST(HostState, HasNothingOnTheDevice) {
    for (example::NamedDag &e : example::all()) {
        const Search search(std::move(e.dag));
        const State state = host_state(search.space);
        for (const KernelPtr &kernel : state.nest.kernels) EXPECT_TRUE(kernel->on_host) << e.name;
        // Which is on the wrong side of the device, on purpose; nothing else is wrong.
        for (const std::string &problem : check(search.dag, state.nest, Completeness::complete)) {
            EXPECT_NE(problem.find("is on the wrong side of the device"), std::string::npos)
                << e.name << ": " << problem;
        }
    }
}

TEST(BeamSearch, LeavesAtRootWhatItsUserHasPutThere) {
    Dag dag = example::two_stencils(1536, 1024);
    const auto stored = std::ranges::find(dag.funcs, Func::Kind::internal, &Func::kind);
    ASSERT_NE(stored, dag.funcs.end());
    stored->ours = Func::Ours::loops;
    stored->can_inline = false;
    const FuncId func(static_cast<size_t>(stored - dag.funcs.begin()));
    const example::Search search(std::move(dag));
    for (const State &state : search.run().best) {
        EXPECT_EQ(state.nest.place(func), Place::root);
        EXPECT_EQ(check(search.dag, state.nest, Completeness::complete),
                  std::vector<std::string>{});
    }
}

// Some of six stencils are worth a place in a block.
TEST(BeamSearch, LeavesOutOfKernelsWhoseRowsTheirUserHasAligned) {
    Dag dag = example::stencil_chain(6, 1536, 1024);
    for (Func &func : dag.funcs) func.users_alignment = func.kind == Func::Kind::internal;
    const example::Search search(std::move(dag));
    for (const State &state : search.run().best) {
        EXPECT_FALSE(std::ranges::any_of(state.nest.places, is_in_kernel));
        EXPECT_EQ(check(search.dag, state.nest, Completeness::complete),
                  std::vector<std::string>{});
    }
}

}  // namespace
}  // namespace autoschedule_gpu
