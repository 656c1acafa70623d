// Region programs against Halide: its simplifier, its lowering, and the indices themselves.
#include <map>

#include "core/support/random.h"
#include "halide/read/read_bounds.h"
#include "halide/read/read_loads.h"
#include "halide/read/read_shapes.h"
#include "pipelines.h"
#include "reading.h"

namespace autoschedule_gpu {
namespace {

using namespace testing;
namespace HI = Halide::Internal;
using Halide::Expr;
using Halide::Pipeline;

// Everything that read_pipeline had at hand, for the Dag that it gave.
struct Source {
    explicit Source(const Pipeline &pipeline)
        : outputs(functions(pipeline)),
          env(HI::build_environment(outputs)),
          order(HI::topological_order(outputs, env)),
          estimates(outputs),
          values(reading::value_bounds_of_indices(order, env)) {}

    static std::vector<HI::Function> functions(const Pipeline &pipeline) {
        std::vector<HI::Function> result;
        for (const Halide::Func &f : pipeline.outputs()) result.push_back(f.function());
        return result;
    }
    reading::StageSource stage(const Dag &dag, StageId id) const {
        return reading::stage_source(env.at(dag.func_of(id).name), dag.stage(id).index);
    }
    Expr at(const Expr &e, const std::map<std::string, Expr> &point) const {
        reading::Gaps gaps;
        // Simplified first, as the reader does: floats round differently in another order.
        const Expr known = HI::simplify(estimates.with_facts(e));
        const Expr estimated = HI::simplify(estimates.with_estimates(known, gaps));
        return HI::simplify(HI::substitute(point, estimated));
    }

    std::vector<HI::Function> outputs;
    std::map<std::string, HI::Function> env;
    std::vector<std::string> order;
    reading::Estimates estimates;
    HI::FuncValueBounds values;
};

std::string key_of(const Func &func) {
    return func.is_input() ? reading::image_key(func.name) : func.name;
}

// A part of what the loops of a stage range over: any of the pure ones, inside of the others.
std::vector<Interval> random_region(const Stage &stage, Random &random) {
    std::vector<Interval> region;
    for (const Loop &loop : stage.loops) {
        const bool pure = loop.kind == Loop::Kind::pure;
        const Interval all = pure ? Interval{-40, 200} : loop.range;
        const int64_t from = random.between(all.min, all.max);
        region.push_back({from, std::min(all.max, from + random.between(0, 20))});
    }
    return region;
}

std::map<std::string, Expr> registers(const std::vector<Interval> &region) {
    std::map<std::string, Expr> result;
    for (size_t k = 0; k < region.size(); k++) {
        result[reading::register_variable(2 * k)] = static_cast<int>(region[k].min);
        result[reading::register_variable(2 * k + 1)] = static_cast<int>(region[k].max);
    }
    return result;
}

class EveryPipeline : public ::testing::TestWithParam<NamedPipeline> {};

TEST_P(EveryPipeline, ProgramsAgreeWithHalidesSimplifier) {
    const Pipeline pipeline = GetParam().build();
    const Dag dag = read(pipeline);
    const Source source(pipeline);
    Random random(7);
    int checked = 0, open = 0;
    for (const Edge &edge : dag.edges) {
        EXPECT_FALSE(edge.fallback) << stage_name(dag, edge.consumer);
        const auto stage = source.stage(dag, edge.consumer);
        const HI::Box box =
            reading::required_boxes(stage, source.values).at(key_of(dag.func(edge.producer)));
        for (int round = 0; round < 6; round++) {
            const auto region = random_region(dag.stage(edge.consumer), random);
            const auto computed = evaluate(dag, edge.region, region);
            for (size_t d = 0; d < computed.size(); d++) {
                const auto ends = registers(region);
                const auto lo = HI::as_const_int(source.at(box[d].min, ends));
                const auto hi = HI::as_const_int(source.at(box[d].max, ends));
                if (!lo || !hi) {
                    open++;
                    continue;
                }
                checked++;
                EXPECT_EQ(computed[d], (Interval{*lo, *hi}))
                    << stage_name(dag, edge.consumer) << " of " << dag.func(edge.producer).name
                    << " dimension " << d << ": " << dag.regions.describe(edge.region);
            }
        }
    }
    EXPECT_GT(checked, 0);
    EXPECT_EQ(open, 0);
    RecordProperty("bounds_checked", checked);
}

TEST_P(EveryPipeline, NoIndexLeavesTheRegion) {
    const Pipeline pipeline = GetParam().build();
    const Dag dag = read(pipeline);
    const Source source(pipeline);
    Random random(11);
    int checked = 0;
    for (const Edge &edge : dag.edges) {
        const auto stage = source.stage(dag, edge.consumer);
        const auto graph = reading::stage_graph(stage);
        const std::string key = key_of(dag.func(edge.producer));
        struct Calls : HI::IRGraphVisitor {
            std::string key;
            std::vector<const HI::Call *> found;
            using HI::IRGraphVisitor::visit;
            void visit(const HI::Call *op) override {
                if (op->name == key) found.push_back(op);
                HI::IRGraphVisitor::visit(op);
            }
        } calls;
        calls.key = key;
        for (const Expr &value : graph.values) value.accept(&calls);
        for (const Expr &arg : graph.args) arg.accept(&calls);
        for (int round = 0; round < 6; round++) {
            const auto region = random_region(dag.stage(edge.consumer), random);
            const auto computed = evaluate(dag, edge.region, region);
            std::map<std::string, Expr> point;
            for (size_t k = 0; k < region.size(); k++) {
                point[reading::loop_variable(k)] =
                    static_cast<int>(random.between(region[k].min, region[k].max));
            }
            const bool skipped =
                graph.predicate.defined() && HI::is_const_zero(source.at(graph.predicate, point));
            for (const HI::Call *call : calls.found) {
                for (size_t d = 0; d < call->args.size() && !skipped; d++) {
                    const auto index = HI::as_const_int(source.at(call->args[d], point));
                    if (!index) continue;  // depends on data
                    checked++;
                    EXPECT_TRUE(computed[d].contains({*index, *index}))
                        << *index << " is not in [" << computed[d].min << ", " << computed[d].max
                        << "]: " << stage_name(dag, edge.consumer) << " of " << key;
                }
            }
        }
    }
    EXPECT_GT(checked, 0);
    RecordProperty("indices_checked", checked);
}

// Extents of what Halide allocates, by Func.
class Allocations : public HI::IRVisitor {
public:
    std::map<std::string, std::vector<Expr>> extents;

private:
    using HI::IRVisitor::visit;
    void visit(const HI::Allocate *op) override {
        extents[op->name] = op->extents;
        HI::IRVisitor::visit(op);
    }
};

// Bounds every size that has an estimate to it, and computes every Func at root.
void fix_sizes_and_compute_at_root(Pipeline &pipeline, const Dag &dag, const Source &source) {
    for (const Func &func : dag.funcs) {
        if (func.is_input()) continue;
        Halide::Func f = pipeline.get_func(func.halide_index);
        f.compute_root();
        if (!func.is_output()) continue;
        for (int d = 0; d < f.dimensions(); d++) {
            const Interval range = func.dims[d].estimate;
            f.output_buffer().dim(d).set_bounds(static_cast<int>(range.min),
                                                static_cast<int>(range.extent()));
        }
    }
    for (const std::string &name : source.order) {
        std::vector<reading::ImageSource> images;
        reading::find_images(reading::stage_source(source.env.at(name), 0), images);
        for (reading::ImageSource &image : images) {
            const Func &func = testing::func(dag, image.name);
            for (int d = 0; image.param.defined() && d < image.dimensions(); d++) {
                image.param.set_min_constraint(d, static_cast<int>(func.dims[d].estimate.min));
                image.param.set_extent_constraint(d,
                                                  static_cast<int>(func.dims[d].estimate.extent()));
            }
        }
    }
}

bool read_under_condition(const Dag &dag, FuncId producer) {
    for (EdgeId id : dag.consumers[producer.index()]) {
        if (dag.stage(dag.edge(id).consumer).has_predicate) return true;
    }
    return false;
}

TEST_P(EveryPipeline, EstimatesAreWhatHalideAllocates) {
    Pipeline pipeline = GetParam().build();
    const Dag dag = read(pipeline);
    fix_sizes_and_compute_at_root(pipeline, dag, Source(pipeline));
    const Halide::Module module = pipeline.compile_to_module(
        pipeline.infer_arguments(), "f", Halide::Target("x86-64-linux-no_runtime-no_asserts"));
    Allocations allocations;
    for (const auto &function : module.functions()) function.body.accept(&allocations);
    int compared = 0;
    for (const Func &func : dag.funcs) {
        if (func.kind != Func::Kind::internal) continue;
        auto found = allocations.extents.find(func.name);
        if (found == allocations.extents.end()) found = allocations.extents.find(func.name + ".0");
        if (found == allocations.extents.end()) continue;
        ASSERT_EQ(found->second.size(), func.dims.size()) << func.name;
        for (size_t d = 0; d < func.dims.size(); d++) {
            const auto extent = HI::as_const_int(found->second[d]);
            if (!extent) continue;  // depends on a parameter
            compared++;
            // Under a condition Halide computes less than it allocates.
            if (read_under_condition(dag, FuncId(&func - dag.funcs.data()))) {
                EXPECT_LE(func.dims[d].estimate.extent(), *extent) << func.name << d;
                continue;
            }
            EXPECT_EQ(func.dims[d].estimate.extent(), *extent) << func.name << " dimension " << d;
        }
    }
    RecordProperty("extents_compared", compared);
    EXPECT_TRUE(compared > 0) << to_text(dag);
}

INSTANTIATE_TEST_SUITE_P(ReadRegions, EveryPipeline, ::testing::ValuesIn(all_pipelines()),
                         [](const auto &info) { return info.param.name; });

// Each pixel counts in a bin of its cell; a second Func reads bins at a position that data decides.
struct CountedBins {
    Halide::Param<float> levels{"levels"};
    Halide::ImageParam in{Halide::Float(32), 2, "in"};
    Halide::Func bins{"bins"}, wide{"wide"}, out{"out"};
    Halide::Var z{"z"};

    CountedBins() {
        const Halide::RDom r(0, 8, "r");
        const auto bin = [&](const Halide::Expr &value) {
            return Halide::cast<int>(Halide::round(Halide::clamp(value, 0.0f, 1.0f) * levels));
        };
        bins(x, y, z) = 0;
        bins(x, y, bin(in(x * 8 + r, y))) += 1;
        wide(x, y, z) = bins(x, y, z - 1) + bins(x, y, z + 1);
        out(x, y) = wide(x / 8, y, bin(in(x, y)));
        out.set_estimates({{0, 800}, {0, 600}});
        in.set_estimates({{0, 800}, {0, 600}});
        levels.set_estimate(10.0f);
    }
};

TEST(WidestRanges, AreThoseOfAllValuesOfAParameter) {
    CountedBins p;
    p.levels.set_range(1.0f, 64.0f);
    const Dag dag = read(p.out);
    const Dimension &wide = func(dag, p.wide).dims[2], &bins = func(dag, p.bins).dims[2];
    EXPECT_EQ(wide.estimate, Interval(0, 10));
    EXPECT_EQ(wide.widest, Interval(0, 64));
    EXPECT_EQ(bins.estimate, Interval(-1, 11));
    EXPECT_EQ(bins.widest, Interval(-1, 65));
    EXPECT_TRUE(bins.is_set_by_parameters(13));
    EXPECT_FALSE(bins.is_set_by_parameters(12));
    // How large the image is nobody knows.
    EXPECT_EQ(func(dag, p.bins).dims[0].widest, std::nullopt);
}

TEST(WidestRanges, AreUnknownWhereAnEndOfTheParametersRangeIs) {
    CountedBins none;
    EXPECT_EQ(func(read(none.out), none.bins).dims[2].widest, std::nullopt);
    CountedBins half;
    half.levels.set_min_value(1.0f);
    EXPECT_EQ(func(read(half.out), half.bins).dims[2].widest, std::nullopt);
}

TEST(WidestRanges, DoNotChangeTheHash) {
    CountedBins with, without;
    with.levels.set_range(1.0f, 64.0f);
    EXPECT_EQ(read(with.out).hash(), read(without.out).hash());
}

}  // namespace
}  // namespace autoschedule_gpu
