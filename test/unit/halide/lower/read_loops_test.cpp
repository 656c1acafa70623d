// Traffic of real Halide pipelines under real schedules, counted by hand: 4-byte floats, 32-byte
// sectors, warps of 32. Lowered for CUDA in this process; no GPU is needed.
#include "halide/lower/read_loops.h"

#include <gtest/gtest.h>

#include "core/gpu/gpu_model.h"
#include "halide/lower/apply_kernels.h"
#include "lab/traffic/count.h"

namespace autoschedule_gpu {
namespace {

using Halide::Func;
using Halide::ImageParam;
using Halide::Var;

constexpr char kCudaTarget[] = "host-cuda-cuda_capability_80-no_runtime";

Result<lowered::Code> loops_of(Halide::Pipeline pipeline, const char *api = kCudaTarget) {
    const Halide::Target target(api);
    const Halide::Module module =
        pipeline.compile_to_module(pipeline.infer_arguments(), "test", target);
    return read_loops(module.get_conceptual_stmt(), pipeline, target);
}

std::vector<KernelTraffic> kernels_of(const Halide::Pipeline &pipeline, double work = 1e12) {
    const Result<lowered::Code> code = loops_of(pipeline);
    EXPECT_TRUE(code.ok()) << code.error().message;
    const auto kernels = count_traffic(*code, find_preset("A100").value(), {work});
    EXPECT_TRUE(kernels.ok()) << kernels.error().message;
    return *kernels;
}

KernelTraffic kernel_of(const Halide::Pipeline &pipeline) {
    const std::vector<KernelTraffic> kernels = kernels_of(pipeline);
    EXPECT_EQ(kernels.size(), 1u);
    return kernels.front();
}

// The names that every pipeline here needs.
struct Names {
    Var x{"x"}, y{"y"}, c{"c"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"}, u{"u"};

    void estimate(ImageParam &image, const std::vector<int> &extents) const {
        for (size_t d = 0; d < extents.size(); d++) {
            image.dim(static_cast<int>(d)).set_estimate(0, extents[d]);
        }
    }
};

struct ReadLoops : testing::Test, Names {
    ImageParam in{Halide::Float(32), 2, "in"};
    Func out{"out"};

    void tile(int width, int height,
              Halide::TailStrategy tail = Halide::TailStrategy::GuardWithIf) {
        out.gpu_tile(x, y, xo, yo, xi, yi, width, height, tail);
    }
};

TEST_F(ReadLoops, TheExampleOfTheReadmeIsCountedAsThere) {
    out(x, y) = in(x, y) + in(x + 1, y);
    tile(32, 8);
    estimate(in, {257, 128});
    out.set_estimates({{0, 256}, {0, 128}});
    const KernelTraffic k = kernel_of(out);
    EXPECT_EQ(k.footprint_load_bytes, 131584);
    EXPECT_EQ(k.footprint_store_bytes, 131072);
    EXPECT_EQ(k.access_load_bytes, 262144);
    EXPECT_EQ(k.access_store_bytes, 131072);
    EXPECT_EQ(k.transaction_load_bytes, 319488);
    EXPECT_EQ(k.transaction_store_bytes, 131072);
    EXPECT_EQ(k.global_load_wavefronts, 2048);
    EXPECT_EQ(k.global_store_wavefronts, 1024);
    EXPECT_EQ(k.float_operations, 32768);
    EXPECT_EQ(k.integer_operations, 0);
}

TEST_F(ReadLoops, AStencilIsCountedTapByTap) {
    Halide::Expr sum = 0.f;
    for (int tap = 0; tap < 9; tap++) sum += in(x + tap % 3, y + tap / 3);
    Func stencil("stencil");
    stencil(x, y) = sum;
    out = stencil;
    tile(32, 8);
    estimate(in, {258, 130});
    out.set_estimates({{0, 256}, {0, 128}});
    const KernelTraffic k = kernel_of(out);
    EXPECT_EQ(k.name, "_kernel_stencil_s0_y_yo_block_id_y");
    EXPECT_EQ(k.func, "stencil");
    EXPECT_EQ(k.blocks, (std::array<int64_t, 3>{8, 16, 1}));
    EXPECT_EQ(k.threads, (std::array<int64_t, 3>{32, 8, 1}));
    EXPECT_EQ(k.footprint_load_bytes, 258 * 130 * 4);
    EXPECT_EQ(k.footprint_store_bytes, 256 * 128 * 4);
    EXPECT_EQ(k.access_load_bytes, 9 * 256 * 128 * 4);
    // Rows of 258 floats begin at byte 8 * row of a sector. 1024 warps per tap; taps with dx = 0
    // and 2 hit the begin of a sector, and so 4 sectors instead of 5, for one row of four.
    EXPECT_EQ(k.transaction_load_bytes, (9 * 1024 * 5 - 2 * 3 * 1024 / 4) * 32);
    EXPECT_EQ(k.float_operations, 8 * 256 * 128);
    EXPECT_EQ(k.transaction_store_bytes, 256 * 128 * 4);
    EXPECT_TRUE(k.exact);
}

TEST_F(ReadLoops, AStageInSharedMemoryIsLoadedWithItsHalo) {
    Func stage("stage");
    stage(x, y) = in(x, y) * 2.f;
    out(x, y) = stage(x, y) + stage(x + 2, y);
    tile(32, 8, Halide::TailStrategy::RoundUp);
    stage.compute_at(out, xo).gpu_threads(x, y);
    estimate(in, {258, 128});
    out.set_estimates({{0, 256}, {0, 128}});
    const KernelTraffic k = kernel_of(out);
    // A tile of 34 x 8 floats, so that blocks have 34 x 8 threads: 9 warps, the last one half.
    EXPECT_EQ(k.threads, (std::array<int64_t, 3>{34, 8, 1}));
    EXPECT_EQ(k.shared_bytes, 34 * 8 * 4);
    EXPECT_EQ(k.footprint_load_bytes, 258 * 128 * 4);
    const int blocks = 8 * 16;
    EXPECT_EQ(k.access_load_bytes, blocks * 34 * 8 * 4);
    EXPECT_EQ(k.shared_access_bytes, blocks * (34 * 8 + 2 * 32 * 8) * 4);
    // Stores are to consecutive words, 9 passes; loads of 32 x 8 among 34 x 8 threads run over
    // consecutive words as well, two of 9 passes each.
    EXPECT_EQ(k.shared_wavefronts, blocks * (9 + 2 * 9));
}

TEST_F(ReadLoops, ANaiveMatrixMultiplyAccumulatesInARegister) {
    const int n = 128;
    ImageParam b(Halide::Float(32), 2, "b");
    Func product("product");
    Halide::RDom k(0, n, "k");
    product(x, y) = 0.f;
    product(x, y) += in(k, y) * b(x, k);
    out(x, y) = product(x, y);
    tile(32, 8);
    product.compute_at(out, xi).update().reorder(k, x, y);
    estimate(in, {n, n});
    estimate(b, {n, n});
    out.set_estimates({{0, n}, {0, n}});
    const KernelTraffic t = kernel_of(out);
    EXPECT_EQ(t.footprint_load_bytes, 2 * n * n * 4);
    EXPECT_EQ(t.footprint_store_bytes, n * n * 4);
    EXPECT_EQ(t.access_load_bytes, 2.0 * n * n * n * 4);
    EXPECT_EQ(t.access_store_bytes, n * n * 4);
    // Per warp and k one sector of the first matrix, the same for all lanes, and four of the other.
    EXPECT_EQ(t.transaction_load_bytes, n * n / 32 * n * (1 + 4) * 32);
    EXPECT_EQ(t.thread_local_bytes, 4);
    EXPECT_EQ(t.stack_bytes, 0);
}

TEST_F(ReadLoops, AnUpdateOfGlobalMemoryIsReadAndWrittenOnce) {
    const int n = 64;
    Halide::RDom k(0, n, "k");
    out(x, y) = 0.f;
    out(x, y) += in(k, y) * in(x, k);
    tile(32, 8);
    out.update().gpu_tile(x, y, xo, yo, xi, yi, 32, 8, Halide::TailStrategy::GuardWithIf);
    estimate(in, {n, n});
    out.set_estimates({{0, n}, {0, n}});
    const std::vector<KernelTraffic> kernels = kernels_of(out);
    ASSERT_EQ(kernels.size(), 2u);
    EXPECT_EQ(kernels[0].access_load_bytes, 0);
    EXPECT_EQ(kernels[0].access_store_bytes, n * n * 4);
    // The compiler adds in a register: in(k, k) apart, which is loaded once instead of twice.
    EXPECT_EQ(kernels[1].access_store_bytes, n * n * 4);
    EXPECT_EQ(kernels[1].footprint_load_bytes, 2 * n * n * 4);
    EXPECT_NEAR(kernels[1].access_load_bytes, (2 * n + 1) * n * n * 4, n * n * 4);
}

TEST_F(ReadLoops, RepeatedEdgesAreNotMemory) {
    Func edged = Halide::BoundaryConditions::repeat_edge(in);
    out(x, y) = edged(x - 1, y) + edged(x + 1, y);
    tile(32, 8);
    estimate(in, {256, 128});
    out.set_estimates({{0, 256}, {0, 128}});
    const KernelTraffic k = kernel_of(out);
    EXPECT_EQ(k.footprint_load_bytes, 256 * 128 * 4);
    EXPECT_EQ(k.access_load_bytes, 2 * 256 * 128 * 4);
}

TEST_F(ReadLoops, VectorsOfFourAreOneInstructionWhereTheyAreKnownToBeAligned) {
    const auto transactions = [&](bool aligned) {
        Names n;
        ImageParam image(Halide::Float(32), 2, "image");
        Func copy("copy");
        copy(n.x, n.y) = image(n.x, n.y);
        if (aligned) {
            image.dim(0).set_min(0);
            image.dim(1).set_min(0).set_stride(256);
            copy.output_buffer().dim(0).set_min(0);
            copy.output_buffer().dim(1).set_min(0).set_stride(256);
        }
        copy.vectorize(n.x, 4, Halide::TailStrategy::RoundUp)
            .gpu_tile(n.x, n.y, n.xo, n.yo, n.xi, n.yi, 32, 4, Halide::TailStrategy::RoundUp);
        n.estimate(image, {256, 128});
        copy.set_estimates({{0, 256}, {0, 128}});
        const KernelTraffic k = kernel_of(copy);
        EXPECT_EQ(k.access_load_bytes, 256 * 128 * 4);
        EXPECT_EQ(k.footprint_load_bytes, 256 * 128 * 4);
        return k.transaction_load_bytes;
    };
    // 256 warps of 128 floats, 16 sectors: at once, or by each of four scalar loads again.
    EXPECT_EQ(transactions(true), 256 * 16 * 32);
    EXPECT_EQ(transactions(false), 256 * 4 * 16 * 32);
}

TEST_F(ReadLoops, GuardedTailsMoveOnlyWhatThereIs) {
    out(x, y) = in(x, y);
    tile(32, 8);
    estimate(in, {100, 30});
    out.set_estimates({{0, 100}, {0, 30}});
    const KernelTraffic k = kernel_of(out);
    EXPECT_EQ(k.blocks, (std::array<int64_t, 3>{4, 4, 1}));
    EXPECT_EQ(k.access_load_bytes, 100 * 30 * 4);
    EXPECT_EQ(k.access_store_bytes, 100 * 30 * 4);
    EXPECT_EQ(k.footprint_load_bytes, 100 * 30 * 4);
}

TEST_F(ReadLoops, ALoopAroundTheBlocksLaunchesOncePerIteration) {
    out(x, y) = in(x, y);
    out.gpu_tile(x, xo, xi, 64, Halide::TailStrategy::GuardWithIf);
    estimate(in, {256, 30});
    out.set_estimates({{0, 256}, {0, 30}});
    const KernelTraffic k = kernel_of(out);
    EXPECT_EQ(k.launches, 30);
    EXPECT_EQ(k.blocks, (std::array<int64_t, 3>{4, 1, 1}));
    EXPECT_EQ(k.footprint_store_bytes, 256 * 30 * 4);
}

TEST_F(ReadLoops, UpsamplingReadsAQuarter) {
    out(x, y) = in(x / 2, y / 2);
    tile(32, 8);
    estimate(in, {128, 64});
    out.set_estimates({{0, 256}, {0, 128}});
    const KernelTraffic k = kernel_of(out);
    EXPECT_EQ(k.footprint_load_bytes, 128 * 64 * 4);
    EXPECT_EQ(k.access_load_bytes, 256 * 128 * 4);
    // 16 floats or 2 sectors per warp.
    EXPECT_EQ(k.transaction_load_bytes, 1024 * 2 * 32);
}

TEST_F(ReadLoops, AHistogramDependsOnData) {
    ImageParam bytes(Halide::UInt(8), 2, "bytes");
    Halide::RDom r(0, 256, 0, 64, "r");
    Func histogram("histogram");
    histogram(x) = 0;
    histogram(Halide::cast<int>(bytes(r.x, r.y))) += 1;
    histogram.gpu_tile(x, xo, xi, 64);
    histogram.update().atomic().gpu_blocks(r.y).gpu_threads(r.x);
    estimate(bytes, {256, 64});
    histogram.set_estimates({{0, 256}});
    const std::vector<KernelTraffic> kernels = kernels_of(histogram);
    ASSERT_EQ(kernels.size(), 2u);
    EXPECT_FALSE(kernels[0].data_dependent);
    EXPECT_TRUE(kernels[1].data_dependent);
    const int pixels = 256 * 64;
    EXPECT_EQ(kernels[1].access_load_bytes, pixels * (1 + 4));
    EXPECT_EQ(kernels[1].access_store_bytes, pixels * 4);
    EXPECT_EQ(kernels[1].footprint_load_bytes, pixels + 256 * 4);
}

TEST_F(ReadLoops, AStageInRegistersIsNoMemoryTraffic) {
    // Two outputs per thread share three loads through an array of the thread.
    Func stage("stage");
    stage(x, y) = in(x, y) * 2.f;
    out(x, y) = stage(x, y) + stage(x, y + 1);
    out.tile(x, y, xo, yo, xi, yi, 32, 16, Halide::TailStrategy::RoundUp)
        .split(yi, yi, u, 2)
        .reorder(u, xi, yi, xo, yo)
        .unroll(u)
        .gpu_blocks(xo, yo)
        .gpu_threads(xi, yi);
    stage.compute_at(out, xi).unroll(x).unroll(y);
    estimate(in, {256, 129});
    out.set_estimates({{0, 256}, {0, 128}});
    const KernelTraffic k = kernel_of(out);
    EXPECT_EQ(k.access_load_bytes, 256 * 64 * 3 * 4);
    EXPECT_EQ(k.shared_bytes, 0);
    EXPECT_EQ(k.thread_local_bytes, 3 * 4);
    EXPECT_EQ(k.stack_bytes, 0);
}

TEST_F(ReadLoops, StorageOnTheHeapInAKernelIsGlobalMemory) {
    Func stage("stage");
    stage(x, y) = in(x, y) * 2.f;
    out(x, y) = stage(x, y) + stage(x + 1, y);
    tile(32, 8, Halide::TailStrategy::RoundUp);
    stage.compute_at(out, xo).store_in(Halide::MemoryType::Heap).gpu_threads(x, y);
    estimate(in, {257, 128});
    out.set_estimates({{0, 256}, {0, 128}});
    const KernelTraffic k = kernel_of(out);
    const int blocks = 8 * 16;
    EXPECT_EQ(k.shared_bytes, 0);
    EXPECT_EQ(k.access_store_bytes, (blocks * 33 * 8 + 256 * 128) * 4);
    EXPECT_EQ(k.access_load_bytes, (blocks * 33 * 8 + 2 * 256 * 128) * 4);
    EXPECT_EQ(k.footprint_store_bytes, (blocks * 33 * 8 + 256 * 128) * 4);
}

TEST_F(ReadLoops, SharedMemoryThatGrowsWithTheBlockIsAsLargeAsTheLastOneNeeds) {
    Func stage("stage");
    stage(x, y) = in(x, y) * 2.f;
    out(x, y) = stage(x, y) + stage(x / 4, y);
    tile(16, 16, Halide::TailStrategy::RoundUp);
    stage.compute_at(out, xo).gpu_threads(x, y);
    estimate(in, {256, 256});
    out.set_estimates({{0, 256}, {0, 256}});
    const KernelTraffic k = kernel_of(out);
    // Of block 15: from 15 * 16 / 4 to 255.
    EXPECT_EQ(k.shared_bytes, (256 - 60) * 16 * 4);
    EXPECT_FALSE(k.data_dependent);
}

TEST_F(ReadLoops, ArraysOfSeveralTypesInSharedMemoryAreAccessedEachInItsOwn) {
    ImageParam bytes{Halide::UInt(8), 2, "bytes"};
    Func floats_stage("floats_stage"), bytes_stage("bytes_stage");
    floats_stage(x, y) = in(x, y) * 2.f;
    bytes_stage(x, y) = bytes(x, y) + Halide::cast<uint8_t>(1);
    out(x, y) = floats_stage(x, y) + bytes_stage(x, y);
    tile(32, 8, Halide::TailStrategy::RoundUp);
    floats_stage.compute_at(out, xo).gpu_threads(x, y);
    bytes_stage.compute_at(out, xo).gpu_threads(x, y);
    estimate(in, {256, 128});
    estimate(bytes, {256, 128});
    out.set_estimates({{0, 256}, {0, 128}});
    const KernelTraffic k = kernel_of(out);
    EXPECT_EQ(k.shared_access_bytes, 2 * 256 * 128 * (4 + 1));
    // Warps of 32 neighbours, of floats or of bytes, meet no bank twice.
    EXPECT_EQ(k.shared_wavefronts, 2 * 2 * 256 * 128 / 32);
}

TEST_F(ReadLoops, IntegersAreDividedTowardsZeroWhereThePipelineSaysSo) {
    const Halide::Expr quotient = Halide::div_round_to_zero(x - 4, 4);
    out(x, y) = in(clamp(quotient + 1, 0, 127), y);
    tile(32, 8);
    estimate(in, {128, 128});
    out.set_estimates({{0, 32}, {0, 8}});
    // -4 to 27 by 4 are -1, seven times 0, and then 1 to 6 four times: eight floats of a row.
    EXPECT_EQ(kernel_of(out).footprint_load_bytes, 8 * 8 * 4);
}

TEST_F(ReadLoops, StridesFollowConstraints) {
    // Three channels side by side: a warp that reads one of them touches 12 sectors.
    ImageParam rgb(Halide::Float(32), 3, "rgb");
    rgb.dim(0).set_stride(3);
    rgb.dim(2).set_stride(1).set_bounds(0, 3);
    out(x, y) = rgb(x, y, 1);
    tile(32, 8);
    estimate(rgb, {256, 128});
    out.set_estimates({{0, 256}, {0, 128}});
    const KernelTraffic k = kernel_of(out);
    EXPECT_EQ(k.footprint_load_bytes, 256 * 128 * 4);
    EXPECT_EQ(k.transaction_load_bytes, 1024 * 12 * 32);
}

TEST_F(ReadLoops, ParametersHaveTheirEstimates) {
    Halide::Param<int> shift("shift");
    out(x, y) = in(x + shift, y);
    tile(32, 8);
    estimate(in, {260, 128});
    out.set_estimates({{0, 256}, {0, 128}});
    shift.set_estimate(4);
    // Rows of 1040 bytes begin at byte 0 or 16 of a sector, and the shift adds 16.
    EXPECT_EQ(kernel_of(out).transaction_load_bytes, (512 * 5 + 512 * 4) * 32);
}

// The host reads them to call the stage; no kernel does.
TEST_F(ReadLoops, AddressesThatAnExternStageTakesAreNoNumbers) {
    Halide::Param<void *> address("address");
    Func foreign("foreign");
    foreign.define_extern("some_extern", {in, Halide::user_context_value(), address},
                          Halide::Float(32), 2);
    foreign.compute_root();
    out(x, y) = foreign(x, y) + 1.f;
    tile(32, 8);
    estimate(in, {256, 128});
    out.set_estimates({{0, 256}, {0, 128}});
    const Result<lowered::Code> code = loops_of(out);
    EXPECT_TRUE(code.ok()) << code.error().message;
}

TEST_F(ReadLoops, EachOutputAndEachElementOfATupleIsABuffer) {
    Func pair("pair"), twice("twice");
    pair(x, y) = Halide::Tuple(in(x, y), in(x, y) + 1.f);
    twice(x, y) = pair(x, y)[0] * 2.f;
    for (Func *f : {&pair, &twice}) {
        f->compute_root().gpu_tile(x, y, xo, yo, xi, yi, 32, 8, Halide::TailStrategy::GuardWithIf);
        f->set_estimates({{0, 256}, {0, 128}});
    }
    estimate(in, {256, 128});
    const std::vector<KernelTraffic> kernels = kernels_of(Halide::Pipeline({pair, twice}));
    ASSERT_EQ(kernels.size(), 2u);
    EXPECT_EQ(kernels[0].footprint_store_bytes, 2 * 256 * 128 * 4);
    EXPECT_EQ(kernels[1].footprint_load_bytes, 256 * 128 * 4);
}

TEST_F(ReadLoops, ASampleCountsNearlyWhatTheWholeCounts) {
    // Overlapping tiles, borders of several blocks, an odd pitch, and a serial loop.
    Func edged = Halide::BoundaryConditions::repeat_edge(in);
    Func rows("rows");
    Halide::RDom r(-5, 11, "r");
    rows(x, y) = 0.f;
    rows(x, y) += edged(x, y + r);
    out(x, y) = rows(x - 1, y) + rows(x + 1, y);
    tile(64, 8, Halide::TailStrategy::ShiftInwards);
    rows.compute_at(out, xo).gpu_threads(x, y).update().gpu_threads(x, y);
    estimate(in, {1001, 500});
    out.set_estimates({{0, 1001}, {0, 500}});
    const KernelTraffic all = kernels_of(out)[0], sampled = kernels_of(out, 1e7)[0];
    EXPECT_TRUE(all.exact);
    EXPECT_FALSE(sampled.exact);
    EXPECT_EQ(sampled.footprint_load_bytes, all.footprint_load_bytes);
    EXPECT_EQ(sampled.footprint_store_bytes, all.footprint_store_bytes);
    EXPECT_DOUBLE_EQ(sampled.access_store_bytes, all.access_store_bytes);
    EXPECT_NEAR(sampled.access_load_bytes / all.access_load_bytes, 1, 0.01);
    EXPECT_NEAR(sampled.shared_access_bytes / all.shared_access_bytes, 1, 0.01);
    EXPECT_NEAR(sampled.shared_wavefronts / all.shared_wavefronts, 1, 0.01);
    EXPECT_NEAR(sampled.transaction_load_bytes / all.transaction_load_bytes, 1, 0.01);
    EXPECT_NEAR(sampled.transaction_store_bytes / all.transaction_store_bytes, 1, 0.01);
}

TEST_F(ReadLoops, LanesOfAWarpAreThreads) {
    // Four warps per block; each of 31 lanes has its neighbour's value by way of a shuffle.
    Func stage("stage");
    Var lane("lane");
    stage(x, y) = in(x, y) * 2.f;
    out(x, y) = stage(x, y) + stage(x + 1, y);
    out.tile(x, y, xo, yo, lane, yi, 31, 4, Halide::TailStrategy::RoundUp)
        .gpu_blocks(xo, yo)
        .gpu_threads(yi)
        .gpu_lanes(lane);
    stage.compute_at(out, yi).gpu_lanes(x);
    estimate(in, {249, 128});
    out.set_estimates({{0, 248}, {0, 128}});
    const KernelTraffic k = kernel_of(out);
    EXPECT_EQ(k.threads, (std::array<int64_t, 3>{32, 4, 1}));
    EXPECT_EQ(k.shared_access_bytes, 0);
    EXPECT_EQ(k.access_load_bytes, 8 * 128 * 32 * 4);
    EXPECT_EQ(k.access_store_bytes, 248 * 128 * 4);
}

TEST_F(ReadLoops, TheApiMakesNoDifference) {
    out(x, y) = in(x + 1, y);
    tile(32, 8);
    estimate(in, {257, 128});
    out.set_estimates({{0, 256}, {0, 128}});
    const Result<lowered::Code> code = loops_of(out, "host-opencl-no_runtime");
    ASSERT_TRUE(code.ok()) << code.error().message;
    const auto kernels = count_traffic(*code, find_preset("opencl-generic").value());
    ASSERT_TRUE(kernels.ok()) << kernels.error().message;
    EXPECT_EQ(kernels->front().transaction_load_bytes, kernel_of(out).transaction_load_bytes);
}

TEST_F(ReadLoops, MissingEstimatesAreNamed) {
    Halide::Param<int> shift("shift");
    Func moved("moved_by_a_parameter");
    moved(x, y) = in(x + shift, y);
    moved.gpu_tile(x, y, xi, yi, 32, 8);
    in.dim(0).set_estimate(0, 256);
    const Result<lowered::Code> code = loops_of(moved);
    ASSERT_FALSE(code.ok());
    for (const char *name :
         {"in.dim(1).set_estimate", "moved_by_a_parameter.dim(0).set_estimate"}) {
        EXPECT_NE(code.error().message.find(name), std::string::npos) << code.error().message;
    }
}

TEST_F(ReadLoops, ATargetWithoutAGpuIsRefused) {
    out(x, y) = in(x, y);
    const auto code = read_loops(Halide::Internal::Evaluate::make(0), out, Halide::Target("host"));
    ASSERT_FALSE(code.ok());
    EXPECT_NE(code.error().message.find("has no GPU"), std::string::npos);
}

TEST(GpuAxis, IsInTheNameOfTheLoopWithOrWithoutACounter) {
    EXPECT_EQ(gpu_axis("f.s0.y.yo.block_id_y"), 1);
    EXPECT_EQ(gpu_axis(".thread_id_x"), 0);
    EXPECT_EQ(gpu_axis(".thread_id_z$12"), 2);
    EXPECT_EQ(gpu_axis("f.s0.z"), std::nullopt);
    EXPECT_EQ(gpu_axis("f.thread_id_"), std::nullopt);
    EXPECT_EQ(gpu_axis(""), std::nullopt);
}

}  // namespace
}  // namespace autoschedule_gpu
