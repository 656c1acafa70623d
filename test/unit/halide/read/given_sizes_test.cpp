// A pipeline at sizes that are not its estimates.
#include "halide/read/given_sizes.h"

#include "reading.h"

namespace autoschedule_gpu {
namespace {

using namespace testing;

struct Sums {
    Sums() {
        r = Halide::RDom(0, radius);
        f(x, y) = 0.0f;
        f(x, y) += in(x + r, y);
        g(x, y) = f(x, y) * 2;
        in.set_estimates({{0, 100}, {0, 100}});
        radius.set_estimate(3);
        g.set_estimates({{0, 64}, {0, 32}});
    }

    Halide::ImageParam in{Halide::Float(32), 2, "in"};
    Halide::Param<int> radius{"radius"};
    Halide::RDom r;
    Halide::Func f{"f"}, g{"g"};
};

GivenSizes outputs(std::vector<Interval> ranges) {
    return {.outputs = {{"g", std::move(ranges)}}, .inputs = {}, .scalars = {}};
}

std::string refused(const Halide::Func &func, const GivenSizes &sizes) {
    const Result<GivenSizes> own = sizes_of(func, sizes);
    return own ? "" : own.error().message;
}

TEST(GivenSizes, TakeThePlaceOfEstimatesAndChangeNothing) {
    Sums sums;
    GivenSizes sizes = outputs({{0, 999}, {5, 14}});
    sizes.inputs["in"] = {{0, 1999}, {0, 99}};
    sizes.scalars["radius"] = 9;
    const Result<GivenSizes> own = sizes_of(sums.g, sizes);
    ASSERT_TRUE(own) << own.error().message;
    const Result<Dag> dag = read_pipeline(sums.g, cuda(), Respect::keep, *own);
    ASSERT_TRUE(dag) << dag.error().message;
    EXPECT_EQ(func(*dag, sums.g).dims[0].estimate, (Interval{0, 999}));
    EXPECT_EQ(func(*dag, sums.f).dims[1].estimate, (Interval{5, 14}));
    EXPECT_EQ(func(*dag, "in").dims[0].estimate, (Interval{0, 1999}));
    EXPECT_EQ(stage(*dag, sums.f, 1).loops[0].range.extent(), 9);
    const Dag before = read(sums.g);
    EXPECT_EQ(func(before, sums.g).dims[0].estimate, (Interval{0, 63}));
    EXPECT_EQ(stage(before, sums.f, 1).loops[0].range.extent(), 3);
}

TEST(GivenSizes, AreNamedWithoutTheCountersOfHalide) {
    Sums first, second;
    const Result<GivenSizes> own = sizes_of(second.g, outputs({{0, 9}, {0, 9}}));
    ASSERT_TRUE(own) << own.error().message;
    EXPECT_TRUE(own->outputs.contains(second.g.name()));
}

TEST(GivenSizes, AreOfImagesThatAnExternStageReadsAlone) {
    Halide::ImageParam in{Halide::Float(32), 1, "in"};
    Halide::Func ext{"ext"}, f{"f"};
    ext.define_extern("make_something", {in}, Halide::Float(32), 1);
    f(x) = ext(x);
    f.set_estimate(x, 0, 64);
    EXPECT_EQ(refused(f, {.outputs = {}, .inputs = {{"in", {{0, 9}}}}, .scalars = {}}), "");
}

TEST(GivenSizes, AreOfWhatThePipelineHas) {
    Sums sums;
    EXPECT_EQ(refused(sums.g, outputs({{0, 9}})),
              "outputs, \"g\": expected a range for each of its 2 dimensions, found 1");
    EXPECT_EQ(refused(sums.g, {.outputs = {}, .inputs = {{"g", {{0, 9}, {0, 9}}}}, .scalars = {}}),
              "inputs, \"g\": the pipeline has none of that name; there is: in");
    EXPECT_EQ(refused(sums.g, {.outputs = {}, .inputs = {}, .scalars = {{"sigma", 2}}}),
              "scalars, \"sigma\": the pipeline has none of that name; there is: radius");
    EXPECT_EQ(refused(sums.g, {.outputs = {}, .inputs = {}, .scalars = {{"radius", 2.5}}}),
              "scalars, \"radius\": expected a value of int32, found 2.5");
}

TEST(GivenSizes, AreNoOthersThanThePipelineFixes) {
    Sums sums;
    sums.g.bound(x, 0, 64);
    sums.in.dim(1).set_bounds(0, 100);
    EXPECT_EQ(refused(sums.g, outputs({{0, 63}, {0, 9}})), "");
    EXPECT_EQ(refused(sums.g, outputs({{0, 127}, {0, 9}})),
              "outputs, \"g\": dimension 0: the pipeline fixes its extent at 64, found 128");
    EXPECT_EQ(refused(sums.g, {.outputs = {}, .inputs = {{"in", {{0, 9}, {0, 9}}}}, .scalars = {}}),
              "inputs, \"in\": dimension 1: the pipeline fixes its extent at 100, found 10");
}

}  // namespace
}  // namespace autoschedule_gpu
