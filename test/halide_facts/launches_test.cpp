// src/halide/README.md: sizes known at run time, launches, atomics, unrolling and vectors.
#include <gtest/gtest.h>

#include <functional>

#include "halide_facts/lowered.h"

namespace autoschedule_gpu::test {
namespace {

using Halide::Buffer;
using Halide::Func;
using Halide::ImageParam;
using Halide::RDom;
using Halide::RVar;
using Halide::TailStrategy;
using Halide::Target;
using Halide::Var;

// ---- tails and sizes

struct Sizes {
    bool shared, threads;  // known when Halide compiles

    bool operator==(const Sizes &) const = default;
    friend void PrintTo(const Sizes &sizes, std::ostream *out) {
        *out << "shared " << sizes.shared << ", threads " << sizes.threads;
    }
};

Sizes known_sizes(const Func &out) {
    const Launch launch = lower(out).launches.back();
    return {launch.shared_bytes.has_value(), launch.threads[0] && launch.threads[1]};
}

TEST(HalideFacts, ExtentsBehindAGuardAreNotConstant) {
    const auto known = [](TailStrategy tail) {
        Pair p;
        return known_sizes(p.tiled(tail).staged().out);
    };
    EXPECT_EQ(known(TailStrategy::ShiftInwards), (Sizes{true, true}));
    EXPECT_EQ(known(TailStrategy::RoundUp), (Sizes{true, true}));
    EXPECT_EQ(known(TailStrategy::PredicateStores), (Sizes{true, false}));
    EXPECT_EQ(known(TailStrategy::GuardWithIf), (Sizes{false, false}));
    EXPECT_EQ(known(TailStrategy::Predicate), (Sizes{false, false}));
}

TEST(HalideFacts, BoundsPromisedForAProducerMakeItsSizesConstant) {
    Pair extent;
    extent.tiled(TailStrategy::GuardWithIf).staged();
    extent.in.bound_extent(extent.x, 17).bound_extent(extent.y, 8);
    EXPECT_EQ(known_sizes(extent.out), (Sizes{true, true}));
    Pair storage;
    storage.tiled(TailStrategy::GuardWithIf).staged();
    storage.in.bound_storage(storage.x, 17).bound_storage(storage.y, 8);
    EXPECT_EQ(known_sizes(storage.out), (Sizes{true, false}));
}

// A block of 16 columns, whose bins are counted in the block.
TEST(HalideFacts, SharedMemoryIsOfTheSizeThatAParameterSays) {
    Var x{"x"}, z{"z"}, xo{"xo"}, xi{"xi"};
    Halide::Param<int> levels{"levels", 4, 1, 64};
    Func bins{"bins"}, sums{"sums"}, out{"out"};
    const Halide::RDom r(0, 8);
    bins(x, z) = 0;
    bins(x, Halide::clamp((x + r) % 8, 0, levels)) += 1;
    sums(x, z) = bins(x, z) + bins(x, z + 1);
    out(x) = sums(x, 0) + sums(x, levels);
    sums.compute_root().split(x, xo, xi, 16).reorder(z, xi, xo).gpu_blocks(xo).gpu_threads(xi);
    bins.compute_at(sums, xo).reorder(z, x).gpu_threads(x);
    bins.update().gpu_threads(x);
    EXPECT_EQ(known_sizes(out), (Sizes{false, true}));
}

// A tile of 16 columns reads 7 of `in`.
TEST(HalideFacts, ThreadsOfARunTimeNumberAreMoreThanAnyBlockNeeds) {
    Var x{"x"}, xo{"xo"}, xi{"xi"};
    Func in{"in"}, out{"out"};
    in(x) = x * x;
    out(x) = in(Halide::cast<int>(Halide::floor(Halide::cast<float>(x) * 0.37f)));
    out.split(x, xo, xi, 16, TailStrategy::ShiftInwards).gpu_blocks(xo).gpu_threads(xi);
    in.compute_at(out, xo).gpu_threads(x);
    out.bound(x, 0, 1600);
    const Launch launch = lower(out).launches.back();
    EXPECT_TRUE(!launch.threads[0] || *launch.threads[0] > 500);
}

// out(x), tiles of 16 where there are so many, else single points; `in` in the blocks likewise.
struct TwoSchedules {
    Var x{"x"}, xo{"xo"}, xi{"xi"};
    Func in{"in"}, out{"out"};

    TwoSchedules() {
        in(x) = x * x;
        out(x) = in(x) + in(x + 1);
        in.compute_at(out, xo);
        large(out).split(x, xo, xi, 16, TailStrategy::ShiftInwards);
        out.split(x, xo, xi, 1, TailStrategy::GuardWithIf);
        large(in).unroll(x);
    }

    Halide::Stage large(Func &func) {
        const auto end = [&](const char *which) {
            return Halide::Internal::Variable::make(Halide::Int(32), out.name() + ".s0.x" + which);
        };
        Halide::Internal::Definition &definition = func.function().definition();
        return {func.function(),
                definition.add_specialization(end(".max") - end(".min") + 1 >= 16).definition, 0};
    }

    std::string text() {
        std::ostringstream stream;
        stream << Halide::Internal::Stmt(
            Halide::Module(out.compile_to_module({}, "f", Halide::Target("host")))
                .functions()
                .back()
                .body);
        return stream.str();
    }
};

TEST(HalideFacts, AScheduleMayDependOnTheExtents) {
    for (const int extent : {1, 10, 16, 100}) {
        TwoSchedules s;
        const Buffer<int> got = s.out.realize({extent});
        for (int i = 0; i < extent; ++i) EXPECT_EQ(got(i), i * i + (i + 1) * (i + 1));
    }
}

// How often a loop of an update runs has such names too.
TEST(HalideFacts, AScheduleMayDependOnHowOftenAReductionRuns) {
    Halide::Param<int> n{"n"};
    Var x{"x"};
    RVar ro{"ro"}, ri{"ri"};
    RDom r(1, n, "r");
    Func out{"out"};
    out(x) = x;
    out(r) = r * r;
    namespace ir = Halide::Internal;
    const auto end = [&](const char *which) {
        return ir::Variable::make(Halide::Int(32), out.name() + ".s1." + r.x.name() + which);
    };
    const auto some =
        out.function().update().add_specialization(end(".max") - end(".min") + 1 >= 4);
    Halide::Stage(out.function(), some.definition, 1)
        .split(r.x, ro, ri, 4, TailStrategy::GuardWithIf)
        .unroll(ri);
    for (const int count : {0, 3, 4, 9}) {
        n.set(count);
        const Buffer<int> got = out.realize({12});
        for (int i = 0; i < 12; ++i) EXPECT_EQ(got(i), 1 <= i && i <= count ? i * i : i) << count;
    }
    std::ostringstream text;
    text << ir::Stmt(Halide::Module(out.compile_to_module({n}, "f", Halide::Target("host")))
                         .functions()
                         .back()
                         .body);
    EXPECT_TRUE(says(text.str(), "if (4 <= n)")) << text.str();
}

TEST(HalideFacts, LoopsOfLessThanNoneAreSomeWhenFused) {
    const auto sum_of = [](bool fuses) {
        Halide::Param<int> n{"n"};
        Var x{"x"};
        RVar all{"all"};
        RDom r(0, n, 0, n);
        Func out{"out"};
        out(x) = 0;
        out(x) += 1 + 0 * (r.x + r.y);
        if (fuses) out.update().fuse(r.x, r.y, all);
        n.set(-2);
        return Buffer<int>(out.realize({1}))(0);
    };
    EXPECT_EQ(sum_of(false), 0);
    EXPECT_EQ(sum_of(true), 4);
}

// The schedule of `in` follows the part that is computed around it, or its unrolled loop would have
// no constant extent.
TEST(HalideFacts, InABlockExtentsAreThoseOfItsPart) {
    TwoSchedules s;
    const std::string text = s.text(), in = s.in.name(), out = s.out.name();
    EXPECT_TRUE(says(text, "if (16 <= " + out + ".extent.0)")) << text;
    EXPECT_TRUE(says(text, in + "[16] = ")) << text;                         // unrolled
    EXPECT_TRUE(says(text, "for (" + in + ".s0.x.rebased, 0, 2)")) << text;  // and not
}

TEST(HalideFacts, UpsamplingHidesTheSizeOfABlocksNeed) {
    const auto known = [](TailStrategy tail) {
        Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
        Func in{"in"}, out{"out"};
        in(x, y) = x * x + y;
        out(x, y) = in(x / 2, y);
        out.gpu_tile(x, y, xo, yo, xi, yi, 16, 8, tail);
        in.compute_at(out, xo).gpu_threads(x, y);
        return known_sizes(out);
    };
    EXPECT_EQ(known(TailStrategy::ShiftInwards), (Sizes{false, true}));
    EXPECT_EQ(known(TailStrategy::RoundUp), (Sizes{false, true}));
}

// Blocks over y, z and w are one loop; `split`: of the parts of splits, be it by 1.
Sizes known_sizes_in_fused_blocks(bool split) {
    Var x{"x"}, y{"y"}, z{"z"}, xo{"xo"}, xi{"xi"}, yo{"yo"}, yi{"yi"}, zo{"zo"}, zi{"zi"};
    Var w{"w"}, wo{"wo"}, wi{"wi"}, yz{"yz"}, yzw{"yzw"};
    Func in{"in"}, out{"out"};
    in(x, y, z, w) = x * x + y * y + z * z + w;
    out(x, y, z, w) = in(x, y, z, w) + in(x + 1, y + 1, z + 1, w + 1);
    const TailStrategy tail = TailStrategy::ShiftInwards;
    out.split(x, xo, xi, 16, tail);
    if (split) {
        out.split(y, yo, yi, 1, tail).split(z, zo, zi, 1, tail).split(w, wo, wi, 1, tail);
        out.reorder(xi, yi, zi, wi, xo, yo, zo, wo);
        out.fuse(yo, zo, yz).fuse(yz, wo, yzw);
    } else {
        out.fuse(y, z, yz).fuse(yz, w, yzw);
    }
    out.gpu_blocks(xo, yzw).gpu_threads(xi);
    in.compute_at(out, xo).gpu_threads(x, y);
    return known_sizes(out);
}

TEST(HalideFacts, FusedBlockLoopsHideSizesUnlessTheyComeFromSplits) {
    EXPECT_EQ(known_sizes_in_fused_blocks(true), (Sizes{true, true}));
    EXPECT_EQ(known_sizes_in_fused_blocks(false), (Sizes{false, true}));
}

// What is said of a copy of an image of one channel. Of few rows blocks over tiles of 8 rows and
// over channels are one loop, three loops in all; beside it is a schedule of so many loops.
std::string complaint_of_three_loops_beside(int loops) {
    Var x{"x"}, y{"y"}, c{"c"}, yo{"yo"}, yi{"yi"}, yc{"yc"}, all{"all"}, one{"one"};
    ImageParam image(Halide::Int(32), 3, "image");
    Func copy{"copy"}, out{"out"};
    copy(x, y, c) = image(x, y, c);
    out(x, y) = copy(x, y, 0) + copy(x, clamp(y, 0, 69), 0);
    copy.compute_root();
    const auto end = [&](const char *which) {
        return ir::Variable::make(Halide::Int(32), copy.name() + ".s0.y" + which);
    };
    const Halide::Expr few = end(".max") - end(".min") < 1000;
    ir::Definition &definition = copy.function().definition();
    Halide::Stage(copy.function(), definition.add_specialization(few).definition, 0)
        .split(y, yo, yi, 8, TailStrategy::GuardWithIf)
        .fuse(yo, c, yc)
        .reorder(yi, x, yc);
    copy.fuse(x, y, all).fuse(all, c, all);
    if (loops == 2) copy.split(all, all, one, 1);
    image.set(Buffer<int>(10, 70, 1));
    return complaint([&] { run(out, 10, 70, jit_host()); });
}

TEST(HalideFacts, OfTwoLoopsMoreASpecializationLosesTheEndsOfAFusedLoop) {
    EXPECT_TRUE(says(complaint_of_three_loops_beside(1),
                     "Input buffer image is accessed at -8, which is before the min (0)"));
    EXPECT_EQ(complaint_of_three_loops_beside(2), "fine");
}

// A copy of an image in tiles of 16; 10 points are asked for.
std::string complaint_of_short_copy(TailStrategy tail) {
    Pair p;
    p.out.split(p.x, p.xo, p.xi, 16, tail);
    return complaint([&] { run(p.out, 10, 4, jit_host()); });
}

TEST(HalideFacts, AShiftedTileNeedsAnOutputAtLeastAsLarge) {
    EXPECT_TRUE(says(complaint_of_short_copy(TailStrategy::ShiftInwards),
                     "Output buffer out is accessed at -6, which is before the min (0)"));
    EXPECT_EQ(complaint_of_short_copy(TailStrategy::GuardWithIf), "fine");
}

TEST(HalideFacts, ARoundedTileOfAnOutputNeedsAMultiple) {
    EXPECT_TRUE(says(complaint_of_short_copy(TailStrategy::RoundUp),
                     "Output buffer out is accessed at 15, which is beyond the max (9)"));
}

// The block needs 10 points of `in` for the last of its rows, and `in` is tiled by 16.
TEST(HalideFacts, AShiftedTileOfASmallRegionReadsBeyondTheInput) {
    const auto run_with = [](TailStrategy tail) {
        Pair p;
        ImageParam image(Halide::Int(32), 2, "image");
        Func copy{"copy"}, out{"out"};
        copy(p.x, p.y) = image(p.x, p.y);
        out(p.x, p.y) = copy(p.x, p.y) + 1;
        out.gpu_tile(p.x, p.y, p.xo, p.yo, p.xi, p.yi, 16, 8, TailStrategy::GuardWithIf);
        copy.compute_at(out, p.xo).split(p.x, p.xo, p.xi, 16, tail).gpu_threads(p.xi);
        image.set(Buffer<int>(10, 8));
        return complaint([&] { run(out, 10, 8, jit_target()); });
    };
    EXPECT_TRUE(says(run_with(TailStrategy::ShiftInwards),
                     "Input buffer image is accessed at -6, which is before the min (0)"));
    EXPECT_EQ(run_with(TailStrategy::GuardWithIf), "fine");
}

std::string complaint_of_update(TailStrategy tail) {
    return complaint([&] {
        Pair p;
        p.out(p.x, p.y) += p.x;
        p.out.update().split(p.x, p.xo, p.xi, 16, tail);
        run(p.out, 10, 4, jit_host());
    });
}

TEST(HalideFacts, LoopsOfAnUpdateAreGuardedOrRoundedUp) {
    EXPECT_TRUE(says(complaint_of_update(TailStrategy::ShiftInwards),
                     "ShiftInwards is not a legal tail strategy for update definitions"));
    EXPECT_EQ(complaint_of_update(TailStrategy::GuardWithIf), "fine");
}

TEST(HalideFacts, TheAutomaticTailOfAnUpdateRoundsUp) {
    EXPECT_TRUE(says(complaint_of_update(TailStrategy::Auto),
                     "Output buffer out is accessed at 15, which is beyond the max (9)"));
}

// Whether a kernel compares y with the end of a region for which Halide has no simple expression.
// What the guard is lost from writes beyond its buffer, so it is not run here.
bool kernel_guards_y(bool inside_out) {
    constexpr TailStrategy kGuard = TailStrategy::GuardWithIf;
    ImageParam image(Halide::UInt(16), 2, "image");
    Var x{"x"}, y{"y"}, xo{"xo"}, xi{"xi"}, yo{"yo"}, yi{"yi"}, ys{"ys"}, block{"block"};
    Func in("in"), out("out");
    const auto at = [&](const Halide::Expr &px, const Halide::Expr &py) {
        return in(clamp(px, 0, 66), clamp(py, 0, 135));
    };
    in(x, y) = clamp(Halide::cast<int>(image(x, y)), 0, 65);
    out(x, y) = at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1) + at(x, y);
    in.compute_root().split(x, xo, xi, 16, kGuard);
    if (inside_out) {
        in.split(y, yi, ys, 8, kGuard).split(yi, yo, yi, 2, kGuard);
    } else {
        in.split(y, yo, yi, 16, kGuard).split(yi, yi, ys, 8, kGuard);
    }
    in.fuse(xo, yo, block).reorder(ys, xi, yi, block).gpu_blocks(block).gpu_threads(xi, yi);
    // Rows are iterations of the innermost loop.
    const std::string loops = lower(out).loops;
    const size_t kernel = loops.find("gpu_block<"), rows = loops.find("for (", kernel);
    return loops.substr(rows, loops.find("device_dirty", rows) - rows).find("if (") != loops.npos;
}

TEST(HalideFacts, TheGuardOfALoopWhoseInnerPartIsSplitOnceMoreIsLost) {
    EXPECT_FALSE(kernel_guards_y(false));
    EXPECT_TRUE(kernel_guards_y(true));
}

// Whether the kernel asks if what is read at y / 32 is no more than the one strip that was
// promised.
bool kernel_checks_a_promise(bool inside_out, bool fused) {
    constexpr TailStrategy kGuard = TailStrategy::GuardWithIf;
    Var x{"x"}, y{"y"}, xo{"xo"}, xi{"xi"}, yo{"yo"}, yi{"yi"}, ys{"ys"}, block{"block"};
    Var i{"i"};
    Halide::RDom step(1, 31, "step");
    Func strips("strips"), out("out");
    strips(x, i, y) = x + i + y;
    strips(x, step, y) += strips(x, step - 1, y);
    out(x, y) = strips(x, y % 32, y / 32);
    for (const int d : {0, 1}) out.output_buffer().dim(d).set_min(0);
    out.split(x, xo, xi, 16, kGuard);
    if (inside_out) {
        out.split(y, yi, ys, 8, kGuard).split(yi, yo, yi, 4, kGuard);
    } else {
        out.split(y, yo, yi, 32, kGuard).split(yi, yi, ys, 8);
    }
    if (fused) {
        out.fuse(xo, yo, block).reorder(ys, xi, yi, block).gpu_blocks(block);
    } else {
        out.reorder(ys, xi, yi, xo, yo).gpu_blocks(xo, yo);
    }
    out.gpu_threads(xi, yi);
    strips.compute_at(out, fused ? block : xo).bound_extent(y, 1).gpu_threads(x);
    strips.update().reorder(step, x).gpu_threads(x);
    return lower(out, kCuda).device_code.find("trap;") != std::string::npos;
}

TEST(HalideFacts, APromiseIsCheckedInTheKernelUnlessItsTileIsSplitFromTheOutsideIn) {
    EXPECT_FALSE(kernel_checks_a_promise(false, false));
    EXPECT_TRUE(kernel_checks_a_promise(true, false));
    EXPECT_TRUE(kernel_checks_a_promise(false, true));
}

TEST(HalideFacts, LoopsOfAReductionAreGuarded) {
    const auto split = [](TailStrategy tail) {
        return complaint([&] {
            Pair p;
            RDom r(0, 10);
            RVar ro{"ro"}, ri{"ri"};
            p.out(p.x, p.y) += r;
            p.out.update().split(r, ro, ri, 4, tail);
        });
    };
    EXPECT_TRUE(says(split(TailStrategy::RoundUp),
                     "the tail strategy must be GuardWithIf, Predicate, or Auto"));
    EXPECT_EQ(split(TailStrategy::Auto), "fine");
}

// Both sides of && are evaluated in device code.
TEST(HalideFacts, AConditionOfAReductionReadsDataOutsideOfTheGuardOfATile) {
    Var x{"x"}, xo{"xo"}, xi{"xi"};
    ImageParam image(Halide::Int(32), 1, "image");
    Func out{"out"};
    RDom r(0, 4);
    r.where(image(x) % 2 == 0);
    out(x) = 0;
    out(x) += r;
    out.update().gpu_tile(x, xo, xi, 16, TailStrategy::GuardWithIf);
    EXPECT_TRUE(says(lower(out).loops, " && ((image["));
}

// ---- launches

TEST(HalideFacts, ABlockIsAsLargeAsTheLargestStageInEachDimension) {
    Pair p;
    p.tiled().staged();
    EXPECT_EQ(lower(p.out).launches.back().threads, (std::array<Size, 3>{17, 8, 1}));
    Pair q;
    q.out.gpu_tile(q.x, q.y, q.xo, q.yo, q.xi, q.yi, 64, 4, TailStrategy::ShiftInwards);
    q.in.compute_at(q.out, q.xo).reorder(q.y, q.x).gpu_threads(q.y, q.x);
    EXPECT_EQ(lower(q.out).launches.back().threads, (std::array<Size, 3>{64, 65, 1}));
}

TEST(HalideFacts, ThreadXIsTheInnermostThreadLoop) {
    for (const bool x_first : {true, false}) {
        Pair p;
        p.out.split(p.x, p.xo, p.xi, 16).split(p.y, p.yo, p.yi, 8);
        p.out.reorder(p.xi, p.yi, p.xo, p.yo).gpu_blocks(p.xo, p.yo);
        p.out.gpu_threads(x_first ? p.xi : p.yi, x_first ? p.yi : p.xi);
        EXPECT_EQ(lower(p.out).launches.back().threads, (std::array<Size, 3>{16, 8, 1}));
    }
}

Pair too_large() {
    Pair p;
    p.out.gpu_tile(p.x, p.y, p.xo, p.yo, p.xi, p.yi, 64, 64, TailStrategy::ShiftInwards);
    p.in.compute_at(p.out, p.xo).bound_storage(p.x, 8192).gpu_threads(p.x, p.y);
    return p;
}

TEST(HalideFacts, NobodyChecksTheLimitsOfADevice) {
    for (const Target &target : {kOpenCl, kCuda}) {
        const Launch launch = lower(too_large().out, target).launches.back();
        EXPECT_EQ(launch.threads, (std::array<Size, 3>{65, 64, 1}));
        EXPECT_EQ(launch.shared_bytes, 8192 * 64 * 4);
    }
}

TEST(HalideFacts, BarriersStandBetweenTheStagesOfABlock) {
    const auto barriers = [](int stages) {
        Var x{"x"}, xo{"xo"}, xi{"xi"};
        std::vector<Func> chain(stages + 1);
        chain[0](x) = x;
        for (int i = 1; i <= stages; ++i) chain[i](x) = chain[i - 1](x) + chain[i - 1](x + 1);
        chain[stages].gpu_tile(x, xo, xi, 16, TailStrategy::ShiftInwards);
        for (int i = 0; i < stages; ++i) chain[i].compute_at(chain[stages], xo).gpu_threads(x);
        return count(lower(chain[stages]).loops, "gpu_thread_barrier(");
    };
    EXPECT_EQ(barriers(0), 0);
    EXPECT_EQ(barriers(1), 1);
    EXPECT_EQ(barriers(3), 3);
}

enum class Rows { in_threads, around_threads };

// A block stages eight rows: each thread has four of them, or all threads do one after the other.
int barriers_of_rows(Rows rows, bool unrolled) {
    Pair p;
    Var yt{"yt"}, row{"row"};
    p.tiled().in.compute_at(p.out, p.xo).split(p.y, yt, row, 4, TailStrategy::RoundUp);
    if (rows == Rows::in_threads) {
        p.in.reorder(row, p.x, yt);
    } else {
        p.in.reorder(p.x, yt, row);
    }
    p.in.gpu_threads(p.x, yt);
    if (unrolled) p.in.unroll(row);
    return count(lower(p.out).loops, "gpu_thread_barrier(");
}

TEST(HalideFacts, UnrolledLoopsAroundThreadsMultiplyBarriers) {
    EXPECT_EQ(barriers_of_rows(Rows::in_threads, true), 1);
    EXPECT_EQ(barriers_of_rows(Rows::around_threads, false), 1);
    EXPECT_EQ(barriers_of_rows(Rows::around_threads, true), 4);
}

TEST(HalideFacts, ALoopAroundTwoStagesOfABlockHasABarrierMore) {
    Pair p;
    p.tiled().out.serial(p.yi);
    p.in.compute_at(p.out, p.yi).gpu_threads(p.x);
    EXPECT_EQ(count(lower(p.out).loops, "gpu_thread_barrier("), 2);
}

TEST(HalideFacts, OfGpuSingleThreadIsOneBlockOfOneThread) {
    Pair p;
    p.out.gpu_single_thread();
    const Launch launch = lower(p.out).launches.back();
    EXPECT_EQ(launch.blocks, (std::array<Size, 3>{1, 1, 1}));
    EXPECT_EQ(launch.threads, (std::array<Size, 3>{1, 1, 1}));
}

// Two Funcs that do not depend on each other, of different regions, and one that reads both.
struct TwoAtRoot {
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, blocks{"blocks"};
    ImageParam in{Halide::Int(32), 2, "in"};
    Func f{"f"}, g{"g"}, out{"out"};

    TwoAtRoot() {
        const Func clamped = Halide::BoundaryConditions::repeat_edge(in);
        f(x, y) = clamped(x + 1, y) - clamped(x, y);
        g(x, y) = clamped(x, y + 1) - clamped(x, y);
        out(x, y) = f(x - 1, y) + f(x, y) * g(x + 3, y + 2);
        tile(f.compute_root(), 16, 8);
        tile(g.compute_root(), 32, 4);
        tile(out, 16, 8);
    }

    void tile(Func &func, int width, int height) {
        const TailStrategy guarded = TailStrategy::GuardWithIf;
        func.tile(x, y, xo, yo, xi, yi, width, height, guarded).fuse(xo, yo, blocks);
        func.gpu_blocks(blocks).gpu_threads(xi, yi);
    }
};

TEST(HalideFacts, KernelsShareALaunch) {
    TwoAtRoot p;
    EXPECT_EQ(lower(p.out).launches.size(), 3);
    TwoAtRoot shared;
    shared.g.compute_with(shared.f, shared.blocks);
    const Lowered lowered = lower(shared.out);
    ASSERT_EQ(lowered.launches.size(), 2);
    EXPECT_EQ(lowered.launches[0].threads, (std::array<Size, 3>{32, 8, 1}));
}

// How many launches there are of a Func with channels, one without, and one that reads both, where
// the loop over the blocks of the former is called so.
size_t launches_with_channels(const Var &blocks) {
    TwoAtRoot p;
    Var c{"c"}, rest{"rest"};
    Func channels{"channels"}, both{"both"};
    channels(p.x, p.y, c) = p.x * c + p.y;
    both(p.x, p.y) = p.g(p.x, p.y) + channels(p.x, p.y, 0) + channels(p.x + 1, p.y, 2);
    p.tile(both, 16, 8);
    channels.compute_root().tile(p.x, p.y, p.xo, p.yo, p.xi, p.yi, 16, 8,
                                 TailStrategy::GuardWithIf);
    channels.fuse(c, p.yo, rest).fuse(p.xo, rest, blocks);
    channels.gpu_blocks(blocks).gpu_threads(p.xi, p.yi);
    channels.compute_with(p.g, p.blocks);
    return lower_or_throw(both, kOpenCl).launches.size();
}

TEST(HalideFacts, KernelsOfOtherDimensionsShareALaunchWhoseLoopHasOneName) {
    EXPECT_EQ(launches_with_channels(Var("blocks")), 2);
    EXPECT_TRUE(says(complaint([] { launches_with_channels(Var("others")); }),
                     "cannot find blocks in channels.s0"));
}

TEST(HalideFacts, OutputsShareALaunchOfOneDimension) {
    TwoAtRoot p;
    p.g.compute_with(p.f, p.blocks);
    const Halide::Pipeline outputs({p.f, p.g});
    EXPECT_EQ(lower_or_throw(outputs, kOpenCl).launches.size(), 1);
}

TEST(HalideFacts, AStageWithASpecializationSharesNoLaunch) {
    TwoAtRoot p;
    p.g.specialize(p.in.width() > 64);
    const auto share = [&] {
        p.g.compute_with(p.f, p.blocks);
        lower_or_throw(p.out, kOpenCl);
    };
    EXPECT_TRUE(says(complaint(share), "must not have any specializations"));
}

TEST(HalideFacts, AnUpdateLeftAtRootRunsOnTheHost) {
    Pair p;
    p.out(p.x, p.y) += p.x;
    p.tiled();
    const Lowered lowered = lower(p.out);
    EXPECT_EQ(lowered.launches.size(), 1);
    EXPECT_TRUE(says(lowered.loops, " for (out.s1.y"));
}

TEST(HalideFacts, AStageLeftInABlockRunsOnOneThread) {
    Pair p;
    p.tiled().in.compute_at(p.out, p.xo);
    EXPECT_TRUE(says(lower(p.out).loops, "if (max(.thread_id_x, .thread_id_y) < 1)"));
}

TEST(HalideFacts, AnOlderSpecializationKeepsItsSchedule) {
    Pair p;
    p.out.specialize(p.out.output_buffer().width() > 100);
    p.tiled();
    const Lowered lowered = lower(p.out);
    EXPECT_EQ(lowered.launches.size(), 1);
    EXPECT_TRUE(says(lowered.loops, " for (out.s0.y"));
}

TEST(HalideFacts, LanesAreOfCudaAndAtMost32) {
    const auto lanes = [](int extent, const Target &target) {
        Pair p;
        p.out.split(p.x, p.xo, p.xi, extent).gpu_blocks(p.xo, p.y).gpu_lanes(p.xi);
        return refusal(p.out, target);
    };
    EXPECT_EQ(lanes(32, kCuda), "fine");
    EXPECT_TRUE(says(lanes(64, kCuda), "must have constant extent of at most 32: 64"));
    EXPECT_TRUE(says(lanes(32, kOpenCl), "does not support the gpu_lanes() scheduling directive"));
}

// ---- atomics

// Counts values; `type` is that of the counts.
struct Histogram {
    ImageParam values{Halide::UInt(8), 1, "values"};
    Var x{"x"};
    RDom r{0, 4096, "r"};
    RVar ro{"ro"}, ri{"ri"};
    Func counts{"counts"};

    explicit Histogram(Halide::Type type = Halide::Int(32)) {
        counts(x) = Halide::cast(type, 0);
        counts(values(r)) += Halide::cast(type, 1);
    }
    std::string schedule(bool atomic) {
        return complaint([&] {
            if (atomic) counts.update().atomic();
            counts.update().split(r, ro, ri, 64).gpu_blocks(ro).gpu_threads(ri);
        });
    }
};

TEST(HalideFacts, AReductionLoopInThreadsNeedsAtomicBefore) {
    Histogram plain, with_atomic;
    EXPECT_TRUE(says(plain.schedule(false), "may introduce a race condition"));
    EXPECT_EQ(with_atomic.schedule(true), "fine");
    EXPECT_TRUE(says(lower(with_atomic.counts, kCuda).device_code, "atom.global.add.u32"));
}

TEST(HalideFacts, AReductionLoopWithoutConflictsNeedsNoAtomic) {
    Var x{"x"};
    RDom r(0, 64);
    RVar ro{"ro"}, ri{"ri"};
    Func out{"out"};
    out(x) = 0;
    out(r) = r * r;
    out.update().split(r, ro, ri, 16).gpu_blocks(ro).gpu_threads(ri);
    EXPECT_EQ(refusal(out), "fine");
}

TEST(HalideFacts, AtomicWantsAnAssociativeAndCommutativeUpdate) {
    const auto with_update = [](auto update) {
        Histogram h;
        Func f{"f"};
        f(h.x) = 0;
        f(h.values(h.r)) = update(f(h.values(h.r)), h.r);
        f.update().atomic().split(h.r, h.ro, h.ri, 64).gpu_blocks(h.ro).gpu_threads(h.ri);
        return complaint([&] { lower_or_throw(f, kCuda); });
    };
    EXPECT_EQ(with_update([](auto old, auto r) { return old + r; }), "fine");
    EXPECT_EQ(with_update([](auto old, auto r) { return max(old, r); }), "fine");
    EXPECT_TRUE(says(complaint([&] { with_update([](auto old, auto r) { return old * 2 + r; }); }),
                     "can't prove associativity or commutativity of the operator"));
}

TEST(HalideFacts, AtomicsAreOf32BitsOrMore) {
    Histogram on_cuda(Halide::UInt(16)), on_opencl(Halide::UInt(16));
    on_cuda.schedule(true);
    on_opencl.schedule(true);
    EXPECT_TRUE(says(refusal(on_cuda.counts, kCuda), "8-bit or 16-bit atomics are not supported"));
    EXPECT_TRUE(says(refusal(on_opencl.counts, kOpenCl), "only support 32 and 64 bit atomics"));
}

TEST(HalideFacts, AtomicsOf64BitsNeedAFeatureOfOpenCl) {
    Histogram on_cuda(Halide::UInt(64)), on_opencl(Halide::UInt(64));
    on_cuda.schedule(true);
    on_opencl.schedule(true);
    EXPECT_EQ(refusal(on_cuda.counts, kCuda), "fine");
    EXPECT_TRUE(says(refusal(on_opencl.counts, kOpenCl), "CLAtomics64"));
}

TEST(HalideFacts, ReductionLoopsKeepTheirOrder) {
    const auto reorder = [](bool sum) {
        return complaint([&] {
            Var x{"x"};
            RDom r(0, 8, 0, 8);
            Func out{"out"};
            out(x) = 0;
            if (sum) {
                out(x) += r.x * r.y;
            } else {
                out(x) = out(x) * 2 + r.x * r.y;
            }
            out.update().reorder(r.y, r.x);
        });
    };
    EXPECT_TRUE(says(reorder(false), "can't reorder RVars"));
    EXPECT_EQ(reorder(true), "fine");
}

// ---- unrolling and registers

// A thread keeps eight values and sums them up.
std::string ptx_of_thread_array(bool unroll_writes, bool unroll_reads) {
    Var x{"x"}, k{"k"}, xo{"xo"}, xi{"xi"};
    ImageParam image(Halide::Float(32), 2, "image");
    Func in{"in"}, out{"out"};
    RDom r(0, 8);
    in(x, k) = image(x, k) * 2;
    out(x) = 0.f;
    out(x) += in(x, r) * in(x, 7 - r);
    out.update().gpu_tile(x, xo, xi, 32, TailStrategy::GuardWithIf);
    in.compute_at(out, xi);
    if (unroll_writes) in.unroll(k);
    if (unroll_reads) out.update().unroll(r);
    return lower(out, kCuda).device_code;
}

// Of a product whose sums are its output's own, with so many points of a thread along x and y: how
// often its kernel loads and stores the output inside the loop over the terms.
int accesses_in_the_loop(int along_x, int along_y) {
    Halide::ImageParam a(Halide::Float(32), 2, "a"), b(Halide::Float(32), 2, "b");
    Var x{"x"}, y{"y"}, xo{"xo"}, xi{"xi"}, xs{"xs"}, yo{"yo"}, yi{"yi"}, ys{"ys"};
    Func out{"out"};
    Halide::RDom k(0, a.dim(0).extent(), "k");
    out(x, y) = 0.0f;
    out(x, y) += a(k, y) * b(x, k);
    const auto whole = Halide::TailStrategy::RoundUp;
    out.gpu_tile(x, y, xi, yi, 32, 8);
    out.update().split(x, xo, xi, 32 * along_x, whole).split(xi, xi, xs, along_x);
    out.update().split(y, yo, yi, 8 * along_y, whole).split(yi, yi, ys, along_y);
    out.update().reorder(xs, ys, k.x, xi, yi, xo, yo).unroll(xs).unroll(ys);
    out.update().gpu_blocks(xo, yo).gpu_threads(xi, yi);
    const std::string code = lower(out, kCuda).device_code;
    // The loop's label, up to the jump back to it.
    const std::regex loop("\n(\\$L\\w+):[^\n]*_for_out[^\n]*s1[^]*?bra\\s+\\1;");
    std::smatch found;
    EXPECT_TRUE(std::regex_search(code, found, loop)) << code;
    const std::string body = found.str();
    return count(body, "ld.global.b32") + count(body, "st.global");
}

TEST(HalideFacts, SumsInGlobalMemoryStayInRegistersIfTheyAreNeighboursInARow) {
    EXPECT_EQ(accesses_in_the_loop(1, 1), 0);
    EXPECT_EQ(accesses_in_the_loop(4, 1), 0);
    EXPECT_EQ(accesses_in_the_loop(1, 4), 2 * 4);
    EXPECT_EQ(accesses_in_the_loop(4, 4), 2 * 16);
}

// Eight steps of a scan down the columns at once, and one at a time where steps are left over.
std::string ptx_of_scan(bool copies) {
    Var x{"x"}, y{"y"}, xo{"xo"}, xi{"xi"};
    ImageParam image(Halide::Float(32), 2, "image");
    Func source{"source"}, sums{"sums"}, out{"out"};
    const Halide::Expr rows = image.dim(1).extent();
    const RDom r(0, rows, "r");
    const Halide::RVar ro{"ro"}, ri{"ri"};
    source(x, y) = image(x, y) * 2;
    sums(x, y) = 0.f;
    sums(x, r) = sums(x, r - 1) + source(x, r);
    out(x, y) = sums(x, y);
    sums.compute_root();
    Halide::Stage step = sums.update();
    step.split(x, xo, xi, 32, TailStrategy::GuardWithIf).reorder(r, xi, xo);
    step.gpu_blocks(xo).gpu_threads(xi);
    step.specialize(rows == rows / 8 * 8).split(r, ro, ri, 8).unroll(ri);
    step.split(r, ro, ri, 1, TailStrategy::GuardWithIf);
    if (copies) {
        const Var column = source.args()[0], row = source.args()[1];
        source.in(sums)
            .compute_at(sums, ro)
            .store_in(Halide::MemoryType::Register)
            .unroll(column)
            .unroll(row);
    }
    return lower(out, kCuda).device_code;
}

// The most loads of global memory between two stores, in the order of the text.
int loads_together(const std::string &ptx) {
    int together = 0, most = 0;
    std::istringstream lines(ptx);
    for (std::string line; std::getline(lines, line);) {
        if (line.find("st.global") != std::string::npos) together = 0;
        if (line.find("ld.global") != std::string::npos) most = std::max(most, ++together);
    }
    return most;
}

TEST(HalideFacts, StepsOfAScanLoadTogetherWhatACopyInRegistersHolds) {
    EXPECT_LE(loads_together(ptx_of_scan(false)), 2);
    EXPECT_GE(loads_together(ptx_of_scan(true)), 8);
}

TEST(HalideFacts, AnArrayOfAThreadIsInRegistersOnlyIfEveryLoopOverItIsUnrolled) {
    EXPECT_EQ(count(ptx_of_thread_array(true, true), ".local"), 0);
    EXPECT_GT(count(ptx_of_thread_array(false, true), ".local"), 0);
    EXPECT_GT(count(ptx_of_thread_array(true, false), ".local"), 0);
}

// The sums of four points of a thread, in tiles that end in guards, beside a copy in the block of
// what they read or alone.
Func sums_behind_guards(bool copied, Halide::MemoryType memory = Halide::MemoryType::Auto) {
    Var x{"x"}, xo{"xo"}, xi{"xi"}, xt{"xt"}, xs{"xs"};
    Var y{"y"}, yo{"yo"}, yi{"yi"}, yt{"yt"}, ys{"ys"};
    ImageParam image(Halide::Float(32), 2, "image");
    Func copy{"copy"}, sum{"sum"}, out{"out"};
    const RDom r(0, 100, "r");
    copy(x, y) = image(x, y);
    sum(x, y) = 0.f;
    sum(x, y) += copy(x + r, y) * copy(x - r, y);
    out(x, y) = 0.f;
    out(x, y) += sum(x, y);
    out.update()
        .split(x, xi, xs, 2, TailStrategy::GuardWithIf)
        .split(xi, xo, xt, 32, TailStrategy::GuardWithIf)
        .split(y, yi, ys, 2, TailStrategy::GuardWithIf)
        .split(yi, yo, yt, 4, TailStrategy::GuardWithIf)
        .reorder(xs, ys, xt, yt, xo, yo)
        .gpu_blocks(xo, yo)
        .gpu_threads(xt, yt)
        .unroll(xs)
        .unroll(ys);
    sum.compute_at(out, xt).store_in(memory).unroll(x).unroll(y);
    sum.bound_storage(x, 2).bound_storage(y, 2);
    sum.update().reorder(x, y, r).unroll(x).unroll(y);
    if (copied) copy.compute_at(out, xo).gpu_threads(y).bound_extent(y, 8).bound_extent(x, 263);
    return out;
}

TEST(HalideFacts, AnArrayBehindAGuardIsInRegistersIfItsStorageIsBounded) {
    EXPECT_EQ(count(lower(sums_behind_guards(false), kCuda).device_code, ".local"), 0);
    const Func named = sums_behind_guards(false, Halide::MemoryType::Register);
    EXPECT_TRUE(says(refusal(named, kCuda), "Was unable to infer constant upper bound"));
}

// Sums in threads of 4 points, of which the rows are kept that they need.
Func sums_of_kept_rows(const std::function<Halide::Expr(const Func &, Var, Var)> &read) {
    Var x{"x"}, y{"y"}, xo{"xo"}, xi{"xi"}, yo{"yo"}, yi{"yi"}, yt{"yt"}, ys{"ys"};
    const ImageParam image(Halide::Float(32), 2, "image");
    Func rows{"rows"}, sum{"sum"}, out{"out"};
    const RDom r(-4, 9, "r");
    rows(x, y) = image(x, y) + 1.f;
    sum(x, y) += rows(x, y + r);
    out(x, y) = read(sum, x, y);
    sum.compute_root().gpu_tile(x, y, xo, yo, xi, yi, 32, 8, TailStrategy::GuardWithIf);
    sum.update()
        .split(x, xo, xi, 32, TailStrategy::GuardWithIf)
        .split(y, yi, ys, 4, TailStrategy::GuardWithIf)
        .split(yi, yo, yt, 8, TailStrategy::GuardWithIf)
        .reorder(ys, r.x, xi, yt, xo, yo)
        .unroll(ys)
        .gpu_blocks(xo, yo)
        .gpu_threads(xi, yt);
    rows.compute_at(sum, xi).bound_storage(y, 12).reorder(x, y).unroll(y);
    out.gpu_tile(x, y, xo, yo, xi, yi, 32, 8, TailStrategy::GuardWithIf);
    return out;
}

TEST(HalideFacts, WhetherAnArraysBoundIsEnoughIsAskedInTheKernelUnlessTheLoopEndsAsAnOutput) {
    const auto questions = [](const std::function<Halide::Expr(const Func &, Var, Var)> &read) {
        return count(lower(sums_of_kept_rows(read), kOpenCl).loops, "storage_bound_too_small");
    };
    EXPECT_EQ(questions([](const Func &sum, Var x, Var y) { return sum(x, y); }), 0);
    EXPECT_GT(questions([](const Func &sum, Var x, Var y) { return sum(x, y) + sum(x, y + 4); }),
              0);
}

// The loop over r is there once for tiles that are whole along both dimensions, and for others.
TEST(HalideFacts, CodeForWholeTilesIsNotMadeAroundBarriers) {
    const auto loops = [](bool copied) {
        return count(lower(sums_behind_guards(copied), kCuda).loops, "for (sum.s1.r");
    };
    EXPECT_GT(loops(false), 1);
    EXPECT_EQ(loops(true), 1);
}

TEST(HalideFacts, OnlyLoopsOfConstantLengthAreUnrolled) {
    Pair p;
    p.out.unroll(p.x).gpu_blocks(p.y);
    EXPECT_TRUE(says(refusal(p.out), "Can only unroll for loops over a constant extent"));
}

TEST(HalideFacts, LoopPartitioningCopiesTheCodeOfAKernel) {
    const auto stores = [](Halide::Partition policy) {
        Pair p;
        ImageParam image(Halide::Int(32), 2, "image");
        Func edge = Halide::BoundaryConditions::repeat_edge(image);
        Func out{"out"};
        out(p.x, p.y) = edge(p.x - 1, p.y) + edge(p.x + 1, p.y);
        out.split(p.y, p.yo, p.yi, 8, TailStrategy::RoundUp).gpu_blocks(p.yo).gpu_threads(p.yi);
        out.partition(p.x, policy).partition(p.yo, Halide::Partition::Never);
        return count(lower(out).loops, " out[");
    };
    EXPECT_EQ(stores(Halide::Partition::Never), 1);
    EXPECT_EQ(stores(Halide::Partition::Auto), 3);
}

// A copy by vectors; `promised`: rows of the image start at multiples of the vector.
std::string ptx_of_vector_copy(int lanes, bool promised, int alignment_bytes) {
    Pair p;
    ImageParam image(Halide::Float(32), 2, "image");
    Func out{"out"};
    out(p.x, p.y) = image(p.x, p.y) * 2;
    out.split(p.x, p.xo, p.xi, lanes, TailStrategy::RoundUp).vectorize(p.xi);
    out.gpu_blocks(p.y).gpu_threads(p.xo);
    for (Halide::OutputImageParam buffer : {Halide::OutputImageParam(image), out.output_buffer()}) {
        buffer.set_host_alignment(alignment_bytes);
        if (!promised) continue;
        buffer.dim(0).set_min(0);
        buffer.dim(1).set_min(0).set_stride(buffer.dim(1).stride() / lanes * lanes);
    }
    return lower(out, kCuda).device_code;
}

TEST(HalideFacts, FourFloatsAreLoadedAtOnceOnlyFromRowsOfAPromisedStart) {
    EXPECT_GT(count(ptx_of_vector_copy(4, true, 4), ".v4."), 0);
    EXPECT_EQ(count(ptx_of_vector_copy(4, false, 4), ".v4."), 0);
}

// Unrolled, and a vector where rows start at multiples of four.
TEST(HalideFacts, WhatASpecialisationAsksOfRowsIsAPromiseInIt) {
    Pair p;
    ImageParam image(Halide::Float(32), 2, "image");
    Func out{"out"};
    out(p.x, p.y) = image(p.x, p.y) * 2;
    out.split(p.x, p.xo, p.xi, 4, TailStrategy::RoundUp).gpu_blocks(p.y).gpu_threads(p.xo);
    Halide::Expr aligned = Halide::Internal::const_true();
    for (Halide::OutputImageParam buffer : {Halide::OutputImageParam(image), out.output_buffer()}) {
        aligned = aligned && buffer.dim(0).min() == 0 && buffer.dim(1).stride() % 4 == 0;
    }
    out.specialize(aligned).vectorize(p.xi);
    out.unroll(p.xi);
    const std::string code = lower(out, kCuda).device_code;
    EXPECT_EQ(count(code, ".visible .entry"), 2) << "one kernel for each";
    EXPECT_EQ(count(code, "ld.global.nc.v4.") + count(code, "ld.global.v4.") +
                  count(code, "ld.global.nc.v2.b64") + count(code, "ld.global.v2.b64"),
              1);
}

// Whether a buffer begins at a multiple of 16 bytes on the device, or is not there yet.
Halide::Expr begins_at_16_bytes(const std::string &buffer, ir::Call::CallType type) {
    const Halide::Expr described =
        ir::Variable::make(Halide::type_of<halide_buffer_t *>(), buffer + ".buffer");
    return ir::Call::make(Halide::UInt(64), ir::Call::buffer_get_device, {described}, type) % 16 ==
           0;
}

// What is computed where the image begins there on the device: 1 by the schedule for multiples
// of 16.
int computed_of_an_image_at(uint64_t address) {
    Var x{"x"};
    ImageParam image(Halide::Float(32), 1, "image");
    Func out{"out"};
    out(x) = Halide::cast<int>(image(x)) * 0;
    ir::Definition &definition = out.function().definition();
    definition.add_specialization(begins_at_16_bytes(image.name(), ir::Call::PureExtern));
    definition.specializations().back().definition.values() = {Halide::cast<int>(image(x)) * 0 + 1};
    Buffer<float> floats(8);
    floats.fill(0.0f);
    floats.raw_buffer()->device = address;
    image.set(floats);
    const Buffer<int> found = out.realize({8}, jit_host());
    floats.raw_buffer()->device = 0;
    return found(0);
}

TEST(HalideFacts, ASchedulesConditionMayAskWhereABufferBeginsOnTheDevice) {
    EXPECT_EQ(computed_of_an_image_at(0), 1);
    EXPECT_EQ(computed_of_an_image_at(4096), 1);
    EXPECT_EQ(computed_of_an_image_at(4096 + 4), 0);
    EXPECT_EQ(computed_of_an_image_at(4096 + 8), 0);
}

// A sum in a thread that has a schedule more for where the image and the output begin so.
std::string ptx_of_a_branch_in_a_kernel(ir::Call::CallType type) {
    Var x{"x"}, xo{"xo"}, xi{"xi"};
    ImageParam image(Halide::Float(32), 1, "image");
    Func sum{"sum"}, out{"out"};
    const RDom r(0, 4);
    sum(x) = 0.0f;
    sum(x) += image(x) * r;
    out(x) = sum(x);
    out.gpu_tile(x, xo, xi, 32, TailStrategy::GuardWithIf);
    sum.compute_at(out, xi);
    ir::Definition branch = sum.function()
                                .update(0)
                                .add_specialization(begins_at_16_bytes(image.name(), type) &&
                                                    begins_at_16_bytes(out.name(), type))
                                .definition;
    Halide::Stage(sum.function(), branch, 1).unroll(r);
    return lower(out, kCuda).device_code;
}

TEST(HalideFacts, OnlyAPureCallIsMadeAheadOfTheKernel) {
    const std::string name = ir::Call::buffer_get_device;
    EXPECT_GT(count(ptx_of_a_branch_in_a_kernel(ir::Call::Extern), name), 0);
    EXPECT_EQ(count(ptx_of_a_branch_in_a_kernel(ir::Call::PureExtern), name), 0);
}

// A copy from an output's column 3 on, which has a schedule more for an output that begins at 0.
std::string complaint_about_a_crop(ir::Call::CallType type) {
    Pair p;
    ImageParam image(Halide::Float(32), 2, "image");
    Func out{"out"};
    out(p.x, p.y) = image(p.x, p.y);
    out.split(p.x, p.xo, p.xi, 4, TailStrategy::ShiftInwards);
    const Halide::Expr begin = ir::Variable::make(Halide::Int(32), out.name() + ".min.0");
    ir::Definition branch =
        out.function()
            .definition()
            .add_specialization(begin == 0 && begins_at_16_bytes(out.name(), type))
            .definition;
    Halide::Stage(out.function(), branch, 0).vectorize(p.xi);
    Buffer<float> all(64, 8), crop(32, 4);
    all.fill(0.0f);
    image.set(all);
    crop.set_min(3, 2);
    return complaint([&] { out.realize(crop, jit_host()); });
}

TEST(HalideFacts, ACallThatIsNotPureHidesWhichBranchTouchesWhat) {
    EXPECT_TRUE(says(complaint_about_a_crop(ir::Call::Extern),
                     "Output buffer out is accessed at 0, which is before the min (3)"));
    EXPECT_EQ(complaint_about_a_crop(ir::Call::PureExtern), "fine");
}

// Pixels of three bytes, from planes or into them; each thread has `points` of all channels.
struct Pixels {
    bool into_planes = false;
    int points = 8;
    bool brightens = false;
};

std::string ptx_of_pixels(const Pixels &pixels) {
    constexpr int kChannels = 3, kThreads = 64;
    Halide::Var c{"c"}, x{"x"}, y{"y"}, xo{"xo"}, xi{"xi"}, xt{"xt"}, xv{"xv"};
    ImageParam image(Halide::UInt(8), 3, "image");
    Func out{"out"};
    const Halide::Expr value = pixels.into_planes ? image(c, x, y) : image(x, y, c);
    const Halide::Expr written = pixels.brightens ? value + Halide::cast<uint8_t>(1) : value;
    if (pixels.into_planes) {
        out(x, y, c) = written;
    } else {
        out(c, x, y) = written;
    }
    out.bound(c, 0, kChannels);
    Halide::OutputImageParam interleaved = image, planes = out.output_buffer();
    if (!pixels.into_planes) std::swap(interleaved, planes);
    interleaved.dim(0).set_bounds(0, kChannels);
    interleaved.dim(1).set_min(0).set_stride(kChannels);
    const int whole = pixels.points * kThreads;
    interleaved.dim(1).set_extent(interleaved.dim(1).extent() / whole * whole);
    interleaved.dim(2).set_stride(interleaved.dim(2).stride() / 16 * 16);
    planes.dim(0).set_min(0);
    for (const int d : {1, 2}) planes.dim(d).set_stride(planes.dim(d).stride() / 16 * 16);
    for (Halide::OutputImageParam buffer : {interleaved, planes}) buffer.set_host_alignment(16);
    out.split(x, xo, xi, whole, TailStrategy::RoundUp).split(xi, xt, xv, pixels.points);
    out.reorder(c, xv, xt, xo, y).vectorize(xv).unroll(c).gpu_blocks(xo, y).gpu_threads(xt);
    return lower(out, kCuda).device_code;
}

int eight_bytes(const std::string &code, const std::string &access) {
    return count(code, access + ".v2.b32");
}

TEST(HalideFacts, ChannelsOfVectorsThatFollowEachOtherAreAccessedTogether) {
    const std::string into_pixels = ptx_of_pixels({}), into_planes = ptx_of_pixels({true});
    for (const std::string &code : {into_pixels, into_planes}) {
        EXPECT_EQ(eight_bytes(code, "ld.global.nc"), 3);
        EXPECT_EQ(eight_bytes(code, "st.global"), 3);
        EXPECT_EQ(count(code, "global.nc.b8") + count(code, "st.global.b8"), 0);
        EXPECT_EQ(count(code, ".local"), 0);
    }
    EXPECT_EQ(eight_bytes(ptx_of_pixels({.brightens = true}), "st.global"), 3);
}

TEST(HalideFacts, BytesAreMovedEightAtOnceAtMost) {
    const std::string code = ptx_of_pixels({.points = 16});
    EXPECT_EQ(eight_bytes(code, "ld.global.nc"), 6);
    EXPECT_EQ(eight_bytes(code, "st.global"), 6);
}

// An assertion of LLVM's, about bits of the shuffled bytes.
TEST(HalideFactsDeathTest, NothingIsToBeComputedFromShuffledBytes) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_DEATH(ptx_of_pixels({.into_planes = true, .brightens = true}), "extractBits");
}

// A sum along rows, four steps at a time where there are whole fours; `copied`: of what they read.
std::string ptx_of_row_sums(bool copied) {
    ImageParam image(Halide::Float(32), 2, "image");
    Halide::Var y{"y"};
    Func sum{"sum"}, out{"out"};
    Halide::RDom r(0, image.dim(0).extent(), "r");
    sum(y) += image(r, y);
    out(y) = sum(y);
    out.gpu_tile(y, Halide::Var("yo"), Halide::Var("yi"), 32, TailStrategy::RoundUp);
    sum.compute_at(out, Halide::Var("yi"));
    Halide::RVar fours{"fours"}, steps{"steps"};
    const Halide::Expr extent = image.dim(0).extent();
    const Halide::Expr aligned =
        image.dim(0).min() == 0 && image.dim(1).stride() % 4 == 0 && extent == extent / 4 * 4;
    sum.update()
        .specialize(aligned)
        .split(r, fours, steps, 4, TailStrategy::GuardWithIf)
        .unroll(steps);
    sum.update().split(r, fours, steps, 1, TailStrategy::GuardWithIf);
    if (copied) {
        Func copy = image.in(sum);
        copy.compute_at(sum, fours).store_in(Halide::MemoryType::Register);
        copy.vectorize(copy.args()[0]).unroll(copy.args()[1]);
    }
    return lower(out, kCuda).device_code;
}

TEST(HalideFacts, FourStepsOfASumAreOneLoadOfACopyInRegisters) {
    const auto wide_loads = [](const std::string &code) {
        return count(code, ".v4.") + count(code, ".v2.b64");
    };
    EXPECT_EQ(wide_loads(ptx_of_row_sums(false)), 0);
    EXPECT_EQ(wide_loads(ptx_of_row_sums(true)), 1);
}

TEST(HalideFacts, TwoFloatsAreLoadedAtOnceOnlyWithAPromisedAlignment) {
    EXPECT_EQ(count(ptx_of_vector_copy(2, true, 4), ".v2."), 0);
    EXPECT_GT(count(ptx_of_vector_copy(2, true, 16), ".v2."), 0);
}

// The last kernel of a choice between two numbers, by four neighbours in a thread, be they a
// vector.
std::string ptx_of_choice(const Halide::Type &type, bool vectorized,
                          const std::function<Halide::Expr(Halide::Expr, Halide::Expr)> &is_less) {
    const ImageParam a(type, 1, "a"), b(type, 1, "b");
    Var x{"x"}, xo{"xo"}, xi{"xi"}, xt{"xt"}, xs{"xs"};
    Func out{"out"};
    out(x) = Halide::select(is_less(a(x), b(x)), 1.0f, 2.0f);
    out.bound(x, 0, 1024).split(x, xo, xi, 128).split(xi, xt, xs, 4).reorder(xs, xt, xo);
    if (vectorized) {
        out.vectorize(xs);
    } else {
        out.unroll(xs);
    }
    out.gpu_blocks(xo).gpu_threads(xt);
    const std::string code = lower(out, kCuda).device_code;
    return code.substr(code.rfind(".entry"));
}

// A selector 777x takes a byte out of a word without its sign, 888x and so on with it.
int bytes_without_signs(const std::string &code) {
    return count(code, ", 0, 0x777");
}

TEST(HalideFacts, SignedBytesSideBySideAreComparedWithoutTheirSigns) {
    using Halide::Expr;
    const auto less = [](const Expr &a, const Expr &b) { return a < b; };
    const auto less_when_wide = [](const Expr &a, const Expr &b) {
        return Halide::cast<int>(a) < Halide::cast<int>(b);
    };
    for (const bool vectorized : {true, false}) {
        for (const auto &is_less : {+less, +less_when_wide}) {
            const std::string code = ptx_of_choice(Halide::Int(8), vectorized, is_less);
            EXPECT_EQ(bytes_without_signs(code), 8);
            EXPECT_EQ(count(code, "setp.lt.s32"), 4);
        }
    }
    const std::string unsigned_code = ptx_of_choice(Halide::UInt(8), true, less);
    EXPECT_EQ(bytes_without_signs(unsigned_code), 8);
    EXPECT_EQ(count(unsigned_code, "setp.lt.u32"), 4);
}

TEST(HalideFacts, SignedBytesComparedWithOneNumberHaveTheirSigns) {
    const auto less_than_five = [](const Halide::Expr &a, const Halide::Expr &) {
        return a < Halide::cast<int8_t>(5);
    };
    const std::string code = ptx_of_choice(Halide::Int(8), true, less_than_five);
    EXPECT_EQ(bytes_without_signs(code), 0);
    EXPECT_EQ(count(code, "setp."), 4);
}

// The simplifier multiplies both sides, and marks what is beyond 32 bits as never to be computed.
TEST(HalideFacts, ADividedExtentComparedWithMuchOverflows) {
    const Halide::Expr x = ir::Variable::make(Halide::Int(32), "x");
    const Halide::Expr groups = (x - 1) / (1 << 18) + 1;
    const auto text = [](const Halide::Expr &expr) {
        std::ostringstream out;
        out << ir::simplify(expr);
        return out.str();
    };
    EXPECT_NE(text(groups <= 65535).find("signed_integer_overflow"), std::string::npos);
    const Halide::Expr wide = Halide::cast<int64_t>(groups);
    EXPECT_EQ(text(wide <= Halide::cast<int64_t>(65535)).find("overflow"), std::string::npos);
}

TEST(HalideFacts, AFusedLoopIsCountedIn32BitsWhereBuffersAreLarge) {
    Var x{"x"}, y{"y"}, b{"b"};
    Func wide{"wide"};
    wide(x, y) = Halide::cast<uint8_t>(x + y);
    wide.fuse(x, y, b).gpu_blocks(b);
    const std::string loops = lower(wide, kCuda.with_feature(Target::LargeBuffers)).loops;
    EXPECT_TRUE(says(loops, "wide.extent.0*wide.extent.1"));
    EXPECT_FALSE(says(loops, "int64(wide.extent.0)*int64(wide.extent.1)"));
}

}  // namespace
}  // namespace autoschedule_gpu::test
