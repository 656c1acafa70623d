// What read_pipeline makes of small pipelines, by name.
#include "reading.h"

namespace autoschedule_gpu {
namespace {

using namespace testing;
using HFunc = Halide::Func;
using Halide::Buffer;
using Halide::cast;
using Halide::clamp;
using Halide::Float;
using Halide::ImageParam;
using Halide::Int;
using Halide::Pipeline;
using Halide::RDom;
using Halide::UInt;

TEST(ReadPipeline, ReadsAStencil) {
    ImageParam in(UInt(16), 2, "input");
    HFunc blur_x("blur_x"), blur_y("blur_y");
    blur_x(x, y) = in(x - 1, y) + in(x, y) + in(x + 1, y);
    blur_y(x, y) = (blur_x(x, y - 1) + blur_x(x, y) + blur_x(x, y + 1)) / 9;
    blur_y.set_estimate(x, 0, 640).set_estimate(y, 0, 480);
    const Dag dag = read(blur_y);

    const Func &producer = func(dag, blur_x);
    EXPECT_EQ(producer.kind, Func::Kind::internal);
    EXPECT_TRUE(producer.can_inline);
    EXPECT_FALSE(producer.must_inline);
    EXPECT_EQ(producer.values, (std::vector<ScalarType>{{ScalarType::Code::unsigned_int, 16}}));
    EXPECT_EQ(estimates(producer), (Intervals{{0, 639}, {-1, 480}}));
    EXPECT_EQ(producer.dims[1].stride, 640);
    const Func &output = func(dag, blur_y);
    EXPECT_EQ(output.kind, Func::Kind::output);
    EXPECT_FALSE(output.can_inline);

    const Stage &stage_y = stage(dag, blur_y);
    ASSERT_EQ(stage_y.loops.size(), 2u);
    EXPECT_EQ(stage_y.loops[0].name, "x");
    EXPECT_EQ(stage_y.loops[0].dim, 0);
    EXPECT_TRUE(stage_y.loops[1].parallel);
    ASSERT_EQ(stage_y.loads.size(), 1u);
    EXPECT_EQ(stage_y.loads[0].count, 3);
    EXPECT_EQ(stage_y.loads[0].bytes_per_site, 2);
    EXPECT_EQ(to_text(stage_y.loads[0].access), "[1 0; 0 1]");
    const Edge &needs = edge(dag, stage_y, blur_x.name());
    EXPECT_FALSE(needs.pointwise);
    EXPECT_FALSE(needs.fallback);
    EXPECT_EQ(evaluate(dag, needs.region, {{10, 20}, {5, 6}}), (Intervals{{10, 20}, {4, 7}}));
    const RegionDimension &rows = dag.regions.dimension(needs.region, 1);
    EXPECT_TRUE(rows.lo_affine && rows.hi_affine);
    EXPECT_EQ(rows.lo_form.terms, (std::vector<AffineBound::Term>{{2, 1}}));
    EXPECT_EQ(rows.lo_form.add, -1);
}

TEST(ReadPipeline, KnowsWhetherBuffersMayBeLarge) {
    HFunc f("f");
    f(x) = x;
    f.set_estimate(x, 0, 64);
    EXPECT_FALSE(read(f).large_buffers);
    EXPECT_TRUE(read(f, cuda().with_feature(Halide::Target::LargeBuffers)).large_buffers);
}

TEST(ReadPipeline, NumbersFuncsAsHalideDoes) {
    ImageParam in(Float(32), 1, "in");
    HFunc a("a"), b("b"), out("out");
    a(x) = in(x);
    b(x) = a(x) + in(x + 1);
    out(x) = b(x) + a(x);
    out.set_estimate(x, 0, 100);
    Pipeline pipeline(out);
    const Dag dag = read(pipeline);
    int with_index = 0;
    for (const Func &func : dag.funcs) {
        if (func.is_input()) continue;
        EXPECT_EQ(pipeline.get_func(func.halide_index).name(), func.name);
        EXPECT_EQ(func.halide_index, with_index++);
    }
    EXPECT_TRUE(dag.funcs[0].is_input());
}

TEST(ReadPipeline, ReadsUpdatesWithReductionsInnermost) {
    HFunc f("f");
    RDom r(1, 9, "r");
    f(x, y) = 0.0f;
    f(x, y) += cast<float>(x * r + y);
    f.set_estimate(x, 0, 16).set_estimate(y, 0, 16);
    const Dag dag = read(f);
    const Stage &update = stage(dag, f, 1);
    ASSERT_EQ(update.loops.size(), 3u);
    EXPECT_EQ(update.loops[0].kind, Loop::Kind::reduction);
    EXPECT_EQ(update.loops[0].range, (Interval{1, 9}));
    EXPECT_TRUE(update.loops[0].constant);
    EXPECT_FALSE(update.loops[0].parallel);
    EXPECT_EQ(update.loops[1].dim, 0);
    EXPECT_EQ(to_text(update.store), "[0 1 0; 0 0 1]");
    EXPECT_EQ(load(dag, update, f.name()).producer, id_of(dag, f.name()));
    EXPECT_TRUE(update.edges.empty());
    EXPECT_FALSE(func(dag, f).can_inline);
    EXPECT_EQ(stage_name(dag, func(dag, f).stages[1]), f.name() + ".update(0)");
}

TEST(ReadPipeline, KeepsConstantReductionEndsAsRegisters) {
    ImageParam in(Float(32), 1, "in");
    HFunc f("f");
    RDom r(-2, 5, "r");
    f(x) = 0.0f;
    f(x) += in(x + r);
    f.set_estimate(x, 0, 16);
    const Dag dag = read(f);
    const Edge &needs = edge(dag, stage(dag, f, 1), func(dag, dag.funcs[1].name).name);
    EXPECT_EQ(evaluate(dag, needs.region, {{-2, 0}, {10, 10}}), (Intervals{{8, 10}}));
    const RegionDimension &dim = dag.regions.dimension(needs.region, 0);
    ASSERT_TRUE(dim.lo_affine && dim.hi_affine);
    EXPECT_EQ(dim.hi_form.terms, (std::vector<AffineBound::Term>{{1, 1}, {3, 1}}));
}

TEST(ReadPipeline, TakesDataDependentExtentsFromEstimates) {
    ImageParam in(Float(32), 1, "in");
    Halide::Param<int> radius("radius");
    radius.set_estimate(3);
    HFunc f("f");
    RDom r(-radius, 2 * radius + 1, "r");
    f(x) = 0.0f;
    f(x) += in(x + r);
    f.set_estimate(x, 0, 16);
    const Dag dag = read(f);
    const Loop &loop = stage(dag, f, 1).loops[0];
    EXPECT_EQ(loop.range, (Interval{-3, 3}));
    EXPECT_FALSE(loop.constant);
    EXPECT_EQ(estimates(dag.funcs[0]), (Intervals{{-3, 18}}));
}

TEST(ReadPipeline, KnowsBoundsThatDependOnParametersAreNotConstant) {
    ImageParam in(Float(32), 1, "in");
    Halide::Param<int> shift("shift");
    shift.set_estimate(5);
    HFunc g("g"), f("f");
    g(x) = in(x);
    f(x) = g(x + shift);
    f.set_estimate(x, 0, 16);
    const Dag dag = read(f);
    const Edge &needs = edge(dag, stage(dag, f), g.name());
    EXPECT_EQ(evaluate(dag, needs.region, {{0, 15}}), (Intervals{{5, 20}}));
    EXPECT_FALSE(dag.regions.dimension(needs.region, 0).lo_affine);
}

TEST(ReadPipeline, TreatsAParameterWithTheNameOfAVarAsAParameter) {
    Halide::Param<int> same_name("x");
    same_name.set_estimate(100);
    HFunc g("g"), f("f");
    g(y) = y;
    f(x, y) = g(y + same_name);
    f.set_estimates({{0, 8}, {0, 8}});
    const Dag dag = read(f);
    EXPECT_EQ(estimates(func(dag, g)), (Intervals{{100, 107}}));
    EXPECT_EQ(to_text(load(dag, stage(dag, f), g.name()).access), "[0 1]");
}

TEST(ReadPipeline, ReadsTuples) {
    HFunc pair("pair"), f("f");
    pair(x) = Halide::Tuple(cast<uint8_t>(x), cast<float>(x));
    f(x) = pair(x)[1] + pair(x + 1)[1] + cast<float>(pair(x)[0]);
    f.set_estimate(x, 0, 8);
    const Dag dag = read(f);
    EXPECT_EQ(func(dag, pair).values.size(), 2u);
    EXPECT_EQ(func(dag, pair).bytes_per_point(), 5);
    const Stage &consumer = stage(dag, f);
    ASSERT_EQ(consumer.loads.size(), 2u);
    EXPECT_EQ(consumer.loads[0].count + consumer.loads[1].count, 3);
    EXPECT_EQ(consumer.loads[0].bytes_per_site + consumer.loads[1].bytes_per_site, 5);
    EXPECT_EQ(consumer.loads[0].evaluations() + consumer.loads[1].evaluations(), 2);
}

TEST(ReadPipeline, KnowsWhatOneEvaluationOfATupleGives) {
    ImageParam in(Int(32), 1, "in");
    HFunc pair("pair"), single("single"), f("f");
    pair(x) = Halide::Tuple(x, x + 1);
    single(x) = x;
    const Halide::Expr at = in(x)*2;
    f(x) =
        pair(at)[0] * pair(at)[1] + pair(at + 1)[0] + pair(at + 2)[1] + single(x) + single(x + 1);
    f.set_estimate(x, 0, 8);
    const Dag dag = read(f);
    EXPECT_EQ(load(dag, stage(dag, f), pair.name()).count, 4);
    EXPECT_EQ(load(dag, stage(dag, f), pair.name()).evaluations(), 3);
    EXPECT_EQ(load(dag, stage(dag, f), single.name()).evaluations(), 2);
}

TEST(ReadPipeline, CountsWhatTupleElementsShareOnce) {
    ImageParam in(Float(32), 1, "in");
    HFunc f("f");
    f(x) = Halide::Tuple(in(x)*2.0f, in(x)*2.0f + 1.0f);
    f.set_estimate(x, 0, 8);
    const Dag dag = read(f);
    const Stage &s = stage(dag, f);
    ASSERT_EQ(s.loads.size(), 1u);
    EXPECT_EQ(s.loads[0].count, 1);
    EXPECT_EQ(s.ops.at(OpKind::mul, OpType::single), 1);
}

TEST(ReadPipeline, MarksPredicatesOfReductions) {
    ImageParam in(Float(32), 2, "in");
    HFunc f("f");
    RDom r(0, 10, 0, 10, "r");
    r.where(r.x + r.y < 5);
    r.where(r.x != 2);
    f(x) = 0.0f;
    f(x) += in(r.x, r.y);
    f.set_estimate(x, 0, 4);
    const Dag dag = read(f);
    EXPECT_FALSE(stage(dag, f, 0).has_predicate);
    EXPECT_TRUE(stage(dag, f, 1).has_predicate);
    EXPECT_EQ(stage(dag, f, 1).loops[1].range, (Interval{0, 9}));
    // The condition says which part of the domain is read.
    EXPECT_EQ(estimates(dag.funcs[0]), (Intervals{{0, 4}, {0, 4}}));
}

TEST(ReadPipeline, TellsOnWhichLoopsPredicatesDepend) {
    ImageParam in(Float(32), 2, "in");
    HFunc f("f"), g("g");
    RDom r(0, 10, 0, 10, "r"), s(0, 10, "s");
    r.where(r.x + r.y < 5);
    s.where(s < x);
    f(x) = 0.0f;
    f(x) += in(r.x, r.y);
    g(x) = f(x);
    g(x) += in(s, x);
    g.set_estimate(x, 0, 4);
    const Dag dag = read(g);
    const Stage &uniform = stage(dag, f, 1), &varying = stage(dag, g, 1);  // r.x, r.y, x; s, x
    EXPECT_EQ(uniform.predicate_loops, (std::vector<bool>{true, true, false}));
    EXPECT_TRUE(is_predicate_uniform(uniform));
    EXPECT_EQ(varying.predicate_loops, (std::vector<bool>{true, true}));
    EXPECT_FALSE(is_predicate_uniform(varying));
    EXPECT_TRUE(stage(dag, f, 0).predicate_loops.empty());
    EXPECT_TRUE(is_predicate_uniform(stage(dag, f, 0)));
}

TEST(ReadPipeline, TellsWhichOperationsDependOnSomeLoopsAlone) {
    ImageParam in(Float(32), 2, "in");
    Halide::Param<float> gain("gain");
    Halide::Var c("c");
    HFunc f("f"), g("g");
    RDom r(0, 10, "r");
    r.where(r < x);
    f(x, y, c) = in(x / 2, c) * (cast<float>(y) + 0.5f) * (gain + 1.0f);
    g(x, y) = f(x, y, 0) + sin(f(x, y, 1));
    g(x, y) = g(x, y) * in(y, r);
    g.set_estimate(x, 0, 4).set_estimate(y, 0, 4);
    const Dag dag = read(g);
    const auto shared = [&](const Stage &stage) {
        std::map<uint64_t, double> total;
        for (const SharedOps &of : stage.shared_ops) total[of.loops] = of.ops.total();
        return total;
    };
    using Shared = std::map<uint64_t, double>;
    // The cast and the sum of y; the sum of the gain. The products depend on all.
    EXPECT_EQ(shared(stage(dag, f, 0)), (Shared{{0b000, 1}, {0b010, 2}}));
    EXPECT_EQ(shared(stage(dag, g, 0)), Shared{});
    // The predicate. What g was before depends on all: r, x, y.
    EXPECT_EQ(shared(stage(dag, g, 1)), (Shared{{0b011, 1}}));
}

// Written out, the value has 2^60 operations.
TEST(ReadPipeline, WalksSharedExpressionsOnce) {
    HFunc f("f");
    Halide::Expr e = cast<float>(x);
    for (int i = 0; i < 60; ++i) e = e * e;
    f(x, y) = e;
    f.set_estimate(x, 0, 4).set_estimate(y, 0, 4);
    const Dag dag = read(f);
    const Stage &only = stage(dag, f, 0);
    EXPECT_EQ(only.ops.at(OpKind::mul, OpType::single), 60);
    ASSERT_EQ(only.shared_ops.size(), 1u);
    EXPECT_EQ(only.shared_ops[0].loops, 0b01u);
    EXPECT_EQ(only.shared_ops[0].ops, only.ops);
}

TEST(ReadPipeline, LoadsOfPredicatesAreUnconditional) {
    ImageParam in(Float(32), 1, "in"), mask(Float(32), 1, "mask");
    HFunc f("f");
    RDom r(0, 10, "r");
    r.where(r < 5);
    r.where(mask(r) > 0.5f);
    f(x) = 0.0f;
    f(x) += in(r);
    f.set_estimate(x, 0, 4);
    const Dag dag = read(f);
    EXPECT_EQ(estimates(func(dag, "in")), (Intervals{{0, 4}}));
    EXPECT_EQ(estimates(func(dag, "mask")), (Intervals{{0, 9}}));
}

TEST(ReadPipeline, ReadsScansAsLoadsOfTheOwnFunc) {
    ImageParam in(Float(32), 2, "in");
    HFunc scan("scan"), f("f");
    RDom r(1, 99, "r");
    scan(x, y) = in(x, y);
    scan(r, y) += scan(r - 1, y);
    f(x, y) = scan(x, y);
    f.set_estimate(x, 10, 50).set_estimate(y, 0, 32);
    const Dag dag = read(f);
    const Stage &update = stage(dag, scan, 1);
    EXPECT_TRUE(update.edges.empty());
    EXPECT_EQ(update.loads.size(), 1u);
    EXPECT_EQ(update.loads[0].count, 2);
    EXPECT_FALSE(update.loops[0].parallel);
    EXPECT_TRUE(update.loops[1].parallel);
    // The scan runs from 0 to 99, although only 10 .. 59 of it are asked for.
    EXPECT_EQ(estimates(func(dag, scan)), (Intervals{{0, 99}, {0, 31}}));
    EXPECT_EQ(evaluate(dag, func(dag, scan).computed, {{120, 130}, {5, 6}}),
              (Intervals{{0, 130}, {5, 6}}));
}

TEST(ReadPipeline, ReadsHistograms) {
    ImageParam in(UInt(8), 2, "in");
    in.set_estimates({{0, 640}, {0, 480}});
    HFunc hist("hist"), f("f");
    RDom r(0, in.width(), 0, in.height(), "r");
    hist(x) = 0;
    hist(cast<int>(in(r.x, r.y))) += 1;
    f(x) = hist(x) * 2;
    f.set_estimate(x, 16, 8);
    const Dag dag = read(f);
    EXPECT_EQ(estimates(func(dag, hist)), (Intervals{{0, 255}}));
    const Stage &update = stage(dag, hist, 1);
    EXPECT_EQ(update.loops[1].range, (Interval{0, 479}));
    EXPECT_FALSE(update.loops[1].constant);
    EXPECT_EQ(to_text(update.store), "[? ?]");
    // The image is read once for the address of the load and of the store.
    EXPECT_EQ(load(dag, update, dag.funcs[1].name).count, 1);
}

TEST(ReadPipeline, BoundsGathersByTheValuesOfTheIndex) {
    ImageParam in(UInt(8), 1, "in");
    HFunc lut("lut"), index("index"), f("f");
    lut(x) = sqrt(cast<float>(x));
    index(x) = in(x) / 2;
    f(x, y) = lut(index(x)) + cast<float>(y);
    f.set_estimate(x, 0, 100).set_estimate(y, 0, 10);
    const Dag dag = read(f);
    EXPECT_EQ(estimates(func(dag, lut)), (Intervals{{0, 127}}));
    EXPECT_EQ(to_text(load(dag, stage(dag, f), lut.name()).access), "[? 0]");
}

TEST(ReadPipeline, MustInlineWhatIsReadWithoutABound) {
    ImageParam in(Float(32), 2, "in"), flow(Float(32), 2, "flow");
    in.set_estimates({{0, 64}, {0, 64}});
    HFunc edge_clamped = Halide::BoundaryConditions::repeat_edge(in);
    HFunc warped("warped");
    warped(x, y) = edge_clamped(x + cast<int>(flow(x, y)), y);
    warped.set_estimate(x, 0, 64).set_estimate(y, 0, 64);
    const Dag dag = read(warped);
    const Func &unbounded = func(dag, edge_clamped);
    EXPECT_TRUE(unbounded.must_inline);
    EXPECT_EQ(unbounded.dims[0].estimate, (Interval{-kRegionLimit, kRegionLimit}));
    EXPECT_EQ(estimates(func(dag, "in")), (Intervals{{0, 63}, {0, 63}}));
    for (const Func &other : dag.funcs) {
        EXPECT_EQ(other.must_inline, other.name == unbounded.name) << other.name;
    }
}

TEST(ReadPipeline, EndsStridesOfWhatIsReadWithoutABoundAtTheLimit) {
    ImageParam in(Float(32), 3, "in"), flow(Float(32), 2, "flow");
    in.set_estimates({{0, 64}, {0, 64}, {0, 3}});
    HFunc edge_clamped = Halide::BoundaryConditions::repeat_edge(in);
    HFunc warped("warped");
    const Expr from_4 = Halide::max(cast<int>(flow(x, y)), 4);
    warped(x, y, c) = edge_clamped(from_4, from_4, c);
    warped.set_estimates({{0, 64}, {0, 64}, {0, 3}});
    const Dag dag = read(warped);
    const std::vector<Dimension> &dims = func(dag, edge_clamped).dims;
    EXPECT_EQ(dims[1].estimate, (Interval{4, kRegionLimit}));
    EXPECT_EQ(dims[1].stride, kRegionLimit - 3);
    EXPECT_EQ(dims[2].stride, kRegionLimit);
}

TEST(ReadPipeline, ReadsFuncsWithoutDimensions) {
    HFunc total("total"), f("f");
    RDom r(0, 100, "r");
    total() = 0;
    total() += r * r;
    f(x) = total() + x;
    f.set_estimate(x, 0, 10);
    const Dag dag = read(f);
    EXPECT_TRUE(func(dag, total).dims.empty());
    EXPECT_TRUE(stage(dag, total, 0).loops.empty());
    EXPECT_EQ(stage(dag, total, 1).loops.size(), 1u);
    EXPECT_FALSE(edge(dag, stage(dag, f), total.name()).pointwise);

    HFunc scalar("scalar");
    scalar() = total();
    const Dag scalar_dag = read(scalar);
    EXPECT_TRUE(edge(scalar_dag, stage(scalar_dag, scalar), total.name()).pointwise);
}

TEST(ReadPipeline, OfABranchOfAConditionOnSeveralLoopsOnlyWhatItNeedsIsRead) {
    HFunc sum("sum"), out("out");
    RDom r(0, 100, "r");
    const Halide::Param<int> length("length");
    sum(x, y) += x * r + y;
    const auto read_where = [&](const Halide::Expr &condition) {
        HFunc chosen("chosen");
        chosen(x, y) = Halide::select(condition, sum(x, y), -1);
        chosen.set_estimate(x, 0, 100).set_estimate(y, 0, 100);
        return read(chosen);
    };
    const auto needed = [&](const Dag &dag) {
        return edge(dag, dag.stage(dag.funcs.back().stages[0]), sum.name());
    };
    const std::vector<Interval> tile = {{10, 19}, {5, 12}};
    const Dag causal = read_where(x <= y);
    EXPECT_FALSE(needed(causal).pointwise);
    EXPECT_EQ(evaluate(causal, needed(causal).region, tile), (Intervals{{10, 12}, {10, 12}}));
    const Dag other_branch = read_where(y < x);
    EXPECT_EQ(evaluate(other_branch, needed(other_branch).region, tile),
              (Intervals{{10, 19}, {5, 12}}));
    EXPECT_EQ(evaluate(other_branch, needed(other_branch).region, {{10, 19}, {15, 30}}),
              (Intervals{{16, 19}, {15, 18}}));
    const Dag padded = read_where(x < length);
    EXPECT_TRUE(needed(padded).pointwise);
    EXPECT_EQ(evaluate(padded, needed(padded).region, tile), tile);
}

TEST(ReadPipeline, WhatAFlagChoosesInABranchIsReadAsIfThereWereNoBranch) {
    HFunc sum("sum"), out("out");
    RDom r(0, 100, "r");
    const Halide::Param<bool> flag("flag");
    sum(x, y) += x * r + y;
    out(x, y) = Halide::select(x <= y, Halide::select(flag, sum(x - 1, y), sum(x + 1, y)), 0);
    out.set_estimate(x, 0, 100).set_estimate(y, 0, 100);
    const Dag dag = read(out);
    const Edge &needed = edge(dag, stage(dag, out), sum.name());
    EXPECT_EQ(evaluate(dag, needed.region, {{10, 19}, {5, 12}}), (Intervals{{9, 20}, {10, 12}}));
}

TEST(ReadPipeline, UnitesAnOutputsEstimateWithItsConsumers) {
    HFunc first("first"), second("second");
    first(x) = x * 2;
    second(x) = first(x - 3) + first(x + 3);
    first.set_estimate(x, 0, 10);
    second.set_estimate(x, 0, 10);
    const Dag dag = read(Pipeline({second, first}));
    EXPECT_TRUE(func(dag, first).is_output());
    EXPECT_TRUE(func(dag, second).is_output());
    EXPECT_EQ(estimates(func(dag, first)), (Intervals{{-3, 12}}));
    EXPECT_FALSE(func(dag, first).can_inline);
}

TEST(ReadPipeline, DoesNotInlineWhereClampsWouldBeLost) {
    ImageParam in(Float(32), 1, "in");
    in.set_estimates({{0, 64}});
    const auto can_inline = [&](const Expr &position, bool clamps) {
        HFunc boundary("boundary"), third("third"), f("f");
        boundary(x) = clamps ? in(clamp(x, 0, 63)) : in(x);
        third(x) = boundary(x * 3 + 2) + 1;
        f(x) = third(position) + third(x);
        f.set_estimate(x, 0, 16);
        const Dag dag = read(f);
        EXPECT_TRUE(func(dag, boundary).can_inline) << "it is read by x";
        return func(dag, third).can_inline;
    };
    const Halide::Expr remainder = (x * 2 + 1) % 8;
    const Halide::Expr bits = Halide::unsafe_promise_clamped((x | 1) & 7, 0, 7);
    EXPECT_FALSE(can_inline(remainder, true));
    EXPECT_FALSE(can_inline(bits, true));
    EXPECT_TRUE(can_inline(bits, false));
    EXPECT_TRUE(can_inline((x | 1) & 7, true)) << "it has no bound, and no other place";
    EXPECT_TRUE(can_inline(x / 2, true));
}

// Halide gives a name to what is used twice.
TEST(ReadPipeline, SeesPositionsAndClampsThatAreUsedTwice) {
    ImageParam in(Float(32), 1, "in"), other(Float(32), 1, "other");
    HFunc left("left"), right("right"), f("f");
    left(x) = in(clamp(x * 3 - 1, 0, 63)) + other(clamp(x * 3 - 1, 0, 63));
    right(x) = in(clamp(x * 3 + 1, 0, 63));
    const Halide::Expr position = (x * 2 + 1) % 8;
    f(x) = left(position) + right(position);
    f.set_estimate(x, 0, 16);
    const Dag dag = read(f);
    EXPECT_FALSE(func(dag, left).can_inline);
    EXPECT_FALSE(func(dag, right).can_inline);
}

TEST(ReadPipeline, ReadsInterleavedImages) {
    ImageParam in(UInt(8), 3, "in");
    in.dim(0).set_stride(3);
    in.dim(2).set_stride(1).set_bounds(0, 3);
    in.dim(0).set_estimate(0, 640);
    in.dim(1).set_estimate(0, 480);
    HFunc f("f");
    f(x, y, c) = in(x, y, c);
    f.set_estimates({{0, 640}, {0, 480}, {0, 3}});
    f.output_buffer().dim(0).set_stride(3);
    f.output_buffer().dim(2).set_stride(1);
    const Dag dag = read(f);
    for (const std::string &name : {std::string("in"), f.name()}) {
        const Func &image = func(dag, name);
        EXPECT_EQ(image.dims[0].stride, 3) << name;
        EXPECT_EQ(image.dims[1].stride, 3 * 640) << name;
        EXPECT_EQ(image.dims[2].stride, 1) << name;
    }
}

TEST(ReadPipeline, ReadsConstantBuffers) {
    Buffer<float> weights(3, 2, "weights");
    weights.set_min(-1, 0);
    weights.fill(1.0f);
    HFunc f("f");
    f(x, y) = weights(clamp(x, -1, 1), 1) * cast<float>(y);
    f.set_estimates({{0, 4}, {0, 4}});
    const Dag dag = read(f);
    const Func &image = dag.funcs[0];
    EXPECT_TRUE(image.is_input());
    EXPECT_EQ(estimates(image), (Intervals{{-1, 1}, {0, 1}}));
    EXPECT_EQ(image.dims[1].stride, 3);
}

TEST(ReadPipeline, FoldsSizesThatAreWrittenInAConstantBuffer) {
    Buffer<int> size = Buffer<int>::make_scalar("size");
    size() = 7;
    HFunc f("f");
    RDom r(0, size(), "r");
    f(x) = 0;
    f(x) += r;
    f.set_estimate(x, 0, 4);
    EXPECT_EQ(stage(read(f), f, 1).loops[0].range, (Interval{0, 6}));
}

TEST(ReadPipeline, SizesImagesWithoutEstimatesByWhatIsRead) {
    ImageParam in(Float(32), 2, "in");
    HFunc f("f");
    f(x, y) = in(x + 1, 2 * y);
    f.set_estimates({{0, 10}, {0, 10}});
    EXPECT_EQ(estimates(func(read(f), "in")), (Intervals{{1, 10}, {0, 18}}));
}

TEST(ReadPipeline, ReadsResampling) {
    ImageParam in(Float(32), 1, "in");
    HFunc down("down"), up("up");
    down(x) = in(2 * x) + in(2 * x + 1);
    up(x) = down(x / 2) + down((x + 1) / 2);
    up.set_estimate(x, 0, 100);
    const Dag dag = read(up);
    EXPECT_EQ(to_text(load(dag, stage(dag, up), down.name()).access), "[1/2]");
    EXPECT_EQ(load(dag, stage(dag, up), down.name()).count, 2);
    EXPECT_EQ(to_text(stage(dag, down).loads[0].access), "[2]");
    const Edge &needs = edge(dag, stage(dag, up), down.name());
    EXPECT_EQ(evaluate(dag, needs.region, {{-3, 4}}), (Intervals{{-2, 2}}));
    EXPECT_FALSE(dag.regions.dimension(needs.region, 0).lo_affine);
}

TEST(ReadPipeline, LooksThroughBoundaryConditions) {
    ImageParam in(Float(32), 2, "in");
    in.set_estimates({{0, 64}, {0, 64}});
    HFunc f("f"), edge_clamped = Halide::BoundaryConditions::repeat_edge(in);
    f(x, y) = edge_clamped(x - 1, y) + in(clamp(3 * x, 0, in.width() - 1), y);
    f.set_estimates({{0, 10}, {0, 10}});
    const Dag dag = read(f);
    EXPECT_EQ(to_text(stage(dag, edge_clamped).loads[0].access), "[1 0; 0 1]");
    EXPECT_EQ(to_text(load(dag, stage(dag, f), dag.funcs[1].name).access), "[3 0; 0 1]");
}

TEST(ReadPipeline, RespectsBoundsAlignmentAndStorageOrder) {
    HFunc g("g"), f("f");
    g(x, y) = x + y;
    f(x, y) = g(x + 1, y + 1);
    g.align_bounds(x, 8);
    g.bound(y, 0, 32);
    g.reorder_storage(y, x).align_storage(y, 64);
    f.set_estimates({{0, 20}, {0, 20}});
    const Dag dag = read(f);
    EXPECT_EQ(estimates(func(dag, g)), (Intervals{{0, 23}, {0, 31}}));
    EXPECT_EQ(func(dag, g).dims[0].stride, 64);
    EXPECT_EQ(func(dag, g).dims[1].stride, 1);
    EXPECT_TRUE(func(dag, g).users_alignment);
    EXPECT_FALSE(func(dag, f).users_alignment);
}

// As Halide's own lowered code has it (halide 21, 2026-11-30).
TEST(ReadPipeline, RoundsUpTheExtentAlone) {
    HFunc g("g"), f("f");
    g(x) = x;
    f(x) = g(x) + g(x + 2);
    g.align_extent(x, 8);
    f.set_estimates({{3, 2}});
    EXPECT_EQ(estimates(func(read(f), g)), (Intervals{{3, 10}}));
}

TEST(ReadPipeline, AppliesTheFirstOfSeveralBoundsLast) {
    HFunc g("g"), f("f");
    g(x) = x;
    f(x) = g(x);
    g.align_bounds(x, 4).align_bounds(x, 6);
    f.set_estimates({{0, 1}});
    EXPECT_EQ(estimates(func(read(f), g)), (Intervals{{0, 7}}));
}

TEST(ReadPipeline, AlignsWhatUpdatesReach) {
    HFunc h("h"), f("f");
    RDom r(0, 100, "r");
    h(x) = x;
    h(r) += 1;
    f(x) = h(x);
    h.align_bounds(x, 16);
    f.set_estimates({{0, 16}});
    EXPECT_EQ(estimates(func(read(f), h)), (Intervals{{0, 111}}));
}

TEST(ReadPipeline, TakesABoundForAnEstimate) {
    HFunc f("f");
    f(x) = x;
    f.bound(x, 0, 12);
    EXPECT_EQ(estimates(func(read(f), f)), (Intervals{{0, 11}}));
}

// Halide then knows how much is computed of what the output reads.
TEST(ReadPipeline, KnowsWhichDimensionsOfAnOutputAreFixed) {
    Halide::ImageParam in(Halide::Float(32), 3, "in");
    Halide::Func twice("twice"), out("out");
    Halide::Var x("x"), y("y"), c("c");
    twice(x, y, c) = in(x, y, c) * 2.f;
    out(x, y, c) = twice(x, y, c) + twice(x + 1, y, c);
    out.set_estimates({{0, 640}, {0, 480}, {0, 4}});
    out.bound(y, 0, 480);
    out.output_buffer().dim(0).set_min(0);
    out.output_buffer().dim(2).set_bounds(0, 3);
    const Dag dag = read(out);
    const std::vector<bool> fixed{false, true, true};
    for (size_t d = 0; d < 3; ++d) {
        EXPECT_EQ(func(dag, out).dims[d].fixed, fixed[d]) << d;
        EXPECT_EQ(func(dag, out).dims[d].constant, fixed[d]) << d;
        EXPECT_EQ(func(dag, twice).dims[d].constant, fixed[d]) << d;
    }
    EXPECT_EQ(func(dag, out).dims[2].estimate, Interval::from_extent(0, 3)) << "not the estimate";
}

TEST(ReadPipeline, FixesNoOutputWhoseSizeFollowsAParameter) {
    Halide::Param<int> channels("channels");
    Halide::Func out("out");
    Halide::Var x("x"), c("c");
    out(x, c) = x + c;
    out.set_estimates({{0, 640}, {0, 3}});
    out.output_buffer().dim(1).set_bounds(0, channels);
    channels.set_estimate(3);
    EXPECT_FALSE(func(read(out), out).dims[1].fixed);
}

TEST(ReadPipeline, AcceptsWhatHalidesHelpersMake) {
    ImageParam in(Float(32), 2, "in");
    in.set_estimates({{0, 64}, {0, 64}});
    HFunc mirrored = Halide::BoundaryConditions::mirror_image(in), started("started"), f("f");
    RDom r(-1, 3, "r"), k(0, 4, "k");
    started(x, y) = Halide::undef<float>();
    started(x, y) = mirrored(x, y);
    f(x, y) = Halide::sum(started(x + r, y)) + Halide::maximum(mirrored(x, y + r)) +
              cast<float>(Halide::argmin(k, mirrored(x, k))[0]);
    f.set_estimates({{0, 64}, {0, 64}});
    const Dag dag = read(f);
    EXPECT_TRUE(has_func(dag, "mirror_image"));
    EXPECT_FALSE(func(dag, started).can_inline);
    EXPECT_TRUE(dag.stage(func(dag, started).stages[0]).is_undefined);
    EXPECT_FALSE(dag.stage(func(dag, started).stages[1]).is_undefined);
    int reductions = 0;
    for (const Stage &s : dag.stages) reductions += s.index > 0;
    EXPECT_EQ(reductions, 4);
}

TEST(ReadPipeline, AcceptsStagesThatWereTouchedButNotChanged) {
    HFunc f("f");
    RDom r(0, 4, "r");
    f(x) = 0;
    f(x) += r;
    f.update(0).unscheduled();
    f.set_estimate(x, 0, 8);
    EXPECT_EQ(func(read(f), f).stages.size(), 2u);
}

TEST(ReadPipeline, IsNotConfusedByFuncsWithOneName) {
    HFunc a("same"), b("same"), f("f");
    a(x) = x;
    b(x) = a(x + 1) * 2;
    f(x) = a(x) + b(x);
    f.set_estimate(x, 0, 8);
    const Dag dag = read(f);
    EXPECT_NE(a.name(), b.name());
    EXPECT_EQ(estimates(func(dag, a)), (Intervals{{0, 8}}));
    EXPECT_EQ(edge(dag, stage(dag, f), b.name()).pointwise, true);
}

TEST(ReadPipeline, SaturatesAbsurdPyramids) {
    HFunc level("level"), f("f");
    level(x) = x;
    HFunc last = level;
    for (int i = 0; i < 60; i++) {
        HFunc next;
        next(x) = last(2 * x) + last(2 * x + 1);
        last = next;
    }
    f(x) = last(x);
    f.set_estimate(x, 0, 100);
    const Dag dag = read(f);
    EXPECT_LE(func(dag, level).dims[0].estimate.max, kRegionLimit);
}

TEST(ReadPipeline, ReadsStrictFloatIndices) {
    ImageParam in(Float(32), 1, "in");
    HFunc g("g"), f("f");
    g(x) = in(x);
    f(x) = g(cast<int>(Halide::strict_float(floor((cast<float>(x) + 0.5f) * 0.75f))));
    f.set_estimate(x, 0, 100);
    const Dag dag = read(f);
    EXPECT_EQ(estimates(func(dag, g)), (Intervals{{0, 74}}));
    EXPECT_EQ(to_text(load(dag, stage(dag, f), g.name()).access), "[3/4]");
}

TEST(ReadPipeline, LeavesThePipelineAsItWas) {
    HFunc g("g"), f("f");
    g(x) = x;
    f(x) = g(x) + 1;
    f.set_estimate(x, 0, 8);
    read(f);
    g.compute_root().vectorize(x, 4);
    Buffer<int> result = f.realize({8});
    EXPECT_EQ(result(7), 8);
}

TEST(ReadPipeline, GivesTheSameHashForTheSamePipeline) {
    const auto hash = [](int width) {
        HFunc g, f;
        g(x) = x;
        f(x) = g(x) + g(x + 1);
        f.set_estimate(x, 0, width);
        return read(f).hash();
    };
    EXPECT_EQ(hash(10), hash(10));
    EXPECT_NE(hash(10), hash(11));
}

Atomics atomics_of_sum(const Halide::Type &type, const Halide::Target &target = cuda()) {
    ImageParam in(type, 2, "input");
    HFunc sum("sum");
    RDom r(0, 64, "r");
    sum(y) = cast(type, 0);
    sum(y) += in(r, y);
    sum.set_estimate(y, 0, 480);
    return stage(read(sum, target), sum, 1).atomics;
}

TEST(ReadPipeline, KnowsWhichReductionsAtomicsCanDo) {
    const Halide::Target opencl("x86-64-linux-opencl");
    EXPECT_EQ(atomics_of_sum(UInt(32)), Atomics::exact);
    EXPECT_EQ(atomics_of_sum(Int(32), opencl), Atomics::exact);
    EXPECT_EQ(atomics_of_sum(Float(32)), Atomics::rounding);
    EXPECT_EQ(atomics_of_sum(UInt(8)), Atomics::no);
    EXPECT_EQ(atomics_of_sum(Int(64)), Atomics::exact);
    EXPECT_EQ(atomics_of_sum(Int(64), opencl), Atomics::no);
    EXPECT_EQ(atomics_of_sum(Int(64), opencl.with_feature(Halide::Target::CLAtomics64)),
              Atomics::exact);
    EXPECT_EQ(atomics_of_sum(Int(32), Halide::Target("x86-64-linux-vulkan")), Atomics::no);
    EXPECT_EQ(atomics_of_sum(Int(32), Halide::Target("arm-64-osx-metal")), Atomics::no);
}

// Halide clamps what is read at such an index, and no longer sees that it is what is written.
TEST(ReadPipeline, KeepsAtomicsFromIndicesThatHalideClampsWhereTheirLoopNeverEnds) {
    const Halide::Target opencl("x86-64-linux-opencl");
    const auto atomics_at = [](bool narrow, const Halide::Target &target) {
        ImageParam in(UInt(8), 1, "input");
        HFunc bin("bin"), histogram("histogram");
        RDom r(0, 1000, "r");
        bin(x) = narrow ? cast<int>(in(x) % 100) : in(x);
        histogram(y) = 0;
        histogram(Halide::clamp(bin(r), 0, 255)) += 1;
        histogram.set_estimate(y, 0, 256);
        return stage(read(histogram, target), histogram, 1).atomics;
    };
    EXPECT_EQ(atomics_at(true, opencl), Atomics::no);
    EXPECT_EQ(atomics_at(true, cuda()), Atomics::exact);
    EXPECT_EQ(atomics_at(false, opencl), Atomics::exact);
}

TEST(ReadPipeline, KnowsWhichReductionsAtomicsCannotDo) {
    RDom r(1, 64, "r");
    HFunc scan("scan"), least("least"), pair("pair"), pure("pure");
    scan(x) = x;
    scan(r) += scan(r - 1);
    least(y) = y;
    least(y) = Halide::min(least(y), r * y);
    pair(y) = Halide::Tuple(0, 0);
    pair(y) = Halide::Tuple(pair(y)[0] + r, pair(y)[1] + 1);
    pure(x, y) = 0;
    pure(x, y) += x;
    scan.set_estimate(x, 0, 65);
    for (HFunc f : {least, pair}) f.set_estimate(y, 0, 480);
    pure.set_estimate(x, 0, 64).set_estimate(y, 0, 64);
    EXPECT_EQ(stage(read(scan), scan, 1).atomics, Atomics::no);
    EXPECT_EQ(stage(read(least), least, 1).atomics, Atomics::no);
    EXPECT_EQ(stage(read(pair), pair, 1).atomics, Atomics::no);
    EXPECT_EQ(stage(read(pure), pure, 1).atomics, Atomics::no);
}

TEST(ReadPipeline, KnowsWhichExtentsNoImageSizeDecides) {
    ImageParam in(UInt(8), 2, "input");
    HFunc rows("rows"), out("out"), blur("blur");
    RDom r(in.dim(0).min(), in.dim(0).extent(), "r");
    rows(x, y) = 0;
    rows(cast<int>(in(r, y)), y) += 1;
    out(x, y) = rows(cast<int>(in(x, y)), y);
    in.set_estimates({{0, 640}, {0, 480}});
    out.set_estimates({{0, 640}, {0, 480}});
    const Dag dag = read(out);
    EXPECT_TRUE(func(dag, rows).dims[0].constant);
    EXPECT_FALSE(func(dag, rows).dims[1].constant);
    EXPECT_FALSE(func(dag, out).dims[0].constant);
    const RegionDimension &bins = dag.regions.dimension(func(dag, rows).computed, 0);
    EXPECT_TRUE(bins.inputs_only);
    EXPECT_EQ(bins.reads, (std::vector<uint16_t>{0}));
}

// Halide forgets the bounds of what is inlined.
TEST(ReadPipeline, TakesNoExtentForConstantThatOnlyAFuncWhichMayBeInlinedPromises) {
    const auto is_constant = [](bool at_root, auto promise) {
        ImageParam in(UInt(8), 1, "input");
        HFunc source("source"), middle("middle"), out("out");
        source(x) = in(x) + 1;
        middle(x) = source(x) * 2;
        promise(middle);
        if (at_root) middle.compute_root();
        out(x) = middle(Halide::clamp(x, 0, 5)) + middle(Halide::clamp(x + 1, 0, 5));
        in.set_estimates({{0, 8}});
        out.set_estimates({{0, 6}});
        return func(read(out), source).dims[0].constant;
    };
    const auto bound = [](HFunc f) { f.bound(x, 0, 8); };
    const auto align = [](HFunc f) { f.align_bounds(x, 8).bound(x, 0, 8); };
    EXPECT_FALSE(is_constant(false, bound));
    EXPECT_FALSE(is_constant(false, align));
    EXPECT_TRUE(is_constant(true, bound));
}

TEST(ReadPipeline, KnowsWhichReductionsMayBeEmpty) {
    ImageParam in(Int(32), 1, "input");
    Halide::Param<int> count("count");
    count.set_estimate(10);
    in.set_estimates({{0, 640}});
    const auto may_be_empty = [&](const Halide::Expr &extent) {
        HFunc sum("sum");
        RDom r(0, extent, "r");
        sum() = 0;
        sum() += in(Halide::clamp(r, 0, 9));
        return stage(read(sum), sum, 1).loops[0].may_be_empty;
    };
    EXPECT_FALSE(may_be_empty(10));
    EXPECT_FALSE(may_be_empty(in.dim(0).extent()));
    EXPECT_TRUE(may_be_empty(in.dim(0).extent() - 1));
    EXPECT_TRUE(may_be_empty(count));
    EXPECT_FALSE(may_be_empty(Halide::max(count, 1)));
    count.set_range(1, 100);
    EXPECT_FALSE(may_be_empty(count));
}

TEST(ReadPipeline, KnowsThatAScatterAlongAnImageDependsOnItsSize) {
    ImageParam in(Float(32), 1, "input");
    HFunc copied("copied"), out("out");
    RDom r(in.dim(0).min(), in.dim(0).extent(), "r");
    copied(x) = 0.f;
    copied(r) = in(r);
    out(x) = copied(Halide::clamp(x, 0, 99));
    in.set_estimates({{0, 640}});
    out.set_estimates({{0, 640}});
    const Dag dag = read(out);
    EXPECT_FALSE(func(dag, copied).dims[0].constant);
    EXPECT_FALSE(dag.regions.dimension(func(dag, copied).computed, 0).inputs_only);
}

std::string error_of_partial_results(const Halide::RDom &r, const Halide::RVar &out,
                                     bool is_scheduled) {
    Halide::ImageParam in(Halide::Float(32), 2, "in");
    in.set_estimates({{0, 1024}, {0, 1024}});
    Halide::Func sum("sum");
    const Halide::Var u("u");
    sum(x) = 0.0f;
    sum(x) += in(x, r.x + 64 * r.y);
    Halide::Func parts = sum.update().rfactor(out, u);
    if (is_scheduled) parts.reorder(u, x);
    sum.set_estimate(x, 0, 1024);
    return error_of(sum);
}

// Its loops have an order that no other Func's have, and that is no schedule.
TEST(ReadPipeline, TakesPartialResultsOfUsersForUnscheduled) {
    const Halide::RDom r(0, 64, 0, 16);
    for (const Halide::RVar &out : {r.x, r.y}) {
        EXPECT_EQ(error_of_partial_results(r, out, false), "no error");
        const std::string error = error_of_partial_results(r, out, true);
        EXPECT_NE(error.find("loops are reordered"), std::string::npos) << error;
    }
}

}  // namespace
}  // namespace autoschedule_gpu
