// Every error of read_pipeline.
#include <functional>
#include <regex>

#include "reading.h"

namespace autoschedule_gpu {
namespace {

using namespace testing;
using HFunc = Halide::Func;
using Halide::cast;
using Halide::Float;
using Halide::ImageParam;
using Halide::Pipeline;
using Halide::RDom;

const Halide::Var xi("xi");

bool contains(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}

#define EXPECT_CONTAINS(text, part) EXPECT_PRED2(contains, text, part)

// Funcs of one name in one process get "$1", "$2" ... behind it.
std::string without_numbers(const std::string &text) {
    return std::regex_replace(text, std::regex("\\$[0-9]+"), "");
}

TEST(ReadErrors, WithoutOutputs) {
    EXPECT_EQ(error_of(Pipeline()), "the pipeline has no outputs");
}

TEST(ReadErrors, NamesEveryDimensionWithoutAnEstimate) {
    HFunc f("one"), g("two");
    f(x, y) = x;
    g(x, y) = y;
    f.set_estimate(x, 0, 10);
    const std::string error = error_of(Pipeline({f, g}));
    EXPECT_EQ(error,
              "output one needs an estimate for dimension 1 (y): one.set_estimate(y, min, "
              "extent); output two needs an estimate for dimension 0 (x): "
              "two.set_estimate(x, min, extent); output two needs an estimate for "
              "dimension 1 (y): two.set_estimate(y, min, extent)");
}

TEST(ReadErrors, ImageSizeThatARegionDependsOn) {
    ImageParam in(Float(32), 2, "picture");
    HFunc f("f");
    f(x, y) = in(Halide::clamp(x, 0, in.width() - 1), y);
    f.set_estimates({{0, 10}, {0, 10}});
    EXPECT_EQ(error_of(f),
              "image picture needs an estimate for dimension 0: "
              "picture.dim(0).set_estimate(min, extent)");
}

TEST(ReadErrors, OfAParameterThatALoopDependsOnOneIsAssumed) {
    Halide::Param<int> count("count");
    HFunc f("f");
    RDom r(0, count);
    f(x) = 0;
    f(x) += r;
    f.set_estimate(x, 0, 10);
    const Result<Dag> dag = read_pipeline(Pipeline(f), Halide::get_host_target());
    ASSERT_TRUE(dag.ok()) << dag.error().message;
    EXPECT_EQ(dag->assumed,
              std::vector<std::string>{"parameter count has no estimate, 1 is assumed: "
                                       "count.set_estimate(value) says what to schedule for"});
}

// What is assumed of a Func with such a value.
std::vector<std::string> assumed_of(const std::function<Halide::Expr(Halide::Expr)> &value,
                                    const Halide::Type &type, const char *target) {
    ImageParam in(type, 1, "in");
    HFunc f("quotient");
    f(x) = value(in(x));
    f.set_estimate(x, 0, 10);
    const Result<Dag> dag = read_pipeline(Pipeline(f), Halide::Target(target));
    if (!dag) return {dag.error().message};
    std::vector<std::string> assumed;
    for (const std::string &one : dag->assumed) assumed.push_back(without_numbers(one));
    return assumed;
}

TEST(ReadErrors, OfAnUnsignedDivisorItIsAssumedThatItIsNot0WhereNothingGuardsIt) {
    using Halide::Expr;
    using Sentences = std::vector<std::string>;
    const Sentences sentence = {
        "no unsigned divisor is taken to be 0 in quotient, where kernels for OpenCL compute "
        "anything, instead of Halide's 0: max(divisor, 1) divides by no 0"};
    constexpr const char *kOpenCl = "x86-64-linux-opencl";
    const Halide::Type byte = Halide::UInt(8);
    const auto quotient = [](Expr e) { return cast(e.type(), 7) / e; };
    const auto remainder = [](Expr e) { return cast(e.type(), 7) % e; };
    EXPECT_EQ(assumed_of(quotient, byte, kOpenCl), sentence);
    EXPECT_EQ(assumed_of(remainder, Halide::UInt(32), kOpenCl), sentence);
    EXPECT_EQ(assumed_of(quotient, byte, "x86-64-linux-cuda"), Sentences{});
    EXPECT_EQ(assumed_of(quotient, byte, "x86-64-linux"), Sentences{});
    EXPECT_EQ(assumed_of(quotient, Halide::Int(32), kOpenCl), Sentences{});
    EXPECT_EQ(assumed_of([](Expr e) { return e / cast(e.type(), 7); }, byte, kOpenCl), Sentences{});
    const auto guarded = [](Expr e) { return e / Halide::max(e, cast(e.type(), 1)); };
    EXPECT_EQ(assumed_of(guarded, byte, kOpenCl), Sentences{});
}

TEST(ReadErrors, ParametersThatNoRegionDependsOnNeedNoEstimate) {
    Halide::Param<float> gain("gain");
    HFunc f("f");
    f(x) = gain * cast<float>(x);
    f.set_estimate(x, 0, 10);
    EXPECT_EQ(error_of(f), "no error");
}

TEST(ReadErrors, AccessWithoutABound) {
    ImageParam flow(Float(32), 1, "flow");
    HFunc table("table"), f("moved");
    RDom r(0, 4);
    table(x, y) = 0;
    table(x, y) += r;
    f(x) = table(0, cast<int>(flow(x)));
    f.set_estimate(x, 0, 10);
    const std::string error = error_of(f);
    EXPECT_CONTAINS(error, "moved reads table at an index without a bound in dimension 1 (y)");
    EXPECT_CONTAINS(error, "clamp()");
}

TEST(ReadErrors, OfAnImageReadWithoutABoundAllIsNeeded) {
    ImageParam flow(Float(32), 1, "flow"), in(Float(32), 1, "in");
    HFunc f("moved");
    f(x) = in(cast<int>(flow(x)));
    f.set_estimate(x, 0, 10);
    EXPECT_CONTAINS(error_of(f), "image in needs an estimate for dimension 0");
    in.dim(0).set_estimate(3, 40);
    EXPECT_EQ(error_of(f), "no error");
}

TEST(ReadErrors, ScatterWithoutABound) {
    ImageParam in(Halide::Int(32), 1, "in");
    HFunc hist("bins"), f("f");
    RDom r(0, 10);
    hist(x) = 0;
    hist(in(r)) += 1;
    f(x) = hist(x);
    f.set_estimate(x, 0, 10);
    EXPECT_CONTAINS(error_of(f), "updates of bins write or read it at an index without a bound");
}

// Schedules made by hand

struct Scheduled {
    const char *found;
    void (*schedule)(HFunc g, HFunc f);
};

Result<Dag> read_when(const Scheduled &scheduled, Respect respect) {
    HFunc g("helper"), f("result");
    RDom r(0, 4, "r");
    g(x, y) = x + y;
    g(x, y) += r;
    f(x, y) = g(x, y);
    f.set_estimates({{0, 16}, {0, 16}});
    scheduled.schedule(g, f);
    return read_pipeline(Pipeline(f), cuda(), respect);
}

std::string error_when(const Scheduled &scheduled, Respect respect) {
    const Result<Dag> dag = read_when(scheduled, respect);
    return dag ? "no error" : without_numbers(dag.error().message);
}

TEST(ReadErrors, RefusesEverySchedulingDirectiveIfThatIsWanted) {
    const Scheduled cases[] = {
        {"helper is already scheduled (compute_root)", [](HFunc g, HFunc) { g.compute_root(); }},
        {"helper is already scheduled (compute_at)", [](HFunc g, HFunc f) { g.compute_at(f, y); }},
        {"store_at", [](HFunc g, HFunc f) { g.store_root().compute_at(f, y); }},
        {"hoist_storage", [](HFunc g, HFunc f) { g.hoist_storage_root().compute_at(f, y); }},
        {"result is already scheduled (loops are split",
         [](HFunc, HFunc f) { f.split(x, x, xi, 4); }},
        {"loops are reordered", [](HFunc, HFunc f) { f.reorder(y, x); }},
        {"loops are parallel", [](HFunc, HFunc f) { f.parallel(y); }},
        {"loops are parallel", [](HFunc, HFunc f) { f.gpu_blocks(y); }},
        {"helper is already scheduled (update(0): loops are",
         [](HFunc g, HFunc) { g.update().parallel(y); }},
        {"specialize", [](HFunc, HFunc f) { f.specialize(f.output_buffer().width() > 4); }},
        {"store_in", [](HFunc g, HFunc) { g.store_in(Halide::MemoryType::Stack); }},
        {"a wrapper made by in() or clone_in()", [](HFunc g, HFunc f) { g.in(f); }},
        {"a wrapper made by in() or clone_in()", [](HFunc g, HFunc f) { g.clone_in(f); }},
        {"atomic", [](HFunc g, HFunc) { g.update().atomic(); }},
        {"fold_storage", [](HFunc g, HFunc) { g.fold_storage(y, 4); }},
        {"bound_storage", [](HFunc g, HFunc) { g.bound_storage(y, 4); }},
        {"prefetch", [](HFunc g, HFunc f) { f.prefetch(g, y, y, 2); }},
        {"loop partitioning", [](HFunc, HFunc f) { f.never_partition(x); }},
    };
    for (const Scheduled &scheduled : cases) {
        try {
            EXPECT_CONTAINS(error_when(scheduled, Respect::refuse), scheduled.found);
        } catch (const Halide::Error &error) {
            ADD_FAILURE() << scheduled.found << ": " << error.what();
        }
    }
}

TEST(ReadErrors, RefusesComputeWithAFuncOfWhichTheLoopsAreOurs) {
    HFunc f("f"), g("g");
    f(x, y) = x;
    g(x, y) = y;
    f.set_estimates({{0, 16}, {0, 16}});
    g.set_estimates({{0, 16}, {0, 16}});
    g.compute_with(f, y);
    const Pipeline both({f, g});
    EXPECT_CONTAINS(read_pipeline(both, cuda(), Respect::refuse).error().message, "compute_with");
    EXPECT_CONTAINS(without_numbers(error_of(both)),
                    "Func g: compute_with can't be kept, for the loops of f are the "
                    "autoscheduler's to make");
    f.parallel(y);
    EXPECT_EQ(error_of(both), "no error");
}

TEST(ReadErrors, RespectsDirectivesThatAreNoSchedule) {
    const Scheduled cases[] = {
        {"", [](HFunc, HFunc f) { f.compute_root(); }},
        {"", [](HFunc g, HFunc) { g.bound(x, 0, 16); }},
        {"", [](HFunc g, HFunc) { g.bound_extent(x, 16); }},
        {"", [](HFunc g, HFunc) { g.align_bounds(x, 4); }},
        {"", [](HFunc g, HFunc) { g.reorder_storage(y, x); }},
        {"", [](HFunc g, HFunc) { g.align_storage(x, 32); }},
        {"", [](HFunc g, HFunc) { g.set_estimate(x, 0, 16); }},
        {"", [](HFunc g, HFunc) { g.compute_root().memoize(); }},
        {"", [](HFunc g, HFunc) { g.compute_root().async(); }},
    };
    for (const Scheduled &scheduled : cases) {
        EXPECT_EQ(error_when(scheduled, Respect::refuse), "no error");
        EXPECT_EQ(error_when(scheduled, Respect::keep), "no error");
    }
}

const Func &helper_of(const Dag &dag) {
    return *std::ranges::find_if(dag.funcs,
                                 [](const Func &func) { return func.name.starts_with("helper"); });
}

TEST(ReadUserSchedule, OfAPlaceAloneLeavesTheLoopsToUs) {
    const auto dag = read_when({"", [](HFunc g, HFunc) { g.compute_root(); }}, Respect::keep);
    ASSERT_TRUE(dag.ok()) << dag.error().message;
    EXPECT_EQ(helper_of(*dag).ours, Func::Ours::loops);
    EXPECT_EQ(helper_of(*dag).user_directives, std::vector<std::string>{"compute_root"});
    EXPECT_FALSE(helper_of(*dag).on_host());
}

TEST(ReadUserSchedule, OfLoopsIsNoneOfOurKernels) {
    const auto dag =
        read_when({"", [](HFunc g, HFunc) { g.compute_root().parallel(y); }}, Respect::keep);
    ASSERT_TRUE(dag.ok()) << dag.error().message;
    EXPECT_EQ(helper_of(*dag).ours, Func::Ours::nothing);
    EXPECT_EQ(helper_of(*dag).host_reason, "is scheduled by hand");
}

// The loops of a Func count as they were before it was scheduled.
TEST(ReadUserSchedule, DoesNotChangeTheLoopsOfTheAlgorithm) {
    const auto dag = read_when(
        {"", [](HFunc g, HFunc) { g.compute_root().split(x, x, xi, 4).update().reorder(y, x); }},
        Respect::keep);
    ASSERT_TRUE(dag.ok()) << dag.error().message;
    std::vector<std::string> names;
    for (const StageId stage : helper_of(*dag).stages) {
        for (const Loop &loop : dag->stage(stage).loops) {
            names.push_back(loop.name.substr(0, loop.name.find('$')));
        }
    }
    EXPECT_EQ(names.size(), 5u);
    EXPECT_EQ(std::vector<std::string>(names.begin(), names.begin() + 2),
              (std::vector<std::string>{"x", "y"}));
}

TEST(ReadUserSchedule, ThatCannotBeKeptNamesFuncAndDirective) {
    const Scheduled cases[] = {
        {"Func helper: compute_at can't be kept, for the loops of result are the autoscheduler's",
         [](HFunc g, HFunc f) { g.compute_at(f, y); }},
        {"Func helper: its loops (update(0): loops are parallel",
         [](HFunc g, HFunc) { g.update().parallel(y); }},
        {"Func helper: store_in can't be kept",
         [](HFunc g, HFunc) { g.store_in(Halide::MemoryType::Stack); }},
        {"Func helper: store_in can't be kept",
         [](HFunc g, HFunc) { g.compute_root().store_in(Halide::MemoryType::GPUShared); }},
        {"Func helper: store_in can't be kept",
         [](HFunc g, HFunc) { g.compute_root().store_in(Halide::MemoryType::Register); }},
        {"no error", [](HFunc g, HFunc) { g.compute_root().store_in(Halide::MemoryType::Stack); }},
        {"Func helper: store_in can't be kept, for only kernels for OpenCL have textures",
         [](HFunc g, HFunc) { g.compute_root().store_in(Halide::MemoryType::GPUTexture); }},
        {"Func helper: its storage (store_in) can't be kept, for it has no place",
         [](HFunc g, HFunc) { g.store_in(Halide::MemoryType::Heap); }},
        // At root, where the Func may come to be, that is too little.
        {"Func helper: its storage (bound_storage) can't be kept, for it has no place",
         [](HFunc g, HFunc) { g.bound_storage(x, 8); }},
        {"no error", [](HFunc g, HFunc) { g.compute_root().bound_storage(x, 16); }},
        {"a wrapper of several readers, or one made by clone_in(), can't be kept",
         [](HFunc g, HFunc f) { g.clone_in(f); }},
        {"no error", [](HFunc g, HFunc f) { g.in(f); }},
        {"no error", [](HFunc g, HFunc f) { g.compute_at(f.parallel(y), y); }},
        {"no error", [](HFunc g, HFunc f) { g.store_root().compute_at(f.parallel(y), y); }},
    };
    for (const Scheduled &scheduled : cases) {
        EXPECT_CONTAINS(error_when(scheduled, Respect::keep), scheduled.found);
    }
}

TEST(ReadUserSchedule, MayHaveATextureAtRootForOpencl) {
    HFunc g("helper"), f("result");
    g(x, y) = x + y;
    f(x, y) = g(x, y);
    f.set_estimates({{0, 16}, {0, 16}});
    g.store_in(Halide::MemoryType::GPUTexture);
    const Halide::Target opencl("x86-64-linux-opencl");
    EXPECT_CONTAINS(error_of(f, opencl), "store_in can't be kept, for such memory is inside loops");
    g.compute_root();
    EXPECT_EQ(error_of(f, opencl), "no error");
}

TEST(ReadErrors, ExternInputThatNothingTellsTheSizeOf) {
    HFunc before("before"), ext("ext"), f("f");
    before(x, y) = x + y;
    ext.define_extern("extern_stage", {before}, Halide::Int(32), 1);
    f(x) = ext(x);
    f.set_estimate(x, 0, 10);
    const std::string error = error_of(f);
    EXPECT_CONTAINS(error, "Func before is read by the extern stage ext");
    EXPECT_CONTAINS(error, "before.set_estimate(x, min, extent)");
    before.set_estimates({{0, 10}, {0, 3}});
    EXPECT_EQ(error_of(f), "no error");
}

}  // namespace
}  // namespace autoschedule_gpu
