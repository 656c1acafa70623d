// src/halide/README.md: how a plugin reads a pipeline, and what APIs other than CUDA
// refuse or compute wrongly.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "halide/version/version.h"
#include "halide_facts/lowered.h"

namespace autoschedule_gpu::test {
namespace {

using Halide::Buffer;
using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::Pipeline;
using Halide::RDom;
using Halide::RVar;
using Halide::TailStrategy;
using Halide::Target;
using Halide::Var;

std::vector<std::string> names_of(const Pipeline &pipeline) {
    std::vector<ir::Function> outputs;
    for (const Func &func : pipeline.outputs()) outputs.push_back(func.function());
    std::vector<std::string> names;
    for (const std::string &name : ir::topological_order(outputs, ir::build_environment(outputs))) {
        names.push_back(without_counters(name));
    }
    return names;
}

// ---- Funcs and their order

TEST(HalideFacts, FuncsAreNumberedProducersFirst) {
    Pair p;
    ImageParam image(Halide::Int(32), 2, "image");
    Func edge = Halide::BoundaryConditions::repeat_edge(image), last{"last"};
    last(p.x, p.y) = p.out(p.x, p.y) + edge(p.x, p.y);
    Pipeline pipeline(last);
    const std::vector<std::string> names = names_of(pipeline);
    const auto place = [&](const std::string &name) {
        return std::find(names.begin(), names.end(), name) - names.begin();
    };
    // The image, its clamped form and repeat_edge are Funcs like those that were defined here.
    ASSERT_EQ(names.size(), 6);
    EXPECT_EQ(names.back(), "last");
    EXPECT_LT(place("in"), place("out"));
    EXPECT_LT(place("image_im"), place("repeat_edge"));
    for (size_t i = 0; i < names.size(); ++i) {
        EXPECT_EQ(without_counters(pipeline.get_func(i).name()), names[i]);
    }
}

// Only the names of the two differ from pipeline to pipeline.
TEST(HalideFacts, FuncsThatDoNotReadEachOtherAreNumberedByName) {
    const auto order = [](const char *first, const char *second) {
        Var x{"x"};
        Func a{first}, b{second}, out{"out"};
        a(x) = x;
        b(x) = x * x;
        out(x) = a(x) + b(x);
        return Pipeline(out).get_func(0).name() == a.name();
    };
    EXPECT_TRUE(order("early", "late"));
    EXPECT_FALSE(order("later", "earlier"));
}

TEST(HalideFacts, WrappersAreNotInTheListOfFuncs) {
    Pair p;
    const std::vector<std::string> before = names_of(p.out);
    p.in.in(p.out).compute_root();
    EXPECT_EQ(names_of(p.out), before);
    EXPECT_FALSE(p.in.function().schedule().wrappers().empty());
}

TEST(HalideFacts, FuncsOfTheSameNameGetANumber) {
    Func first{"twin"}, second{"twin"};
    EXPECT_NE(first.name(), second.name());
    EXPECT_EQ(without_counters(second.name()), "twin");
}

// ---- loops and levels

TEST(HalideFacts, TheLoopsOfAStageAreListedInnermostFirstAndReductionsBeforePure) {
    Pair p;
    RDom r(0, 4, 0, 3, "r");
    p.out(p.x, p.y) += p.in(p.x + r.x, p.y + r.y);
    std::vector<std::string> names;
    for (const ir::Dim &dim : p.out.update().get_schedule().dims()) {
        names.push_back(without_counters(dim.var));
    }
    EXPECT_EQ(names, (std::vector<std::string>{"r$x", "r$y", "x", "y", "__outermost"}));
}

TEST(HalideFacts, AComputeSiteIsReadableOnlyOnALockedCopy) {
    Pair p;
    p.in.compute_at(p.out, p.y);
    const auto is_root = [](const ir::Function &func) {
        return complaint([&] { func.schedule().compute_level().is_root(); });
    };
    EXPECT_TRUE(says(is_root(p.in.function()), "Cannot inspect an unlocked LoopLevel"));
    const std::vector<ir::Function> outputs = {p.out.function()};
    auto copies = ir::deep_copy(outputs, ir::build_environment(outputs)).second;
    ir::Function copy = copies.at(p.in.name());
    copy.lock_loop_levels();
    EXPECT_EQ(is_root(copy), "fine");
    EXPECT_EQ(copy.schedule().compute_level().var().name(), "y");
    EXPECT_TRUE(says(is_root(p.in.function()), "Cannot inspect an unlocked LoopLevel"));
}

TEST(HalideFacts, LoweringADeepCopyLeavesThePipelineAlone) {
    Pair p;
    const std::vector<ir::Function> outputs = {p.out.function()};
    Func copy(ir::deep_copy(outputs, ir::build_environment(outputs)).first.front());
    copy.gpu_tile(p.x, p.y, p.xo, p.yo, p.xi, p.yi, 16, 8);
    EXPECT_EQ(lower(copy).launches.size(), 1);
    EXPECT_EQ(p.out.get_schedule().dims().size(), 3);
    EXPECT_EQ(lower(p.out).launches.size(), 0);
}

TEST(HalideFacts, KernelsAreStillLoopsForTheLastLoweringPass) {
    Pair p;
    const Lowered lowered = lower(p.tiled().out);
    EXPECT_TRUE(says(lowered.loops, "gpu_block<OpenCL> ("));
    EXPECT_EQ(count(lowered.loops, "opencl_run"), 0);
    EXPECT_EQ(lowered.launches.size(), 1);
}

TEST(HalideFacts, AnExceptionFromALoweringPassEndsTheLowering) {
    struct Enough {};
    struct Stop : ir::IRMutator {
        using IRMutator::mutate;
        ir::Stmt mutate(const ir::Stmt &) override { throw Enough{}; }
    } stop;
    Pair p;
    Pipeline pipeline(p.tiled().out);
    pipeline.add_custom_lowering_pass(&stop, nullptr);
    EXPECT_THROW(pipeline.compile_to_module({}, "facts", kOpenCl), Enough);
    pipeline.clear_custom_lowering_passes();
    EXPECT_EQ(lower(pipeline).launches.size(), 1);
}

TEST(HalideFacts, ABoundIsAnEstimateToo) {
    Pair p;
    p.out.bound(p.x, 0, 64);
    ASSERT_EQ(p.out.function().schedule().estimates().size(), 1);
    EXPECT_TRUE(ir::is_const(p.out.function().schedule().estimates().front().extent, 64));
}

// ---- parameters and errors of an autoscheduler

using Extra = std::map<std::string, std::string>;

// Runs an autoscheduler of that name.
std::string autoscheduled(const std::string &name, const Extra &extra) {
    Pair p;
    Pipeline pipeline(p.out);
    return complaint([&] { pipeline.apply_autoscheduler(kOpenCl, {name, extra}); });
}

TEST(HalideFacts, ParametersReachAnAutoschedulerAsStrings) {
    static Extra seen;
    Pipeline::add_autoscheduler(
        "Parameters",
        [](const Pipeline &, const Target &, const Halide::AutoschedulerParams &params,
           Halide::AutoSchedulerResults *) { seen = params.extra; });
    const Extra extra = {{"beam_size", "08"}, {"weights", "a,b.c=d"}, {"unknown.name", ""}};
    EXPECT_EQ(autoscheduled("Parameters", extra), "fine");
    EXPECT_EQ(seen, extra);
}

TEST(HalideFacts, AUserErrorOfAnAutoschedulerReachesTheCaller) {
    Pipeline::add_autoscheduler(
        "Refuses",
        [](const Pipeline &, const Target &, const Halide::AutoschedulerParams &,
           Halide::AutoSchedulerResults *) { halide_version::report_error("not today\n"); });
    EXPECT_EQ(autoscheduled("Refuses", {}), "CompileError: Error: not today\n");
    EXPECT_TRUE(says(autoscheduled("Nobody", {}), "Unknown autoscheduler name 'Nobody'"));
}

// ---- bounds

// The range of an index for x in [a, b].
std::string range_of(const Expr &index, const Var &x) {
    Func in{"in"};
    Var i{"i"};
    in(i) = i;
    ir::Scope<ir::Interval> scope;
    scope.push(x.name(), {Var("a"), Var("b")});
    const auto boxes = ir::boxes_required(in(index), scope);
    const ir::Interval range = boxes.at(in.name())[0];
    std::ostringstream text;
    text << "[" << ir::simplify(range.min) << ", " << ir::simplify(range.max) << "]";
    return text.str();
}

TEST(HalideFacts, BoundsNeedFewKindsOfInstructions) {
    const Var x("x");
    EXPECT_EQ(range_of(x - 1, x), "[(a + -1), (b + -1)]");
    EXPECT_EQ(range_of(7 - 2 * x, x), "[(7 - (b*2)), (7 - (a*2))]");
    EXPECT_EQ(range_of(x / 2, x), "[(a/2), (b/2)]");
    EXPECT_EQ(range_of(Halide::clamp(x, 0, 9), x), "[max(min(a, 9), 0), max(min(b, 9), 0)]");
    EXPECT_EQ(range_of(x % 8, x), "[0, 7]");
    EXPECT_EQ(range_of(Halide::cast<uint8_t>(x), x), "[0, 255]");
    EXPECT_EQ(range_of(Halide::cast<int>(Halide::floor(x * 1.5f)), x),
              "[int32((float32)floor_f32(float32(a)*1.500000f)), "
              "int32((float32)floor_f32(float32(b)*1.500000f))]");
}

TEST(HalideFacts, BoundsOfAChoiceKeepTheChoice) {
    const Var x("x");
    EXPECT_TRUE(says(range_of(Halide::select(x > 4, x, -x), x),
                     "[min(select(4 < a, a, 0 - b), select(4 < b, a, 0 - b)), "));
}

TEST(HalideFacts, AnIndexIsNoWiderThanInt32) {
    const auto index = [](Halide::Type type) {
        return complaint([&] {
            Pair p;
            Func out{"out"};
            out(p.x, p.y) = p.in(Halide::cast(type, p.x), p.y);
        });
    };
    for (const Halide::Type type : {Halide::Int(64), Halide::UInt(32), Halide::Float(32)}) {
        EXPECT_TRUE(says(index(type), "is not allowed. Use an explicit cast"));
    }
    EXPECT_EQ(index(Halide::UInt(16)), "fine");
}

TEST(HalideFacts, WhatAnUpdateReadsOfItsOwnFuncIsComputed) {
    Var x{"x"};
    Func f{"f"}, out{"out"};
    RDom r(3, 2);
    f(x) = x * x;
    f(r) += f(r + 5);
    out(x) = f(x);
    f.compute_root();
    out.bound(x, 0, 2);
    EXPECT_TRUE(says(lower(out, kHost).loops, "allocate f[int32 * 10]"));
}

TEST(HalideFacts, StrictArithmeticIsNotFolded) {
    const Expr quotient = Expr(1.f) / 0.5f;
    EXPECT_TRUE(ir::is_const(ir::simplify(quotient)));
    EXPECT_FALSE(ir::is_const(ir::simplify(Halide::strict_float(quotient))));
}

TEST(HalideFacts, ADefinitionHoldsLetsForWhatItRepeats) {
    Var x{"x"};
    Func f{"f"};
    const Expr square = x * x + 3;
    f(x) = square * square;
    EXPECT_NE(f.value().as<ir::Let>(), nullptr);
}

// ---- other GPU APIs

// A kernel with a value of the type in it.
Func with_type(Halide::Type type) {
    Pair p;
    ImageParam image(type, 2, "image");
    Func out{"typed"};
    out(p.x, p.y) = image(p.x, p.y) * 3;
    out.gpu_tile(p.x, p.y, p.xo, p.yo, p.xi, p.yi, 16, 8);
    return out;
}

TEST(HalideFacts, ApisLackTypesThatCudaHas) {
    const auto refused = [](const char *target, Halide::Type type) {
        return refusal(with_type(type), Target(target));
    };
    for (const Halide::Type type : {Halide::Int(64), Halide::Float(64)}) {
        EXPECT_EQ(refusal(with_type(type), kCuda), "fine");
    }
    EXPECT_TRUE(says(refused("x86-64-linux-opencl", Halide::Float(64)), "CLDoubles"));
    EXPECT_EQ(refused("x86-64-linux-opencl-cl_doubles", Halide::Float(64)), "fine");
    EXPECT_TRUE(says(refused("arm-64-osx-metal", Halide::Int(64)),
                     "Metal does not support 64-bit integers"));
    EXPECT_TRUE(says(refused("x86-64-windows-d3d12compute", Halide::Int(64)),
                     "does not support 64-bit integers"));
    EXPECT_TRUE(says(refused("wasm-32-wasmrt-webgpu", Halide::Int(64)),
                     "Invalid integer bitwidth for WGSL"));
    EXPECT_TRUE(
        says(refused("x86-64-linux-vulkan", Halide::Int(64)), "requires 64-bit integer support"));
}

TEST(HalideFacts, VulkanTakesThreadsKnownAtRunTimeOnlyFromVersion13) {
    const auto refused = [](const char *target) {
        Pair p;
        p.tiled(TailStrategy::GuardWithIf).staged();
        return refusal(p.out, Target(target));
    };
    EXPECT_TRUE(
        says(refused("x86-64-linux-vulkan"), "Dynamic workgroup sizes require Vulkan v1.3"));
    EXPECT_EQ(refused("x86-64-linux-vulkan-vk_v13"), "fine");
    EXPECT_EQ(refused("x86-64-linux-opencl"), "fine");
}

TEST(HalideFacts, VulkanMetalAndDirect3DHaveNoAtomics) {
    const auto refused = [](const Target &target) {
        Var x{"x"};
        RDom r(0, 64);
        RVar ro{"ro"}, ri{"ri"};
        ImageParam values(Halide::UInt(8), 1, "values");
        Func out{"out"};
        out(x) = 0;
        out(values(r)) += 1;
        out.update().atomic().split(r, ro, ri, 16).gpu_blocks(ro).gpu_threads(ri);
        return refusal(out, target);
    };
    EXPECT_EQ(refused(kCuda), "fine");
    EXPECT_EQ(refused(kOpenCl), "fine");
    EXPECT_TRUE(says(refused(Target("x86-64-linux-vulkan-vk_int8")), "Atomic updates are not"));
    EXPECT_TRUE(says(refused(Target("arm-64-osx-metal")), "Atomic updates are not supported"));
    EXPECT_TRUE(says(refused(Target("x86-64-windows-d3d12compute")), "Atomics operations are not"));
}

TEST(HalideFacts, VectorsOfOpenClHaveFewWidths) {
    const auto width = [](int lanes) {
        Pair p;
        p.out.split(p.x, p.xo, p.xi, lanes).vectorize(p.xi).gpu_blocks(p.y).gpu_threads(p.xo);
        return refusal(p.out);
    };
    EXPECT_EQ(width(4), "fine");
    EXPECT_TRUE(says(width(6), "Unsupported vector width in OpenCL C"));
}

enum class Not { bits, logical };

// What `not (6 > 3)` selects: 1 for true and 0 for false.
int value_of_not(Not kind, const Target &target) {
    Pair p;
    ImageParam image(Halide::Int(32), 2, "image");
    Func out{"out"};
    const Expr greater = image(p.x, p.y) > 3;
    out(p.x, p.y) = Halide::select(kind == Not::bits ? ~greater : !greater, 1, 0);
    if (target.has_gpu_feature()) out.gpu_tile(p.x, p.y, p.xo, p.yo, p.xi, p.yi, 16, 8);
    Buffer<int> six(16, 8);
    six.fill(6);
    image.set(six);
    return run(out, 16, 8, target).front();
}

TEST(HalideFacts, BitwiseNotOfABooleanIsAlwaysTrueInOpenCl) {
    EXPECT_EQ(value_of_not(Not::bits, jit_host()), 0);
    EXPECT_EQ(value_of_not(Not::bits, jit_target()), 1);
    EXPECT_EQ(value_of_not(Not::logical, jit_target()), 0);
}

TEST(HalideFacts, ANumberConvertedToABooleanIsItsLowestBitButInOpenCl) {
    const auto two_is_true = [](const Halide::Target &target) {
        Pair p;
        ImageParam image(Halide::Int(32), 2, "image");
        Func out{"out"};
        out(p.x, p.y) = Halide::select(Halide::cast<bool>(image(p.x, p.y)), 1, 0);
        if (target.has_gpu_feature()) out.gpu_tile(p.x, p.y, p.xo, p.yo, p.xi, p.yi, 16, 8);
        Buffer<int> twos(16, 8);
        twos.fill(2);
        image.set(twos);
        return run(out, 16, 8, target).front();
    };
    EXPECT_EQ(two_is_true(jit_host()), 0);
    EXPECT_EQ(two_is_true(jit_target()), 1);
}

TEST(HalideFacts, TrueIsLessThanFalseInVectorsOfOpenCl) {
    const auto order = [](int lanes, const Halide::Target &target) {
        Pair p;
        Func out{"out"};
        Var lane{"lane"};
        out(p.x, p.y) = Halide::select((p.x < 4) < (p.y < 4), 1, 0);
        if (target.has_gpu_feature()) out.gpu_tile(p.x, p.y, p.xo, p.yo, p.xi, p.yi, 8, 8);
        if (lanes > 1) out.split(p.xi, p.xi, lane, lanes).vectorize(lane);
        return run(out, 16, 8, target);
    };
    EXPECT_EQ(order(1, jit_target()), order(1, jit_host()));
    EXPECT_NE(order(4, jit_target()), order(1, jit_host()));
}

// What is computed of one number, which Halide does not know.
template <typename T>
int value_of(T number, const std::function<Expr(Expr)> &value, const Target &target) {
    Pair p;
    ImageParam image(Halide::type_of<T>(), 2, "image");
    Func out{"out"};
    out(p.x, p.y) = Halide::cast<int>(value(image(p.x, p.y)));
    if (target.has_gpu_feature()) out.gpu_tile(p.x, p.y, p.xo, p.yo, p.xi, p.yi, 16, 8);
    Buffer<T> numbers(16, 8);
    numbers.fill(number);
    image.set(numbers);
    return run(out, 16, 8, target).front();
}

TEST(HalideFacts, ARemainderOfFloatsHasTheSignOfTheDividendInOpenCl) {
    const auto remainder = [](const Target &target) {
        return value_of(
            -4.0f, [](Expr e) { return e % 3.0f; }, target);
    };
    EXPECT_EQ(remainder(jit_host()), 2);
    EXPECT_EQ(remainder(jit_target()), -1);
}

TEST(HalideFacts, ConstantsOfDoubleAreRoundedToFloatInOpenCl) {
    const auto sum = [](const Target &target) {
        return value_of(
            0.0, [](Expr e) { return e + Expr(16777217.0); }, target);
    };
    EXPECT_EQ(sum(jit_host()), 16777217);
    EXPECT_EQ(sum(jit_target().with_feature(Target::CLDoubles)), 16777216);
    const auto third = [](const Target &target) {
        return value_of(
            3e8, [](Expr e) { return e / Expr(3.0); }, target);
    };
    EXPECT_NEAR(third(jit_host()), 100000000, 1);
    EXPECT_GT(third(jit_target().with_feature(Target::CLDoubles)), 100000001);
}

TEST(HalideFacts, NothingGuardsAnUnsignedDivisionBy0InOpenCl) {
    const auto code = [](Halide::Type type, const Target &target) {
        Pair p;
        ImageParam image(type, 2, "image");
        Func out{"out"};
        out(p.x, p.y) = image(p.x, p.y) / image(p.x + 1, p.y);
        if (target.has_gpu_feature()) out.gpu_tile(p.x, p.y, p.xo, p.yo, p.xi, p.yi, 16, 8);
        const std::string text = lower(out, target).device_code;
        return text.substr(text.find("__kernel void"));
    };
    EXPECT_TRUE(says(code(Halide::UInt(32), kOpenCl), " / "));
    EXPECT_EQ(count(code(Halide::UInt(32), kOpenCl), " == "), 0);
    EXPECT_GT(count(code(Halide::Int(32), kOpenCl), " == "), 0) << "signed ones have a guard";
    const auto quotient = [](Expr e) { return Halide::cast<uint32_t>(7) / e; };
    EXPECT_EQ(value_of(uint32_t{0}, quotient, jit_host()), 0);
}

TEST(HalideFacts, CountsOfBitsCallFunctionsThatOpenClDoesNotDeclare) {
    Pair p;
    Func out{"out"};
    out(p.x, p.y) = Halide::popcount(p.x) + Halide::count_leading_zeros(p.y);
    out.gpu_tile(p.x, p.y, p.xo, p.yo, p.xi, p.yi, 16, 8);
    const std::string code = lower(out).device_code;
    EXPECT_TRUE(says(code, " = halide_popcount("));
    EXPECT_TRUE(says(code, " = halide_count_leading_zeros("));
    EXPECT_EQ(code.find("halide_popcount("), code.find(" = halide_popcount(") + 3);
}

}  // namespace
}  // namespace autoschedule_gpu::test
