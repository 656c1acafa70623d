// Kernels in which producers are computed per block, per thread or inline.
#include "unit/scheduler/features/features_of.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

// Of a warp in a block of rows of 34 threads, on average: 128 bytes, and a sector cut by 28 bytes
// more for each row that it has a part of.
constexpr double kSectorsOf34 = ((128 + 28) + 7 * (128 + 2 * 28)) / 8.0 / 32;
// Of 17 neighbouring floats.
constexpr double kSectorsOf17 = (17 * 4 + 28) / 32.0;

TEST(Features, OfAProducerInSharedMemory) {
    const Features f = features_of(two_stencils(512, 256),
                                   "kernel f1\n"
                                   "  f0 threads x=34 y=10\n"
                                   "  f1 threads x=32 y=8\n");
    // `in`: 12 rows of 36 floats.
    f.expect_kernel({{"num_blocks", 512},
                     {"threads_per_block", 340},
                     {"num_warps_per_block", 11},
                     {"barriers_per_block", 1},
                     {"shared_bytes_per_block", 34 * 10 * 4},
                     {"block_global_read_sectors", 12 * (36 * 4 + 28) / 32.0},
                     {"global_bytes_read", 516 * 260 * 4}});
    // 340 threads are 11 warps, of which the first has a part of one row of 34, and those after it
    // have parts of two; eight are looked at.
    f.expect_stage("f0", {{"num_scalars", 340 * 512},
                          {"num_threads_per_block", 340},
                          {"num_active_warps_per_block", 11},
                          {"warp_lane_utilization", 340.0 / (11 * 32)},
                          {"global_loads_per_thread", 9},
                          {"num_global_mem_loads_per_block", 11 * 9 * kSectorsOf34},
                          {"shared_stores_per_thread", 1},
                          {"num_shared_mem_stores_per_block", 11},
                          {"global_stores_per_thread", 0}});
    // Rows of 32 in a block 34 wide: lanes 0-31, 34-65, 68-99 ... 238-269 lie in warps 0, 1-2, 2-3,
    // ... 7-8, nine in all.
    f.expect_stage("f1", {{"num_threads_per_block", 256},
                          {"num_active_warps_per_block", 9},
                          {"warp_lane_utilization", 256.0 / (9 * 32)},
                          {"shared_loads_per_thread", 9},
                          {"num_shared_mem_loads_per_block", 9 * 9},
                          {"global_loads_per_thread", 0},
                          {"global_stores_per_thread", 1}});
}

TEST(Features, OfSpreadPointsHaveNeighboursOnNeighbouringThreads) {
    const auto stores = [](const char *level) {
        return features_of(copy(4096, 64), "kernel out\n  out threads x=256\n    out " +
                                               std::string(level) + " x=8\n");
    };
    // 32 lanes with 4 bytes each: 4 sectors side by side, or one each.
    stores("spread").expect_stage("out", {{"num_global_mem_stores_per_block", 8 * 8 * 4}});
    stores("serial").expect_stage("out", {{"num_global_mem_stores_per_block", 8 * 8 * 32}});
}

TEST(Features, OfAProducerInRoundsHaveNeighboursOnNeighbouringThreads) {
    const Features f = features_of(two_stencils(512, 256),
                                   "kernel f1\n"
                                   "  f0 threads x=32 y=8\n    f0 strided x=2 y=2\n"
                                   "  f1 threads x=32 y=8\n");
    // No threads beyond those of f1; shared memory holds the 34 x 10 points, not the 64 x 16 of
    // the rounds.
    f.expect_kernel({{"threads_per_block", 256},
                     {"num_warps_per_block", 8},
                     {"barriers_per_block", 1},
                     {"shared_bytes_per_block", 34 * 10 * 4}});
    // Of the four rounds of a thread, one is of all 8 rows of 32, one of 8 rows of the 2 that are
    // left, and the others of 2 rows: 8, 8, 2 and 2 warps for 340 points.
    f.expect_stage("f0", {{"num_threads_per_block", 85},
                          {"num_active_warps_per_block", 5},
                          {"warp_lane_utilization", 85 / (5 * 32.0)},
                          {"points_computed_per_thread", 4},
                          {"shared_stores_per_thread", 4},
                          {"num_shared_mem_stores_per_block", 20},
                          {"num_global_mem_loads_per_block",
                           5 * kSectorsOf17 * f.stage("f0", "global_loads_per_thread")}});
    // All 32 threads of a row are in one warp again.
    f.expect_stage("f1", {{"num_active_warps_per_block", 8}, {"warp_lane_utilization", 1}});
    // Of consecutive points two are stored at once: two passes through the banks for both.
    const Features serial = features_of(two_stencils(512, 256),
                                        "kernel f1\n"
                                        "  f0 threads x=17 y=5\n    f0 serial x=2 y=2\n"
                                        "  f1 threads x=32 y=8\n");
    EXPECT_EQ(serial.stage("f0", "shared_stores_per_thread"), 2);
    EXPECT_EQ(serial.stage("f0", "num_shared_mem_stores_per_block") /
                  serial.stage("f0", "num_active_warps_per_block"),
              4);
}

// in -> copy -> out, three by three: what a staged read looks like.
TEST(Features, OfACopyInRoundsLoadEachPointOnce) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), copy = b.func("copy", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 511}, {"y", 0, 255}});
    b.reads(copy, in, {at(0), at(1)});
    b.reads(out, copy, {at(0, -1, 1), at(1, -1, 1)}, 9).ops(out, OpKind::add, 8);
    const Dag dag = b.build();
    const char *out_threads = "  out threads x=32 y=8\n";
    const Features f = features_of(
        dag, std::string("kernel out\n  copy threads x=32 y=8\n    copy strided x=2 y=2\n") +
                 out_threads);
    constexpr double kBlocks = 16 * 32;
    f.expect_stage("copy", {{"global_loads_per_thread", 4},
                            {"num_global_mem_loads_per_block", 20 * kSectorsOf17},
                            {"num_shared_mem_stores_per_block", 20},
                            {"num_scalars", 340 * kBlocks}});
    // The same threads with consecutive points: lanes 8 bytes apart, half of each sector used, and
    // two words stored at once, in two passes. (31 * 8 + 4 + 28) / 32 sectors.
    const Features serial = features_of(
        dag, std::string("kernel out\n  copy threads x=32 y=8\n    copy serial x=2 y=2\n") +
                 out_threads);
    serial.expect_stage("copy", {{"num_global_mem_loads_per_block", 8 * 4 * 8.75},
                                 {"shared_stores_per_thread", 2},
                                 {"num_shared_mem_stores_per_block", 8 * 2 * 2}});
}

// Rows of 66 points by 64 threads: in the second round there are two of them, in one of the two
// warps of a row.
TEST(Features, OfWhatIsLeftForALastRoundAreOfTheThreadsThatHaveSome) {
    const Features f = features_of(two_stencils(512, 256),
                                   "kernel f1\n"
                                   "  f0 threads x=64 y=8\n    f0 strided x=2 y=2\n"
                                   "  f1 threads x=64 y=8\n");
    f.expect_stage("f0", {{"num_threads_per_block", 66 * 10 / 4.0},
                          {"num_active_warps_per_block", (16 + 8 + 4 + 2) / 4.0}});
    // Where no row is cut, all have the same.
    const Features whole = features_of(two_stencils(512, 256),
                                       "kernel f1\n"
                                       "  f0 threads x=33 y=5\n    f0 strided x=2 y=2\n"
                                       "  f1 threads x=64 y=8\n");
    whole.expect_stage("f0", {{"num_threads_per_block", 33 * 5}});
}

// in -> copy -> out, by rows of 16 elements.
TEST(Features, OfFlatThreadsLoadRowsThatLieSideBySide) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), copy = b.func("copy", {"i", "c"});
    const FuncId out = b.output("out", {{"c", 0, 16383}});
    b.reads(copy, in, {{.terms = {{0, 1}, {1, 16}}}});
    b.reads(out, copy, {{.terms = {}, .lo = 0, .hi = 15}, at(0)}, 16);
    const Features f = features_of(b.build(),
                                   "kernel out\n  copy flat i=16 c=16\n    copy strided c=16\n"
                                   "  out threads c=256\n");
    EXPECT_EQ(f.kernel("threads_per_block"), 256);
    f.expect_stage("copy", {{"global_loads_per_thread", 16},
                            {"num_active_warps_per_block", 8},
                            {"num_global_mem_loads_per_block", 8 * 16 * kWarpSectors},
                            {"num_shared_mem_stores_per_block", 8 * 16}});
}

// 34 x 10 points by 34 x 7 threads, which lie in rows of 32: a rectangle of 32 x 8 holds them, 18
// of which have no point ever. In the second round only three rows of 34 are left.
TEST(Features, OfFlatThreadsAreOfThoseThatHaveAPoint) {
    const Features f = features_of(two_stencils(512, 256),
                                   "kernel f1\n"
                                   "  f0 flat x=34 y=7\n    f0 strided y=2\n"
                                   "  f1 threads x=32 y=8\n");
    EXPECT_EQ(f.kernel("threads_per_block"), 256);
    f.expect_stage("f0", {{"num_threads_per_block", 34 * 10 / 2.0},
                          {"num_active_warps_per_block", (8 + 4) / 2.0},
                          {"warp_lane_utilization", 34 * 10 / (12 * 32.0)}});
}

TEST(Features, OfSharedMemoryCountBankConflicts) {
    // Each thread computes eight neighbours of f0, in rows of 58, and stores two at once, 32 bytes
    // from the next lane's: of the 16 lanes that go together two meet in each bank.
    const Features f = features_of(two_stencils(512, 256),
                                   "kernel f1\n"
                                   "  f0 threads x=8 y=8\n    f0 serial x=8\n"
                                   "  f1 threads x=8 y=6\n    f1 serial x=7\n");
    EXPECT_NEAR(f.stage("f0", "shared_stores_per_thread"), 4, 1e-9);
    const double warps = f.stage("f0", "num_active_warps_per_block");
    EXPECT_NEAR(warps, 2, 1e-9);
    EXPECT_NEAR(f.stage("f0", "num_shared_mem_stores_per_block"), warps * 4 * 2 * 2, 1e-9);
}

// staged -> sums of some neighbours -> out, a warp of threads in each row with so many points each:
// what test/halide_facts/shared_memory_test.cpp looks at the PTX of. Rows of the sums have 128
// floats.
Features features_of_sums(const Index &x, const Index &y, int taps, const std::string &staged) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), copy = b.func("staged", {"x", "y"});
    const FuncId sum = b.func("sum", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 511}, {"y", 0, 255}});
    b.reads(copy, in, {at(0), at(1)}).ops(copy, OpKind::mul, 1);
    b.reads(sum, copy, {x, y}, taps).ops(sum, OpKind::add, taps);
    b.reads(out, sum, {at(0), at(1)}).ops(out, OpKind::add, 1);
    return features_of(b.build(), "kernel out\n  staged threads " + staged +
                                      "\n    staged serial x=4\n"
                                      "  sum threads x=32 y=8\n    sum serial x=4\n"
                                      "  out threads x=32 y=8\n    out serial x=4\n");
}

// Between the points of a stage in shared memory there are stores that may be to what it loads
// there. So each point loads its neighbours, and stores, by itself, and several at once from
// multiples of their number only: of rows of 132 floats, at the points 0 to 3.
TEST(Features, OfAStageInSharedMemoryLoadTheNeighboursOfEachPointApart) {
    const auto sums = [](int taps) {
        return features_of_sums(at(0, 0, taps - 1), at(1), taps, "x=33 y=8");
    };
    EXPECT_EQ(sums(5).stage("sum", "shared_loads_per_thread"), 2 + 3 + 3 + 2);
    EXPECT_EQ(sums(5).stage("sum", "shared_stores_per_thread"), 4);
    // Beginning at the point before the first: 3 4-7, 4-7 8, 5 6-7 8-9, 6-7 8-9 10.
    const Features around = features_of_sums(at(0, -2, 2), at(1), 5, "x=33 y=8");
    EXPECT_EQ(around.stage("sum", "shared_loads_per_thread"), 2 + 3 + 3 + 2);
    // Rows of 129, 130 and 131 floats begin at multiples of two at most, mostly of none.
    EXPECT_EQ(sums(2).stage("sum", "shared_loads_per_thread"), 2 * 4);
    EXPECT_EQ(sums(3).stage("sum", "shared_loads_per_thread"), 2 * 4);
    EXPECT_EQ(sums(4).stage("sum", "shared_loads_per_thread"), 4 * 4);
    // Not in shared memory, they would be loaded once.
    EXPECT_EQ(sums(5).stage("out", "shared_loads_per_thread"), 1);
}

// Points one upon the other load the same again.
TEST(Features, OfAStageInSharedMemoryLoadAgainWhatIsThere) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), f0 = b.func("f0", {"x", "y"});
    const FuncId f1 = b.func("f1", {"x", "y"}),
                 out = b.output("out", {{"x", 0, 511}, {"y", 0, 255}});
    b.reads(f0, in, {at(0), at(1)});
    b.reads(f1, f0, {at(0, 0, 1), at(1, -1, 1)}, 6).ops(f1, OpKind::add, 5);
    b.reads(out, f1, {at(0), at(1, -1, 1)}, 3).ops(out, OpKind::add, 2);
    const Features f = features_of(b.build(),
                                   "kernel out\n"
                                   "  f0 threads x=33 y=5\n    f0 serial y=4\n"
                                   "  f1 threads x=32 y=5\n    f1 serial y=4\n"
                                   "  out threads x=32 y=4\n    out serial y=4\n");
    f.expect_stage("f1", {{"shared_loads_per_thread", 6 * 4}});
    f.expect_stage("out", {{"shared_loads_per_thread", 3 + 3}});
}

TEST(Features, OfAProducerInRegisters) {
    const Features f = features_of(two_stencils(512, 256),
                                   "kernel f1\n"
                                   "  f1 threads x=32 y=8\n"
                                   "    f0 serial x=3 y=3\n    f1 serial\n");
    // 3 x 3 points of f0 read 5 x 5 of `in`: each of their rows loads three rows of it.
    f.expect_stage("f0", {{"num_scalars", 9 * 256 * 512},
                          {"unrolled_points", 9},
                          {"points_computed_per_thread", 9},
                          {"fp32_ops_per_thread", 81},
                          {"global_loads_per_thread", 45},
                          {"num_global_mem_loads_per_block", 8 * 45 * kWarpSectors},
                          {"register_accesses_per_thread", 9},
                          {"local_accesses_per_thread", 0},
                          {"global_stores_per_thread", 0}});
    f.expect_stage("f1", {{"register_accesses_per_thread", 9},
                          {"global_loads_per_thread", 0},
                          {"shared_loads_per_thread", 0},
                          {"global_stores_per_thread", 1}});
    f.expect_kernel(
        {{"barriers_per_block", 0}, {"shared_bytes_per_block", 0}, {"local_bytes_per_thread", 0}});
}

// An estimate, which may be improved; but arrays and tiles take room.
TEST(Features, OfRegistersGrowWithArraysAndTiles) {
    const Dag dag = two_stencils(512, 256);
    const auto registers = [&](const char *f0, const char *f1) {
        return features_of(dag, std::string("kernel f1\n  f1 threads x=32 y=8\n    f0 serial ") +
                                    f0 + "\n    f1 serial " + f1 + "\n")
            .kernel("registers_per_thread");
    };
    const double one = registers("x=3 y=3", ""), four = registers("x=3 y=6", "y=4"),
                 sixteen = registers("x=6 y=6", "x=4 y=4");
    EXPECT_GE(one, 9);
    EXPECT_GE(four, one + 9);
    EXPECT_GE(sixteen, four + 18);
    const Dag product = matmul_output(512);
    const auto sums = [&](const char *tile) {
        return features_of(product,
                           std::string("kernel out.update(0)\n  out.update(0) threads x=16 y=8\n"
                                       "    out.update(0) serial ") +
                               tile + "\nkernel out\n  out threads x=32\n")
            .kernel("registers_per_thread");
    };
    EXPECT_GE(sums("x=4 y=8"), sums("x=4 y=4") + 16);
    EXPECT_GE(sums("x=4 y=4"), sums("") + 15);
}

// out(x, c) = 10 additions that depend on x alone, 5 of f(x, c), which has 8 that depend on c
// alone: of three channels in a thread the first are made once, of four pixels the last.
TEST(Features, OfPointsCountOnceWhatTheyShare) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "c"}), f = b.func("f", {"x", "c"});
    const FuncId out = b.output("out", {{"x", 0, 4095}, {"c", 0, 2}});
    b.reads(f, in, {at(0), at(1)}).ops(f, OpKind::add, 8);
    b.reads(out, f, {at(0), at(1)}).ops(out, OpKind::add, 15);
    Dag dag = b.build();
    OpHistogram of_x, of_c;
    of_x.at(OpKind::add, OpType::single) = 10;
    of_c.at(OpKind::add, OpType::single) = 8;
    dag.stages[find_stage(dag, "out").index()].shared_ops = {{0b01, of_x}};
    dag.stages[find_stage(dag, "f").index()].shared_ops = {{0b10, of_c}};
    const auto additions = [&](const char *tile) {
        return features_of(dag, std::string("inline: f\nkernel out\n  out threads x=32\n"
                                            "    out serial ") +
                                    tile + "\n")
            .stage("out", "fp32_ops_per_thread");
    };
    EXPECT_EQ(additions("x=1"), 15 + 8);
    EXPECT_EQ(additions("c=3"), 10 + 3 * 5 + 3 * 8);
    EXPECT_EQ(additions("x=4"), 4 * 15 + 8);
    EXPECT_EQ(additions("x=4 c=3"), 4 * 10 + 12 * 5 + 3 * 8);
}

// 64 registers and the few more that a compiler can do with: 72. For each value beyond it spills
// three, in each of the passes that the 512 steps of the sums take.
TEST(Features, OfSpillsAreWhatDoesNotFitInEveryPass) {
    const Dag product = matmul_output(512);
    const auto of = [&](const char *tile) {
        return features_of(product,
                           std::string("kernel out.update(0)\n  out.update(0) threads x=16 y=8\n"
                                       "    out.update(0) serial ") +
                               tile + "\nkernel out\n  out threads x=32\n");
    };
    EXPECT_EQ(of("x=4 y=4").kernel("spills_per_thread"), 0);
    const Features large = of("x=8 y=8");
    const double beyond = large.kernel("registers_per_thread") - 72;
    EXPECT_GT(beyond, 0);
    EXPECT_DOUBLE_EQ(large.kernel("spills_per_thread"),
                     3 * beyond * large.stage("out.update(0)", "serial_iterations"));
}

// What a later iteration of an outer loop loads again, the compiler keeps: 8 values. Where each
// loads its own, there is one at a time.
TEST(Features, OfRegistersGrowWithWhatLaterStepsOfAReductionUseAgain) {
    const auto registers = [](bool again) {
        DagBuilder b;
        const FuncId in = b.input("in", {"x", "y", "z"}), out = b.output("out", {{"x", 0, 1023}});
        const StageId update = b.update(
            out, {b.reduction("r$x", 0, 7), b.reduction("r$y", 0, 2), b.over(0, "x")}, {at(2)});
        b.reads(update, out, {at(2)});
        b.reads(update, in, {at(2), at(0), again ? fixed(0) : at(1)});
        return features_of(b.build(),
                           "kernel out\n  out threads x=32\nkernel out.update(0)\n"
                           "  out.update(0) threads x=32\n",
                           1)
            .kernel("registers_per_thread");
    };
    EXPECT_NEAR(registers(true) - registers(false), 8 - 1, 1e-9);
}

// What is found is told by all features that depend on it.
// Where nobody was asked for the registers, the estimate stays.
TEST(Features, OfACompiledKernelAreWhatTheCompilerFound) {
    const Dag product = matmul_output(512);
    const Nest nest = parsed(product,
                             "kernel out.update(0)\n  out.update(0) threads x=16 y=8\n"
                             "    out.update(0) serial x=8 y=8\n"
                             "kernel out\n  out threads x=32\n");
    const GpuModel gpu = find_preset("a100").value();
    FeatureExtractor extractor(product, gpu);
    const Kernel &kernel = *nest.kernels[0];
    const KernelFeatures estimated = extractor.extract(kernel).kernel;
    ASSERT_GT(estimated.spills_per_thread, 0);
    const KernelFeatures free = extractor.extract(kernel, {.registers = 32}).kernel;
    EXPECT_EQ(free.registers_per_thread, 32);
    EXPECT_EQ(free.spills_per_thread, 0);
    EXPECT_GT(free.max_warp_occupancy, estimated.max_warp_occupancy);
    const KernelFeatures spilling = extractor.extract(kernel, {.spill_bytes = 16}).kernel;
    EXPECT_EQ(spilling.registers_per_thread, estimated.registers_per_thread);
    EXPECT_EQ(spilling.spills_per_thread, 2);
}

TEST(Features, OfAnArrayIndexedByALoopAreLocalMemory) {
    // A scan of 64 in each thread: the loop of 63 steps is too long to unroll.
    const Features f = features_of(iir(64, 512),
                                   "kernel out\n"
                                   "  out threads x=32 y=8\n"
                                   "    scan serial x=64\n    scan.update(0) serial r=63\n"
                                   "    out serial\n");
    f.expect_kernel({{"local_bytes_per_thread", 64 * 4}});
    f.expect_stage("scan",
                   {{"local_accesses_per_thread", 64}, {"register_accesses_per_thread", 0}});
    // Two loads and a store per step.
    f.expect_stage("scan.update(0)", {{"serial_iterations", 63},
                                      {"local_accesses_per_thread", 3 * 63},
                                      {"register_accesses_per_thread", 0}});
    f.expect_stage("out", {{"local_accesses_per_thread", 1}, {"register_accesses_per_thread", 0}});
    EXPECT_LT(f.kernel("registers_per_thread"), 64);  // the array takes none
}

TEST(Features, OfAnArrayWhoseLoopsAreNotUnrolledAreLocalMemory) {
    const Features f = features_of(two_stencils(512, 256),
                                   "kernel f1\n"
                                   "  f1 threads x=32 y=8\n"
                                   "    f0 serial x=3 y=3 unroll none\n    f1 serial\n");
    f.expect_kernel({{"local_bytes_per_thread", 9 * 4}});
    f.expect_stage("f0", {{"unrolled_points", 1},
                          {"serial_iterations", 9},
                          {"points_computed_per_thread", 9},
                          {"global_loads_per_thread", 9 * 9},
                          {"local_accesses_per_thread", 9}});
}

// Sums of points that are not unrolled are loaded and stored in every step.
TEST(Features, OfRegistersHaveNoAccumulatorsOfATileThatIsNotUnrolled) {
    const auto registers = [](const std::string &unroll) {
        return features_of(matmul_output(512),
                           "kernel out.update(0)\n  out.update(0) threads x=16 y=8\n"
                           "    out.update(0) serial x=4 y=8" +
                               unroll + "\nkernel out\n  out threads x=32\n")
            .kernel("registers_per_thread");
    };
    EXPECT_GE(registers(""), registers(" unroll none") + 31);
}

TEST(Features, OfInlinedFuncsShareEvaluationsAlongTheUnrolledRowsOnly) {
    const Dag dag = stencil_chain(2, 512, 256);
    const Features one = features_of(dag, "inline: f0\nkernel f1\n  f1 threads x=32 y=8\n");
    one.expect_stage("f1", {{"inlined_calls", 9},
                            {"fp32_ops_per_thread", 9 + 9 * 9},
                            {"global_loads_per_thread", 25},
                            {"points_computed_per_thread", 1}});
    const Features four =
        features_of(dag, "inline: f0\nkernel f1\n  f1 threads x=32 y=8\n    f1 serial y=4\n");
    // What other rows load is another value to compilers.
    four.expect_stage("f1", {{"inlined_calls", 4 * 9},
                             {"fp32_ops_per_thread", 4 * 9 + 36 * 9},
                             {"global_loads_per_thread", 4 * 25}});
    const Features in_x =
        features_of(dag, "inline: f0\nkernel f1\n  f1 threads x=32 y=8\n    f1 serial x=4\n");
    in_x.expect_stage("f1", {{"inlined_calls", 3 * 6},
                             {"fp32_ops_per_thread", 4 * 9 + 18 * 9},
                             {"global_loads_per_thread", 5 * 8}});
}

TEST(Features, OfInlinedFuncsCountTheirArithmeticByKind) {
    const Dag dag = clamped_stencil(1024, 512);
    const Features f = features_of(dag,
                                   "inline: edge\n"
                                   "kernel out\n  out threads x=32 y=8\n"
                                   "kernel blur\n  blur threads x=32 y=8\n",
                                   1);
    f.expect_stage("blur", {{"inlined_calls", 9},
                            {"int_ops_per_thread", 9 * 4},
                            {"fp32_ops_per_thread", 8},
                            {"global_loads_per_thread", 9}});
}

TEST(Features, CountMultiplicationsThatAdditionsTakeUp) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), out = b.output("out", {{"x", 0, 1023}});
    b.reads(out, in, {at(0)});
    b.ops(out, OpKind::add, 2, OpType::single).ops(out, OpKind::mul, 3, OpType::single);
    b.ops(out, OpKind::add, 5, OpType::integer).ops(out, OpKind::mul, 4, OpType::integer);
    const Features f =
        features_of(b.build(), "kernel out\n  out threads x=32\n    out serial x=2\n");
    f.expect_stage("out", {{"fp32_ops_per_thread", 2 * 5},
                           {"fp32_fused_per_thread", 2 * 2},
                           {"int_ops_per_thread", 2 * 9},
                           {"int_fused_per_thread", 2 * 4}});
}

// Of these there is no feature of what is fused.
TEST(Features, CountFusedHalvesAndDoublesOnce) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), out = b.output("out", {{"x", 0, 1023}});
    b.reads(out, in, {at(0)});
    b.ops(out, OpKind::add, 2, OpType::half).ops(out, OpKind::mul, 3, OpType::half);
    b.ops(out, OpKind::add, 5, OpType::wide_float).ops(out, OpKind::mul, 4, OpType::wide_float);
    const Features f =
        features_of(b.build(), "kernel out\n  out threads x=32\n    out serial x=2\n");
    f.expect_stage("out", {{"fp16_ops_per_thread", 2 * 3}, {"fp64_ops_per_thread", 2 * 5}});
}

TEST(Features, CountEachTypeOfArithmetic) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), out = b.output("out", {{"x", 0, 1023}});
    b.reads(out, in, {at(0)});
    b.ops(out, OpKind::add, 1, OpType::single).ops(out, OpKind::mul, 2, OpType::half);
    b.ops(out, OpKind::mul, 3, OpType::wide_float).ops(out, OpKind::add, 4, OpType::integer);
    b.ops(out, OpKind::add, 5, OpType::wide_integer).ops(out, OpKind::select, 6, OpType::single);
    b.ops(out, OpKind::cast, 7, OpType::half).ops(out, OpKind::sqrt, 8, OpType::single);
    b.ops(out, OpKind::div, 9, OpType::integer).ops(out, OpKind::transcendental, 10);
    const Features f = features_of(b.build(), "kernel out\n  out threads x=32\n");
    f.expect_stage("out", {{"fp32_ops_per_thread", 1 + 12 * 10},
                           {"fp16_ops_per_thread", 2},
                           {"fp64_ops_per_thread", 3},
                           {"int_ops_per_thread", 4 + 2 * 5 + 6 + 7},
                           {"special_ops_per_thread", 8 + 9 + 10}});
}

// The special unit divides floats; of doubles it has a first guess, and of 64-bit integers less.
TEST(Features, CountWhatDoublesAndWideIntegersAreDividedBy) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), out = b.output("out", {{"x", 0, 1023}});
    b.reads(out, in, {at(0)});
    b.ops(out, OpKind::div, 2, OpType::wide_float).ops(out, OpKind::sqrt, 3, OpType::wide_float);
    b.ops(out, OpKind::transcendental, 5, OpType::wide_float);
    b.ops(out, OpKind::div, 7, OpType::wide_integer).ops(out, OpKind::div, 11, OpType::integer);
    const Features f = features_of(b.build(), "kernel out\n  out threads x=32\n");
    f.expect_stage("out", {{"fp32_ops_per_thread", 0},
                           {"fp64_ops_per_thread", 8 * (2 + 3) + 24 * 5},
                           {"int_ops_per_thread", 64 * 7},
                           {"special_ops_per_thread", 2 + 3 + 5 + 7 + 11}});
}

TEST(FeatureExtractor, GivesTheSameTableWhateverItHasSeen) {
    const GpuModel gpu = find_preset("a100").value();
    const Dag dag = stencil_chain(3, 512, 256);
    const char *texts[] = {
        "kernel f2\n  f1 threads x=34 y=10\n    f0 serial x=3 y=3\n    f1 serial\n"
        "  f2 threads x=32 y=8\n",
        "inline: f0 f1\nkernel f2\n  f2 threads x=32 y=8\n",
        "kernel f2\n  f2 threads x=32 y=8\nkernel f1\n  f1 threads x=32 y=8\n"
        "kernel f0\n  f0 threads x=32 y=8\n",
    };
    std::vector<KernelPtr> kernels;
    for (const char *text : texts) {
        for (const KernelPtr &kernel : parsed(dag, text).kernels) kernels.push_back(kernel);
    }
    FeatureExtractor seasoned(dag, gpu);
    for (int round = 0; round < 2; ++round) {
        for (const KernelPtr &kernel : kernels) {
            EXPECT_EQ(numbers(seasoned.extract(*kernel)),
                      numbers(FeatureExtractor(dag, gpu).extract(*kernel)));
        }
    }
}

// Five shifts one after the other: what they need is computed anew for each.
TEST(Features, OfALoopBetweenBlocksAndThreads) {
    const Dag dag = shifted_patches(512, 256);
    const Features f = features_of(dag,
                                   "kernel out\n"
                                   "  total threads x=32 y=8\n"
                                   "  diff threads x=34 y=8 in total.update(0)\n"
                                   "  patch threads x=32 y=8 in total.update(0)\n"
                                   "  total.update(0) threads x=32 y=8 in loop\n"
                                   "  out threads x=32 y=8\n");
    // Three barriers in each iteration, one before the loop and none at the end. `left`: 8 rows of
    // 34 floats, `right`: of 38, since it is read at all shifts.
    f.expect_kernel({{"num_blocks", 512},
                     {"threads_per_block", 272},
                     {"num_warps_per_block", 9},
                     {"barriers_per_block", 1 + 3 * 5},
                     {"shared_bytes_per_block", (32 * 8 + 34 * 8 + 32 * 8) * 4},
                     {"block_global_read_sectors", 8 * ((34 + 38) * 4 + 2 * 28) / 32.0},
                     {"global_bytes_read", (514 + 518) * 256 * 4}});
    // 272 threads are 9 warps.
    f.expect_stage("diff", {{"num_scalars", 272 * 512 * 5},
                            {"points_computed_per_thread", 5},
                            {"unrolled_points", 1},
                            {"serial_iterations", 5},
                            {"num_threads_per_block", 272},
                            {"num_active_warps_per_block", 9},
                            {"fp32_ops_per_thread", 2 * 5},
                            {"global_loads_per_thread", 2 * 5},
                            {"num_global_mem_loads_per_block", 9 * 10 * kSectorsOf34},
                            {"shared_stores_per_thread", 5},
                            {"num_shared_mem_stores_per_block", 9 * 5}});
    f.expect_stage("patch", {{"num_scalars", 256 * 512 * 5},
                             {"fp32_ops_per_thread", 2 * 5},
                             {"shared_loads_per_thread", 3 * 5},
                             {"num_shared_mem_loads_per_block", 9 * 3 * 5},
                             {"shared_stores_per_thread", 5}});
    // A sum is read and written in every iteration.
    f.expect_stage("total.update(0)", {{"num_scalars", 256 * 512 * 5},
                                       {"points_computed_per_thread", 5},
                                       {"unrolled_points", 1},
                                       {"serial_iterations", 5},
                                       {"fp32_ops_per_thread", 5},
                                       {"shared_loads_per_thread", 2 * 5},
                                       {"shared_stores_per_thread", 5}});
    f.expect_stage("total", {{"num_scalars", 256 * 512}, {"shared_stores_per_thread", 1}});
    f.expect_stage("out", {{"num_scalars", 256 * 512}, {"shared_loads_per_thread", 1}});
}

// Three rows of five shifts: the shifts of a row are summed between two barriers.
TEST(Features, OfTheOutermostLoopBetweenBlocksAndThreads) {
    const Dag dag = patches_of_all_shifts(512, 256);
    const Features f = features_of(dag,
                                   "inline: patch\nkernel out\n"
                                   "  total threads x=32 y=8\n"
                                   "  diff threads x=34 y=8 in total.update(0)\n"
                                   "    diff serial i=5\n"
                                   "  total.update(0) threads x=32 y=8 in outer_loop\n"
                                   "    total.update(0) serial s=5\n"
                                   "  out threads x=32 y=8\n");
    f.expect_kernel(
        {{"barriers_per_block", 1 + 2 * 3}, {"shared_bytes_per_block", (32 * 8 + 34 * 8 * 5) * 4}});
    f.expect_stage("diff",
                   {{"num_scalars", 272 * 512 * 5 * 3}, {"points_computed_per_thread", 15}});
    // A sum is read once for all shifts of a row, which are written out, and written for each:
    // `diff` is loaded from shared memory between them.
    f.expect_stage("total.update(0)", {{"num_scalars", 256 * 512 * 5 * 3},
                                       {"points_computed_per_thread", 15},
                                       {"unrolled_points", 5},
                                       {"serial_iterations", 3},
                                       {"shared_loads_per_thread", (1 + 3 * 5) * 3},
                                       {"shared_stores_per_thread", 15}});
}

TEST(Features, OfTheThreadsInALoopAreTimesItsIterations) {
    const Dag dag = shifted_patches(512, 256);
    const Features f = features_of(dag,
                                   "kernel out\n"
                                   "  total threads x=32 y=8\n"
                                   "  total.update(0) threads x=32 y=8 in loop\n"
                                   "    diff serial x=3\n    patch serial\n"
                                   "    total.update(0) serial\n"
                                   "  out threads x=32 y=8\n");
    f.expect_kernel({{"barriers_per_block", 1 + 5}, {"shared_bytes_per_block", 32 * 8 * 4}});
    f.expect_stage("diff", {{"num_scalars", 3 * 256 * 512 * 5},
                            {"points_computed_per_thread", 15},
                            {"unrolled_points", 3},
                            {"serial_iterations", 5},
                            {"global_loads_per_thread", 2 * 3 * 5},
                            {"register_accesses_per_thread", 15}});
    f.expect_stage("patch", {{"register_accesses_per_thread", (3 + 1) * 5}});
}

// Steps of four rows, in which `out` reads eight of a ring of `second`, and that eight of `first`.
TEST(Features, OfAWalkCountWhereRowsAreInEachStep) {
    Dag dag = filters_along_columns(512, 256);
    dag.stages[find_stage(dag, "first").index()].loads[0].clamped = true;
    const auto features =
        features_of(dag,
                    "kernel out walk y=8\n  first threads x=64\n    first serial y=4\n"
                    "  second threads x=64\n    second serial y=4\n"
                    "  out threads x=64\n    out serial y=4\n");
    const double ring = 3, clamped = 4;
    features.expect_stage("out", {{"int_ops_per_thread", 8 * 8 * ring}});
    features.expect_stage("second", {{"int_ops_per_thread", (8 + 1) * (4 + 8) * ring}});
    features.expect_stage("first", {{"int_ops_per_thread", (8 + 2) * (4 * ring + 8 * clamped)}});
    features.expect_kernel({{"shared_bytes_per_block", 2 * 8 * 64 * 4}});
}

// out(x, y) = three rows of mid, less far(64 * x, y) if it reads that.
Dag strides_beside_a_stencil(bool reads_far) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), far = b.input("far", {"x", "y"});
    const FuncId mid = b.func("mid", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 511}, {"y", 0, 255}});
    b.reads(mid, in, {at(0), at(1)}).reads(out, mid, {at(0), at(1, -1, 1)}, 3);
    if (reads_far) b.reads(out, far, {times(0, 64), at(1)});
    return b.build();
}

// 64 columns of 32 rows, each of which has a sector of its own.
TEST(Features, OfAWalkCountWhatABlockLoadsOnce) {
    const auto sectors = [](bool reads_far) {
        return features_of(strides_beside_a_stencil(reads_far),
                           "kernel out walk y=8\n  mid threads x=64\n    mid serial y=4\n"
                           "  out threads x=64\n    out serial y=4\n")
            .kernel("block_global_read_sectors");
    };
    EXPECT_EQ(sectors(true) - sectors(false), 64 * 32);
}

}  // namespace
}  // namespace autoschedule_gpu
