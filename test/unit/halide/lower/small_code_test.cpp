#include "halide/lower/small_code.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace autoschedule_gpu {
namespace {

namespace ir = Halide::Internal;

// Eight points at once, and four where the Func is small, or where it is odd and reads another.
struct Branching {
    Halide::Var x{"x"}, xo{"xo"}, xi{"xi"};
    Halide::Func other{"other"}, func{"func"};

    Branching() {
        other(x) = x;
        func(x) = 2 * x;
        unroll(branch(func.output_buffer().width() < 100), 4);
        Halide::Stage odd = branch(func.output_buffer().width() % 2 == 1);
        unroll(odd, 4);
        definition().specializations().back().definition.values() = {other(x)};
        unroll(func, 8);
    }

    ir::Definition &definition() { return func.function().definition(); }

    Halide::Stage branch(const Halide::Expr &condition) {
        return {func.function(), definition().add_specialization(condition).definition, 0};
    }

    template <typename Scheduled>
    void unroll(Scheduled &&scheduled, int points) {
        scheduled.split(x, xo, xi, points).unroll(xi);
    }
};

bool is_rolled_up(const ir::Definition &definition) {
    return std::ranges::all_of(definition.schedule().dims(), [](const ir::Dim &dim) {
        return dim.for_type == ir::ForType::Serial &&
               dim.partition_policy == Halide::Partition::Never;
    });
}

TEST(SmallCode, IsSmallInBranches) {
    Branching b;
    keep_code_small(std::vector{b.func});
    EXPECT_TRUE(is_rolled_up(b.definition()));
    ASSERT_EQ(b.definition().specializations().size(), 2u);
    for (const ir::Specialization &one : b.definition().specializations()) {
        EXPECT_TRUE(is_rolled_up(one.definition));
    }
}

TEST(SmallCode, KeepsWhatMayNotBeUnrolled) {
    Branching b;
    b.func.unroll(b.xo);
    keep_code_small(std::vector{b.func});
    EXPECT_EQ(b.definition().schedule().dims()[1].for_type, ir::ForType::Unrolled);
}

TEST(SmallCode, OfBranchesKeepsThoseThatReadOtherFuncs) {
    Branching b;
    forget_branches(std::vector{b.func, Halide::Func()});
    ASSERT_EQ(b.definition().specializations().size(), 1u);
    EXPECT_FALSE(is_rolled_up(b.definition()));
    const ir::Definition &left = b.definition().specializations().front().definition;
    ASSERT_EQ(left.values().size(), 1u);
    EXPECT_NE(left.values().front().as<ir::Call>(), nullptr);
}

}  // namespace
}  // namespace autoschedule_gpu
