#include "halide/lower/trial_lower.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <regex>
#include <set>

#include "halide/apply/apply.h"
#include "halide/apply/device_address.h"
#include "halide/lower/alike_kernels.h"
#include "halide/lower/device_code.h"
#include "halide/lower/trial_process.h"
#include "unit/scheduler/schedule/example.h"

namespace autoschedule_gpu {
namespace {

using namespace test;
using Op = DirectiveOp;
namespace ir = Halide::Internal;

Halide::Target gpu_target(Halide::Target::Feature feature) {
    Halide::Target target("x86-64-linux");
    target.set_feature(feature);
    if (feature == Halide::Target::CUDA) target.set_feature(Halide::Target::CUDACapability80);
    return target;
}

const Halide::Target kCuda = gpu_target(Halide::Target::CUDA);
const Halide::Target kOpenCl = gpu_target(Halide::Target::OpenCL);

// A chain of 3x1 stencils: Funcs 0 ... n-1, the last is the output.
struct Chain {
    Halide::Param<int> gain{"gain"};
    Halide::Var x{"x"}, y{"y"};
    std::vector<Halide::Func> funcs;
    Halide::Pipeline pipeline;

    explicit Chain(int n) {
        for (int i = 0; i < n; ++i) {
            Halide::Func f(std::string(1, 'f').append(std::to_string(i)));
            if (i == 0) {
                f(x, y) = Halide::cast<float>(x * gain + y);
            } else {
                f(x, y) = funcs.back()(x - 1, y) + funcs.back()(x, y) + funcs.back()(x + 1, y);
            }
            funcs.push_back(f);
        }
        pipeline = Halide::Pipeline(funcs.back());
    }
};

// compute_root with blocks and threads of 32 x 8.
Schedule kernel(int func, TailStrategy tail = TailStrategy::shift_inwards) {
    return {on_func(Op::compute_root, func, ""),
            split(func, "", 0, {own(0), made("xb"), made("xt")}, 32, tail),
            split(func, "", 0, {own(1), made("yb"), made("yt")}, 8, tail),
            on_stage(Op::reorder, func, "", 0, {made("xt"), made("yt"), made("xb"), made("yb")}),
            on_stage(Op::gpu_blocks, func, "", 0, {made("xb"), made("yb")}),
            on_stage(Op::gpu_threads, func, "", 0, {made("xt"), made("yt")})};
}

// Computed in a consumer's block, in shared memory, one point a thread.
Schedule staged(int func, int site, MemoryKind memory = MemoryKind::shared) {
    return {compute_at(func, "", site, made("xb")), store_in(func, "", memory),
            on_stage(Op::gpu_threads, func, "", 0, {own(0), own(1)})};
}

// compute_root with 4 points a thread, unrolled, in blocks of 32 threads.
Schedule unrolled_kernel(int func) {
    return {on_func(Op::compute_root, func, ""),
            split(func, "", 0, {own(0), made("xb"), made("xt")}, 32),
            split(func, "", 0, {own(1), made("yb"), made("ys")}, 4),
            on_stage(Op::reorder, func, "", 0, {made("ys"), made("xt"), made("xb"), made("yb")}),
            on_stage(Op::unroll, func, "", 0, {made("ys")}),
            on_stage(Op::gpu_blocks, func, "", 0, {made("xb"), made("yb")}),
            on_stage(Op::gpu_threads, func, "", 0, {made("xt")})};
}

Schedule operator+(Schedule a, const Schedule &b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

// The judge: launches read from the calls of Halide's runtime in code lowered to the end.
class RuntimeCalls : public ir::IRVisitor {
public:
    std::vector<KernelLaunch> kernels;

protected:
    using IRVisitor::visit;

    void visit(const ir::LetStmt *op) override {
        lets_[op->name] = ir::simplify(ir::substitute(lets_, op->value));
        IRVisitor::visit(op);
    }

    void visit(const ir::Call *op) override {
        IRVisitor::visit(op);
        if (op->name.rfind("halide_", 0) != 0 || op->name.find("_run") == std::string::npos) return;
        if (op->args.size() < 9) return;
        KernelLaunch kernel;
        kernel.name = op->args[1].as<ir::StringImm>()->value;
        for (size_t i = 0; i < 3; ++i) kernel.blocks[i] = constant(op->args[2 + i]);
        for (size_t i = 0; i < 3; ++i) kernel.threads[i] = constant(op->args[5 + i]);
        kernel.shared_bytes = constant(op->args[8]);
        kernels.push_back(std::move(kernel));
    }

private:
    int64_t constant(const Halide::Expr &expr) const {
        return ir::as_const_int(ir::simplify(ir::substitute(lets_, expr))).value_or(-1);
    }
    std::map<std::string, Halide::Expr> lets_;
};

std::vector<KernelLaunch> runtime_calls(const Schedule &schedule, const Halide::Pipeline &original,
                                        const Halide::Target &target) {
    Halide::Pipeline copy = deep_copy_pipeline(original);
    EXPECT_TRUE(apply_schedule(schedule, copy).ok());
    RuntimeCalls visitor;
    for (const auto &function :
         copy.compile_to_module(copy.infer_arguments(), "judge", target).functions()) {
        function.body.accept(&visitor);
    }
    return visitor.kernels;
}

// One launch a line: "_kernel_f0 8 8 1 x 32 8 1, shared 0". The rest of a name has counters in it.
std::string text(const std::vector<KernelLaunch> &kernels) {
    std::string text;
    for (const KernelLaunch &k : kernels) {
        text += k.name.substr(0, std::string_view("_kernel_f0").size());
        for (int64_t n : k.blocks) text += ' ' + std::to_string(n);
        text += " x";
        for (int64_t n : k.threads) text += ' ' + std::to_string(n);
        text += ", shared ";
        text += std::to_string(k.shared_bytes) + '\n';
    }
    return text;
}

std::string trial(const Schedule &schedule, const Halide::Pipeline &pipeline,
                  const Halide::Target &target, TrialDepth depth = TrialDepth::loops) {
    const Result<TrialLowering> result = trial_lower(schedule, pipeline, target, depth);
    return result ? text(result->kernels) : result.error().message;
}

class LaunchTest : public testing::TestWithParam<Halide::Target::Feature> {};

TEST_P(LaunchTest, AgreesWithTheCallsOfTheRuntime) {
    const Halide::Target target = gpu_target(GetParam());
    Chain chain(3);
    const Schedule schedules[] = {
        kernel(2) + kernel(1) + kernel(0),
        kernel(2) + staged(1, 2),
        kernel(2) + staged(1, 2) + staged(0, 2),
        kernel(2) + staged(1, 2, MemoryKind::automatic) + kernel(0),
        kernel(2, TailStrategy::guard_with_if) + kernel(0),
        kernel(2, TailStrategy::guard_with_if) + staged(1, 2),
        unrolled_kernel(2) + unrolled_kernel(0),
        unrolled_kernel(2) + staged(1, 2),
        {on_func(Op::compute_root, 2, ""), on_stage(Op::gpu_single_thread, 2, "", 0, {})},
        {on_func(Op::compute_root, 1, "")},
    };
    for (const Schedule &schedule : schedules) {
        const std::string deep = trial(schedule, chain.pipeline, target, TrialDepth::device_code);
        try {
            const std::string expected = text(runtime_calls(schedule, chain.pipeline, target));
            EXPECT_EQ(trial(schedule, chain.pipeline, target), expected);
            EXPECT_EQ(deep, expected);
        } catch (const Halide::Error &error) {
            // Vulkan takes no blocks whose size is known at run time only.
            EXPECT_EQ(GetParam(), Halide::Target::Vulkan) << error.what();
            EXPECT_NE(deep.find("Halide refuses it"), std::string::npos) << deep;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(EveryGpuApi, LaunchTest,
                         testing::Values(Halide::Target::CUDA, Halide::Target::OpenCL,
                                         Halide::Target::Metal, Halide::Target::Vulkan,
                                         Halide::Target::D3D12Compute, Halide::Target::WebGPU));

TEST(TrialLower, SeesConstantSizes) {
    Chain chain(2);
    chain.funcs[1].bound(chain.x, 0, 64).bound(chain.y, 0, 32);
    const Result<TrialLowering> result =
        trial_lower(kernel(1) + staged(0, 1), chain.pipeline, kCuda);
    ASSERT_TRUE(result.ok()) << result.error().message;
    ASSERT_EQ(result->kernels.size(), 1u);
    const KernelLaunch &launch = result->kernels[0];
    EXPECT_EQ(launch.blocks[0], 2);
    EXPECT_EQ(launch.blocks[1], 4);
    EXPECT_EQ(launch.blocks[2], 1);
    EXPECT_EQ(launch.threads[0], 34);
    EXPECT_EQ(launch.threads[1], 8);
    EXPECT_EQ(launch.threads[2], 1);
    EXPECT_EQ(launch.shared_bytes, 34 * 8 * 4);
    EXPECT_EQ(launch.most_shared_bytes, 34 * 8 * 4);
}

TEST(TrialLower, SaysMinusOneForWhatIsKnownAtRunTimeOnly) {
    Chain chain(2);
    const Result<TrialLowering> result =
        trial_lower(kernel(1, TailStrategy::guard_with_if) + staged(0, 1), chain.pipeline, kCuda);
    ASSERT_TRUE(result.ok()) << result.error().message;
    EXPECT_EQ(result->kernels[0].blocks[0], -1);
    EXPECT_EQ(result->kernels[0].threads[0], -1);
    EXPECT_EQ(result->kernels[0].shared_bytes, -1);
}

// A block of 32 x 8 points reads a row of as many more as a parameter says.
TEST(TrialLower, KnowsTheMostOfASizeThatAParameterDecides) {
    const auto lowered = [](bool has_range) {
        Halide::Param<int> reach("reach");
        if (has_range) reach.set_range(1, 6);
        reach.set_estimate(2);
        Halide::Var x("x"), y("y");
        Halide::Func f("f"), g("g");
        f(x, y) = Halide::cast<float>(x + y);
        g(x, y) = f(x, y) + f(x + reach, y);
        g.bound(x, 0, 64).bound(y, 0, 32);
        Schedule schedule = kernel(1) + staged(0, 1);
        return trial_lower(schedule, Halide::Pipeline(g), kCuda);
    };
    const Result<TrialLowering> with = lowered(true);
    ASSERT_TRUE(with.ok()) << with.error().message;
    EXPECT_EQ(with->kernels[0].shared_bytes, -1);
    EXPECT_EQ(with->kernels[0].most_shared_bytes, 38 * 8 * 4);
    const Result<TrialLowering> without = lowered(false);
    ASSERT_TRUE(without.ok()) << without.error().message;
    EXPECT_EQ(without->kernels[0].most_shared_bytes, -1);
}

TEST(TrialLower, LeavesThePipelineAsItWas) {
    Chain chain(2);
    const Schedule schedule = kernel(1) + staged(0, 1);
    ASSERT_TRUE(trial_lower(schedule, chain.pipeline, kCuda).ok());
    EXPECT_EQ(chain.funcs[1].get_schedule().dims().size(), 3u);
    EXPECT_TRUE(chain.funcs[0].get_schedule().splits().empty());
    EXPECT_TRUE(chain.pipeline.custom_lowering_passes().empty());
    // A second time on the same pipeline, and then for good.
    ASSERT_TRUE(trial_lower(schedule, chain.pipeline, kCuda).ok());
    ASSERT_TRUE(apply_schedule(schedule, chain.pipeline).ok());
    EXPECT_NO_THROW(
        chain.pipeline.compile_to_module(chain.pipeline.infer_arguments(), "real", kCuda));
}

TEST(TrialLower, GivesHalidesTextForAnIllegalPlace) {
    Chain chain(2);
    Schedule between_blocks = kernel(1);
    between_blocks.push_back(compute_at(0, "", 1, made("yb")));
    const std::string message = trial(between_blocks, chain.pipeline, kCuda);
    EXPECT_NE(message.find("Funcs cannot be scheduled in between GPU block loops"),
              std::string::npos)
        << message;
    EXPECT_NE(message.find("Halide refuses it"), std::string::npos) << message;
}

TEST(TrialLower, NamesTheDirectiveThatCannotBeApplied) {
    Chain chain(1);
    const std::string message =
        trial({on_stage(Op::unroll, 0, "", 0, {made("q")})}, chain.pipeline, kCuda);
    EXPECT_EQ(message.find("directive 1, f0"), 0u) << message;
}

// A histogram in shared memory of `index`, which has an inlined Func of an image.
Result<TrialLowering> shared_histogram(
    const std::function<Halide::Expr(const Halide::Expr &pixel, const Halide::Expr &x)> &index,
    const Halide::Target &target) {
    Halide::ImageParam image(Halide::UInt(32), 1, "image");
    Halide::Var x("x"), xb("xb"), xt("xt");
    Halide::RDom r(0, 52), c(1, 255);
    Halide::Func bin("bin"), counts("counts"), sums("sums"), out("out");
    bin(x) = index(Halide::cast<int>(image(x)), x);
    counts(x) = 0;
    counts(bin(r) % 256) += 1;
    sums(x) = counts(Halide::clamp(x, 0, 255));
    sums(c) = sums(c) + sums(c - 1);
    out(x) = sums(bin(x) % 256);
    out.gpu_tile(x, xb, xt, 32, Halide::TailStrategy::ShiftInwards);
    for (Halide::Func func : {counts, sums}) func.compute_at(out, xb).gpu_threads(x);
    counts.update().atomic().gpu_threads(r);
    sums.update().unscheduled();
    return trial_lower({}, Halide::Pipeline(out), target);
}

// How Halide writes the sum depends on the index.
TEST(TrialLower, RefusesAtomicSumsThatWouldNeverEnd) {
    const auto simple = [](const Halide::Expr &pixel, const Halide::Expr &) { return pixel; };
    const auto chosen = [](const Halide::Expr &pixel, const Halide::Expr &x) {
        return Halide::select(pixel % 3 == 0, pixel, x % 16);
    };
    const Result<TrialLowering> ends = shared_histogram(simple, kOpenCl);
    EXPECT_TRUE(ends) << ends.error().message;
    const Result<TrialLowering> never = shared_histogram(chosen, kOpenCl);
    ASSERT_FALSE(never);
    EXPECT_EQ(never.error().message,
              "an atomic sum in shared memory would be a loop that never ends");
    EXPECT_TRUE(shared_histogram(chosen, kCuda));
}

// What of a pipeline comes that has another schedule for where the input begins at zero.
std::optional<std::string> with_branch(
    const std::function<Halide::Expr(const Halide::Expr &)> &of_pixel) {
    Halide::ImageParam input(Halide::Float(32), 1, "input");
    Halide::Func out("out");
    Halide::Var x("x"), block("block"), thread("thread");
    out(x) = of_pixel(input(x));
    out.gpu_tile(x, block, thread, 32);
    const Halide::Expr begin = Halide::Internal::Variable::make(Halide::Int(32), "input.min.0");
    out.function().definition().add_specialization(begin == 0);
    const Result<TrialLowering> lowered = trial_lower({}, Halide::Pipeline(out), kCuda);
    return lowered ? std::nullopt : std::optional(lowered.error().message);
}

TEST(TrialLower, RefusesToAskForABufferThatIsNotReadAfterAll) {
    const auto own = [](const Halide::Expr &pixel) { return 2 * pixel; };
    EXPECT_FALSE(with_branch(own)) << *with_branch(own);
    const auto no_matter = [](const Halide::Expr &pixel) {
        return Halide::select(pixel > pixel, pixel, 1.0f);
    };
    EXPECT_EQ(with_branch(no_matter),
              "the schedule asks for input.min.0, of a buffer whose values make no difference to "
              "the pipeline");
}

TEST(TrialLower, TakesABufferToBeginWhereHalideWouldAllocateIt) {
    Halide::ImageParam input(Halide::Float(32), 1, "input");
    Halide::Func out("out");
    Halide::Var x("x"), block("block"), thread("thread");
    out(x) = 2 * input(x);
    input.dim(0).set_estimate(0, 64);
    out.set_estimate(x, 0, 64);
    ir::Definition aligned =
        out.function().definition().add_specialization(has_aligned_address("input")).definition;
    Halide::Stage(out.function(), aligned, 0).gpu_tile(x, block, thread, 64);
    out.gpu_tile(x, block, thread, 32);
    const Result<TrialLowering> lowered = trial_lower({}, Halide::Pipeline(out), kCuda);
    ASSERT_TRUE(lowered.ok()) << lowered.error().message;
    ASSERT_EQ(lowered->kernels.size(), 2u);
    EXPECT_TRUE(lowered->kernels[0].at_estimates);
    EXPECT_FALSE(lowered->kernels[1].at_estimates);
}

TEST(TrialLower, OfAPipelineWithoutOutputsIsAnError) {
    EXPECT_EQ(trial({}, Halide::Pipeline(), kCuda), "the pipeline has no outputs");
}

TEST(TrialLower, RefusesRegistersOfUnknownSizeAtBothDepths) {
    Chain chain(2);
    // In a thread whose serial loop has a length known at run time only.
    const Schedule schedule = {on_func(Op::compute_root, 1, ""),
                               on_stage(Op::gpu_blocks, 1, "", 0, {own(1)}),
                               split(1, "", 0, {own(0), made("t"), made("s")}, 4),
                               on_stage(Op::gpu_threads, 1, "", 0, {made("t")}),
                               compute_at(0, "", 1, own(1)),
                               store_in(0, "", MemoryKind::registers)};
    for (TrialDepth depth : {TrialDepth::loops, TrialDepth::device_code}) {
        EXPECT_FALSE(trial_lower(schedule, chain.pipeline, kCuda, depth).ok());
    }
}

// Trials do not unroll, but what could not be unrolled is found.
TEST(TrialLower, RefusesToUnrollALoopOfUnknownLengthAtBothDepths) {
    Chain chain(1);
    const Schedule schedule = {on_func(Op::compute_root, 0, ""),
                               split(0, "", 0, {own(0), made("xs"), made("xt")}, 32),
                               on_stage(Op::reorder, 0, "", 0, {made("xs"), made("xt"), own(1)}),
                               on_stage(Op::unroll, 0, "", 0, {made("xs")}),
                               on_stage(Op::gpu_blocks, 0, "", 0, {own(1)}),
                               on_stage(Op::gpu_threads, 0, "", 0, {made("xt")})};
    for (TrialDepth depth : {TrialDepth::loops, TrialDepth::device_code}) {
        const std::string message = trial(schedule, chain.pipeline, kOpenCl, depth);
        EXPECT_NE(message.find("unroll"), std::string::npos) << message;
    }
}

TEST(TrialLower, RefusesHostCallsInAKernelAtBothDepths) {
    Halide::Func f("f");
    Halide::Var x("x"), y("y");
    f(x, y) = Halide::print(x + y);
    for (TrialDepth depth : {TrialDepth::loops, TrialDepth::device_code}) {
        EXPECT_FALSE(trial_lower(kernel(0), Halide::Pipeline(f), kCuda, depth).ok());
    }
    const std::string loops = trial(kernel(0), Halide::Pipeline(f), kCuda, TrialDepth::loops);
    EXPECT_NE(loops.find("calls the host function"), std::string::npos) << loops;
    const std::string code = trial(kernel(0), Halide::Pipeline(f), kCuda, TrialDepth::device_code);
    EXPECT_NE(code.find("internal error"), std::string::npos) << code;
}

TEST(TrialLower, FindsWhatOnlyTheDeviceCodeOfAnApiRefuses) {
    Chain chain(1);
    const Schedule six_wide = {on_func(Op::compute_root, 0, ""),
                               split(0, "", 0, {own(0), made("b"), made("v")}, 6),
                               on_stage(Op::vectorize, 0, "", 0, {made("v")}),
                               on_stage(Op::gpu_blocks, 0, "", 0, {made("b"), own(1)})};
    const Result<TrialLowering> result = trial_lower(six_wide, chain.pipeline, kOpenCl);
    ASSERT_FALSE(result.ok());
    EXPECT_NE(result.error().message.find("vector width"), std::string::npos)
        << result.error().message;
    EXPECT_TRUE(trial_lower(six_wide, chain.pipeline, kCuda).ok());
}

TEST(TrialLower, RefusesAnExternStageInAKernelInsteadOfCrashing) {
    Chain chain(1);
    Halide::Func external("external"), out("out");
    external.define_extern("some_extern", {chain.funcs[0]}, Halide::Float(32), 2);
    out(chain.x, chain.y) = external(chain.x, chain.y) + 1.f;
    Halide::Pipeline pipeline(out);
    // Funcs: 0 f0, 1 external, 2 out.
    const Schedule at_block =
        kernel(2) + Schedule{on_func(Op::compute_root, 0, ""), compute_at(1, "", 2, made("xb"))};
    const std::string message = trial(at_block, pipeline, kCuda);
    EXPECT_NE(message.find("the extern stage external can't be computed inside a GPU kernel"),
              std::string::npos)
        << message;
    const Schedule at_root =
        kernel(2) + Schedule{on_func(Op::compute_root, 0, ""), on_func(Op::compute_root, 1, "")};
    EXPECT_TRUE(trial_lower(at_root, pipeline, kCuda).ok()) << trial(at_root, pipeline, kCuda);
}

TEST(TrialLower, WorksWithScalarsSeveralOutputsAndRequirements) {
    Halide::ImageParam image(Halide::UInt(8), 2, "image");
    Halide::Param<int> shift("shift");
    Halide::Var x("x"), y("y");
    Halide::Func a("a"), b("b");
    a(x, y) = Halide::cast<uint8_t>(image(x, y) >> shift);
    b(x, y) = Halide::Tuple(a(x, y), Halide::cast<float>(a(x + 1, y)));
    Halide::Pipeline pipeline({a, b});
    pipeline.add_requirement(shift < 8, "shift is", shift);
    const Schedule schedule = kernel(0) + kernel(1);
    for (const Halide::Target &target : {kCuda, kOpenCl}) {
        const Result<TrialLowering> result = trial_lower(schedule, pipeline, target);
        ASSERT_TRUE(result.ok()) << result.error().message;
        EXPECT_EQ(result->kernels.size(), 2u);
    }
}

// Kernel 0 keeps 128 values from its first half to its second, kernel 1 none.
struct Hoarder {
    Halide::ImageParam image{Halide::Float(32), 2, "image"};
    Halide::Var x{"x"}, y{"y"}, c{"c"};
    Halide::Func twice{"twice"}, out{"out"};
    Halide::Pipeline pipeline;
    Schedule schedule;

    Hoarder() {
        image.dim(0).set_estimate(0, 128);
        image.dim(1).set_estimate(0, 1024);
        twice(x, c, y) = Halide::sqrt(image(x, y)) * (c + 1);
        out(x, c, y) = twice(x, c, y) + 1.f;
        pipeline = Halide::Pipeline(out);
        out.bound(x, 0, 128).bound(c, 0, 2).set_estimate(y, 0, 1024);
        // Funcs: 0 the image, 1 twice, 2 out.
        schedule = {on_func(Op::compute_root, 2, ""),
                    on_stage(Op::gpu_blocks, 2, "", 0, {own(2)}),
                    on_stage(Op::gpu_threads, 2, "", 0, {own(1)}),
                    on_func(Op::compute_root, 1, ""),
                    on_stage(Op::unroll, 1, "", 0, {own(0)}),
                    on_stage(Op::unroll, 1, "", 0, {own(1)}),
                    split(1, "", 0, {own(2), made("yb"), made("yt")}, 32),
                    on_stage(Op::gpu_blocks, 1, "", 0, {made("yb")}),
                    on_stage(Op::gpu_threads, 1, "", 0, {made("yt")})};
    }
};

TEST(CodeCheck, AsksAboutKernelsThatKeepManyValues) {
    Hoarder hoarder;
    std::string seen;
    const CodeCheck check{true, 100, 1000, [&](const std::string &ptx) {
                              seen = ptx;
                              return std::vector<CodeCheck::Usage>{{64, 8}};
                          }};
    const Result<TrialLowering> result =
        trial_lower(hoarder.schedule, hoarder.pipeline, kCuda, TrialDepth::loops, check);
    ASSERT_TRUE(result.ok()) << result.error().message;
    ASSERT_EQ(result->kernels.size(), 2u);
    EXPECT_NE(seen.find(".entry _kernel_twice"), std::string::npos) << seen;
    EXPECT_EQ(seen.find(".entry _kernel_out"), std::string::npos);
    EXPECT_EQ(result->kernels[0].registers, 64);
    EXPECT_EQ(result->kernels[0].spill_bytes, 8);
    EXPECT_GE(result->kernels[0].live_words, 128);
    EXPECT_LT(result->kernels[1].live_words, 8);
    EXPECT_EQ(result->kernels[1].registers, -1);
    EXPECT_EQ(result->kernels[1].spill_bytes, -1);
    EXPECT_EQ(result->code_check_error, "");
}

// `twice` keeps nothing at the estimates, and as much as before where it has 2048 rows and more.
Schedule with_large_tiles(const Hoarder &hoarder) {
    Schedule schedule;
    for (Directive directive : hoarder.schedule) {
        if (directive.func == 1 && !is_func_level(directive.op)) {
            directive.branch = Branch::full_tiles;
        }
        schedule.push_back(directive);
        if (directive.func != 1 || directive.op != Op::compute_root) continue;
        Directive specialize = on_stage(Op::specialize, 1, "", 0, {});
        specialize.site_func = 1;
        specialize.least = {0, 0, 2048};
        specialize.most = {0, 0, 0};
        schedule.push_back(specialize);
    }
    schedule.push_back(on_stage(Op::gpu_blocks, 1, "", 0, {own(2)}));
    schedule.push_back(on_stage(Op::gpu_threads, 1, "", 0, {own(0)}));
    return schedule;
}

TEST(CodeCheck, AsksAboutKernelsForOtherSizes) {
    Hoarder hoarder;
    const Schedule schedule = with_large_tiles(hoarder);
    size_t asked = 0;
    const CodeCheck check{true, 100, 1000, [&](const std::string &) {
                              ++asked;
                              return std::vector<CodeCheck::Usage>{{64, 8}};
                          }};
    const Result<TrialLowering> result =
        trial_lower(schedule, hoarder.pipeline, kCuda, TrialDepth::loops, check);
    ASSERT_TRUE(result.ok()) << result.error().message;
    ASSERT_EQ(result->kernels.size(), 3u);
    EXPECT_EQ(asked, 1u);
    for (const KernelLaunch &kernel : result->kernels) {
        EXPECT_EQ(kernel.spill_bytes, kernel.at_estimates ? -1 : 8) << kernel.name;
    }
    EXPECT_FALSE(result->kernels[0].at_estimates);
}

// A schedule for several sizes is tried at one that is not the pipeline's own.
TEST(ApartTrials, GoByTheSizesThatAreGiven) {
    Hoarder hoarder;
    const Schedule schedule = with_large_tiles(hoarder);
    GivenSizes large;
    large.outputs[hoarder.out.name()] = {Interval::from_extent(0, 128), Interval::from_extent(0, 2),
                                         Interval::from_extent(0, 4096)};
    large.inputs[hoarder.image.name()] = {Interval::from_extent(0, 128),
                                          Interval::from_extent(0, 4096)};
    for (const bool is_large : {false, true}) {
        ApartTrials trials(is_large ? large : GivenSizes());
        const auto outcome = trials.lower(schedule, hoarder.pipeline, kCuda, 60);
        ASSERT_TRUE(outcome && outcome->ok());
        ASSERT_EQ((*outcome)->kernels.size(), 3u);
        EXPECT_EQ((*outcome)->kernels[0].at_estimates, is_large);
        EXPECT_EQ((*outcome)->kernels[1].at_estimates, !is_large);
    }
}

// Counts what is kept and computed, and asks no assembler.
CodeCheck counting() {
    CodeCheck check;
    check.on = true;
    check.hopeless_live_words = 10000;
    return check;
}

// Lowers the kernels of these Funcs only.
Result<TrialLowering> trial_of_part(const Schedule &schedule, const Halide::Pipeline &pipeline,
                                    const std::vector<KeptRoot> &only) {
    return trial_lower(schedule, pipeline, kCuda, TrialDepth::loops, counting(), {only});
}

// The Funcs of which one of two shares has the kernels.
std::vector<int> funcs_of_share(const Chain &chain, const Schedule &schedule,
                                const std::vector<KeptRoot> &only, size_t number) {
    const auto share = trial_lower(schedule, chain.pipeline, kCuda, TrialDepth::loops, {},
                                   {.roots = only, .share = {.number = number, .of = 2}});
    EXPECT_TRUE(share.ok()) << share.error().message;
    std::vector<int> funcs;
    for (const KernelLaunch &kernel : share->kernels) funcs.push_back(kernel.func);
    return funcs;
}

// Equal but for blocks, whose number is not known where sizes are not.
void expect_same_kernel(const KernelLaunch &a, const KernelLaunch &b) {
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.func, b.func);
    EXPECT_EQ(a.stage, b.stage);
    EXPECT_EQ(a.shared_bytes, b.shared_bytes);
    EXPECT_EQ(a.live_words, b.live_words) << a.name;
    for (int i = 0; i < 3; ++i) EXPECT_EQ(a.threads[i], b.threads[i]) << a.name;
}

const std::vector<KeptDimension> kOddSizes = {{-1, 99}, {0, 61}};

TEST(TrialOfAPart, LowersTheKernelThatIsAskedForAlone) {
    Chain chain(4);
    chain.funcs.back().set_estimate(chain.x, 0, 97).set_estimate(chain.y, 0, 61);
    const Schedule schedule = kernel(0) + kernel(1) + kernel(2) + kernel(3);
    const Result<TrialLowering> whole = trial_of_part(schedule, chain.pipeline, {});
    ASSERT_TRUE(whole.ok()) << whole.error().message;
    ASSERT_EQ(whole->kernels.size(), 4u);
    for (int func = 0; func < 4; ++func) {
        const auto part = trial_of_part(schedule, chain.pipeline, {{func, kOddSizes}});
        ASSERT_TRUE(part.ok()) << part.error().message;
        ASSERT_EQ(part->kernels.size(), 1u) << func;
        EXPECT_EQ(part->kernels[0].func, func);
        expect_same_kernel(part->kernels[0], whole->kernels[static_cast<size_t>(func)]);
    }
}

TEST(TrialOfAPart, HasWhatIsComputedInTheKernel) {
    Chain chain(5);
    chain.funcs.back().set_estimate(chain.x, 0, 97).set_estimate(chain.y, 0, 61);
    // Funcs 1 and 3 are staged in the blocks of 2 and 4.
    const Schedule schedule = kernel(0) + kernel(2) + staged(1, 2) + kernel(4) + staged(3, 4);
    const Result<TrialLowering> whole = trial_of_part(schedule, chain.pipeline, {});
    ASSERT_TRUE(whole.ok()) << whole.error().message;
    const auto part = trial_of_part(schedule, chain.pipeline, {{2, kOddSizes}});
    ASSERT_TRUE(part.ok()) << part.error().message;
    ASSERT_EQ(part->kernels.size(), 1u);
    EXPECT_GT(part->kernels[0].shared_bytes, 0);
    expect_same_kernel(part->kernels[0], whole->kernels[1]);
}

TEST(TrialOfAPart, HasSeveralKernelsInTheirOrder) {
    Chain chain(4);
    const Schedule schedule =
        kernel(0) + kernel(1) + kernel(2, TailStrategy::guard_with_if) + kernel(3);
    const auto part =
        trial_of_part(schedule, chain.pipeline, {{3, kOddSizes}, {1, kOddSizes}, {2, kOddSizes}});
    ASSERT_TRUE(part.ok()) << part.error().message;
    ASSERT_EQ(part->kernels.size(), 3u);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(part->kernels[static_cast<size_t>(i)].func, i + 1);
}

// The wrapper of a Func whose reader is cut off is nobody's, which Halide refuses.
TEST(TrialOfAPart, ForgetsWrappersOfReadersThatAreLeftOut) {
    Chain chain(3);
    Directive in = on_func(Op::in, 3, "");
    in.wrapped_func = 0;
    in.reader_func = 1;
    const Schedule schedule = Schedule{in} + kernel(0) + kernel(1) + staged(3, 1) + kernel(2);
    for (const int func : {0, 1, 2}) {
        const auto part = trial_of_part(schedule, chain.pipeline, {{func, kOddSizes}});
        ASSERT_TRUE(part.ok()) << func << ": " << part.error().message;
        ASSERT_EQ(part->kernels.size(), 1u);
        EXPECT_EQ(part->kernels[0].func, func);
        EXPECT_EQ(part->kernels[0].shared_bytes > 0, func == 1);
    }
}

// What is computed in the kernel of a wrapper at root is not asked for where the wrapper is not.
TEST(TrialOfAPart, LeavesOutWhatAWrapperAtRootReads) {
    Halide::Func sum("sum"), out("out");
    Halide::Var x("x"), y("y");
    Halide::RDom r(0, 7, "r");
    sum(x, y) = 0;
    sum(x, y) += x * r + y;
    out(x, y) = sum(x, y) + sum(x + 1, y);
    // Funcs: 0 sum, 1 out, 2 the wrapper.
    Directive in = on_func(Op::in, 2, "");
    in.wrapped_func = 0;
    const Schedule schedule =
        Schedule{in} + kernel(2) + Schedule{compute_at(0, "", 2, made("xt"))} + kernel(1);
    for (const int func : {1, 2}) {
        const auto part = trial_of_part(schedule, Halide::Pipeline(out), {{func, kOddSizes}});
        ASSERT_TRUE(part.ok()) << func << ": " << part.error().message;
        ASSERT_EQ(part->kernels.size(), 1u);
        EXPECT_EQ(part->kernels[0].func, func);
    }
}

// A kernel that is left out may need more of a Func than those that are kept.
TEST(TrialOfAPart, ComputesAllOfAFuncThatOthersReadToo) {
    Halide::Func all("all"), two_rows("two_rows"), out("out");
    Halide::Var x("x"), y("y");
    all(x, y) = x + y;
    two_rows(x, y) = all(x, 0) + all(x, 1) + y;
    out(x, y) = all(x, y) * two_rows(x, y);
    out.bound(x, 0, 64).bound(y, 0, 64);
    const Halide::Pipeline pipeline(out);
    const Schedule schedule = kernel(0) + kernel(1) + kernel(2);
    const Result<TrialLowering> whole = trial_of_part(schedule, pipeline, {});
    ASSERT_TRUE(whole.ok()) << whole.error().message;
    const std::vector<KeptDimension> square(2, {0, 64, true});
    const auto part = trial_of_part(schedule, pipeline, {{0, square}, {1, square}});
    ASSERT_TRUE(part.ok()) << part.error().message;
    ASSERT_EQ(part->kernels.size(), 2u);
    for (size_t i = 0; i < 2; ++i) {
        expect_same_kernel(part->kernels[i], whole->kernels[i]);
        for (int d = 0; d < 3; ++d) {
            EXPECT_EQ(part->kernels[i].blocks[d], whole->kernels[i].blocks[d]) << i << " " << d;
        }
    }
}

// Which kernels are alike, after a schedule.
std::vector<size_t> alike_after(const Schedule &schedule, const Halide::Pipeline &pipeline,
                                const std::vector<KeptRoot> &roots) {
    const Halide::Pipeline copy = deep_copy_pipeline(pipeline);
    const auto funcs = scheduled_funcs(schedule, copy);
    EXPECT_TRUE(funcs.ok()) << funcs.error().message;
    return first_alike(copy, *funcs, roots);
}

TEST(AlikeKernels, OfAChainAreAllButThoseAtItsEnds) {
    Chain chain(5);
    EXPECT_EQ(alike_after(kernel(0) + kernel(1) + kernel(2) + kernel(3) + kernel(4), chain.pipeline,
                          {{0, {}}, {1, {}}, {2, {}}, {3, {}}, {4, {}}}),
              (std::vector<size_t>{0, 1, 1, 1, 4}));
}

TEST(AlikeKernels, AreScheduledAlike) {
    Chain chain(5);
    const Schedule schedule =
        kernel(0) + kernel(1) + kernel(2, TailStrategy::guard_with_if) + kernel(3) + kernel(4);
    EXPECT_EQ(alike_after(schedule, chain.pipeline, {{1, {}}, {2, {}}, {3, {}}}),
              (std::vector<size_t>{0, 1, 0}));
}

TEST(AlikeKernels, ComputeAlikeWhatIsComputedInThem) {
    Chain chain(9);
    // Funcs 2, 4 and 6 with another in their blocks; what Func 7 reads is inlined in it.
    const Schedule schedule = kernel(0) + kernel(2) + staged(1, 2) + kernel(4) + staged(3, 4) +
                              kernel(5) + kernel(7) + kernel(8);
    EXPECT_EQ(alike_after(schedule, chain.pipeline, {{2, {}}, {4, {}}, {5, {}}, {7, {}}}),
              (std::vector<size_t>{0, 0, 2, 3}));
}

TEST(AlikeKernels, ComputeWithTheSameNumbers) {
    Halide::Var x("x"), y("y");
    std::vector<Halide::Func> funcs(4);
    funcs[0](x, y) = x + y;
    funcs[1](x, y) = 3 * funcs[0](x, y);
    funcs[2](x, y) = 5 * funcs[1](x, y);
    funcs[3](x, y) = funcs[2](x, y);
    EXPECT_EQ(alike_after(kernel(0) + kernel(1) + kernel(2) + kernel(3), Halide::Pipeline(funcs[3]),
                          {{1, {}}, {2, {}}}),
              (std::vector<size_t>{0, 1}));
}

TEST(AlikeKernels, HaveTheSameSizeWhereThatIsConstant) {
    Chain chain(4);
    const Schedule schedule = kernel(0) + kernel(1) + kernel(2) + kernel(3);
    EXPECT_EQ(alike_after(schedule, chain.pipeline, {{1, {{0, 64}}}, {2, {{0, 32}}}}),
              (std::vector<size_t>{0, 0}));
    EXPECT_EQ(alike_after(schedule, chain.pipeline, {{1, {{0, 64, true}}}, {2, {{0, 32, true}}}}),
              (std::vector<size_t>{0, 1}));
}

TEST(AlikeKernels, ReadWrappersAlike) {
    Chain chain(5);
    Directive in = on_func(Op::in, 5, "");
    in.wrapped_func = 1;
    in.reader_func = 2;
    const Schedule staged_input = Schedule{in} + kernel(2) + staged(5, 2);
    EXPECT_EQ(alike_after(staged_input + kernel(0) + kernel(1) + kernel(3) + kernel(4),
                          chain.pipeline, {{1, {}}, {2, {}}, {3, {}}}),
              (std::vector<size_t>{0, 1, 0}));
}

// One of them is lowered, and the trial says of the others what a trial of all says.
TEST(AlikeKernels, AreFoundAsInTheWhole) {
    Chain chain(7);
    chain.funcs.back().set_estimate(chain.x, 0, 97).set_estimate(chain.y, 0, 61);
    const Schedule schedule =
        kernel(0) + kernel(2) + staged(1, 2) + kernel(4) + staged(3, 4) + kernel(5) + kernel(6);
    const Result<TrialLowering> whole = trial_of_part(schedule, chain.pipeline, {});
    ASSERT_TRUE(whole.ok()) << whole.error().message;
    const auto part = trial_of_part(
        schedule, chain.pipeline,
        {{0, kOddSizes}, {2, kOddSizes}, {4, kOddSizes}, {5, kOddSizes}, {6, kOddSizes}});
    ASSERT_TRUE(part.ok()) << part.error().message;
    ASSERT_EQ(part->kernels.size(), whole->kernels.size());
    for (const KernelLaunch &kernel : whole->kernels) {
        const auto same = std::ranges::find(part->kernels, kernel.func, &KernelLaunch::func);
        ASSERT_NE(same, part->kernels.end()) << kernel.name;
        expect_same_kernel(*same, kernel);
    }
}

TEST(TrialLower, SharesTakeAboutAsLong) {
    Chain chain(4);
    // None is like another.
    const Schedule schedule =
        kernel(0) + kernel(1, TailStrategy::guard_with_if) + unrolled_kernel(2) + kernel(3);
    const std::vector<KeptRoot> roots = {
        {0, kOddSizes, 1}, {1, kOddSizes, 2}, {2, kOddSizes, 5}, {3, kOddSizes, 2.5}};
    EXPECT_EQ(funcs_of_share(chain, schedule, roots, 0), (std::vector<int>{2}));
    EXPECT_EQ(funcs_of_share(chain, schedule, roots, 1), (std::vector<int>{0, 1, 3}));
}

// In two processes at once.
TEST(ApartTrials, HaveAllKernelsOfTheirShares) {
    Chain chain(6);
    chain.funcs.back().set_estimate(chain.x, 0, 97).set_estimate(chain.y, 0, 61);
    const Schedule schedule = kernel(0) + kernel(1) + kernel(2, TailStrategy::guard_with_if) +
                              kernel(3) + kernel(4) + kernel(5);
    std::vector<KeptRoot> roots;
    for (int func = 0; func < 6; ++func) roots.push_back({func, kOddSizes, 0.1 * func});
    ApartTrials trials;
    const auto apart = trials.lower(schedule, chain.pipeline, kCuda, 60, counting(), roots);
    ASSERT_TRUE(apart.has_value());
    ASSERT_TRUE(apart->ok()) << apart->error().message;
    const auto here = trial_of_part(schedule, chain.pipeline, roots);
    ASSERT_TRUE(here.ok()) << here.error().message;
    EXPECT_EQ(here->code_check_error, "");
    EXPECT_EQ((*apart)->code_check_error, "");
    ASSERT_EQ((*apart)->kernels.size(), 6u);
    for (const KernelLaunch &kernel : here->kernels) {
        const auto same = std::ranges::find((*apart)->kernels, kernel.func, &KernelLaunch::func);
        ASSERT_NE(same, (*apart)->kernels.end()) << kernel.name;
        expect_same_kernel(*same, kernel);
    }
    EXPECT_EQ(trials.record().made, 1);
    EXPECT_EQ(trials.record().in_this_process, "");
}

// Each gets what it would have got alone; what one is refused for is no matter of another.
TEST(ApartTrials, AreMadeBesideEachOther) {
    Chain chain(3);
    const Schedule good = kernel(0) + kernel(1) + kernel(2);
    Schedule bad = good;
    bad.push_back(on_stage(Op::unroll, 1, "", 0, {made("xb")}));
    const std::vector<KeptRoot> first = {{0, kOddSizes}}, second = {{1, kOddSizes}};
    const std::vector<TrialRequest> requests = {{&good, first}, {&bad, second}, {&good, second}};
    ApartTrials trials;
    const auto outcomes = trials.lower_together(requests, chain.pipeline, kCuda, 60, {});
    ASSERT_EQ(outcomes.size(), 3u);
    for (const auto &outcome : outcomes) ASSERT_TRUE(outcome.has_value());
    for (const size_t i : {size_t{0}, size_t{2}}) {
        ASSERT_TRUE(outcomes[i]->ok()) << outcomes[i]->error().message;
        const auto alone = ApartTrials().lower(*requests[i].schedule, chain.pipeline, kCuda, 60, {},
                                               requests[i].only);
        ASSERT_TRUE(alone && alone->ok());
        ASSERT_EQ((*outcomes[i])->kernels.size(), 1u);
        expect_same_kernel((*outcomes[i])->kernels[0], (*alone)->kernels[0]);
    }
    EXPECT_FALSE(outcomes[1]->ok());
    EXPECT_EQ(trials.record().made, 3);
}

TEST(ApartTrials, OfSeveralThoseThatTakeTooLongAreStopped) {
    Chain chain(3);
    const Schedule schedule = kernel(0) + kernel(1) + kernel(2);
    const std::vector<TrialRequest> requests = {{&schedule}, {&schedule}};
    ApartTrials trials;
    for (const auto &outcome : trials.lower_together(requests, chain.pipeline, kCuda, 0.0, {})) {
        EXPECT_FALSE(outcome.has_value());
    }
    EXPECT_EQ(trials.record().made, 0);
    EXPECT_EQ(trials.record().stopped, 2);
}

// A trial of four kernels, of which all are compiled, in two processes, but one that is like
// another.
class CompiledInTwoProcesses : public ::testing::Test {
protected:
    using Usage = std::vector<CodeCheck::Usage>;

    CompiledInTwoProcesses() {
        chain_.funcs.back().set_estimate(chain_.x, 0, 97).set_estimate(chain_.y, 0, 61);
    }

    // One for each entry: its place and the number of all.
    static Usage counted(const std::string &ptx) {
        Usage usage;
        for (size_t at = ptx.find(".entry"); at != std::string::npos;
             at = ptx.find(".entry", at + 1))
            usage.push_back({static_cast<int64_t>(usage.size()), 0});
        for (CodeCheck::Usage &one : usage) one.spill_bytes = static_cast<int64_t>(usage.size());
        return usage;
    }

    Result<TrialLowering> lowered(
        const std::function<Result<Usage>(const std::string &)> &assemble) {
        const CodeCheck check{true, 1, 10000, assemble};
        return *ApartTrials().lower(schedule_, chain_.pipeline, kCuda, 60, check);
    }

    Chain chain_{6};
    const Schedule schedule_ = kernel(0) + kernel(1, TailStrategy::guard_with_if) + kernel(3) +
                               staged(2, 3) + kernel(5) + staged(4, 5);
};

TEST_F(CompiledInTwoProcesses, EachKernelHasItsOwnUsage) {
    const auto result = lowered([&](const std::string &ptx) { return counted(ptx); });
    ASSERT_TRUE(result.ok()) << result.error().message;
    EXPECT_EQ(result->code_check_error, "");
    std::set<int64_t> of_process;
    for (const KernelLaunch &launch : result->kernels) {
        EXPECT_TRUE(launch.is_assembled()) << launch.name;
        of_process.insert(launch.spill_bytes);
    }
    EXPECT_LT(*of_process.rbegin(), 4) << "all were compiled by one";
}

TEST_F(CompiledInTwoProcesses, AnAssemblerThatFailsInOneIsNoErrorOfTheSchedule) {
    const auto result = lowered([&](const std::string &ptx) -> Result<Usage> {
        if (ptx.find("_kernel_f3") != std::string::npos) return Error{"no disk"};
        return counted(ptx);
    });
    ASSERT_TRUE(result.ok()) << result.error().message;
    EXPECT_EQ(result->code_check_error, "no disk");
}

TEST_F(CompiledInTwoProcesses, ACrashInOneIsAnErrorOfTheSchedule) {
    for (const char *kernel : {"_kernel_f0", "_kernel_f1", "_kernel_f3"}) {
        const auto result = lowered([&](const std::string &ptx) -> Result<Usage> {
            if (ptx.find(kernel) != std::string::npos) std::abort();
            return counted(ptx);
        });
        ASSERT_FALSE(result.ok()) << kernel;
        EXPECT_NE(result.error().message.find("Halide crashed"), std::string::npos)
            << result.error().message;
    }
}

TEST(ApartTrials, HearWhatHalideRefusesInAnyShare) {
    Chain chain(3);
    Schedule schedule = kernel(0) + kernel(1) + kernel(2);
    // Loops of unknown length are not unrolled.
    schedule.push_back(on_stage(Op::unroll, 1, "", 0, {made("xb")}));
    ApartTrials trials;
    const auto apart = trials.lower(schedule, chain.pipeline, kCuda, 60, {},
                                    std::vector<KeptRoot>{{0, {}}, {1, {}}, {2, {}}});
    ASSERT_TRUE(apart.has_value());
    EXPECT_FALSE(apart->ok());
}

// A sketch of the whole adds no kernels to those that were asked for.
TEST(ApartTrials, HaveOnlyTheKernelsOfTheirSharesBesideASketch) {
    Chain chain(3);
    const Schedule schedule = kernel(0) + kernel(1) + kernel(2);
    ApartTrials trials;
    const auto apart = trials.lower(schedule, chain.pipeline, kCuda, 60, {},
                                    std::vector<KeptRoot>{{0, kOddSizes}}, Whole::sketched);
    ASSERT_TRUE(apart.has_value());
    ASSERT_TRUE(apart->ok()) << apart->error().message;
    ASSERT_EQ((*apart)->kernels.size(), 1u);
    EXPECT_EQ((*apart)->kernels[0].func, 0);
    EXPECT_EQ(trials.record().made, 1);
}

TEST(ApartTrials, HearWhatHalideRefusesOfTheWholeAlone) {
    Chain chain(3);
    Schedule schedule = kernel(0) + kernel(1) + kernel(2);
    schedule.push_back(on_stage(Op::unroll, 1, "", 0, {made("xb")}));
    const std::vector<KeptRoot> good = {{0, kOddSizes}};
    ApartTrials trials;
    const auto part = trials.lower(schedule, chain.pipeline, kCuda, 60, {}, good);
    ASSERT_TRUE(part.has_value());
    EXPECT_TRUE(part->ok());
    const auto both = trials.lower(schedule, chain.pipeline, kCuda, 60, {}, good, Whole::sketched);
    ASSERT_TRUE(both.has_value());
    EXPECT_FALSE(both->ok());
}

TEST(TrialOfAPart, KeepsAsManyValuesAsTheWhole) {
    Hoarder hoarder;
    const Result<TrialLowering> whole = trial_of_part(hoarder.schedule, hoarder.pipeline, {});
    ASSERT_TRUE(whole.ok()) << whole.error().message;
    const std::vector<KeptDimension> sizes = {{0, 128, true}, {0, 2, true}, {0, 1024}};
    const auto part = trial_of_part(hoarder.schedule, hoarder.pipeline, {{1, sizes}});
    ASSERT_TRUE(part.ok()) << part.error().message;
    ASSERT_EQ(part->kernels.size(), 1u);
    EXPECT_GE(part->kernels[0].live_words, 128);
    expect_same_kernel(part->kernels[0], whole->kernels[0]);
}

// Each level is read at half the coordinates, and by others than the next.
struct Pyramid {
    Halide::Var x{"x"}, y{"y"};
    std::vector<Halide::Func> levels;
    Halide::Pipeline pipeline;

    Pyramid() {
        for (int i = 0; i < 4; ++i) {
            Halide::Func level("level_" + std::to_string(i));
            level(x, y) = i == 0 ? Halide::cast<float>(x * 3 + y)
                                 : levels.back()(2 * x, y) + levels.back()(2 * x + 1, y + 1);
            levels.push_back(level);
        }
        Halide::Func up("up"), out("out");
        up(x, y) = levels[3](x / 2, y) + levels[2](x, y);
        out(x, y) = up(x / 2, y) + levels[1](x, y) * levels[0](x / 3, y);
        out.set_estimate(x, 0, 97).set_estimate(y, 0, 61);
        pipeline = Halide::Pipeline(out);
    }
};

TEST(TrialAmidOthers, FindsTheKernelAsItIsInTheWhole) {
    const Pyramid pyramid;
    Schedule schedule;
    for (int func = 0; func < 6; ++func) schedule = schedule + unrolled_kernel(func);
    const Result<TrialLowering> whole = trial_of_part(schedule, pyramid.pipeline, {});
    ASSERT_TRUE(whole.ok()) << whole.error().message;
    ASSERT_EQ(whole->kernels.size(), 6u);
    for (const KernelLaunch &kernel : whole->kernels) {
        const std::vector<KeptRoot> roots = {{kernel.func, kOddSizes}};
        const auto amid = trial_lower(schedule, pyramid.pipeline, kCuda, TrialDepth::loops,
                                      counting(), {roots, Others::kept_small});
        ASSERT_TRUE(amid.ok()) << amid.error().message;
        ASSERT_EQ(amid->kernels.size(), 1u);
        expect_same_kernel(amid->kernels[0], kernel);
        EXPECT_EQ(amid->kernels[0].values, kernel.values) << kernel.name;
        for (int d = 0; d < 3; ++d) EXPECT_EQ(amid->kernels[0].blocks[d], kernel.blocks[d]);
    }
}

TEST(TrialAmidOthers, HasWhatIsComputedInTheKernel) {
    Chain chain(5);
    chain.funcs.back().set_estimate(chain.x, 0, 97).set_estimate(chain.y, 0, 61);
    const Schedule schedule = kernel(0) + kernel(2) + staged(1, 2) + kernel(4) + staged(3, 4);
    const Result<TrialLowering> whole = trial_of_part(schedule, chain.pipeline, {});
    ASSERT_TRUE(whole.ok()) << whole.error().message;
    ApartTrials trials;
    const auto amid = trials.lower(schedule, chain.pipeline, kCuda, 60, counting(),
                                   std::vector<KeptRoot>{{2, kOddSizes}}, Whole::around);
    ASSERT_TRUE(amid.has_value() && amid->ok());
    ASSERT_EQ((*amid)->kernels.size(), 1u);
    EXPECT_GT((*amid)->kernels[0].live_words, 0);
    expect_same_kernel((*amid)->kernels[0], whole->kernels[1]);
}

TEST(TrialAmidOthers, HearsWhatHalideRefusesOfOthers) {
    Chain chain(3);
    Schedule schedule = kernel(0) + kernel(1) + kernel(2);
    schedule.push_back(on_stage(Op::unroll, 1, "", 0, {made("xb")}));
    const std::vector<KeptRoot> good = {{0, kOddSizes}};
    const auto amid = trial_lower(schedule, chain.pipeline, kCuda, TrialDepth::loops, {},
                                  {good, Others::kept_small});
    EXPECT_FALSE(amid.ok());
}

TEST(TrialOfAPart, StillHearsWhatHalideRefuses) {
    Chain chain(3);
    // Also read by the Func in whose block it is not computed.
    const Schedule schedule = kernel(0) + kernel(2) + staged(1, 0);
    EXPECT_FALSE(trial_of_part(schedule, chain.pipeline, {{2, kOddSizes}}).ok());
}

TEST(TrialOfAPart, OfAFuncThatDoesNotExistIsAnError) {
    Chain chain(2);
    for (const int func : {-1, 2, 1000}) {
        const auto part = trial_of_part(kernel(0) + kernel(1), chain.pipeline, {{func, kOddSizes}});
        ASSERT_FALSE(part.ok());
        EXPECT_NE(part.error().message.find("no Func " + std::to_string(func)), std::string::npos);
    }
}

TEST(TrialLower, SaysWhichStageAKernelComputes) {
    Halide::Func in("in"), out("out");
    Halide::Var x("x"), y("y");
    in(x, y) = x + y;
    out(x, y) = in(x, y);
    out(x, 0) += 1;
    const Schedule schedule =
        kernel(0) + kernel(1) + Schedule{on_stage(Op::gpu_blocks, 1, "", 1, {own(0)})};
    const auto lowered = trial_lower(schedule, Halide::Pipeline(out), kCuda);
    ASSERT_TRUE(lowered.ok()) << lowered.error().message;
    ASSERT_EQ(lowered->kernels.size(), 3u);
    const int funcs[] = {0, 1, 1}, stages[] = {0, 0, 1};
    for (size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(lowered->kernels[i].func, funcs[i]);
        EXPECT_EQ(lowered->kernels[i].stage, stages[i]);
    }
}

TEST(CodeCheck, DoesNotAskAgainAboutWhatIsKnown) {
    Hoarder hoarder;
    int asked = 0;
    const CodeCheck check{true, 100, 1000, [&](const std::string &) {
                              ++asked;
                              return std::vector<CodeCheck::Usage>{{64, 8}};
                          }};
    const auto tried = [&](const CodeCheck &with) {
        return trial_lower(hoarder.schedule, hoarder.pipeline, kCuda, TrialDepth::loops, with);
    };
    const Result<TrialLowering> first = tried(check);
    ASSERT_TRUE(first.ok()) << first.error().message;
    EXPECT_EQ(asked, 1);
    CodeCheck informed = check;
    informed.known = {first->kernels[0]};
    const Result<TrialLowering> second = tried(informed);
    ASSERT_TRUE(second.ok()) << second.error().message;
    EXPECT_EQ(asked, 1);
    EXPECT_EQ(second->kernels[0].registers, 64);
    EXPECT_EQ(second->kernels[0].spill_bytes, 8);
    EXPECT_EQ(second->kernels[1].registers, -1);
    // Of another block size it is another kernel.
    informed.known[0].threads[0] += 1;
    ASSERT_TRUE(tried(informed).ok());
    EXPECT_EQ(asked, 2);
}

TEST(CodeCheck, GeneratesTheVeryCodeThatHalideWould) {
    Hoarder hoarder;
    std::string seen;
    const CodeCheck check{true, 100, 1000, [&](const std::string &ptx) {
                              seen = ptx;
                              return std::vector<CodeCheck::Usage>{{}};
                          }};
    ASSERT_TRUE(
        trial_lower(hoarder.schedule, hoarder.pipeline, kCuda, TrialDepth::loops, check).ok());
    Halide::Pipeline copy = deep_copy_pipeline(hoarder.pipeline);
    ASSERT_TRUE(apply_schedule(hoarder.schedule, copy).ok());
    const Halide::Module module = copy.compile_to_module(copy.infer_arguments(), "whole", kCuda);
    std::string whole;
    for (const Halide::Buffer<> &buffer : module.buffers()) {
        if (buffer.name().find("gpu_source_kernels") == std::string::npos) continue;
        whole.assign(static_cast<const char *>(buffer.data()), buffer.size_in_bytes());
    }
    // Without its name, which has counters in it.
    const auto body = [](const std::string &ptx) {
        const size_t begin = ptx.find(".entry _kernel_twice");
        const std::string text = ptx.substr(begin, ptx.find("\n}", begin) - begin);
        return std::regex_replace(text, std::regex("_kernel_twice\\w*block_id_x(__\\d+)?"),
                                  "twice");
    };
    EXPECT_GT(body(seen).size(), 1000u);
    EXPECT_EQ(body(seen), body(whole));
}

TEST(CodeCheck, AsksNothingWhereFewValuesAreKept) {
    Hoarder hoarder;
    const CodeCheck check{true, 1000, 2000,
                          [&](const std::string &) -> Result<std::vector<CodeCheck::Usage>> {
                              ADD_FAILURE() << "was asked";
                              return Error{""};
                          }};
    EXPECT_TRUE(
        trial_lower(hoarder.schedule, hoarder.pipeline, kCuda, TrialDepth::loops, check).ok());
}

TEST(CodeCheck, AsksAboutKernelsThatComputeVeryMany) {
    Hoarder hoarder;
    int asked = 0;
    CodeCheck check{true, 1000, 2000, [&](const std::string &) {
                        ++asked;
                        return std::vector<CodeCheck::Usage>{{64, 8}};
                    }};
    check.doubtful_values = 500;
    const Result<TrialLowering> result =
        trial_lower(hoarder.schedule, hoarder.pipeline, kCuda, TrialDepth::loops, check);
    ASSERT_TRUE(result.ok()) << result.error().message;
    EXPECT_GE(result->kernels[0].values, 500);
    EXPECT_EQ(asked, 1);
    EXPECT_EQ(result->kernels[0].spill_bytes, 8);
    EXPECT_EQ(result->kernels[1].spill_bytes, -1);
}

TEST(CodeCheck, AsksNothingWhereTooManyAreKept) {
    Hoarder hoarder;
    const CodeCheck check{true, 1, 100, [&](const std::string &) {
                              ADD_FAILURE() << "was asked";
                              return std::vector<CodeCheck::Usage>{};
                          }};
    const Result<TrialLowering> result =
        trial_lower(hoarder.schedule, hoarder.pipeline, kCuda, TrialDepth::loops, check);
    ASSERT_TRUE(result.ok()) << result.error().message;
    EXPECT_GE(result->kernels[0].live_words, 128);
    EXPECT_EQ(result->kernels[0].spill_bytes, -1);
}

// Without a check, the trial keeps the code small; what it says of launches is the same. Here a
// clamped picture, whose borders Halide would split off, is summed by an unrolled reduction.
TEST(CodeCheck, ChangesNothingOfWhatIsSaidOfLaunches) {
    Halide::ImageParam image(Halide::Float(32), 2, "image");
    Halide::Func clamped = Halide::BoundaryConditions::repeat_edge(image), sums("sums");
    Halide::Var x("x"), y("y");
    const Halide::RDom r(-8, 16, "r");
    sums(x, y) = 0.f;
    sums(x, y) += clamped(x + r, y);
    image.set_estimates({{0, 512}, {0, 512}});
    sums.set_estimates({{0, 512}, {0, 512}});
    Halide::Pipeline pipeline(sums);
    int func = 0;
    while (pipeline.get_func(func).name() != sums.name()) ++func;
    const Schedule schedule = {on_func(Op::compute_root, func, ""),
                               on_stage(Op::gpu_blocks, func, "", 0, {own(1)}),
                               on_stage(Op::gpu_threads, func, "", 0, {own(0)}),
                               on_stage(Op::gpu_blocks, func, "", 1, {own(2)}),
                               on_stage(Op::gpu_threads, func, "", 1, {own(1)}),
                               on_stage(Op::unroll, func, "", 1, {own(0)})};
    const auto launches = [&](const CodeCheck &check) {
        const Result<TrialLowering> result =
            trial_lower(schedule, pipeline, kCuda, TrialDepth::loops, check);
        return result ? text(result->kernels) : result.error().message;
    };
    EXPECT_EQ(launches({}), launches({true, 1000, 2000, {}}));
    EXPECT_EQ(launches({}), text(runtime_calls(schedule, pipeline, kCuda)));
}

TEST(CodeCheck, AsksOnceAboutKernelsThatAreAlike) {
    const auto kernel = [](int64_t live_words, int64_t values) {
        KernelLaunch launch;
        launch.live_words = live_words;
        launch.values = values;
        return launch;
    };
    const std::vector<KernelLaunch> kernels = {kernel(76, 500), kernel(20, 500), kernel(76, 500),
                                               kernel(76, 501), kernel(60, 500), kernel(77, 500)};
    CodeCheck check{true, 60, 100,
                    [](const std::string &) { return std::vector<CodeCheck::Usage>{}; }};
    EXPECT_EQ(kernels_to_ask_about(kernels, check), (std::vector<size_t>{0, 3, 4, 5}));
    // Of very many, those that keep most.
    std::vector<KernelLaunch> many;
    for (int64_t i = 0; i < 30; ++i) many.push_back(kernel(60 + i, i));
    const std::vector<size_t> asked = kernels_to_ask_about(many, check);
    EXPECT_EQ(asked.size(), 24u);
    EXPECT_EQ(asked.front(), 6u);
    EXPECT_EQ(asked.back(), 29u);
    check.hopeless_live_words = 77;
    EXPECT_TRUE(kernels_to_ask_about(kernels, check).empty());
    check.assemble = nullptr;
    EXPECT_TRUE(kernels_to_ask_about(kernels, check).empty());
}

TEST(CodeCheck, ThatFailsIsNoErrorOfTheSchedule) {
    Hoarder hoarder;
    const auto error_of = [&](const Result<std::vector<CodeCheck::Usage>> &usage) {
        const CodeCheck check{true, 100, 1000, [&](const std::string &) { return usage; }};
        const Result<TrialLowering> result =
            trial_lower(hoarder.schedule, hoarder.pipeline, kCuda, TrialDepth::loops, check);
        if (!result) return "refused: " + result.error().message;
        EXPECT_EQ(result->kernels[0].registers, -1);
        return result->code_check_error;
    };
    EXPECT_EQ(error_of(Error{"no disk"}), "no disk");
    EXPECT_EQ(error_of(std::vector<CodeCheck::Usage>{}),
              "the assembler found 0 kernels instead of 1");
}

// A choice between two bytes at a point, in threads of four points.
struct OrderOfBytes {
    Halide::Var x{"x"}, y{"y"};
    Halide::ImageParam a, b;
    Halide::Func out{"out"};
    Halide::Pipeline pipeline;
    int func = 0;  // of `out`

    explicit OrderOfBytes(const Halide::Type &type) : a(type, 2, "a"), b(type, 2, "b") {
        out(x, y) = Halide::select(a(x, y) < b(x, y), 1.0f, 2.0f);
        for (Halide::ImageParam *image : {&a, &b}) image->set_estimates({{0, 1024}, {0, 512}});
        out.set_estimates({{0, 1024}, {0, 512}});
        pipeline = Halide::Pipeline(out);
        while (pipeline.get_func(static_cast<size_t>(func)).name() != out.name()) ++func;
    }

    // The points by vectors or unrolled; none: in a loop.
    Schedule schedule(std::optional<Op> points) const {
        Schedule schedule = {
            on_func(Op::compute_root, func, ""),
            split(func, "", 0, {own(0), made("xb"), made("xi")}, 128),
            split(func, "", 0, {made("xi"), made("xt"), made("xs")}, 4),
            on_stage(Op::reorder, func, "", 0, {made("xs"), made("xt"), made("xb"), own(1)}),
            on_stage(Op::gpu_blocks, func, "", 0, {made("xb"), own(1)}),
            on_stage(Op::gpu_threads, func, "", 0, {made("xt")})};
        if (points) schedule.push_back(on_stage(*points, func, "", 0, {made("xs")}));
        return schedule;
    }
};

TEST(TrialOfSignedBytes, RefusesCodeThatForgetsTheirSigns) {
    const OrderOfBytes bytes(Halide::Int(8));
    for (TrialDepth depth : {TrialDepth::loops, TrialDepth::device_code}) {
        for (Op points : {Op::unroll, Op::vectorize}) {
            EXPECT_EQ(trial(bytes.schedule(points), bytes.pipeline, kCuda, depth),
                      "LLVM would compare signed bytes as if they had no signs");
        }
        EXPECT_TRUE(trial_lower(bytes.schedule(std::nullopt), bytes.pipeline, kCuda, depth).ok());
    }
    EXPECT_TRUE(trial_lower(bytes.schedule(Op::unroll), bytes.pipeline, kOpenCl).ok());
}

TEST(TrialOfSignedBytes, AcceptsOtherNumbers) {
    for (const Halide::Type &type : {Halide::UInt(8), Halide::Int(16), Halide::Int(32)}) {
        const OrderOfBytes others(type);
        EXPECT_TRUE(trial_lower(others.schedule(Op::unroll), others.pipeline, kCuda).ok());
    }
}

// Whether the assembler would have been asked about the kernel or not.
TEST(TrialOfSignedBytes, LooksAtTheCodeWhateverIsCheckedBeside) {
    const OrderOfBytes bytes(Halide::Int(8));
    int asked = 0;
    const auto assemble = [&](const std::string &) {
        ++asked;
        return std::vector<CodeCheck::Usage>{{64, 0}};
    };
    const auto tried = [&](const Schedule &schedule, const CodeCheck &check) {
        return trial_lower(schedule, bytes.pipeline, kCuda, TrialDepth::loops, check);
    };
    const CodeCheck checks[] = {
        {true, 0, 1000, assemble}, {true, 1000, 2000, assemble}, {true, 0, 1000, {}}};
    for (const CodeCheck &check : checks) {
        EXPECT_FALSE(tried(bytes.schedule(Op::unroll), check).ok());
        EXPECT_TRUE(tried(bytes.schedule(std::nullopt), check).ok());
    }
    EXPECT_EQ(asked, 2);
    EXPECT_EQ(tried(bytes.schedule(std::nullopt), checks[0])->kernels[0].registers, 64);
    EXPECT_EQ(tried(bytes.schedule(std::nullopt), checks[1])->kernels[0].registers, -1);
}

TEST(TrialOfSignedBytes, InAProcessOfItsOwnSaysTheSame) {
    const OrderOfBytes bytes(Halide::Int(8));
    const Schedule schedule = bytes.schedule(Op::unroll);
    ApartTrials trials;
    const ApartTrials::Outcome outcome = trials.lower(schedule, bytes.pipeline, kCuda, 60);
    ASSERT_TRUE(outcome.has_value());
    ASSERT_FALSE(outcome->ok());
    EXPECT_EQ(outcome->error().message, "LLVM would compare signed bytes as if they had no signs");
}

}  // namespace
}  // namespace autoschedule_gpu
