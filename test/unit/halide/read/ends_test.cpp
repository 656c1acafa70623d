// Which ends of what is asked of an input lie within it, whatever its size.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/halide/read/reading.h"

namespace autoschedule_gpu {
namespace {

using namespace testing;
using Halide::Expr;
using Halide::Float;
using Halide::ImageParam;
using HFunc = Halide::Func;

struct Ends {
    bool first = false, last = false;
    bool operator==(const Ends &) const = default;
};

constexpr Ends kBoth = {true, true}, kNeither = {false, false};

struct ReadEnds : ::testing::Test {
    ImageParam in{Float(32), 1, "in"};
    Halide::Param<int> width{"width", 100};

    // Of the input that is read so by an output of 100 elements.
    Ends ends_of(const Expr &read) {
        HFunc out("out");
        out(x) = read;
        return ends_of(out);
    }

    Ends ends_of(HFunc out) {
        width.set_estimate(100);
        in.dim(0).set_estimate(0, 100);
        out.set_estimate(x, 0, 100);
        const Dag dag = read(out);
        // The input is read through Funcs that hold all of it, the first at other coordinates.
        for (const Edge &edge : dag.edges) {
            const RegionDimension &dim = dag.regions.dimension(edge.region, 0);
            if (dim.lo_within || dim.hi_within) return {dim.lo_within, dim.hi_within};
        }
        return {};
    }
};

TEST_F(ReadEnds, OfAClampToTheInputAreWithinIt) {
    EXPECT_EQ(ends_of(in(clamp(x + 3, in.dim(0).min(), in.dim(0).max()))), kBoth);
    HFunc out("out");
    const HFunc edge = Halide::BoundaryConditions::repeat_edge(in);
    out(x) = edge(x - 1) + edge(x + 1);
    EXPECT_EQ(ends_of(out), kBoth);
}

TEST_F(ReadEnds, OfOneEndOnlyAreOfThat) {
    EXPECT_EQ(ends_of(in(min(x + 3, in.dim(0).max()))), (Ends{false, true}));
    EXPECT_EQ(ends_of(in(max(x - 3, in.dim(0).min()))), (Ends{true, false}));
    EXPECT_EQ(ends_of(in(min(x, in.dim(0).extent() - 1))), (Ends{false, true}));
}

TEST_F(ReadEnds, OfAClampToNumbersAndParametersAreAnywhere) {
    EXPECT_EQ(ends_of(in(clamp(x, 0, 99))), kNeither);
    EXPECT_EQ(ends_of(in(clamp(x, 0, width - 1))), kNeither);
    EXPECT_EQ(ends_of(in(x)), kNeither);
}

TEST_F(ReadEnds, OfAnotherInputAreAnywhere) {
    ImageParam other(Float(32), 1, "other");
    other.dim(0).set_estimate(0, 100);
    EXPECT_EQ(ends_of(in(clamp(x, other.dim(0).min(), other.dim(0).max()))), kNeither);
}

// Of the pixel that a filter reads in each cell of 2 x 2, which the input may have none of.
TEST_F(ReadEnds, OfAClampWhoseOtherEndIsANumberAreWithinItWhereTheyDependOnWhatIsComputed) {
    EXPECT_EQ(ends_of(in(clamp(2 * x + 1, 1, in.dim(0).max()))), (Ends{false, true}));
}

TEST_F(ReadEnds, OfInputsOfFixedSizeAreNumbers) {
    in.dim(0).set_bounds(0, 100);
    EXPECT_EQ(ends_of(in(clamp(x + 3, 0, 99))), kBoth);
    EXPECT_EQ(ends_of(in(clamp(x + 3, 0, 100))), (Ends{true, false}));
    const Halide::Buffer<float> table(100);
    EXPECT_EQ(ends_of(in(x) + table(clamp(x + 3, 0, 99))), kBoth);
}

TEST_F(ReadEnds, OfAFuncThatReadsTheInputByPointsAreThose) {
    ImageParam other(Float(32), 1, "other");
    other.dim(0).set_estimate(0, 100);
    HFunc bright("bright"), sum("sum"), moved("moved");
    bright(x) = in(x)*2 + in(x);
    sum(x) = in(x) + other(x);
    moved(x) = in(x + 1);
    const Expr at = clamp(x + 3, in.dim(0).min(), in.dim(0).max());
    EXPECT_EQ(ends_of(bright(at)), kBoth);
    // Of these it is at the estimates that more of what they read would be missed.
    EXPECT_EQ(ends_of(sum(at)), kBoth);
    EXPECT_EQ(ends_of(moved(at)), kBoth);
    EXPECT_EQ(ends_of(moved(clamp(x, 0, 99))), kNeither);
    EXPECT_EQ(ends_of(moved(clamp(x, 0, width - 1))), kNeither);
}

// There are 2^60 ways from the last to the input.
TEST_F(ReadEnds, OfManyFuncsBehindEachOtherAreSoonKnown) {
    std::vector<HFunc> funcs = {HFunc("f0")};
    funcs[0](x) = in(x);
    for (int i = 1; i <= 60; ++i) {
        HFunc next("f" + std::to_string(i));
        next(x) = Halide::sqrt(funcs.back()(x)) + funcs.back()(x);
        funcs.push_back(next);
    }
    EXPECT_EQ(ends_of(funcs.back()(clamp(x, in.dim(0).min(), in.dim(0).max()))), kBoth);
}

TEST_F(ReadEnds, OfAnInputThatBeginsAt0AreTheLessOfItsExtent) {
    EXPECT_EQ(ends_of(in(clamp(x, 0, in.dim(0).extent() - 1))), kBoth) << "by its estimate";
    EXPECT_EQ(ends_of(in(clamp(x, 1, in.dim(0).extent()))), (Ends{true, false}));
    in.dim(0).set_min(0);
    EXPECT_EQ(ends_of(in(clamp(x, 0, in.dim(0).extent() - 1))), kBoth);
}

}  // namespace
}  // namespace autoschedule_gpu
