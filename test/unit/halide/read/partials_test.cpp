// Which reductions may be taken apart, and how a pipeline is read in which one has been.
#include "halide/apply/apply.h"
#include "halide/version/version.h"
#include "reading.h"
#include "unit/scheduler/schedule/example.h"

namespace autoschedule_gpu {
namespace {

using namespace testing;
using HFunc = Halide::Func;
using Halide::cast;
using Halide::Expr;
using Halide::Float;
using Halide::ImageParam;
using Halide::max;
using Halide::RDom;
using Halide::select;
using Halide::Tuple;
using Halide::UInt;

struct Reduced {
    ImageParam in{Float(32), 1, "in"};
    RDom r{0, 1000, "r"};
    HFunc f{"f"};

    Reduced() { in.set_estimates({{0, 1000}}); }
    Partials partials(const Halide::Target &target = cuda()) {
        return stage(read(f, target), f, 1).partials;
    }
};

Partials partials_of(const std::function<Expr(const Expr &before, const Expr &value)> &update) {
    Reduced p;
    p.f() = 0.f;
    p.f() = update(p.f(), p.in(p.r));
    return p.partials();
}

TEST(ReadPipeline, KnowsWhichReductionsHavePartialResults) {
    if (!halide_version::kRfactorLeavesNoSplits) GTEST_SKIP();
    EXPECT_EQ(partials_of([](Expr f, Expr v) { return f + v; }), Partials::any_order);
    EXPECT_EQ(partials_of([](Expr f, Expr v) { return f + v * v; }), Partials::any_order);
    EXPECT_EQ(partials_of([](Expr f, Expr v) { return max(f, Halide::abs(v)); }),
              Partials::any_order);
    EXPECT_EQ(partials_of([](Expr f, Expr v) { return 0.5f * f + v; }), Partials::no);
    EXPECT_EQ(partials_of([](Expr f, Expr v) { return Halide::strict_float(f + v); }),
              Partials::no);
}

TEST(ReadPipeline, KnowsWhichPartialResultsAreInOrder) {
    if (!halide_version::kRfactorLeavesNoSplits) GTEST_SKIP();
    Reduced place;
    const Expr v = place.in(place.r);
    place.f() = Tuple(0.f, 0);
    place.f() = Tuple(max(place.f()[0], v), select(v < place.f()[0], place.f()[1], place.r));
    EXPECT_EQ(place.partials(), Partials::in_order);
    Reduced moments;
    const Expr w = moments.in(moments.r);
    moments.f() = Tuple(0.f, 0.f);
    moments.f() = Tuple(moments.f()[0] + w, moments.f()[1] + w * w);
    EXPECT_EQ(moments.partials(), Partials::any_order);
}

TEST(ReadPipeline, PutsComplexProductsTogetherOfTwoDistinctParts) {
    if (!halide_version::kRfactorLeavesNoSplits) GTEST_SKIP();
    const auto partials_with = [](const std::function<Expr(const Reduced &)> &imaginary_part) {
        Reduced product;
        const Expr real = product.in(product.r), imaginary = imaginary_part(product);
        product.f() = Tuple(1.f, 0.f);
        product.f() = Tuple(product.f()[0] * real - product.f()[1] * imaginary,
                            product.f()[1] * real + product.f()[0] * imaginary);
        return product.partials();
    };
    EXPECT_EQ(partials_with([](const Reduced &p) { return p.in(999 - p.r); }), Partials::in_order);
    EXPECT_EQ(partials_with([](const Reduced &p) { return p.in(p.r) + 1.f; }), Partials::no);
    EXPECT_EQ(partials_with([](const Reduced &p) { return p.in(p.r); }), Partials::no);
}

TEST(ReadPipeline, KnowsThatPartsOfAHistogramCanBeAddedUp) {
    Reduced scatter;
    scatter.f(x) = 0.f;
    scatter.f(cast<uint8_t>(scatter.in(scatter.r))) += 1.f;
    scatter.f.set_estimate(x, 0, 256);
    EXPECT_EQ(scatter.partials(), Partials::any_order);
}

TEST(ReadPipeline, TakesReductionsApartUnderConditionsThatAreKnown) {
    const auto partials_where = [](const std::function<Expr(const Reduced &)> &condition) {
        Reduced where;
        where.r.where(condition(where));
        where.f(x) = 0.f;
        where.f(x) += where.in(where.r) * x;
        where.f.set_estimate(x, 0, 1000);
        return where.partials();
    };
    EXPECT_EQ(partials_where([](const Reduced &p) { return p.r % 3 == 0; }), Partials::any_order);
    EXPECT_EQ(partials_where([](const Reduced &p) { return p.r < x; }), Partials::no)
        << "of x below 1 there would be no parts";
    EXPECT_EQ(partials_where([](const Reduced &p) { return p.r < p.in.width(); }), Partials::no);
    EXPECT_EQ(partials_where([](const Reduced &p) { return p.in(p.r) > 0.5f; }), Partials::no);
}

TEST(ReadPipeline, TakesReductionsApartUnderConditionsOverARangeThatABufferIsToHave) {
    if (!halide_version::kRfactorLeavesNoSplits) GTEST_SKIP();
    Reduced given;
    given.in.dim(0).set_bounds(0, 1000);
    RDom whole(0, given.in.dim(0).extent(), "whole");
    whole.where(whole % 3 == 0);
    given.f() = 0.f;
    given.f() += given.in(whole);
    EXPECT_EQ(given.partials(), Partials::any_order);
}

TEST(ReadPipeline, KeepsReductionsWholeThatMayNotBeTakenApart) {
    Reduced strict;
    strict.f() = 0.f;
    strict.f() += strict.in(strict.r);
    EXPECT_EQ(strict.partials(cuda().with_feature(Halide::Target::StrictFloat)), Partials::no);
    Reduced scan;
    scan.f(x) = 0.f;
    scan.f(scan.r) += scan.f(scan.r - 1);
    scan.f.set_estimate(x, 0, 1000);
    EXPECT_EQ(scan.partials(), Partials::no);
}

TEST(ReadFactored, HasWhatWasMadeByItsNumberAndName) {
    if (!halide_version::kRfactorLeavesNoSplits) GTEST_SKIP();
    Reduced p;
    p.f() = 0.f;
    p.f() += p.in(p.r);
    Halide::Pipeline copy = deep_copy_pipeline(Halide::Pipeline(p.f));
    const auto made = [](std::string name) { return LoopRef::made(std::move(name)); };
    const Result<std::vector<HFunc>> funcs =
        apply_factors({test::split(1, "f", 1, {{0, "r"}, made("rs"), made("ru")}, 32),
                       test::rfactor(1, "f", 1, {made("ru"), made("u")}, 2)},
                      copy);
    ASSERT_TRUE(funcs.ok()) << funcs.error().message;
    const Result<Dag> dag = read_factored(copy, *funcs, {{1, "f"}, {2, "f_by_u"}}, cuda());
    ASSERT_TRUE(dag.ok()) << dag.error().message;
    const auto lanes = std::ranges::find(dag->funcs, "f_by_u", &Func::name);
    ASSERT_NE(lanes, dag->funcs.end());
    EXPECT_EQ(lanes->halide_index, 2);
    EXPECT_EQ(lanes->ours, Func::Ours::all);
    ASSERT_EQ(lanes->dims.size(), 1u);
    EXPECT_EQ(lanes->dims[0].name, "u");
    EXPECT_EQ(lanes->dims[0].estimate, (Interval{0, 31}));
    EXPECT_EQ(std::ranges::find(dag->funcs, "f", &Func::name)->halide_index, 1);
}

}  // namespace
}  // namespace autoschedule_gpu
