// Whether a nest is the schedule that was made for another size.
#include "scheduler/sizes/same_directives.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

Directive of(DirectiveOp op, int func) {
    Directive directive;
    directive.op = op;
    directive.func = func;
    return directive;
}

Directive full_tiles(int func, int site, std::vector<int64_t> least, std::vector<int64_t> most) {
    Directive directive = of(DirectiveOp::specialize, func);
    directive.site_func = site;
    directive.least = std::move(least);
    directive.most = std::move(most);
    return directive;
}

TEST(SameDirectives, MayDifferInWhatAPromiseGivesAndInTheGrid) {
    const Schedule made = {full_tiles(0, 0, {32}, {1000}), of(DirectiveOp::unroll, 0),
                           of(DirectiveOp::vectorize_aligned, 0)};
    const Schedule here = {full_tiles(0, 0, {32}, {500}), of(DirectiveOp::unroll, 0)};
    EXPECT_TRUE(are_same_directives(made, here, {{64}}));
    EXPECT_FALSE(are_same_directives(made, {made[0]}, {{64}}));
}

TEST(SameDirectives, RunInFullTilesOnly) {
    const Schedule root = {full_tiles(1, 1, {32, 0}, {0, 1000})};
    EXPECT_TRUE(are_same_directives(root, root, {{}, {32, 1000}}));
    EXPECT_FALSE(are_same_directives(root, root, {{}, {31, 1000}}));
    EXPECT_FALSE(are_same_directives(root, root, {{}, {32, 1001}}));
    Schedule rows = {full_tiles(0, 0, {32, 1}, {0, 9})};
    rows[0].loops = {{.original = 1}};
    EXPECT_TRUE(are_same_directives(rows, rows, {{64}}));
    const Schedule inside = {full_tiles(0, 1, {32, 0}, {0, 0})};
    EXPECT_TRUE(are_same_directives(inside, inside, {{8, 8}, {8, 8}}));
}

}  // namespace
}  // namespace autoschedule_gpu
