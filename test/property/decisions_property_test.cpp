// Lists of decisions of random pipelines: of states that random decisions lead to and of what
// searches find.
#include <gtest/gtest.h>

#include <functional>

#include "core/dag/text.h"
#include "core/support/random.h"
#include "property/random_dag.h"
#include "scheduler/decisions/decisions_of_state.h"
#include "scheduler/decisions/follow.h"
#include "scheduler/model/roofline.h"
#include "scheduler/nest/check.h"
#include "scheduler/nest/edit.h"
#include "scheduler/schedule/directives_of_nest.h"
#include "scheduler/schedule/trace.h"
#include "scheduler/search/beam_search.h"
#include "scheduler/search/greedy_grouping.h"
#include "scheduler/search/plain.h"
#include "scheduler/search/stage_inputs.h"
#include "scheduler/space/wrappers.h"
#include "unit/example_dags.h"

namespace autoschedule_gpu {
namespace {

constexpr uint64_t kHash = 0x0123456789abcdef;

// What became of lists.
struct Counts {
    int states = 0, lists = 0;
    int neighbours = 0, accepted = 0;
};

class Listed {
public:
    Listed(Dag dag, uint64_t seed)
        : dag_(with_wrapped_reductions(dag)),
          gpu_(find_preset(preset_names()[seed % preset_names().size()]).value()),
          model_(gpu_),
          random_(Random(seed).fork(2)) {}

    const Dag &dag() const { return dag_; }
    SearchSpace space(Freedom freedom) const { return {dag_, gpu_, rules_, freedom}; }
    const GpuModel &gpu() const { return gpu_; }
    const Roofline &model() const { return model_; }
    Random &random() { return random_; }

    // The list leads back to the state, and each change of one decision to its neighbour leads to
    // something legal or is refused with a reason.
    void expect_list(const Dag &dag, const State &state, Freedom freedom, Counts &counts) {
        const std::string text = to_text(dag, state.nest);
        SCOPED_TRACE(to_text(dag_) + text);
        ++counts.states;
        const Result<DecisionList> list =
            decisions_of_state(dag, state, gpu_, rules_, freedom, kHash);
        if (!list) {
            EXPECT_FALSE(list.error().message.empty());
            return;
        }
        ++counts.lists;
        const Result<DecisionList> read = parse_decisions(to_json(*list), stage_kinds());
        ASSERT_TRUE(read.ok()) << read.error().message;
        EXPECT_EQ(*read, *list);
        const Result<Followed> followed = follow(*read, dag_, gpu_, rules_);
        ASSERT_TRUE(followed.ok()) << followed.error().message;
        EXPECT_EQ(to_json(directives(*followed->dag, followed->state.nest), kHash),
                  to_json(directives(dag, state.nest), kHash));
        for (size_t i = 0; i < list->decisions.size(); ++i) expect_neighbours(*list, i, counts);
    }

private:
    void expect_neighbours(const DecisionList &list, size_t decision, Counts &counts) {
        const std::vector<DecisionValue> &choices = list.decisions[decision].choices;
        const auto own = std::ranges::find(choices, list.decisions[decision].value);
        ASSERT_NE(own, choices.end()) << list.decisions[decision].name;
        if (own != choices.begin()) expect_sound(list, decision, *(own - 1), counts);
        if (own + 1 != choices.end()) expect_sound(list, decision, *(own + 1), counts);
    }

    void expect_sound(const DecisionList &list, size_t decision, const DecisionValue &value,
                      Counts &counts) {
        DecisionList changed = list;
        changed.decisions[decision].value = value;
        ++counts.neighbours;
        const Result<Followed> followed = follow(changed, dag_, gpu_, rules_);
        if (!followed) {
            EXPECT_NE(followed.error().message.find("decision "), std::string::npos);
            return;
        }
        ++counts.accepted;
        const auto &[dag, state] = *followed;
        EXPECT_EQ(check(*dag, state.nest, Completeness::complete), std::vector<std::string>{})
            << list.decisions[decision].name << "\n"
            << to_text(*dag, state.nest);
        const Status sound = check_against(directives(*dag, state.nest), *dag);
        EXPECT_TRUE(sound.ok()) << sound.error().message;
    }

    Dag dag_;
    GpuModel gpu_;
    RuleBook rules_;
    Roofline model_;
    Random random_;
};

State randomly_unrolled(const Dag &dag, State state, Random &random) {
    for (KernelPtr &kernel : state.nest.kernels) {
        if (kernel->on_host) continue;
        const KernelPtr before = kernel;
        for (const Band *innermost : innermost_bands(*before->blocks)) {
            const auto unroll = static_cast<Unroll>(random.below(kUnrolls));
            kernel = unroll_stage(dag, kernel, innermost->stage, unroll);
        }
    }
    state.id = state.nest.hash();
    return state;
}

State random_state(const SearchSpace &space, Random &random) {
    State state = space.initial();
    for (const Step &step : space.steps()) {
        RuleCounts rejected{};
        const Retile retile = random.below(2) == 0 ? Retile::yes : Retile::no;
        std::vector<Decision> moves = space.decisions(state, step, retile, rejected);
        while (!moves.empty()) {
            const size_t chosen = random.below(moves.size());
            if (is_nothing(moves[chosen])) break;
            const auto applied = space.apply(state, moves[chosen]);
            if (const auto *successor = std::get_if<Successor>(&applied)) {
                state = materialise(space.dag(), state, *successor,
                                    std::vector<double>(successor->changes.size(), 1.0));
                break;
            }
            moves.erase(moves.begin() + static_cast<std::ptrdiff_t>(chosen));
        }
    }
    return randomly_unrolled(space.dag(), std::move(state), random);
}

void expect_shares(const Counts &counts, double lists, double accepted) {
    EXPECT_GE(counts.lists, lists * counts.states);
    EXPECT_GE(counts.accepted, accepted * counts.neighbours);
    std::printf("%d of %d states have a list, %d of %d neighbours are accepted\n", counts.lists,
                counts.states, counts.accepted, counts.neighbours);
}

TEST(DecisionsOfRandomPipelines, LeadBackToRandomStates) {
    Counts counts;
    for (uint64_t seed = 0; seed < 150 && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        Listed listed(example::random_dag(seed, 8), seed);
        for (int walk = 0; walk < 3; ++walk) {
            const Freedom freedom = static_cast<Freedom>(seed % 4 == 0 ? walk : 0);
            const State state = random_state(listed.space(freedom), listed.random());
            listed.expect_list(listed.dag(), state, freedom, counts);
        }
    }
    expect_shares(counts, 0.99, 0.99);
}

TEST(DecisionsOfRandomPipelines, LeadBackToWhatSearchesFind) {
    Counts counts;
    for (uint64_t seed = 0; seed < 60 && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        Listed listed(example::random_dag(seed, 7), seed);
        const SearchSpace space = listed.space(Freedom::full);
        SearchOptions options;
        options.limits = {4, 2, 1, 1e6};
        options.seed = seed;
        SearchContext context(options);
        SearchResult found = beam_search(space, listed.model(), context);
        const State &best = found.best[0];
        listed.expect_list(listed.dag(), best, Freedom::full, counts);
        const auto staged = stage_inputs(space, listed.model(), context, best, found.report);
        if (staged) listed.expect_list(staged->dag, staged->state, Freedom::full, counts);
        const SearchResult grouped =
            greedy_grouping(space, {listed.model(), listed.model()}, context, Fusion::nested);
        listed.expect_list(listed.dag(), grouped.best[0], Freedom::full, counts);
        const SearchSpace root = listed.space(Freedom::root_only);
        listed.expect_list(listed.dag(), plain_state(root, listed.model()), Freedom::root_only,
                           counts);
    }
    expect_shares(counts, 0.99, 0.99);
}

TEST(DecisionsOfLargePipelines, LeadBackToRandomStates) {
    Counts counts;
    for (uint64_t seed = 0; seed < 8 && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        Listed listed(example::random_dag(seed, 40), seed);
        const State state = random_state(listed.space(Freedom::full), listed.random());
        listed.expect_list(listed.dag(), state, Freedom::full, counts);
    }
    expect_shares(counts, 0.99, 0.995);
}

TEST(DecisionsOfExamples, LeadBackToRandomStates) {
    Counts counts;
    uint64_t seed = 0;
    for (example::NamedDag &e : example::all()) {
        SCOPED_TRACE(e.name);
        Listed listed(std::move(e.dag), ++seed);
        for (int walk = 0; walk < 20 && !testing::Test::HasFailure(); ++walk) {
            const State state = random_state(listed.space(Freedom::full), listed.random());
            listed.expect_list(listed.dag(), state, Freedom::full, counts);
        }
    }
    expect_shares(counts, 0.99, 0.99);
}

}  // namespace
}  // namespace autoschedule_gpu
