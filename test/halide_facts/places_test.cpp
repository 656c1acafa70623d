// src/halide/README.md: where a Func may be computed and in which memory.
#include <gtest/gtest.h>

#include <csignal>
#include <functional>

#include "halide_facts/lowered.h"

namespace autoschedule_gpu::test {
namespace {

using Halide::Func;
using Halide::MemoryType;
using Halide::RDom;
using Halide::TailStrategy;
using Halide::Target;
using Halide::Var;

// ---- blocks and threads

TEST(HalideFacts, ThreadLoopsNeedABlockLoopAroundThem) {
    Pair p;
    p.in.compute_root().gpu_threads(p.x);
    EXPECT_TRUE(says(refusal(p.out), "must be inside a GPU block loop"));
}

TEST(HalideFacts, BlockLoopsMustBeContiguous) {
    Pair p;
    p.tiled().in.compute_at(p.out, p.yo).gpu_threads(p.x);
    EXPECT_TRUE(says(refusal(p.out), "Funcs cannot be scheduled in between GPU block loops"));
}

TEST(HalideFacts, ASerialLoopMayNotPartBlockLoops) {
    Pair p;
    p.out.split(p.x, p.xo, p.xi, 16).split(p.y, p.yo, p.yi, 8);
    p.out.reorder(p.xi, p.xo, p.yi, p.yo).gpu_blocks(p.xo, p.yo).gpu_threads(p.xi);
    EXPECT_TRUE(says(refusal(p.out), "inside GPU block loop over out.s0.y.yo but outside"));
}

TEST(HalideFacts, AKernelHasNoBlockLoopsInside) {
    Pair p;
    p.tiled().in.compute_at(p.out, p.xo).gpu_blocks(p.y).gpu_threads(p.x);
    EXPECT_TRUE(says(refusal(p.out), "Funcs cannot be scheduled in between GPU block loops"));
}

// A Func of four dimensions with every loop on the GPU, in the given roles.
Func four_loops(bool blocks) {
    Var x{"x"}, y{"y"}, z{"z"}, w{"w"};
    Func out{"out"};
    out(x, y, z, w) = x + y + z + w;
    for (Var v : {x, y, z, w}) out.bound(v, 0, 2);
    if (blocks) {
        Var t{"t"};
        out.split(x, x, t, 2).gpu_blocks(x).gpu_blocks(y).gpu_blocks(z).gpu_blocks(w);
        out.gpu_threads(t);
    } else {
        Var b{"b"}, v{"v"};
        out.split(w, b, v, 2);
        out.gpu_blocks(b).gpu_threads(x).gpu_threads(y).gpu_threads(z).gpu_threads(v);
    }
    return out;
}

TEST(HalideFacts, AKernelHasAtMostThreeBlockLoops) {
    EXPECT_TRUE(
        says(refusal(four_loops(true)), "The maximum number of nested GPU block loops is 3."));
}

TEST(HalideFacts, AKernelHasAtMostThreeThreadLoops) {
    EXPECT_TRUE(
        says(refusal(four_loops(false)), "The maximum number of nested GPU thread loops is 3."));
}

TEST(HalideFacts, ASerialLoopOutsideTheBlocksLaunchesAKernelPerIteration) {
    Pair p;
    p.out.split(p.x, p.xo, p.xi, 16).gpu_blocks(p.xo).gpu_threads(p.xi);
    const std::string loops = lower(p.out).loops;
    EXPECT_LT(loops.find("\n  for (out.s0.y"), loops.find("gpu_block<")) << loops;
}

TEST(HalideFacts, ASerialLoopMayStandBetweenBlocksAndThreads) {
    Pair p;
    p.out.gpu_tile(p.x, p.y, p.xo, p.yo, p.xi, p.yi, 16, 8);
    p.out.reorder(p.xi, p.yi, p.xo, p.yo).serial(p.yi);
    p.staged().in.compute_at(p.out, p.yi);
    Pair plain;
    EXPECT_EQ(run(p.out, 64, 32, jit_target()), run(plain.out, 64, 32, jit_host()));
}

// ---- compute sites

TEST(HalideFacts, AComputeSiteMustEncloseEveryUse) {
    Pair p;
    Func other{"other"};
    other(p.x, p.y) = p.in(p.x, p.y) + p.out(p.x, p.y);
    p.out.compute_root();
    p.in.compute_at(p.out, p.x);
    EXPECT_TRUE(says(refusal(other), "computed at the following invalid location"));
}

// A Func read by both stages of another; `both`: each has a loop named xo.
Func in_two_stages(bool both) {
    Pair p;
    p.out(p.x, p.y) += p.in(p.x, p.y);
    p.out.split(p.x, p.xo, p.xi, 16).gpu_blocks(p.xo, p.y).gpu_threads(p.xi);
    Halide::Stage update = p.out.update();
    update.split(p.x, both ? p.xo : p.yo, p.xi, 16, TailStrategy::GuardWithIf);
    update.gpu_blocks(both ? p.xo : p.yo, p.y).gpu_threads(p.xi);
    p.in.compute_at(p.out, p.xo).gpu_threads(p.x);
    return p.out;
}

TEST(HalideFacts, ALoopNameOfAComputeSiteIsLookedForInEveryStage) {
    const std::string loops = lower(in_two_stages(true)).loops;
    EXPECT_EQ(count(loops, "produce in"), 2) << loops;
    EXPECT_TRUE(says(refusal(in_two_stages(false)), "computed at the following invalid location"));
}

TEST(HalideFacts, TheComputeSiteOfAnOutputIsIgnored) {
    Pair p;
    p.in.compute_at(p.out, p.x);
    const std::string loops = lower(Halide::Pipeline({p.out, p.in}), kHost).loops;
    EXPECT_LT(loops.find("produce in"), loops.find("produce out")) << loops;
}

// f(x) = 0; f(x) += in(x): both by the same blocks and threads.
void share_loops(Func f, Var x) {
    Var xo{"xo"}, xi{"xi"};
    f.gpu_tile(x, xo, xi, 16, TailStrategy::GuardWithIf);
    f.update().gpu_tile(x, xo, xi, 16, TailStrategy::GuardWithIf);
}

TEST(HalideFacts, StagesOfAFuncAtRootAreKernelsOfTheirOwn) {
    Var x{"x"}, xi{"xi"};
    Func f{"f"};
    f(x) = 0;
    f(x) += x;
    share_loops(f, x);
    EXPECT_EQ(lower(f).launches.size(), 2u);
    EXPECT_TRUE(says(complaint([&] { f.update().compute_with(f, xi); }),
                     "Cannot schedule f.update(0) to be computed with f.s0.xi"));
}

TEST(HalideFacts, StagesOfAFuncAreOneKernelInTheThreadsOfItsWrapper) {
    Var x{"x"}, xo{"xo"}, xi{"xi"};
    Func f{"f"}, out{"out"};
    f(x) = 0;
    f(x) += x;
    out(x) = f(x) + f(x + 1);
    out.gpu_tile(x, xo, xi, 16);
    Func wrapper = f.in();
    wrapper.compute_root().gpu_tile(x, xo, xi, 16);
    f.compute_at(wrapper, xi);
    EXPECT_EQ(lower(out).launches.size(), 2u);  // of the wrapper and of out
}

TEST(HalideFacts, AnOutputIsNotComputedInTheThreadsOfItsWrapper) {
    Var x{"x"}, xo{"xo"}, xi{"xi"};
    Func f{"f"};
    f(x) = 0;
    f(x) += x;
    f.in().compute_root().gpu_tile(x, xo, xi, 16);
    share_loops(f, x);
    EXPECT_EQ(lower(f).launches.size(), 2u);
}

TEST(HalideFacts, StorageOutsideABlockLoopOfTheComputeSiteIsARace) {
    Pair p;
    p.tiled().staged().in.store_root();
    EXPECT_TRUE(says(refusal(p.out), "This is a potential race condition"));
}

TEST(HalideFacts, AnInlinedFuncWithUpdatesIsComputedAtItsInnermostUse) {
    Var x{"x"}, xo{"xo"}, xi{"xi"};
    Func in{"in"}, out{"out"};
    RDom r(0, 3);
    in(x) = x;
    in(x) += x * r;
    out(x) = in(x) + in(x + 1);
    out.gpu_tile(x, xo, xi, 16);
    const std::string loops = lower(out).loops;
    EXPECT_LT(loops.find(".thread_id_x, 0"), loops.find("produce in")) << loops;
}

TEST(HalideFacts, AFuncWithoutABoundOnItsIndicesIsAcceptedInlineOnly) {
    const auto gather = [](Halide::Type type, bool inlined) {
        Halide::ImageParam index(type, 1);
        Var x{"x"};
        Func table{"table"}, out{"out"};
        table(x) = x * x;
        out(x) = table(index(x));
        if (!inlined) table.compute_root();
        return refusal(out);
    };
    EXPECT_TRUE(says(gather(Halide::Int(32), false),
                     "calls function table in an unbounded way in dimension 0"));
    EXPECT_EQ(gather(Halide::Int(32), true), "fine");
    EXPECT_EQ(gather(Halide::UInt(8), false), "fine");
}

TEST(HalideFacts, AClampThatRemaindersMakeNeedlessIsMissedByBounds) {
    const auto run_with = [](const auto &position, bool inlined) {
        return complaint([&] {
            Halide::ImageParam image(Halide::Int(32), 1);
            Var x{"x"};
            Func clamped{"clamped"}, out{"out"};
            clamped(x) = image(Halide::max(x * 3 - 1, 0));
            out(x) = clamped(position(x));
            if (!inlined) clamped.compute_root();
            image.set(Halide::Buffer<int>(26));
            out.realize({9}, jit_host());
        });
    };
    const auto bits = [](const Halide::Expr &x) {
        return Halide::unsafe_promise_clamped((x | 1) & 7, 0, 7);
    };
    const auto remainders = [](const Halide::Expr &x) { return (x * 2 + 1) % 8; };
    EXPECT_TRUE(says(run_with(bits, true), "accessed at -1, which is before the min (0)"));
    EXPECT_TRUE(says(run_with(remainders, true), "accessed at -1, which is before the min (0)"));
    EXPECT_EQ(run_with(bits, false), "fine");
    EXPECT_EQ(run_with(remainders, false), "fine");
}

// ---- threads at two depths

// The staged Func has threads of its own, at a site inside the consumer's threads in y.
Pair between_threads() {
    Pair p;
    p.tiled().in.compute_at(p.out, p.yi).gpu_threads(p.x);
    return p;
}

TEST(HalideFacts, ThreadsOfAProducerBetweenThreadLoopsComputeTheWrongThing) {
    Pair plain;
    EXPECT_EQ(refusal(between_threads().out), "fine");
    EXPECT_NE(run(between_threads().out, 64, 32, jit_target()), run(plain.out, 64, 32, jit_host()));
}

// ---- what stays on the host

std::string refusal_of_parallel_loop(const Target &target) {
    Pair p;
    p.tiled().in.compute_at(p.out, p.xo).parallel(p.y).gpu_threads(p.x);
    return refusal(p.out, target);
}

TEST(HalideFacts, AKernelHasNoParallelLoop) {
    EXPECT_TRUE(
        says(refusal_of_parallel_loop(kOpenCl), "Cannot use parallel loops inside OpenCL kernel"));
    EXPECT_TRUE(says(refusal_of_parallel_loop(kCuda), "InternalError"));
}

TEST(HalideFacts, AMemoizedFuncIsNotComputedInAKernel) {
    Pair p;
    p.tiled().staged().in.memoize();
    EXPECT_TRUE(says(refusal(p.out), "Allocate node inside GPU kernel has custom new expression"));
}

TEST(HalideFacts, AMemoizedFuncOnTheHostIsNotReadByAKernel) {
    Pair p;
    p.tiled().in.compute_root().memoize();
    EXPECT_TRUE(
        says(complaint([&] { run(p.out, 64, 32, jit_target()); }), "Name not in Scope: in"));
}

TEST(HalideFacts, PrintInAKernelIsAnInternalError) {
    for (const Target &target : {kOpenCl, kCuda}) {
        Pair p;
        Func printing{"printing"};
        printing(p.x, p.y) = Halide::print(p.out(p.x, p.y));
        printing.gpu_tile(p.x, p.y, p.xo, p.yo, p.xi, p.yi, 16, 8);
        EXPECT_TRUE(says(refusal(printing, target), "InternalError"));
    }
}

TEST(HalideFacts, TracedStoresAreNotMadeInAKernel) {
    for (const Target &target : {kOpenCl, kCuda}) {
        Pair p;
        p.tiled().staged().in.trace_stores();
        EXPECT_TRUE(says(refusal(p.out, target), "halide_trace_helper"));
    }
}

TEST(HalideFacts, LoadsAreTracedInWhatReads) {
    for (const Target &target : {kOpenCl, kCuda}) {
        Pair p;
        p.tiled().in.compute_root().trace_loads();
        EXPECT_TRUE(says(refusal(p.out, target), "halide_trace_helper"));
    }
}

TEST(HalideFacts, RealizationsAreTracedAndWrittenToFilesOutsideOfKernels) {
    for (const Target &target : {kOpenCl, kCuda}) {
        Pair staged, traced, written;
        staged.tiled().staged().in.trace_realizations();
        EXPECT_TRUE(says(refusal(staged.out, target), "halide_trace_helper"));
        for (Pair *p : {&traced, &written}) {
            p->tiled().in.compute_root().gpu_blocks(p->y).gpu_threads(p->x);
        }
        traced.in.trace_realizations();
        written.in.debug_to_file("realized.npy");
        EXPECT_EQ(refusal(traced.out, target), "fine");
        EXPECT_EQ(refusal(written.out, target), "fine");
    }
    Pair p;  // for CUDA it makes the compiler crash
    p.tiled().staged().in.debug_to_file("realized.npy");
    EXPECT_NE(refusal(p.out, kOpenCl), "fine");
}

TEST(HalideFacts, DataIsCopiedWhereKernelsAndTheHostMeet) {
    Pair kernel_first, host_first;
    kernel_first.in.compute_root().gpu_blocks(kernel_first.y).gpu_threads(kernel_first.x);
    EXPECT_TRUE(says(lower(kernel_first.out).loops, "halide_copy_to_host(in.buffer"));
    host_first.tiled().in.compute_root();
    EXPECT_TRUE(says(lower(host_first.out).loops, "halide_copy_to_device(in.buffer"));
}

TEST(HalideFacts, WhatAnAsyncFuncComputesOnTheHostIsNotCopiedForAKernel) {
    Pair p;
    p.tiled().in.compute_root().async();
    const std::string loops = lower(p.out).loops;
    EXPECT_TRUE(says(loops, "consume in {"));
    EXPECT_EQ(count(loops, "halide_copy_to_device(in.buffer"), 0);
}

// `beside` is computed after `ahead` has begun and before `first` waits for it.
TEST(HalideFacts, WhatIsComputedBesideAnAsyncFuncIsNotCopied) {
    const auto copies = [](bool async) {
        Var x{"x"};
        Func ahead{"ahead"}, beside{"beside"}, first{"first"}, last{"last"}, out{"out"};
        ahead(x) = x;
        beside(x) = x * 2;
        first(x) = ahead(x) + beside(x);
        last(x) = ahead(x) + 3;
        out(x) = first(x) + last(x);
        for (Func f : {ahead, beside, first, last}) f.compute_root();
        if (async) ahead.async();
        beside.gpu_single_thread();
        return count(lower(out).loops, "halide_copy_to_host(beside.buffer");
    };
    EXPECT_EQ(copies(false), 1);
    EXPECT_EQ(copies(true), 0);
}

HalideExtern_1(int, facts_of_c, int);

TEST(HalideFacts, ACallOfACFunctionLeavesPtxWithAnUnknownSymbol) {
    Pair p;
    Func calling{"calling"};
    calling(p.x, p.y) = facts_of_c(p.out(p.x, p.y));
    calling.gpu_tile(p.x, p.y, p.xo, p.yo, p.xi, p.yi, 16, 8);
    EXPECT_TRUE(says(lower(calling, kCuda).device_code, ".extern .func"));
}

enum class Site { root, block };

Func with_extern_stage(Site site) {
    Pair p;
    Func foreign{"foreign"}, reader{"reader"};
    foreign.define_extern("facts_of_c", {p.in}, Halide::Int(32), 2);
    p.in.compute_root();
    reader(p.x, p.y) = foreign(p.x, p.y);
    reader.gpu_tile(p.x, p.y, p.xo, p.yo, p.xi, p.yi, 16, 8, TailStrategy::GuardWithIf);
    foreign.compute_root();
    if (site == Site::block) foreign.compute_at(reader, p.xo);
    return reader;
}

// OpenCL C with a call of the function comes out, which no driver compiles.
TEST(HalideFactsDeathTest, AnExternStageInAKernelCrashesTheCompilerForCuda) {
    EXPECT_EQ(refusal(with_extern_stage(Site::root), kCuda), "fine");
    EXPECT_EXIT(refusal(with_extern_stage(Site::block), kCuda), testing::KilledBySignal(SIGSEGV),
                "");
    EXPECT_EQ(refusal(with_extern_stage(Site::block), kOpenCl), "fine");
}

TEST(HalideFacts, AnExternStageHasNoLoopsOnTheGpu) {
    Pair p;
    Func foreign{"foreign"};
    foreign.define_extern("facts_of_c", {p.in}, Halide::Int(32), {p.x, p.y});
    p.in.compute_root();
    foreign.gpu_blocks(p.y).gpu_threads(p.x);
    EXPECT_TRUE(says(refusal(foreign), "Externally defined Func foreign cannot have loop type"));
}

// ---- wrappers

TEST(HalideFacts, AWrapperForOneReaderNeedsACallWrittenInIt) {
    Var x{"x"};
    Func in{"in"}, caller{"caller"}, out{"out"};
    in(x) = x;
    caller(x) = in(x) + in(x + 1);
    out(x) = caller(x) * 2;
    in.in(out);
    EXPECT_TRUE(says(refusal(out), "because \"out\" does not call \"in\""));
}

TEST(HalideFacts, AWrapperOfAnInlinedCallerMayBeComputedInItsReader) {
    Var x{"x"}, xo{"xo"}, xi{"xi"};
    Func in{"in"}, caller{"caller"}, out{"out"};
    in(x) = x;
    caller(x) = in(x) + in(x + 1);
    out(x) = caller(x) * 2;
    in.compute_root();
    out.gpu_tile(x, xo, xi, 16, TailStrategy::ShiftInwards);
    in.in(caller).compute_at(out, xo).gpu_threads(x);
    EXPECT_EQ(lower(out).launches.back().shared_bytes, 17 * 4);
}

// ---- memory

TEST(HalideFacts, AutomaticMemoryFollowsTheComputeSite) {
    Pair root;
    root.tiled().in.compute_root();
    EXPECT_EQ(lower(root.out).launches.back().shared_bytes, 0);
    Pair block;
    EXPECT_EQ(lower(block.tiled().staged().out).launches.back().shared_bytes, 17 * 8 * 4);
    Pair thread;
    thread.tiled().in.compute_at(thread.out, thread.xi);
    const Lowered lowered = lower(thread.out);
    EXPECT_EQ(lowered.launches.back().shared_bytes, 0);
    EXPECT_TRUE(says(lowered.loops, "allocate in.0[int32 * 2]"));
}

TEST(HalideFacts, RegistersOfABlockAreOnesOfEachThread) {
    for (const MemoryType memory : {MemoryType::Register, MemoryType::Stack}) {
        Pair p, plain;
        p.tiled().staged().in.store_in(memory);
        EXPECT_EQ(lower(p.out).launches.back().shared_bytes, 0);
        EXPECT_NE(run(p.out, 64, 32, jit_target()), run(plain.out, 64, 32, jit_host()));
    }
}

// The thread needs a number of points that depends on a parameter.
Func with_unknown_extent(MemoryType memory) {
    Var x{"x"}, xo{"xo"}, xi{"xi"};
    Func in{"in"}, out{"out"};
    Halide::Param<int> reach{"reach"};
    RDom r(0, reach);
    in(x) = x;
    out(x) = 0;
    out(x) += in(x + r);
    out.update().gpu_tile(x, xo, xi, 16, TailStrategy::GuardWithIf);
    in.compute_at(out, xi).store_in(memory);
    return out;
}

TEST(HalideFacts, ThreadsKeepOnlyWhatHasAConstantSize) {
    for (const Target &target : {kOpenCl, kCuda}) {
        EXPECT_TRUE(says(refusal(with_unknown_extent(MemoryType::Register), target),
                         "CompileError: Error: Allocation in.0 has a dynamic size"));
    }
    EXPECT_TRUE(says(refusal(with_unknown_extent(MemoryType::Stack), kOpenCl),
                     "CompileError: Error: Allocation in.0 has a dynamic size"));
    EXPECT_TRUE(says(refusal(with_unknown_extent(MemoryType::Stack), kCuda),
                     "Allocation in.0 has a dynamic size"));
}

// Blocks of one point in a grid of one dimension. A block needs 5 x 5 points of `middle`, in the
// threads of which `first` is computed.
struct FusedBlocks {
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, block{"block"};
    Func first{"first"}, middle{"middle"}, out{"out"};

    FusedBlocks() {
        const Halide::ImageParam in{Halide::Float(32), 2, "in"};
        const Func clamped = Halide::BoundaryConditions::repeat_edge(in);
        const auto cross = [&](const Func &f) {
            return f(x - 1, y) + f(x + 1, y) + f(x, y - 1) + f(x, y + 1);
        };
        Func between{"between"};
        first(x, y) = cross(clamped);
        middle(x, y) = cross(first);
        between(x, y) = cross(middle);
        out(x, y) = cross(between);
        out.split(x, xo, xi, 1).split(y, yo, yi, 1).fuse(xo, yo, block).reorder(xi, yi, block);
        out.gpu_blocks(block).gpu_threads(xi, yi);
        middle.compute_at(out, block);
        first.compute_at(middle, xi).store_in(MemoryType::Register);
    }
};

TEST(HalideFacts, InFusedBlocksSeveralGuardedPointsOfAThreadHaveNoConstantSize) {
    FusedBlocks p;
    p.middle.split(p.x, p.xi, p.xo, 4, TailStrategy::GuardWithIf).reorder(p.xo, p.xi, p.y);
    p.middle.gpu_threads(p.xi, p.y);
    EXPECT_TRUE(says(refusal(p.out), "unable to infer constant upper bound"));
    FusedBlocks around;
    around.middle.split(p.x, p.xo, p.xi, 4, TailStrategy::GuardWithIf).reorder(p.xi, p.y, p.xo);
    around.middle.gpu_threads(p.xi, p.y);
    EXPECT_EQ(lower(around.out).launches.back().threads, (std::array<Size, 3>{4, 5, 1}));
}

TEST(HalideFacts, AThreadsFuncOfUnknownSizeGoesToGlobalMemory) {
    const Lowered lowered = lower(with_unknown_extent(MemoryType::Auto));
    EXPECT_EQ(lowered.launches.back().shared_bytes, 0);
    EXPECT_TRUE(says(lowered.loops, "halide_device_malloc(in.0.buffer"));
}

// A thread has 2 x 8 points of a choice, of which one branch reads sums.
Func with_sums_in_a_branch(const std::function<Halide::Expr(Var, Var)> &is_read) {
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xt{"xt"}, yt{"yt"}, xi{"xi"}, yi{"yi"};
    Func sum{"sum"}, choice{"choice"}, out{"out"};
    const Halide::ImageParam a{Halide::Float(32), 2, "a"}, b{Halide::Float(32), 2, "b"};
    const RDom r(0, 64);
    sum(x, y) += a(r, x) * b(r, y);
    choice(x, y) = Halide::select(is_read(x, y), sum(x, y), -1.f);
    out(x, y) = choice(x, y) + 1.f;
    choice.compute_root().tile(x, y, xo, yo, xi, yi, 32, 128, TailStrategy::GuardWithIf);
    choice.tile(xi, yi, xt, yt, x, y, 2, 8, TailStrategy::GuardWithIf).unroll(x).unroll(y);
    choice.gpu_blocks(xo, yo).gpu_threads(xt, yt);
    sum.compute_at(choice, xt).store_in(MemoryType::Register).unroll(x).unroll(y);
    sum.update().reorder(x, y, r.x).unroll(x).unroll(y);
    return out;
}

TEST(HalideFacts, ABranchOfAConditionOnSeveralLoopsNeedsNoConstantNumberOfPoints) {
    const Halide::Param<int> length{"length"};
    const auto refused = [](const std::function<Halide::Expr(Var, Var)> &is_read) {
        return says(refusal(with_sums_in_a_branch(is_read), kCuda),
                    "Can only unroll for loops over a constant extent");
    };
    EXPECT_TRUE(refused([](Var x, Var y) { return x <= y; }));
    EXPECT_TRUE(refused([](Var x, Var y) { return 2 * x > y; }));
    EXPECT_TRUE(refused([](Var x, Var y) { return x == y; }));
    const auto lower_with = [](const std::function<Halide::Expr(Var, Var)> &is_read) {
        return lower(with_sums_in_a_branch(is_read), kCuda).launches.size();
    };
    EXPECT_EQ(lower_with([&](Var x, Var) { return x < length; }), 1u);
    EXPECT_EQ(lower_with([&](Var x, Var y) { return x <= y && x < length; }), 1u);
    EXPECT_EQ(lower_with([&](Var x, Var y) { return Halide::abs(x - y) < 128; }), 1u);
}

TEST(HalideFacts, SharedMemoryOfAThreadIsASliceForEachThread) {
    Pair p;
    p.tiled().in.compute_at(p.out, p.xi).store_in(MemoryType::GPUShared);
    EXPECT_EQ(lower(p.out).launches.back().shared_bytes, 2 * 4 * 16 * 8);
}

TEST(HalideFacts, ARootFuncIsInGlobalMemoryWhateverItsMemoryType) {
    for (const MemoryType memory : {MemoryType::GPUShared, MemoryType::Stack}) {
        Pair p;
        p.tiled().in.compute_root().store_in(memory);
        const Lowered lowered = lower(p.out);
        EXPECT_EQ(lowered.launches.back().shared_bytes, 0);
        EXPECT_TRUE(says(lowered.loops, "(out.extent.0 + 1) * out.extent.1] in Heap"));
    }
}

TEST(HalideFacts, ARootFuncInRegistersNeedsAConstantSize) {
    Pair p;
    p.tiled().in.compute_root().store_in(MemoryType::Register);
    EXPECT_TRUE(says(refusal(p.out), "Was unable to infer constant upper bound on extent"));
}

TEST(HalideFacts, HeapOfABlockIsASliceOfGlobalMemory) {
    Pair p, plain;
    p.tiled().staged().in.store_in(MemoryType::Heap);
    const Lowered lowered = lower(p.out);
    EXPECT_EQ(lowered.launches.back().shared_bytes, 0);
    EXPECT_TRUE(says(lowered.loops, "halide_device_malloc(in.0.buffer"));
    EXPECT_EQ(run(p.out, 64, 32, jit_target()), run(plain.out, 64, 32, jit_host()));
}

TEST(HalideFacts, SharedBuffersThatDoNotLiveTogetherTakeTheSameBytes) {
    Var x{"x"}, xo{"xo"}, xi{"xi"};
    std::vector<Func> chain(4);
    chain[0](x) = x;
    for (size_t i = 1; i < 4; ++i) chain[i](x) = chain[i - 1](x) + chain[i - 1](x + 1);
    chain[3].gpu_tile(x, xo, xi, 16, TailStrategy::ShiftInwards);
    for (size_t i = 0; i < 3; ++i) chain[i].compute_at(chain[3], xo).gpu_threads(x);
    // 19 and 18 and 17 values of 4 bytes; the first and the third in one place.
    EXPECT_EQ(lower(chain[3]).launches.back().shared_bytes, (19 + 18) * 4);
}

// A block computes 137 bytes, of them 18 ints, and of these 17 ints in the place of the bytes.
int64_t bytes_and_ints(bool whole_ints) {
    Var x{"x"}, xo{"xo"}, xi{"xi"};
    Func bytes("bytes"), first("first"), second("second"), out("out");
    bytes(x) = Halide::cast<uint8_t>(x);
    first(x) = Halide::cast<int>(bytes(8 * x)) + 1;
    second(x) = first(x) + first(x + 1);
    out(x) = second(x) + second(x + 1);
    out.gpu_tile(x, xo, xi, 16, TailStrategy::ShiftInwards);
    for (Func func : {bytes, first, second}) func.compute_at(out, xo).gpu_threads(x);
    if (whole_ints) bytes.align_storage(x, 4);
    return *lower(out).launches.back().shared_bytes;
}

TEST(HalideFacts, BytesInThePlaceOfIntsAreCountedInWholeIntsRoundedDown) {
    EXPECT_EQ(bytes_and_ints(false), 34 * 4 + 18 * 4);
    EXPECT_EQ(bytes_and_ints(true), 35 * 4 + 18 * 4);
}

// Of 32 x 32 ints, whose rows are aligned so.
int64_t turned_over(int alignment) {
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
    Func mid("mid"), out("out");
    mid(x, y) = x * 100 + y;
    out(x, y) = mid(y, x);
    out.gpu_tile(x, y, xo, yo, xi, yi, 32, 32, TailStrategy::ShiftInwards);
    mid.compute_at(out, xo).gpu_threads(x, y).align_storage(x, alignment);
    return *lower(out).launches.back().shared_bytes;
}

TEST(HalideFacts, ARowIsRoundedUpToAMultipleOfItsAlignmentWhateverThatIs) {
    EXPECT_EQ(turned_over(1), 32 * 32 * 4);
    EXPECT_EQ(turned_over(33), 33 * 32 * 4);
    EXPECT_EQ(turned_over(31), 62 * 32 * 4);
}

// Where values were stored, by Func.
std::map<std::string, int> stores;

int count_stores(Halide::JITUserContext *, const halide_trace_event_t *event) {
    if (event->event == halide_trace_store) ++stores[event->func];
    return 0;
}

TEST(HalideFacts, WhatOnlyABranchThatIsNotTakenReadsIsNotComputed) {
    Halide::Var x{"x"};
    Func wide{"wide"}, narrow{"narrow"}, out{"out"}, other{"out_as_well"};
    wide(x) = x + 1;
    narrow(x) = x + 2;
    out(x) = narrow(x) * 2;
    other(x) = wide(x) * 2;
    wide.compute_root().trace_stores();
    narrow.compute_root().trace_stores();
    const Halide::Expr is_wide =
        ir::Variable::make(Halide::Int(32), out.name() + ".extent.0") >= 10;
    out.function().definition().specializations().push_back(
        {is_wide, other.function().definition(), ""});
    for (const auto &[extent, computed] :
         {std::pair(9, narrow.name()), std::pair(10, wide.name())}) {
        stores.clear();
        Halide::Pipeline pipeline(out);
        pipeline.jit_handlers().custom_trace = count_stores;
        const Halide::Buffer<int> got = pipeline.realize({extent}, kHost);
        EXPECT_EQ(got(4), computed == wide.name() ? 10 : 12);
        EXPECT_EQ(stores, (std::map<std::string, int>{{computed, extent}}));
    }
}

}  // namespace
}  // namespace autoschedule_gpu::test
