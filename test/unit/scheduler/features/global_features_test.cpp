// Kernels of one stage: what their warps ask of global memory. Expectations are computed by hand in
// the comments. A row of n bytes of elements of e bytes, aligned to its elements only, touches
// (n + 32 - e) / 32 sectors of 32 bytes on average.
#include <cmath>

#include "core/gpu/memory_access.h"
#include "unit/scheduler/features/features_of.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

constexpr double kWarp = 32 * 4;

TEST(Features, OfACoalescedCopy) {
    const Features f = features_of(copy(512, 256), "kernel out\n  out threads x=32 y=8\n");
    // Blocks: 512 / 32 * 256 / 8. Eight rows of 128 bytes per block.
    f.expect_kernel({{"num_blocks", 512},
                     {"threads_per_block", 256},
                     {"num_warps_per_block", 8},
                     {"barriers_per_block", 0},
                     {"shared_bytes_per_block", 0},
                     {"local_bytes_per_thread", 0},
                     {"block_global_read_sectors", 8 * kWarpSectors},
                     {"global_bytes_read", kImageBytes},
                     {"dram_bytes_read", kImageBytes},
                     {"dram_bytes_written", kImageBytes},
                     {"on_host", 0}});
    f.expect_stage("out", {{"num_scalars", 512 * 256},
                           {"points_computed_per_thread", 1},
                           {"unrolled_points", 1},
                           {"num_threads_per_block", 256},
                           {"num_active_warps_per_block", 8},
                           {"warp_lane_utilization", 1},
                           {"inlined_calls", 0},
                           {"serial_iterations", 1},
                           {"fp32_ops_per_thread", 0},
                           {"global_loads_per_thread", 1},
                           {"num_global_mem_loads_per_block", 8 * kWarpSectors},
                           {"global_mem_load_efficiency", kWarp / (32 * kWarpSectors)},
                           {"global_stores_per_thread", 1},
                           {"num_global_mem_stores_per_block", 8 * 4},  // aligned
                           {"global_mem_store_efficiency", 1},
                           {"global_load_wavefronts_per_block", 8},
                           {"global_store_wavefronts_per_block", 8},
                           {"shared_loads_per_thread", 0},
                           {"shared_stores_per_thread", 0},
                           {"register_accesses_per_thread", 0},
                           {"local_accesses_per_thread", 0}});
}

TEST(Features, OfATransposedRead) {
    // in(y, x): neighbouring lanes are a row apart, so each has a sector of its own.
    const Features f = features_of(transpose(512, 256), "kernel out\n  out threads x=32 y=8\n");
    f.expect_stage("out", {{"num_global_mem_loads_per_block", 8 * 32},
                           {"global_mem_load_efficiency", 4.0 / 32},
                           {"num_global_mem_stores_per_block", 8 * 4},
                           // Rows of 256 floats: the words of a load are all in one bank.
                           {"global_load_wavefronts_per_block", 8 * 32},
                           {"global_store_wavefronts_per_block", 8}});
    // The block's tile of `in` is 32 rows of 8 floats.
    f.expect_kernel({{"block_global_read_sectors", 32 * (8 * 4 + 28) / 32.0},
                     {"global_bytes_read", kImageBytes}});
}

TEST(Features, OfInterleavedPixels) {
    const Dag dag = interleaved(512, 256);
    const Features in_threads = features_of(dag, "kernel out\n  out threads x=32 y=2 c=3\n");
    // 192 threads are 6 warps, each of 32 neighbours (c, then x, then y).
    in_threads.expect_stage("out", {{"num_active_warps_per_block", 6},
                                    {"num_global_mem_loads_per_block", 6 * kWarpSectors},
                                    {"global_mem_load_efficiency", kWarp / (32 * kWarpSectors)},
                                    {"num_global_mem_stores_per_block", 6 * 4},
                                    {"int_ops_per_thread", 0},
                                    {"fp32_ops_per_thread", 1}});
    // Lanes are 12 bytes apart: a warp's channel spans 31 * 12 + 4 bytes.
    const double warp_sectors = (31 * 12 + 4 + 28) / 32.0;
    const Features serial =
        features_of(dag, "kernel out\n  out threads x=32 y=2\n    out serial c=3\n");
    serial.expect_stage("out", {{"num_active_warps_per_block", 2},
                                {"unrolled_points", 3},
                                {"global_loads_per_thread", 3},
                                {"num_global_mem_loads_per_block", 2 * 3 * warp_sectors},
                                // Three words apart, an odd number: each lane has its bank.
                                {"global_load_wavefronts_per_block", 2 * 3}});
    // Either way the block reads two rows of 32 pixels, without holes.
    for (const Features *f : {&in_threads, &serial}) {
        f->expect_kernel({{"block_global_read_sectors", 2 * (32 * 12 + 28) / 32.0}});
    }
}

TEST(Features, OfAStencilShareLoadsAlongTheUnrolledRowsOnly) {
    const Features f = features_of(stencil_chain(1, 512, 256),
                                   "kernel f0\n  f0 threads x=32 y=8\n    f0 serial y=4\n");
    // Four points in y read 3 x 6 values between them, and load 36: compilers don't see that rows
    // are the same. Four points in x load 6 x 3.
    f.expect_stage("f0", {{"unrolled_points", 4},
                          {"points_computed_per_thread", 4},
                          {"serial_iterations", 1},
                          {"global_loads_per_thread", 36},
                          {"num_global_mem_loads_per_block", 8 * 36 * kWarpSectors},
                          {"global_stores_per_thread", 4},
                          {"num_global_mem_stores_per_block", 8 * 4 * 4},
                          {"fp32_ops_per_thread", 4 * 9},
                          {"num_scalars", 512 * 256}});
    // 34 rows of 34 floats, of an image of 514 x 258.
    f.expect_kernel({{"num_blocks", 16 * 8},
                     {"block_global_read_sectors", 34 * (34 * 4 + 28) / 32.0},
                     {"global_bytes_read", 514 * 258 * 4}});
    features_of(stencil_chain(1, 512, 256), "kernel f0\n  f0 threads x=32 y=8\n    f0 serial x=4\n")
        .expect_stage("f0", {{"global_loads_per_thread", 18}});
}

TEST(Features, OfAClampedStencilShareLoadsAcrossTheUnrolledTile) {
    // The row that two points ask for is the same expression for both.
    Dag dag = clamped_stencil(1024, 512);
    for (Stage &stage : dag.stages) {
        for (Load &load : stage.loads) load.clamped = dag.func(load.producer).is_input();
    }
    const Features f = features_of(dag,
                                   "inline: edge\n"
                                   "kernel out\n  out threads x=32 y=8\n"
                                   "kernel blur\n  blur threads x=32 y=8\n    blur serial y=4\n",
                                   1);
    f.expect_stage("blur", {{"global_loads_per_thread", 18}});
}

TEST(Features, OfASerialTileInXSpreadTheLanes) {
    const Features f =
        features_of(copy(512, 256), "kernel out\n  out threads x=32 y=8\n    out serial x=4\n");
    // Lanes are 16 bytes apart, in each of the four loads.
    f.expect_stage("out", {{"num_global_mem_loads_per_block", 8 * 4 * (31 * 16 + 4 + 28) / 32.0},
                           {"num_global_mem_stores_per_block", 8 * 4 * 16},
                           // Every fourth word: four lanes in each bank that has any.
                           {"global_load_wavefronts_per_block", 8 * 4 * 4},
                           {"global_store_wavefronts_per_block", 8 * 4 * 4}});
}

TEST(Features, OfPartialWarps) {
    const Features f = features_of(copy(20, 3), "kernel out\n  out threads x=20 y=3\n");
    // 60 threads: two warps of 30 lanes each, which lie side by side in the dense image.
    f.expect_kernel({{"num_blocks", 1}, {"threads_per_block", 60}, {"num_warps_per_block", 2}});
    f.expect_stage("out", {{"num_active_warps_per_block", 2},
                           {"warp_lane_utilization", 60.0 / 64},
                           {"num_global_mem_loads_per_block", 2 * (30 * 4 + 28) / 32.0},
                           {"num_global_mem_stores_per_block", 2 * 4}});
}

// The table of 256 floats has 32 sectors. Were the data noise, 32 / least lanes for each of the
// `least` sectors that one index leads to would draw different ones; were it the same, none would.
TEST(Features, OfAGatherLieBetweenNoiseAndOneIndex) {
    const Features f = features_of(gather(512, 256), "kernel out\n  out threads x=32 y=8\n");
    // The index: 32 bytes anywhere touch (32 + 31) / 32 sectors.
    const double index = 63.0 / 32;
    const double noise = 32 * (1 - std::pow(1 - 1.0 / 32, 32));
    const double table = std::sqrt(noise);
    const double used = 32 + 128;
    f.expect_stage("out", {{"global_loads_per_thread", 2},
                           {"num_global_mem_loads_per_block", 8 * (index + table)}});
    EXPECT_LT(8 * used / (8 * 32 * (index + 32)), f.stage("out", "global_mem_load_efficiency"));
}

// An index that is the same again after so many iterations is no data: all lanes may differ.
TEST(Features, OfAPatternHaveAllPlacesThatThereAre) {
    Dag dag = gather(512, 256);
    AccessMatrix &table = dag.stages[0].loads[1].access;
    for (size_t loop = 0; loop < 2; ++loop) table.at(0, loop).period = 256;
    const Features f = features_of(dag, "kernel out\n  out threads x=32 y=8\n");
    f.expect_stage("out", {{"num_global_mem_loads_per_block", 8 * (63.0 / 32 + 32)}});
}

TEST(Features, OfAnUpsampledReadHalveTheStride) {
    const Features f = features_of(down_and_up(1024, 512),
                                   "kernel out\n  out threads x=32 y=8\n"
                                   "kernel down\n  down threads x=32 y=8\n");
    // 32 lanes share 16 values of `down`, 64 bytes.
    f.expect_stage("out",
                   {{"num_global_mem_loads_per_block", 8 * (kWarpSectors + (16 * 4 + 28) / 32.0)}});
}

TEST(Features, OfSmallDataBetweenKernelsStayInTheCache) {
    const Dag small = two_stencils(512, 256), large = two_stencils(8192, 8192);
    const char *nest = "kernel f1\n  f1 threads x=32 y=8\nkernel f0\n  f0 threads x=32 y=8\n";
    features_of(small, nest, 0)
        .expect_kernel({{"dram_bytes_read", 0}, {"global_bytes_read", 514 * 258 * 4}});
    features_of(small, nest, 1).expect_kernel({{"dram_bytes_written", 0}});
    features_of(large, nest, 0).expect_kernel({{"dram_bytes_read", 8194.0 * 8194 * 4}});
    features_of(large, nest, 1).expect_kernel({{"dram_bytes_written", 8194.0 * 8194 * 4}});
}

// Three arrays for each of which L2 has room, and not for all together.
TEST(Features, OfSeveralArraysBetweenKernelsShareTheRoomInTheCache) {
    constexpr int64_t kSize = 1600;
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    std::vector<FuncId> between;
    for (const char *name : {"a", "b", "c"}) between.push_back(b.func(name, {"x", "y"}));
    const FuncId out = b.output("out", {{"x", 0, kSize - 1}, {"y", 0, kSize - 1}});
    std::string nest = "kernel out\n  out threads x=32 y=8\n";
    for (const FuncId func : between) {
        b.reads(func, in, {at(0), at(1)}).reads(out, func, {at(0), at(1)});
    }
    for (const char *name : {"c", "b", "a"}) {
        nest += std::string("kernel ") + name + "\n  " + name + " threads x=32 y=8\n";
    }
    constexpr double kBytes = kSize * kSize * 4;
    const GpuModel a100 = find_preset("a100").value();
    const double room = l2_filled_bytes(a100);
    ASSERT_LT(kBytes, l2_resident_bytes(a100));
    ASSERT_GT(3 * kBytes, room);
    features_of(b.build(), nest, 0)
        .expect_kernel({{"global_bytes_read", 3 * kBytes}, {"dram_bytes_read", 3 * kBytes - room}});
}

// rows(y) += in(64 * r, y): a block of 16 rows touches 64 elements of each, far apart. The box of
// what it reads has eight sectors for each.
TEST(Features, OfALongStrideLeaveOutWhatIsBetween) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), rows = b.output("rows", {{"y", 0, 63}});
    const StageId update =
        b.update(rows, {DagBuilder::reduction("r$x", 0, 63), b.over(0, "y")}, {at(1)});
    b.reads(update, rows, {at(1)}).reads(update, in, {times(0, 64), at(1)});
    const Features f = features_of(b.build(),
                                   "kernel rows.update(0)\n  rows.update(0) threads y=16\n"
                                   "    rows.update(0) serial r$x=64\n"
                                   "kernel rows\n  rows threads y=16\n");
    // Two sectors hold the 16 sums that a block adds to.
    EXPECT_DOUBLE_EQ(f.kernel("block_global_read_sectors"), 16 * 64 + 2);
}

TEST(Features, OfAHostStageAreItsSize) {
    const Features f = features_of(copy(512, 256), "kernel out host\n");
    f.expect_kernel({{"on_host", 1}, {"num_blocks", 0}});
    f.expect_stage("out", {{"num_scalars", 512 * 256}});
}

// Some device APIs have other warps and sectors: a full warp of 64 lanes, sectors of 64 bytes.
TEST(Features, FollowTheDevice) {
    GpuModel gpu = find_preset("a100").value();
    gpu.warp_size = 64;
    gpu.l1_sector_bytes = 64;
    const Dag dag = copy(512, 256);
    const Nest nest = parsed(dag, "kernel out\n  out threads x=32 y=8\n");
    const Features f(dag, *nest.kernels[0], gpu);
    f.expect_kernel({{"num_warps_per_block", 4}});
    // Two rows per warp, each (128 + 60) / 64.
    f.expect_stage(
        "out", {{"num_active_warps_per_block", 4}, {"num_global_mem_stores_per_block", 4 * 2 * 2}});
    EXPECT_NEAR(f.stage("out", "num_global_mem_loads_per_block"), 4 * 2 * 188.0 / 64, 1e-9);
}

}  // namespace
}  // namespace autoschedule_gpu
