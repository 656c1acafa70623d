#include "scheduler/strategies/composition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "core/support/parallel.h"
#include "scheduler/nest/structure.h"
#include "scheduler/nest/text.h"
#include "scheduler/search/kernel_costs.h"
#include "scheduler/search/plain.h"
#include "scheduler/space/wrappers.h"
#include "scheduler/strategies/compiled_cost.h"
#include "scheduler/strategies/trials.h"
#include "unit/scheduler/nest/parsed.h"
#include "unit/scheduler/strategies/problem.h"

namespace autoschedule_gpu {
namespace {

using example::part_names;
using example::Problem;
using Log = std::vector<std::string>;

// What each search of a Scripted strategy is for.
struct Call {
    Freedom freedom;
    int64_t registers;
    bool operator==(const Call &) const = default;
};

// Finds what a test wants to be found.
class Scripted final : public SearchStrategy {
public:
    using Find = std::function<std::vector<State>(const SearchProblem &)>;
    using Finish = std::function<std::optional<CompleteState>(const State &)>;

    Scripted(std::vector<Call> &calls, Find find, Finish finish, size_t effort_to_finish)
        : calls_(calls),
          find_(std::move(find)),
          finish_(std::move(finish)),
          effort_to_finish_(effort_to_finish) {}

    const StrategyInfo &info() const override {
        static constexpr StrategyInfo kInfo{.name = "scripted"};
        return kInfo;
    }
    SearchResult search(const SearchProblem &problem, SearchContext &) const override {
        calls_.push_back({problem.space.freedom(), problem.models.gpu.max_registers_per_thread});
        SearchResult result{find_(problem), {}};
        result.report.passes = 1;
        result.report.states_scored = calls_.size();
        RunningPart(result.report, "scripted", 0).done(result.best.front().cost);
        return result;
    }
    bool finishes() const override { return finish_ != nullptr; }
    std::optional<CompleteState> finish(const SearchProblem &, SearchContext &context,
                                        const State &state, SearchReport &) const override {
        context.clock.spend(effort_to_finish_);
        if (context.clock.is_up()) return std::nullopt;
        return finish_ ? finish_(state) : std::nullopt;
    }

private:
    std::vector<Call> &calls_;
    Find find_;
    Finish finish_;
    size_t effort_to_finish_;
};

// Says what a test wants it to say of the n-th candidate; none: refused.
class ScriptedJudge final : public Judge {
public:
    using Say = std::function<std::optional<int64_t>(size_t number)>;
    explicit ScriptedJudge(Say say) : say_(std::move(say)) {}

    std::optional<Judgement> judge(const CompleteState &candidate, Attempt attempt) override {
        judged.push_back(candidate);
        log.emplace_back(to_string(attempt));
        const std::optional<int64_t> spills = say_(judged.size() - 1);
        if (!spills) return std::nullopt;
        Judgement judgement{*spills, accepted++, {}, by_parts};
        if (at_other_sizes) {
            std::swap(*judgement.spill_bytes, judgement.spill_bytes_at_other_sizes);
            judgement.kernels.resize(candidate.state.nest.kernels.size());
            if (spilled) judgement.kernels.at(*spilled).spill_bytes_at_other_sizes = *spills;
        } else if (spilled) {
            judgement.kernels.resize(candidate.state.nest.kernels.size());
            judgement.kernels.at(*spilled).spill_bytes = *spills;
        } else if (all_spill) {
            judgement.kernels.resize(candidate.state.nest.kernels.size(),
                                     RegisterUse{.spill_bytes = *spills});
        }
        return judgement;
    }

    size_t prepare(std::span<const CompleteState *const> candidates, Attempt) override {
        std::vector<uint64_t> &ids = prepared[judged.size()];
        for (const CompleteState *candidate : candidates) ids.push_back(candidate->state.id);
        return candidates.size();
    }

    bool accepts_whole(const CompleteState &candidate, Attempt) override {
        judged_whole.push_back(candidate);
        return judged_whole.size() > refused_wholes;
    }

    bool by_parts = false;
    size_t refused_wholes = 0;  // the first so many
    std::vector<CompleteState> judged_whole;
    std::optional<size_t> spilled;  // the kernel, where anything spills; none: not known
    bool all_spill = false;         // or all kernels
    bool at_other_sizes = false;    // alone: that kernel does, or one that is not known
    std::vector<CompleteState> judged;
    std::map<size_t, std::vector<uint64_t>> prepared;  // by how many were judged before
    Log log;
    size_t accepted = 0;

private:
    Say say_;
};

// A state with its first kernel tiled otherwise: of what costs more than before, the n-th cheapest.
State tiled_otherwise(const SearchProblem &problem, const State &state, size_t n) {
    const StageId stage = state.nest.kernels[0]->stage;
    const FuncId func = problem.space.dag().stage(stage).func;
    ThreadPool pool(1);
    ModelCosts costs(problem.space.dag(), problem.space.gpu(), *problem.models.model, pool);
    std::vector<State> others;
    for (const Tiling &tiling : problem.space.tilings(stage)) {
        const auto applied = problem.space.apply(state, decide_tiling(func, 0, tiling));
        State other = materialise(problem.space.dag(), costs, state, std::get<Successor>(applied));
        if (other.cost > state.cost) others.push_back(std::move(other));
    }
    std::ranges::stable_sort(others, {}, &State::cost);
    return others.at(n - 1);
}

std::optional<int64_t> refuses_all(size_t) {
    return std::nullopt;
}
std::optional<int64_t> accepts_all(size_t) {
    return 0;
}

class CompositionTest : public testing::Test {
protected:
    explicit CompositionTest(const Dag &dag = example::stencil_chain(12, 1536, 1024))
        : problem_(dag) {
        registers_ = problem_.models.gpu.max_registers_per_thread;
    }

    Result<CompositionResult> composed(Judge &judge, const std::string &strategy = "scripted") {
        SearchContext context(problem_.options);
        return composed(judge, strategy, context);
    }
    Result<CompositionResult> composed(Judge &judge, const std::string &strategy,
                                       SearchContext &context) {
        StrategyRegistry strategies;
        EXPECT_TRUE(
            strategies
                .add(std::make_shared<const Scripted>(calls_, find_, finish_, effort_to_finish_))
                .ok());
        return compose({.dag = problem_.dag,
                        .models = problem_.models,
                        .model = problem_.model,
                        .rules = problem_.rules,
                        .strategies = strategies,
                        .strategy = strategy},
                       context, judge);
    }
    ComposedSchedule schedule(Judge &judge, const std::string &strategy = "scripted") {
        return composed(judge, strategy).value().schedule.value();
    }

    // Of searches for fewer and fewer registers.
    std::vector<Call> with_eighths(const std::vector<int64_t> &eighths) const {
        std::vector<Call> calls{{Freedom::full, registers_}};
        for (int64_t e : eighths) calls.push_back({Freedom::full, registers_ * e / 8});
        return calls;
    }

    Problem problem_;
    int64_t registers_ = 0;
    std::vector<Call> calls_;
    // Six plain states, each dearer than the one before; of other registers, others.
    Scripted::Find find_ = [this](const SearchProblem &problem) {
        const State plain = plain_state(problem.space, *problem.models.model);
        const int64_t registers = problem.models.gpu.max_registers_per_thread;
        const size_t n = static_cast<size_t>(8 - 8 * registers / registers_);
        std::vector<State> states(6, n == 0 ? plain : tiled_otherwise(problem, plain, n));
        for (size_t i = 0; i < states.size(); ++i) states[i].cost += double(i);
        return states;
    };
    Scripted::Finish finish_;
    size_t effort_to_finish_ = 0;
};

const Log kAllAttempts{"search",    "search",    "search",    "search", "no_fusion",
                       "no_fusion", "no_fusion", "no_fusion", "plain",  "host"};

TEST_F(CompositionTest, TriesFourStatesWithFusionFourWithoutThenThePlainOneThenTheHost) {
    ScriptedJudge judge(refuses_all);
    const CompositionResult result = composed(judge).value();
    EXPECT_EQ(judge.log, kAllAttempts);
    EXPECT_FALSE(result.schedule);
    EXPECT_EQ(calls_,
              (std::vector<Call>{{Freedom::full, registers_}, {Freedom::no_fusion, registers_}}));
    const Freedom freedoms[] = {Freedom::full, Freedom::no_fusion, Freedom::root_only};
    EXPECT_EQ(judge.judged[0].freedom, freedoms[0]);
    EXPECT_EQ(judge.judged[4].freedom, freedoms[1]);
    EXPECT_EQ(judge.judged[8].freedom, freedoms[2]);
    EXPECT_EQ(judge.judged[9].freedom, freedoms[2]);
    for (const KernelPtr &kernel : judge.judged[9].state.nest.kernels) {
        EXPECT_TRUE(kernel->on_host);
    }
}

Dag of_signed_bytes(Dag dag) {
    for (Func &func : dag.funcs) func.values = {{ScalarType::Code::signed_int, 8}};
    return dag;
}

class CompositionOfBytes : public CompositionTest {
protected:
    CompositionOfBytes() : CompositionTest(of_signed_bytes(example::stencil_chain(3, 1536, 1024))) {
        find_ = [this](const SearchProblem &problem) { return std::vector{in_tiles(problem)}; };
    }

    // A plain state with a first kernel whose threads have four points.
    State in_tiles(const SearchProblem &problem) const {
        const State plain = plain_state(problem.space, *problem.models.model);
        for (size_t n = 1;; ++n) {
            State state = tiled_otherwise(problem, plain, n);
            if (points_written_out(state.nest) == 4) return state;
        }
    }

    // The most of any stage.
    int64_t points_written_out(const Nest &nest) const {
        int64_t most = 1;
        for (const KernelPtr &kernel : nest.kernels) {
            for (const Band *threads : thread_bands(*kernel)) {
                for (const Band *inner : innermost_bands(*threads)) {
                    most = std::max(most, UnrolledLoops(*problem_.dag, *inner).points());
                }
            }
        }
        return most;
    }

    const ScriptedJudge *judge_ = nullptr;
};

// In loops, before what has other kernels.
TEST_F(CompositionOfBytes, TriesThemOneByOne) {
    ScriptedJudge judge([&](size_t number) {
        const bool is_refused = points_written_out(judge_->judged[number].state.nest) > 1;
        return is_refused ? refuses_all(number) : accepts_all(number);
    });
    judge_ = &judge;
    const ComposedSchedule chosen = schedule(judge);
    EXPECT_EQ(to_string(chosen.attempt), "search");
    EXPECT_EQ(points_written_out(judge.judged.front().state.nest), 4);
    EXPECT_EQ(points_written_out(chosen.complete.state.nest), 1);
    EXPECT_EQ(chosen.complete.state.nest.kernels[0]->tiling,
              judge.judged.front().state.nest.kernels[0]->tiling);
}

// Whichever is the first that is accepted: it is taken, and nothing is tried after it.
TEST_F(CompositionTest, TakesTheFirstThatIsAccepted) {
    for (size_t accepted = 0; accepted < kAllAttempts.size(); ++accepted) {
        ScriptedJudge judge([&](size_t number) {
            return number == accepted ? accepts_all(number) : refuses_all(number);
        });
        const ComposedSchedule chosen = schedule(judge);
        EXPECT_EQ(to_string(chosen.attempt), kAllAttempts[accepted]);
        EXPECT_EQ(judge.log.size(), accepted + 1);
        EXPECT_EQ(chosen.complete.state.id, judge.judged.back().state.id);
        EXPECT_EQ(chosen.complete.state.cost, judge.judged.back().state.cost);
        EXPECT_EQ(chosen.judgement.number, 0u);
    }
}

// What was made of them first (they have one structure, so that one of them is finished), and where
// that is refused, the states that were found.
TEST_F(CompositionTest, JudgesAFinishedStateBeforeThoseThatWereFound) {
    finish_ = [&](const State &state) {
        CompleteState finished{problem_.dag, state, Freedom::full};
        finished.state.cost /= 2;
        return finished;
    };
    ScriptedJudge judge(
        [](size_t number) { return number == 3 ? accepts_all(number) : refuses_all(number); });
    const ComposedSchedule chosen = schedule(judge);
    ASSERT_EQ(judge.judged.size(), 4u);
    EXPECT_EQ(judge.judged[0].state.cost, judge.judged[1].state.cost / 2);
    EXPECT_EQ(judge.judged[2].state.cost, judge.judged[1].state.cost + 1);
    EXPECT_EQ(chosen.complete.state.cost, judge.judged[3].state.cost);
}

// It takes time, and states of one structure become much the same.
TEST_F(CompositionTest, FinishesOneStateOfEachStructure) {
    int finished = 0;
    finish_ = [&](const State &) {
        ++finished;
        return std::nullopt;
    };
    ScriptedJudge judge(
        [](size_t number) { return number == 1 ? accepts_all(number) : refuses_all(number); });
    schedule(judge);
    EXPECT_EQ(finished, 1);
}

// The third would come after more effort than may have been spent before it: nobody is to wait for
// what is thrown away. And each has the effort that was left before the first, be it finished
// beside that or after it.
TEST_F(CompositionTest, FinishesTheSameOneAfterTheOtherAndTwoAtOnce) {
    std::map<uint64_t, State> by_structure;
    for (const State &state : problem_.found_by("beam").best) {
        by_structure.try_emplace(structural_hash(state.nest, 2), state);
    }
    ASSERT_GE(by_structure.size(), 3u);
    find_ = [&](const SearchProblem &) {
        std::vector<State> states;
        for (const auto &[structure, state] : by_structure) states.push_back(state);
        return states;
    };
    std::atomic<int> finished = 0;
    finish_ = [&](const State &) {
        ++finished;
        return std::nullopt;
    };
    effort_to_finish_ = 1'200'000;
    for (const double most_effort : {1e9, 1.9e6}) {
        for (const int threads : {1, 2}) {
            finished = 0;
            problem_.options.limits.threads = threads;
            SearchContext context(problem_.options);
            context.clock.limit_effort(most_effort);
            ScriptedJudge judge(accepts_all);
            composed(judge, "scripted", context).value();
            EXPECT_EQ(finished, 2) << threads << " threads, " << most_effort;
        }
    }
}

TEST_F(CompositionTest, BeginsWithTheAttemptThatIsMadeForTheStrategy) {
    ScriptedJudge judge(refuses_all), other(refuses_all);
    EXPECT_FALSE(composed(judge, "plain").value().schedule);
    EXPECT_EQ(judge.log, (Log{"plain", "host"}));
    EXPECT_FALSE(composed(other, "host").value().schedule);
    EXPECT_EQ(other.log, Log{"host"});
}

TEST_F(CompositionTest, IsAnErrorWhereThereIsNoSuchStrategy) {
    ScriptedJudge judge(accepts_all);
    const auto result = composed(judge, "nonsense");
    ASSERT_FALSE(result.ok());
    EXPECT_NE(result.error().message.find("scripted"), std::string::npos);
    EXPECT_TRUE(judge.log.empty());
}

// ---- Spills.

TEST_F(CompositionTest, SearchesOnceWhereNothingSpills) {
    ScriptedJudge judge(accepts_all);
    schedule(judge);
    EXPECT_EQ(calls_, with_eighths({}));
}

TEST_F(CompositionTest, SearchesForFewerRegistersWhereMuchIsSpilled) {
    ScriptedJudge judge([](size_t) { return 100; });
    const ComposedSchedule chosen = schedule(judge);
    EXPECT_EQ(calls_, with_eighths({6, 5}));
    EXPECT_EQ(judge.log, (Log{"search", "search", "search"}));
    EXPECT_EQ(chosen.judgement.number, 0u) << "none spills less than the first";
}

// What is at constant addresses takes fewer registers.
TEST_F(CompositionTest, StagesWhatKernelsThatSpillReadOfOthers) {
    const std::vector<CompleteState> *judged = nullptr;
    ScriptedJudge judge(
        [&](size_t) { return single_reader_wrappers(*judged->back().dag).empty() ? 80 : 0; });
    judged = &judge.judged;
    judge.spilled = 3;
    const ComposedSchedule found = schedule(judge);
    EXPECT_EQ(calls_, with_eighths({})) << "no other search";
    EXPECT_EQ(found.judgement.spill_bytes, 0);
    const Dag &dag = *found.complete.dag;
    const std::string reader = dag.func_of(found.complete.state.nest.kernels[3]->stage).name;
    size_t staged = 0;
    for (const FuncId wrapper : single_reader_wrappers(dag)) {
        const bool reads_for_it = dag.func(wrapper).name.ends_with("_in_" + reader);
        EXPECT_EQ(found.complete.state.nest.place(wrapper),
                  reads_for_it ? Place::block : Place::inlined)
            << dag.func(wrapper).name;
        staged += reads_for_it ? 1 : 0;
    }
    EXPECT_EQ(staged, 1u);
}

// Nothing: they have not as many kernels.
std::optional<std::vector<size_t>> different_kernels(const CompleteState &one,
                                                     const CompleteState &other) {
    const auto &kernels = one.state.nest.kernels, &others = other.state.nest.kernels;
    if (kernels.size() != others.size()) return std::nullopt;
    std::vector<size_t> result;
    for (size_t k = 0; k < kernels.size(); ++k) {
        if (kernels[k]->hash != others[k]->hash) result.push_back(k);
    }
    return result;
}

// Whether kernel `k` is another one, and all others are the same.
bool differ_in_kernel(const CompleteState &one, const CompleteState &other, size_t k) {
    return different_kernels(one, other) == std::vector{k};
}

TEST_F(CompositionTest, TilesKernelsThatSpillForFewerRegistersBeforeItSearches) {
    ScriptedJudge judge([](size_t number) { return number == 0 ? 80 : 0; });
    judge.spilled = 3;
    const ComposedSchedule found = schedule(judge);
    EXPECT_EQ(calls_, with_eighths({})) << "no other search";
    ASSERT_EQ(judge.judged.size(), 2u);
    EXPECT_TRUE(differ_in_kernel(judge.judged[0], found.complete, 3));
    EXPECT_EQ(found.judgement.spill_bytes, 0);
}

TEST_F(CompositionTest, GoesOnWhereHalideRefusesWhatIsTiledForFewerRegisters) {
    ScriptedJudge judge([](size_t number) {
        return number == 1 ? std::nullopt : std::optional<int64_t>(number == 0 ? 80 : 0);
    });
    judge.spilled = 3;
    const ComposedSchedule found = schedule(judge);
    EXPECT_EQ(calls_, with_eighths({})) << "no other search";
    ASSERT_EQ(judge.judged.size(), 3u);
    EXPECT_TRUE(differ_in_kernel(judge.judged[0], judge.judged[1], 3));
    EXPECT_EQ(found.complete.state.id, judge.judged[2].state.id);
    EXPECT_NE(found.complete.state.id, judge.judged[1].state.id);
    EXPECT_EQ(found.judgement.spill_bytes, 0);
}

// One by one, the cheapest first, before anything else of it is changed.
TEST_F(CompositionTest, TriesWhatIsNearlyTheSameWhereLittleIsSpilled) {
    ScriptedJudge judge([](size_t number) { return number < 3 ? 16 : 0; });
    judge.spilled = 3;
    const ComposedSchedule found = schedule(judge);
    EXPECT_EQ(calls_, with_eighths({})) << "no other search";
    EXPECT_EQ(found.judgement.spill_bytes, 0);
    ASSERT_EQ(judge.judged.size(), 4u);
    for (size_t n = 1; n < judge.judged.size(); ++n) {
        EXPECT_TRUE(differ_in_kernel(judge.judged[0], judge.judged[n], 3)) << n;
    }
}

// Two at once, and the next two when these are judged.
TEST_F(CompositionTest, PreparesWhatItJudgesNext) {
    ScriptedJudge judge([](size_t number) { return number < 3 ? 16 : 0; });
    judge.spilled = 3;
    schedule(judge);
    ASSERT_EQ(judge.judged.size(), 4u);
    const auto id = [&](size_t n) { return judge.judged[n].state.id; };
    ASSERT_EQ(judge.prepared.size(), 2u);
    EXPECT_EQ(judge.prepared[1], (std::vector<uint64_t>{id(1), id(2)}));
    ASSERT_FALSE(judge.prepared[3].empty());
    EXPECT_EQ(judge.prepared[3][0], id(3));
}

// What a judge was asked about a product of copies, and what came of it.
ComposedSchedule product_judged_by(ScriptedJudge &judge, Switch steps = Switch::on) {
    Problem problem{example::matmul_of_copies(64)};
    if (steps == Switch::off) problem.options.disabled_decisions = {"steps"};
    SearchContext context(problem.options);
    const StrategyRegistry strategies;
    return compose({.dag = problem.dag,
                    .models = problem.models,
                    .model = problem.model,
                    .rules = problem.rules,
                    .strategies = strategies,
                    .strategy = "beam"},
                   context, judge)
        .value()
        .schedule.value();
}

std::string text_without_steps(const CompleteState &complete) {
    return std::regex_replace(to_text(*complete.dag, complete.state.nest),
                              std::regex(" steps [0-9]+"), "");
}

// What was changed for its spills has its steps chosen anew, until more of them spill.
TEST(SpillRemedies, WriteOutMoreStepsOfWhatTheyHaveChanged) {
    size_t without = 0;  // what spills nothing was judged before
    ScriptedJudge judge([&](size_t number) { return number == 0 ? 80 : without++ < 2 ? 0 : 16; });
    judge.spilled = 0;
    const ComposedSchedule found = product_judged_by(judge);
    EXPECT_EQ(found.judgement.spill_bytes, 0);
    EXPECT_EQ(found.judgement.number, 2u) << "the second that spills nothing";
    ASSERT_GT(judge.judged.size(), 3u) << "more steps still";
    for (size_t n = 2; n < judge.judged.size(); ++n) {
        EXPECT_EQ(text_without_steps(judge.judged[n]), text_without_steps(judge.judged[1]));
        EXPECT_LT(judge.judged[n].state.cost, judge.judged[1].state.cost);
    }
}

// So has what spills at other sizes alone: nobody waits for that at the estimates.
TEST(SpillRemedies, WriteOutMoreStepsWhereOtherSizesStillSpill) {
    ScriptedJudge judge([&](size_t number) {
        if (number == 0) return 80;
        judge.at_other_sizes = true;
        judge.spilled.reset();  // in a kernel that is none of the nest's
        return 24;
    });
    judge.spilled = 0;
    const ComposedSchedule found = product_judged_by(judge);
    EXPECT_EQ(found.judgement.spill_bytes, 0);
    EXPECT_EQ(found.judgement.spill_bytes_at_other_sizes, 24);
    ASSERT_GT(judge.judged.size(), 2u);
    EXPECT_EQ(text_without_steps(found.complete), text_without_steps(judge.judged[1]));
    EXPECT_LT(found.complete.state.cost, judge.judged[1].state.cost);
}

// Then what is nearly the same, with as many steps, may spill nothing at any size.
TEST(SpillRemedies, GoOnFromMoreStepsWhereOtherSizesStillSpill) {
    bool is_first_with_steps = false;
    ScriptedJudge judge([&](size_t number) -> int64_t {
        if (number == 0) return 80;
        const CompleteState &now = judge.judged.back();
        const bool is_first = text_without_steps(now) == text_without_steps(judge.judged[1]);
        const bool has_steps = text_without_steps(now) != to_text(*now.dag, now.state.nest);
        is_first_with_steps |= is_first && has_steps;
        judge.at_other_sizes = is_first;
        if (is_first) return 24;
        return is_first_with_steps && has_steps ? 0 : 16;
    });
    judge.spilled = 0;
    const ComposedSchedule found = product_judged_by(judge);
    EXPECT_EQ(found.judgement.spill_bytes, 0);
    EXPECT_EQ(found.judgement.spill_bytes_at_other_sizes, 0);
    EXPECT_NE(text_without_steps(found.complete),
              to_text(*found.complete.dag, found.complete.state.nest));
}

// As the search before, the remedies keep to what the user has switched off.
TEST(SpillRemedies, WriteOutNoStepsWhereTheseAreSwitchedOff) {
    ScriptedJudge judge([](size_t number) { return number == 0 ? 80 : 0; });
    judge.spilled = 0;
    EXPECT_EQ(product_judged_by(judge, Switch::off).judgement.spill_bytes, 0);
    ASSERT_GT(judge.judged.size(), 1u);
    for (const CompleteState &judged : judge.judged) {
        EXPECT_EQ(text_without_steps(judged), to_text(*judged.dag, judged.state.nest));
    }
}

// Says that certain kernels of the first candidate spill, and refuses to change two at once, or
// what is hardly dearer.
class KernelByKernel final : public Judge {
public:
    explicit KernelByKernel(std::set<size_t> spilling) : spilling_(std::move(spilling)) {}

    std::optional<Judgement> judge(const CompleteState &candidate, Attempt) override {
        if (!accepted_.empty() && !is_step(candidate)) return std::nullopt;
        accepted_.push_back(candidate);
        const auto &first = accepted_.front().state.nest.kernels;
        const auto &kernels = candidate.state.nest.kernels;
        Judgement judgement{0, accepted_.size() - 1, std::vector<RegisterUse>(kernels.size()), {}};
        for (const size_t k : spilling_) {
            if (kernels[k]->hash != first[k]->hash) continue;
            judgement.kernels[k].spill_bytes = 8;
            *judgement.spill_bytes += 8;
        }
        return judgement;
    }
    bool accepts_whole(const CompleteState &, Attempt) override { return true; }

private:
    bool is_step(const CompleteState &candidate) const {
        return candidate.state.cost > 1.02 * accepted_.front().state.cost &&
               std::ranges::any_of(accepted_, [&](const CompleteState &one) {
                   const auto different = different_kernels(one, candidate);
                   return different && different->size() == 1;
               });
    }

    const std::set<size_t> spilling_;
    std::vector<CompleteState> accepted_;
};

// To free one of them alone makes the whole dearer than its few bytes do.
TEST_F(CompositionTest, FreesOneKernelAfterTheOther) {
    const State best = problem_.found_by("beam").best.front();
    ASSERT_EQ(best.nest.kernels.size(), 2u);
    find_ = [&](const SearchProblem &) { return std::vector{best}; };
    KernelByKernel judge({0, 1});
    const ComposedSchedule found = schedule(judge);
    EXPECT_EQ(found.judgement.spill_bytes, 0);
    EXPECT_GT(found.complete.state.cost, best.cost);
    EXPECT_EQ(calls_, with_eighths({})) << "no other search";
}

TEST_F(CompositionTest, TriesFewNeighboursWhereAllSpill) {
    ScriptedJudge judge([](size_t) { return 16; });
    judge.spilled = 3;
    schedule(judge);
    EXPECT_EQ(calls_, with_eighths({7, 6, 5}));
    EXPECT_LT(judge.judged.size(), 30u);
}

// For what is computed in the first of them, its neighbours are decided anew; they then share a
// kernel with it.
TEST_F(CompositionTest, LeavesOutKernelsThatAreGoneWhenOthersHaveBeenTiledAnew) {
    find_ = [](const SearchProblem &problem) {
        std::string text =
            "kernel f11\n  f10 threads x=34 y=10\n    f10 serial\n  f11 threads x=32 y=8\n";
        for (int i = 9; i >= 0; --i) {
            const std::string name = "f" + std::to_string(i);
            text += "kernel " + name + "\n  " + name + " threads x=32 y=8\n";
        }
        ThreadPool pool(1);
        ModelCosts costs(problem.space.dag(), problem.space.gpu(), *problem.models.model, pool);
        const Nest nest = example::parsed(problem.space.dag(), text);
        return std::vector{with_costs(costs, problem.space.adopt(nest))};
    };
    ScriptedJudge judge([](size_t number) { return number < 2 ? 80 : 0; });
    judge.all_spill = true;
    const Nest after = schedule(judge).complete.state.nest;
    EXPECT_LT(after.kernels.size(), 11u);
}

TEST_F(CompositionTest, JudgesNoStateTwice) {
    const State best = problem_.found_by("beam").best.front();
    find_ = [&](const SearchProblem &) { return std::vector{best}; };
    ScriptedJudge judge([](size_t) { return 100; });
    EXPECT_EQ(schedule(judge).complete.state.id, best.id);
    EXPECT_EQ(judge.judged.size(), 1u);
    EXPECT_EQ(calls_, with_eighths({6, 5}));
}

TEST_F(CompositionTest, SearchesWhereOtherTilesSpillAsWell) {
    ScriptedJudge judge([](size_t) { return 800; });
    judge.spilled = 3;
    schedule(judge);
    EXPECT_EQ(calls_, with_eighths({6, 5}));
}

TEST_F(CompositionTest, GoesOnForFewerRegistersFromTheBestThatWasFound) {
    std::vector<uint64_t> starts;
    find_ = [&, find = find_](const SearchProblem &problem) {
        starts.push_back(
            problem.start == nullptr ? 0 : structural_hash(*problem.start, kDeepestStructure));
        return find(problem);
    };
    ScriptedJudge judge([](size_t) { return 100; });
    const ComposedSchedule chosen = schedule(judge);
    const uint64_t first = structural_hash(chosen.complete.state.nest, kDeepestStructure);
    EXPECT_EQ(starts, (std::vector<uint64_t>{0, first, first}));
}

TEST_F(CompositionTest, SearchesForAFewRegistersLessWhereLittleIsSpilled) {
    ScriptedJudge judge([](size_t) { return 64; });
    schedule(judge);
    EXPECT_EQ(calls_, with_eighths({7, 6, 5}));
}

TEST_F(CompositionTest, SearchesUntilNothingSpills) {
    ScriptedJudge judge([](size_t number) { return number == 0 ? 200 : number == 1 ? 90 : 0; });
    const ComposedSchedule chosen = schedule(judge);
    EXPECT_EQ(chosen.judgement.spill_bytes, 0);
    EXPECT_EQ(chosen.judgement.number, 2u);
    EXPECT_EQ(calls_, with_eighths({6, 5}));
    calls_.clear();
    ScriptedJudge at_once([](size_t number) { return number == 0 ? 200 : 0; });
    EXPECT_EQ(schedule(at_once).judgement.number, 1u);
    EXPECT_EQ(calls_, with_eighths({6}));
}

// Whatever spills least: where everything spills, no schedule is preferred for that alone.
TEST_F(CompositionTest, TakesTheCheapestAsCompiledWhereAllSpill) {
    for (const int64_t bytes : {16, 100'000}) {
        ScriptedJudge judge([&](size_t number) { return number == 0 ? bytes : 8; });
        judge.spilled = 0;
        const ComposedSchedule chosen = schedule(judge);
        const auto cost = [&](const CompleteState &complete, int64_t spilled) {
            return compiled_cost(complete, std::array{RegisterUse{.spill_bytes = spilled}},
                                 problem_.models.gpu, *problem_.models.model);
        };
        ASSERT_GT(judge.judged.size(), 1u);
        double least = cost(judge.judged[0], bytes);
        for (size_t i = 1; i < judge.judged.size(); ++i) {
            least = std::min(least, cost(judge.judged[i], 8));
        }
        EXPECT_DOUBLE_EQ(cost(chosen.complete, *chosen.judgement.spill_bytes), least) << bytes;
    }
}

TEST_F(CompositionTest, KeepsWhatSpillsWhereTheOthersAreRefused) {
    ScriptedJudge judge([](size_t number) -> std::optional<int64_t> {
        if (number > 0) return std::nullopt;
        return 100;
    });
    EXPECT_EQ(schedule(judge).judgement.number, 0u);
    EXPECT_EQ(judge.log.size(), 3u);
}

TEST_F(CompositionTest, DescendsFromWhatFinishingMakesNoCheaper) {
    const State plain = plain_state(problem_.space, *problem_.models.model);
    find_ = [&](const SearchProblem &) { return std::vector{plain}; };
    finish_ = [](const State &) { return std::nullopt; };
    ScriptedJudge judge(accepts_all);
    EXPECT_LT(schedule(judge).complete.state.cost, plain.cost);
}

// By what it costs on the device that there is, whatever the search for another one says.
TEST_F(CompositionTest, DoesNotEvenJudgeWhatIsMuchSlower) {
    const State best = problem_.found_by("beam").best.front();
    find_ = [&](const SearchProblem &problem) {
        if (problem.models.gpu.max_registers_per_thread == registers_) return std::vector{best};
        State plain = plain_state(problem.space, *problem.models.model);
        plain.cost = 1;
        return std::vector{plain};
    };
    ASSERT_GT(plain_state(problem_.space, *problem_.models.model).cost, 1.1 * best.cost);
    ScriptedJudge judge([](size_t) { return 100; });
    EXPECT_EQ(schedule(judge).complete.state.id, best.id);
    EXPECT_EQ(judge.log, Log{"search"});
    EXPECT_EQ(calls_, with_eighths({6})) << "nor searches for still fewer";
}

TEST_F(CompositionTest, FinishesWhatIsFoundForFewerRegisters) {
    problem_.options.refine = false;  // a descent would find something cheaper than either
    std::vector<double> costs;
    finish_ = [&](const State &state) {
        costs.push_back(state.cost);
        return std::optional(CompleteState{problem_.dag, state, Freedom::full});
    };
    ScriptedJudge judge([](size_t number) { return number == 0 ? 100 : 0; });
    EXPECT_EQ(schedule(judge).judgement.number, 1u);
    EXPECT_EQ(costs.size(), 2u);
}

// Before it searches: that may be hardly dearer, and is there.
TEST_F(CompositionTest, JudgesTheNextOfTheFinishedStatesWhereTheFirstSpills) {
    const std::vector<State> found = problem_.found_by("beam").best;
    const auto other = std::ranges::find_if(found, [&](const State &state) {
        return structural_hash(state.nest, 2) != structural_hash(found[0].nest, 2);
    });
    ASSERT_NE(other, found.end());
    find_ = [&](const SearchProblem &) { return std::vector<State>{found[0], *other}; };
    finish_ = [&](const State &state) {
        CompleteState finished{problem_.dag, state, Freedom::full};
        finished.state.cost /= 2;
        return finished;
    };
    size_t searches = 0;  // when it is judged
    ScriptedJudge judge([&](size_t number) {
        if (number == 1) searches = calls_.size();
        return number == 0 ? 100 : 0;
    });
    schedule(judge);
    ASSERT_GE(judge.judged.size(), 2u);
    EXPECT_EQ(judge.judged[1].state.id, other->id);
    EXPECT_EQ(searches, 1u);
}

// With everything at root there is nothing to be had from another search.
TEST_F(CompositionTest, KeepsALastResortThatSpills) {
    ScriptedJudge judge([](size_t) { return 100; });
    EXPECT_EQ(schedule(judge, "plain").judgement.spill_bytes, 100);
    EXPECT_TRUE(calls_.empty());
}

// However much it is: nobody waits for it at the sizes that are estimated.
TEST_F(CompositionTest, TriesWhatIsNearlyTheSameWhereAKernelForOtherSizesSpills) {
    ScriptedJudge judge([](size_t number) { return number < 2 ? 432 : 0; });
    judge.spilled = 3;
    judge.at_other_sizes = true;
    const ComposedSchedule found = schedule(judge);
    EXPECT_EQ(calls_, with_eighths({})) << "no other search";
    EXPECT_EQ(found.judgement.spill_bytes_at_other_sizes, 0);
    ASSERT_EQ(judge.judged.size(), 3u);
    EXPECT_TRUE(differ_in_kernel(judge.judged[0], found.complete, 3));
    EXPECT_LT(found.complete.state.cost, kMostRiseForOtherSizes * judge.judged[0].state.cost);
}

TEST_F(CompositionTest, JudgesNothingThatIsDearerForTheSakeOfOtherSizes) {
    ScriptedJudge judge([](size_t) { return 432; });
    judge.spilled = 3;
    judge.at_other_sizes = true;
    schedule(judge);
    EXPECT_EQ(calls_, with_eighths({}));
    for (const CompleteState &judged : judge.judged) {
        EXPECT_LT(judged.state.cost, kMostRiseForOtherSizes * judge.judged[0].state.cost);
    }
}

// ---- What is judged by its parts.

TEST_F(CompositionTest, JudgesTheChosenOneAsAWhole) {
    ScriptedJudge judge([](size_t number) { return number == 0 ? 100 : 0; });
    judge.by_parts = true;
    const ComposedSchedule chosen = schedule(judge);
    ASSERT_EQ(judge.judged_whole.size(), 1u);
    EXPECT_EQ(judge.judged_whole[0].state.id, judge.judged[1].state.id);
    EXPECT_EQ(chosen.judgement.number, 1u);
}

TEST_F(CompositionTest, JudgesNothingTwiceThatWasJudgedAsAWhole) {
    ScriptedJudge judge(accepts_all);
    schedule(judge);
    EXPECT_TRUE(judge.judged_whole.empty());
}

// The compiler has crashed on what lies between kernels that it had lowered one by one.
TEST_F(CompositionTest, TakesTheOneThatSpillsWhereTheOtherIsRefusedAsAWhole) {
    ScriptedJudge judge([](size_t number) { return number == 0 ? 100 : 0; });
    judge.by_parts = true;
    judge.refused_wholes = 1;
    const ComposedSchedule chosen = schedule(judge);
    ASSERT_EQ(judge.judged_whole.size(), 2u);
    EXPECT_NE(judge.judged_whole[0].state.id, judge.judged[0].state.id);
    EXPECT_EQ(judge.judged_whole[1].state.id, judge.judged[0].state.id);
    EXPECT_EQ(chosen.complete.state.id, judge.judged[0].state.id);
}

TEST_F(CompositionTest, TriesTheNextStateWhereTheWholeOfOneIsRefused) {
    ScriptedJudge judge(accepts_all);
    judge.by_parts = true;
    judge.refused_wholes = 5;
    EXPECT_EQ(schedule(judge).attempt, Attempt::no_fusion);
    EXPECT_EQ(judge.log, Log(kAllAttempts.begin(), kAllAttempts.begin() + 6));
}

// ---- The report.

TEST_F(CompositionTest, ReportsOnTheLastSearchAndOnThePartsOfAll) {
    ScriptedJudge judge(
        [](size_t number) { return number == 8 ? accepts_all(number) : refuses_all(number); });
    const CompositionResult result = composed(judge).value();
    ASSERT_EQ(result.schedule->attempt, Attempt::plain);
    EXPECT_EQ(result.report.states_scored, 2u) << "nothing was searched for the plain schedule";
    Log parts;
    for (const SearchPart &part : result.report.parts) {
        parts.push_back(part.attempt + "." + part.name);
    }
    EXPECT_EQ(parts, (Log{"search.scripted", "search.judge", "search.judge", "search.judge",
                          "search.judge", "no_fusion.scripted", "no_fusion.judge",
                          "no_fusion.judge", "no_fusion.judge", "no_fusion.judge", "plain.judge"}));
}

TEST_F(CompositionTest, ReportsSearchesForFewerRegisters) {
    ScriptedJudge judge([](size_t number) { return number == 0 ? 100 : 0; });
    const CompositionResult result = composed(judge).value();
    EXPECT_EQ(part_names(result.report), (Log{"scripted", "judge", "fewer_registers", "judge"}));
    const SearchPart &again = result.report.parts[2];
    EXPECT_EQ(again.states, 2u);
    EXPECT_EQ(again.seconds > 0, result.report.times.fewer_registers > 0);
    EXPECT_EQ(again.cost_before, judge.judged[0].state.cost);
    EXPECT_EQ(again.cost_after, judge.judged[1].state.cost);
}

// A Func of so many nodes takes Halide minutes to lower.
TEST_F(CompositionTest, TriesNoMoreOfWhatTakesLongToLower) {
    Dag dag = *problem_.dag;
    for (Stage &stage : dag.stages) stage.nodes = 100'000;
    problem_.dag = std::make_shared<const Dag>(std::move(dag));
    ScriptedJudge judge([](size_t number) { return number == 0 ? 100 : 0; });
    EXPECT_EQ(composed(judge).value().schedule->judgement.spill_bytes, 100);
    EXPECT_EQ(judge.judged.size(), 1u);
}

// ---- Limits, with the strategies that users get.

TEST_F(CompositionTest, OfBeamTakesTheBestWithStagedInputsWhereThatPays) {
    ScriptedJudge judge(accepts_all);
    const CompositionResult result = composed(judge, "beam").value();
    EXPECT_EQ(result.report.stop_reason.kind, StopReason::Kind::completed);
    const std::vector<State> best = problem_.found_by("beam").best;
    EXPECT_LE(result.schedule->complete.state.cost, best[0].cost);
    std::set<uint64_t> structures;
    for (const State &state : best) structures.insert(structural_hash(state.nest, 2));
    EXPECT_GT(structures.size(), 1u);
    Log expected{"draft",           "pass",
                 "improve_tilings", "pass",
                 "improve_tilings", "reconsider_places",
                 "improve_members", "slide_windows"};
    for (size_t finished = 0; finished < std::min<size_t>(4, structures.size()); ++finished) {
        expected.insert(expected.end(),
                        {"stage_inputs", "reorder_storage", "fit_blocks", "pad_rows",
                         "choose_steps", "order_threads", "share_launches", "copy_reordered"});
    }
    expected.insert(expected.end(), {"last_descent", "judge"});
    EXPECT_EQ(part_names(result.report), expected);
}

TEST_F(CompositionTest, OfGreedyGroupingHasNoDraftAndStagesNothing) {
    ScriptedJudge judge(accepts_all);
    const CompositionResult result = composed(judge, "greedy_grouping").value();
    EXPECT_EQ(part_names(result.report), (Log{"greedy_grouping", "judge"}));
    EXPECT_EQ(result.schedule->complete.state.id, problem_.found_by("greedy_grouping").best[0].id);
}

TEST_F(CompositionTest, OfBeamHasNoDraftWithDropout) {
    problem_.options.random_dropout = 50;
    ScriptedJudge judge(accepts_all);
    const CompositionResult result = composed(judge, "beam").value();
    EXPECT_EQ(part_names(result.report),
              (Log{"pass", "stage_inputs", "reorder_storage", "fit_blocks", "pad_rows",
                   "choose_steps", "order_threads", "share_launches", "copy_reordered", "judge"}));
}

TEST_F(CompositionTest, FindsACompleteScheduleWithoutTimeAndSaysSo) {
    problem_.options.limits.time_limit_s = 0;
    for (const char *strategy : {"beam", "greedy_grouping"}) {
        ScriptedJudge judge([](size_t number) { return number == 0 ? 100 : 0; });
        const CompositionResult result = composed(judge, strategy).value();
        EXPECT_EQ(result.report.stop_reason.kind, StopReason::Kind::time_limit) << strategy;
        EXPECT_EQ(
            check(*problem_.dag, result.schedule->complete.state.nest, Completeness::complete),
            std::vector<std::string>{});
    }
}

// The clock of the composition is that of all parts: what the judge takes is time, too.
TEST_F(CompositionTest, CountsTheTimeOfTheJudge) {
    double now = 0;
    SearchContext context(problem_.options, SearchClock(60, [&] { return now; }));
    ScriptedJudge judge([&](size_t number) -> std::optional<int64_t> {
        now += 100;
        return number == 0 ? 100 : 0;
    });
    const CompositionResult result = composed(judge, "beam", context).value();
    EXPECT_EQ(result.report.pass_costs.size(), 2u) << "the first search had all the time";
    EXPECT_EQ(result.report.stop_reason.kind, StopReason::Kind::time_limit);
    EXPECT_EQ(result.report.stop_reason.measured, 100);
}

// Neither is a schedule without spills searched for, nor judged.
TEST_F(CompositionTest, KeepsASpillingScheduleWhenTimeIsUp) {
    double now = 0;
    SearchContext context(problem_.options, SearchClock(60, [&] { return now; }));
    ScriptedJudge judge([&](size_t) {
        now = 61;
        return 100;
    });
    const CompositionResult result = composed(judge, "beam", context).value();
    EXPECT_EQ(judge.judged.size(), 1u);
    EXPECT_EQ(result.schedule->judgement.spill_bytes, 100);
    EXPECT_EQ(result.report.stop_reason.kind, StopReason::Kind::time_limit);
}

}  // namespace
}  // namespace autoschedule_gpu
