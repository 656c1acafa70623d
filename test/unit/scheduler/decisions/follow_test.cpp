#include "scheduler/decisions/follow.h"

#include <gtest/gtest.h>

#include "scheduler/schedule/directives_of_nest.h"
#include "scheduler/schedule/trace.h"
#include "scheduler/space/wrappers.h"
#include "unit/scheduler/decisions/lists.h"

namespace autoschedule_gpu {
namespace {

using example::decision;
using example::error_of;
using example::followed;
using example::kHash;
using example::list_of;
using example::Search;

std::string nest_of(const Search &search, const DecisionList &list) {
    const Result<Followed> result = followed(search, list);
    return result.ok() ? to_text(*result->dag, result->state.nest) : result.error().message;
}

// Two stencils, the first in the block of the second.
const std::string kFused =
    "kernel f1 blocks x=16 y=32\n"
    "  f0 threads x=34 y=10\n"
    "    f0 serial\n"
    "  f1 threads x=32 y=8\n"
    "    f1 serial\n";

TEST(Decisions, LeadBackToWhatWasFound) {
    for (example::NamedDag &e : example::all()) {
        Search search(std::move(e.dag));
        search.options.limits.num_passes = 2;
        const State best = search.run().best[0];
        const DecisionList list = list_of(search, best);
        const Result<Followed> back = followed(search, list);
        ASSERT_TRUE(back.ok()) << e.name << ": " << back.error().message;
        EXPECT_EQ(to_json(directives(*back->dag, back->state.nest), kHash),
                  to_json(directives(search.dag, best.nest), kHash))
            << e.name;
    }
}

TEST(Decisions, OfNoKnownTextAreRefused) {
    const Search search(example::two_stencils(512, 256));
    for (const auto &[name, kind] : {std::pair{"f0", decision_kind::member_tile},
                                     std::pair{"f1.x", decision_kind::rows}}) {
        DecisionList list = list_of(search, kFused);
        const auto same = [&](const Coordinate &one) {
            return one.name == name && one.kind == kind;
        };
        std::erase_if(list.decisions, same);
        list.decisions.push_back({name, kind, std::string("dealed"), {}});
        EXPECT_NE(error_of(search, list).find("there is no such way"), std::string::npos)
            << name << ": " << error_of(search, list);
    }
}

TEST(Decisions, OfANestAreItsPlacesAndTiles) {
    const Search search(example::two_stencils(512, 256));
    DecisionList list = list_of(search, kFused);
    EXPECT_EQ(decision(list, "f1", decision_kind::place).value, DecisionValue("root"));
    EXPECT_EQ(decision(list, "f1.x", decision_kind::threads).value, DecisionValue(32));
    EXPECT_EQ(decision(list, "f1.y", decision_kind::serial).value, DecisionValue(1));
    const Coordinate &blur = decision(list, "f0", decision_kind::place);
    EXPECT_EQ(blur.value, DecisionValue("block"));
    const std::vector<DecisionValue> places{"inline", "threads", "block", "root"};
    EXPECT_EQ(blur.choices, places);
    const std::vector<DecisionValue> threads{16, 32, 64};
    EXPECT_EQ(decision(list, "f1.x", decision_kind::threads).choices, threads);
    EXPECT_EQ(decision(list, "f0.x", decision_kind::serial).value, DecisionValue(1));
}

// A place tells how much of a reduction is outside the threads.
TEST(Decisions, SayHowManyLoopsOfAReductionAreOutside) {
    const Search search(example::patches_of_all_shifts(512, 256));
    const std::string begin =
        "inline: diff_in_patch patch_in_total\n"
        "kernel out blocks x=16 y=32\n"
        "  total threads x=32 y=8\n    total serial\n"
        "  diff threads x=34 y=8";
    const std::string middle = " in total.update(0)\n    diff serial",
                      end = "  out threads x=32 y=8\n    out serial\n";
    const std::string outermost = begin + middle +
                                  " i=5\n"
                                  "  total.update(0) threads x=32 y=8 in outer_loop\n"
                                  "    patch serial i=5\n    total.update(0) serial s=5\n" +
                                  end;
    const std::string all = begin + middle +
                            "\n"
                            "  total.update(0) threads x=32 y=8 in loop\n"
                            "    patch serial\n    total.update(0) serial\n" +
                            end;
    DecisionList list = list_of(search, outermost.substr(outermost.find("kernel")));
    EXPECT_EQ(nest_of(search, list), outermost);
    Coordinate &total = decision(list, "total", decision_kind::place);
    EXPECT_EQ(total.value, DecisionValue("block_outer_loop"));
    EXPECT_NE(std::ranges::find(total.choices, DecisionValue("block_loop")), total.choices.end());
    total.value = "block_loop";
    EXPECT_EQ(nest_of(search, list), all);
}

TEST(Decisions, MakeAnotherNestWhereOneIsChanged) {
    const Search search(example::two_stencils(512, 256));
    DecisionList list = list_of(search, kFused);
    decision(list, "f1.x", decision_kind::threads).value = 64;
    EXPECT_EQ(nest_of(search, list),
              "inline: f0_in_f1\n"
              "kernel f1 blocks x=8 y=32\n"
              "  f0 threads x=66 y=10\n"
              "    f0 serial\n"
              "  f1 threads x=64 y=8\n"
              "    f1 serial\n");
}

// The tile of a Func that was in a block has no threads; those are then chosen plainly.
TEST(Decisions, BearAChangedPlaceWithoutFurtherChanges) {
    const Search search(example::two_stencils(512, 256));
    DecisionList list = list_of(search, kFused);
    decision(list, "f0", decision_kind::place).value = "root";
    const Result<Followed> root = followed(search, list);
    ASSERT_TRUE(root.ok()) << root.error().message;
    EXPECT_EQ(root->state.nest.kernels.size(), 2u);
    decision(list, "f0", decision_kind::place).value = "inline";
    const Result<Followed> inlined = followed(search, list);
    ASSERT_TRUE(inlined.ok()) << inlined.error().message;
    EXPECT_EQ(inlined->state.nest.kernels.size(), 1u);
}

TEST(Decisions, StageReads) {
    const Search search(example::two_stencils(512, 256));
    DecisionList list = list_of(search, kFused);
    Coordinate &staged = decision(list, "f0.in(f1)", decision_kind::place);
    EXPECT_EQ(staged.value, DecisionValue("inline"));
    staged.value = "threads";
    const Result<Followed> result = followed(search, list);
    ASSERT_TRUE(result.ok()) << result.error().message;
    DecisionList again = list_of(search, *result->dag, result->state);
    EXPECT_EQ(decision(again, "f0.in(f1)", decision_kind::place).value, DecisionValue("threads"));
}

// A wrapper for all readers that is inline is made all the same where one of its own is staged.
TEST(Decisions, StageReadsOfInlinedWrappers) {
    const Search search(with_wrapped_reductions(example::reduced_stencil(512, 256)));
    DecisionList list = list_of(search, plain_state(search.space, search.model));
    decision(list, "total.in()", decision_kind::place).value = "inline";
    decision(list, "total.in().in(out)", decision_kind::place).value = "block";
    const Result<Followed> result = followed(search, list);
    ASSERT_TRUE(result.ok()) << result.error().message;
    const Schedule schedule = directives(*result->dag, result->state.nest);
    const auto wrappers = std::ranges::count(schedule, DirectiveOp::in, &Directive::op);
    EXPECT_EQ(wrappers, 2);
    const Status sound = check_against(schedule, search.dag);
    EXPECT_TRUE(sound.ok()) << sound.error().message;
}

TEST(Decisions, ThatFailAreNamedWithTheReason) {
    const Search search(example::two_stencils(512, 256));
    const DecisionList list = list_of(search, kFused);
    const struct {
        std::string name;
        std::string kind;
        DecisionValue value;
        std::string message;
    } cases[] = {
        {"f1", decision_kind::place, "inline",
         "decision 1, place of \"f1\", \"inline\": the rule halide_nesting rejects it: "},
        {"f1", decision_kind::place, "threads",
         "decision 1, place of \"f1\", \"threads\": the rule halide_nesting rejects it: "},
        {"f0", decision_kind::place, "nowhere", "place of \"f0\", \"nowhere\": there is no "},
        {"f0", decision_kind::place, "loop", "the rule halide_nesting rejects it: "},
        {"f1.x", decision_kind::threads, 1000,
         "decision 3, threads of \"f1.x\", 1000: with it the loop's tile has 1000 points, but "
         "the loop 512"},
        {"f1.x", decision_kind::threads, 512, "the rule hardware_threads rejects it: "},
        {"f1.x", decision_kind::serial, 2147483647, "points, but the loop 512"},
        {"f1.x", decision_kind::serial, 16, "the rule serial_too_large rejects it: "},
    };
    for (const auto &c : cases) {
        DecisionList changed = list;
        if (c.message.find("serial_too_large") != std::string::npos) {
            decision(changed, "f1.y", decision_kind::serial).value = 4;
            decision(changed, "f1.x", decision_kind::threads).value = 8;
        }
        decision(changed, c.name, c.kind).value = c.value;
        const std::string error = error_of(search, changed);
        EXPECT_NE(error.find(c.message), std::string::npos) << error;
    }
}

TEST(Decisions, AboutWhatIsNotThereOrTwiceAreRefused) {
    const Search search(example::two_stencils(512, 256));
    DecisionList list = list_of(search, kFused);
    const std::string last = std::to_string(list.decisions.size() + 1);
    DecisionList more = list;
    more.decisions.push_back({"sharp", decision_kind::place, "root", {}});
    EXPECT_EQ(error_of(search, more), "decision " + last +
                                          ", place of \"sharp\", \"root\": the pipeline has "
                                          "nothing of that name to decide");
    more = list;
    more.decisions.push_back(list.decisions[0]);
    EXPECT_EQ(error_of(search, more),
              "decision " + last + ", place of \"f1\", \"root\": decision 1 has decided that");
    std::erase_if(list.decisions, [](const Coordinate &one) { return one.name == "f0"; });
    EXPECT_EQ(error_of(search, list), "there is no decision where f0 is computed");
}

// A nest that stays on the host has no decisions of the search space.
TEST(Decisions, AreNoneWhereTheyWouldLeadElsewhere) {
    const Search search(example::two_stencils(512, 256), Freedom::root_only);
    const Result<DecisionList> list = decisions_of_state(
        search.dag, host_state(search.space), search.gpu, RuleBook(), Freedom::root_only, kHash);
    ASSERT_FALSE(list.ok());
    EXPECT_NE(list.error().message.find("directive"), std::string::npos) << list.error().message;
}

TEST(Decisions, DamagedInAnyByteLeadSomewhereOrAreRefused) {
    const Search search(example::two_stencils(512, 256));
    const std::string json = to_json(list_of(search, kFused));
    for (size_t i = 0; i < json.size(); ++i) {
        for (const int flip : {1, 4, 32}) {
            std::string damaged = json;
            damaged[i] = static_cast<char>(damaged[i] ^ flip);
            const Result<DecisionList> list = parse_decisions(damaged, stage_kinds());
            if (!list) continue;
            const Result<Followed> result = followed(search, *list);
            if (!result) {
                EXPECT_FALSE(result.error().message.empty());
                continue;
            }
            EXPECT_EQ(check(*result->dag, result->state.nest, Completeness::complete),
                      std::vector<std::string>{})
                << damaged;
        }
    }
}

}  // namespace
}  // namespace autoschedule_gpu
