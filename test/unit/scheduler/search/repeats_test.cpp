#include "scheduler/search/repeats.h"

#include <gtest/gtest.h>

#include "scheduler/search/reconsider_places.h"
#include "unit/scheduler/search/searched.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

// As many stencils as there are widths, each of that many points of the one before it.
Dag stencils(const std::vector<int> &widths) {
    DagBuilder b;
    FuncId before = b.input("in", {"x"});
    for (size_t i = 0; i + 1 < widths.size(); ++i) {
        const FuncId func = b.func("s" + std::to_string(i), {"x"});
        b.reads(func, before, {at(0, 0, widths[i] - 1)}, widths[i]).ops(func, OpKind::add, 2);
        before = func;
    }
    const FuncId out = b.output("out", {{"x", 0, (1 << 20) - 1}});
    b.reads(out, before, {at(0, 0, widths.back() - 1)}, widths.back()).ops(out, OpKind::add, 2);
    return b.build();
}

// Root kernels of those Funcs, the last of which computes another one in its blocks if that is
// given.
std::string nest(const std::vector<std::string> &roots, const std::string &kernel,
                 const std::string &member = "") {
    std::string text;
    for (const std::string &root : roots) {
        text += "kernel " + root + (root == "out" ? " blocks x=8192\n" : " blocks x=8193\n");
        if (root == kernel) {
            text += "  " + member + " threads x=130\n    " + member + " serial x=1\n";
        }
        text += "  " + root + " threads x=128\n    " + root + " serial x=1\n";
    }
    return text;
}

// The Funcs that are to be as another, each after that one.
std::vector<std::pair<std::string, std::string>> names(const Search &search,
                                                       const Counterparts &counterparts) {
    std::vector<std::pair<std::string, std::string>> result;
    for (const auto &[from, to] : counterparts.funcs()) {
        result.emplace_back(search.dag.func(from).name, search.dag.func(to).name);
    }
    return result;
}

// The pair that is computed in one kernel costs next to nothing; each of the others so much.
State with_cheap_pair(const Search &search, const std::string &text, double others) {
    State state = state_by_text(search, text);
    for (size_t k = 0; k < state.nest.kernels.size(); ++k) {
        state.kernel_costs[k] = state.nest.kernels[k]->members.empty() ? others : 1;
    }
    return state;
}

TEST(Repeats, AreOfACheapKernelWhereTheSameIsComputed) {
    const Search search(stencils({3, 3, 3, 3, 3}));
    const State state = with_cheap_pair(search, nest({"out", "s3", "s1", "s0"}, "s3", "s2"), 100);
    const std::vector<Counterparts> found = repeats(search.dag, state);
    ASSERT_EQ(found.size(), 1u);
    using Names = std::vector<std::pair<std::string, std::string>>;
    EXPECT_EQ(names(search, found[0]), (Names{{"s2", "s0"}, {"s3", "s1"}}));
    const StageId s2 = search.dag.func(find_func(search.dag, "s2")).stages[0];
    const StageId out = search.dag.func(find_func(search.dag, "out")).stages[0];
    EXPECT_EQ(stage_name(search.dag, found[0].stage(s2)), "s0");
    EXPECT_FALSE(found[0].stage(out).valid());
    EXPECT_EQ(found[0].stages().size(), 2u);
}

TEST(Repeats, AreOfKernelsOfTheirOwnWhereThoseAreCheaper) {
    const Search search(stencils({3, 3, 3, 3, 3}));
    const State state = with_cheap_pair(search, nest({"out", "s3", "s1", "s0"}, "s3", "s2"), 0.25);
    std::vector<std::string> alone;
    for (const Counterparts &found : repeats(search.dag, state)) {
        ASSERT_EQ(found.funcs().size(), 1u);
        alone.push_back(names(search, found)[0].second);
    }
    EXPECT_EQ(alone, (std::vector<std::string>{"s3", "s2"}));
}

TEST(Repeats, AreNoneWhereSomethingElseIsComputed) {
    const Search search(stencils({3, 5, 3, 3, 3}));  // s1 is another stencil
    const State state = with_cheap_pair(search, nest({"out", "s3", "s1", "s0"}, "s3", "s2"), 100);
    EXPECT_TRUE(repeats(search.dag, state).empty());
}

TEST(Repeats, HaveNothingInsideThatOthersRead) {
    DagBuilder b;
    FuncId before = b.input("in", {"x"});
    std::vector<FuncId> funcs;
    for (const char *name : {"s0", "s1", "s2", "s3"}) {
        const FuncId func = b.func(name, {"x"});
        b.reads(func, before, {at(0, 0, 2)}, 3).ops(func, OpKind::add, 2);
        funcs.push_back(before = func);
    }
    const FuncId out = b.output("out", {{"x", 0, (1 << 20) - 1}});
    b.reads(out, before, {at(0, 0, 2)}, 3).ops(out, OpKind::add, 2);
    b.reads(out, funcs[0], {at(0, 0, 2)}, 3);
    const Search search(b.build());
    const State state = with_cheap_pair(search, nest({"out", "s3", "s1", "s0"}, "s3", "s2"), 100);
    for (const Counterparts &found : repeats(search.dag, state)) {
        for (const auto &[from, to] : names(search, found)) {
            EXPECT_FALSE(from == "s2" && to == "s0");
        }
    }
}

TEST(Repeats, MakeAScheduleCheaper) {
    const Search search(stencils({3, 3, 3, 3, 3}));
    const OwnParts own(search);
    const State before = state_by_text(search, nest({"out", "s3", "s1", "s0"}, "s3", "s2"));
    const State after = repeat_kernels(own.parts, before);
    EXPECT_LT(after.cost, before.cost);
    EXPECT_EQ(after.nest.place(find_func(search.dag, "s0")), Place::block);
    EXPECT_EQ(after.nest.place(find_func(search.dag, "s2")), Place::block);
    EXPECT_EQ(after.nest.kernels.size(), 3u);
    EXPECT_TRUE(check(search.dag, after.nest, Completeness::complete).empty());
}

TEST(Repeats, LeaveAScheduleThatTheyDoNotMakeCheaper) {
    const Search search(stencils({3, 3, 3, 3, 3}));
    const OwnParts own(search);
    const State before = plain_state(search.space, search.model);
    EXPECT_EQ(repeat_kernels(own.parts, before).id, before.id);
}

}  // namespace
}  // namespace autoschedule_gpu
