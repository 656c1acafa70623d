#include "scheduler/schedule/loop_tree.h"

#include <gtest/gtest.h>

#include <string>

#include "scheduler/schedule/directives_of_nest.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

// Whether one tree has the stages, levels and memories of the other, and its extents where it knows
// them.
::testing::AssertionResult is_like(const LoopTree &found, const LoopTree &wanted) {
    const auto fails = [&](const std::string &what) {
        return ::testing::AssertionFailure() << what << " of " << wanted.stage;
    };
    if (found.stage != wanted.stage) return fails("there is " + found.stage + " instead");
    if (found.level != wanted.level) return fails("level");
    if (found.memory != wanted.memory) return fails("memory");
    if (found.level == Level::thread && found.loops.size() != wanted.loops.size()) {
        return fails("number of loops");
    }
    for (size_t i = 0; i < std::min(found.loops.size(), wanted.loops.size()); ++i) {
        const TreeLoop &loop = found.loops[i];
        if (loop.extent && loop.extent != wanted.loops[i].extent) return fails("extent");
        if (loop.extent && loop.written_out != wanted.loops[i].written_out) return fails("unroll");
    }
    if (found.body.size() != wanted.body.size()) return fails("body");
    for (size_t i = 0; i < found.body.size(); ++i) {
        if (const auto same = is_like(found.body[i], wanted.body[i]); !same) return same;
    }
    return ::testing::AssertionSuccess();
}

std::vector<int64_t> extents_of(const LoopTree &tree) {
    std::vector<int64_t> extents;
    for (const TreeLoop &loop : tree.loops) extents.push_back(loop.extent.value_or(-1));
    return extents;
}

constexpr std::string_view kFused =
    "kernel f1\n"
    "  f0 threads x=34 y=5\n"
    "    f0 serial y=2\n"
    "  f1 threads x=32 y=4\n"
    "    f1 serial y=2\n";

TEST(LoopTree, OfAKernelHasItsBlocksThreadsAndLoops) {
    const Dag dag = example::two_stencils(512, 256);
    const Nest nest = example::sound(dag, kFused);
    const LoopTree tree = loop_tree(dag, *nest.kernels[0]);
    EXPECT_EQ(tree.level, Level::block);
    EXPECT_EQ(extents_of(tree), (std::vector<int64_t>{16, 32}));
    ASSERT_EQ(tree.body.size(), 2u);
    EXPECT_EQ(tree.body[0].stage, "f0");
    EXPECT_EQ(tree.body[0].memory, MemoryKind::shared);
    EXPECT_EQ(extents_of(tree.body[0]), (std::vector<int64_t>{34, 5}));
    ASSERT_EQ(tree.body[1].body.size(), 1u);
    ASSERT_EQ(tree.body[1].body[0].loops.size(), 1u);
    EXPECT_EQ(tree.body[1].body[0].loops[0].name, "y");
    EXPECT_EQ(tree.body[1].body[0].loops[0].written_out, 2);
}

TEST(LoopTree, OfDirectivesIsThatOfTheNestTheyWereMadeOf) {
    const Dag dag = example::two_stencils(512, 256);
    for (const std::string_view text :
         {kFused,
          std::string_view("kernel f1\n  f1 threads x=32 y=4\n    f0 serial x=3 y=4\n"
                           "    f1 serial y=2\n"),
          std::string_view("kernel f1\n  f1 threads x=64\nkernel f0\n  f0 threads x=32 y=4\n"
                           "    f0 serial y=2\n")}) {
        const Nest nest = example::sound(dag, text);
        std::vector<LoopTree> found = loop_trees(directives(dag, nest));
        ASSERT_EQ(found.size(), nest.kernels.size()) << text;
        for (const KernelPtr &kernel : nest.kernels) {
            const LoopTree wanted = loop_tree(dag, *kernel);
            const auto same = std::ranges::find(found, wanted.stage, &LoopTree::stage);
            ASSERT_NE(same, found.end()) << wanted.stage;
            EXPECT_TRUE(is_like(*same, wanted)) << text;
            EXPECT_EQ(extents_of(same->body.back()), extents_of(wanted.body.back())) << text;
        }
    }
}

// The schedule for another size may have loops of its own for full tiles.
TEST(LoopTree, OfDirectivesForSeveralSizesIsThatForAllOtherSizes) {
    const Dag dag = example::two_stencils(512, 256);
    const Schedule last = directives(dag, example::sound(dag, kFused));
    Schedule several(1);
    several[0].op = DirectiveOp::for_sizes;
    for (Directive directive : last) {
        directive.branch = Branch::full_tiles;
        several.push_back(directive);
    }
    several.push_back(several[0]);
    several.insert(several.end(), last.begin(), last.end());
    const std::vector<LoopTree> found = loop_trees(several), wanted = loop_trees(last);
    ASSERT_EQ(found.size(), wanted.size());
    for (size_t i = 0; i < wanted.size(); ++i) EXPECT_TRUE(is_like(found[i], wanted[i]));
}

TEST(LoopTree, OfDirectivesLeavesOutTheHost) {
    Directive root;
    root.func_name = "out";
    EXPECT_TRUE(loop_trees({root}).empty());
}

}  // namespace
}  // namespace autoschedule_gpu
