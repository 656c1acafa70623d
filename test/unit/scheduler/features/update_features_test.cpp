// Kernels of updates: reductions, scatters, scalars.
#include <cmath>

#include "unit/scheduler/features/features_of.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

TEST(Features, OfAMatrixProductShareOperandsAcrossTheTile) {
    const Features f = features_of(matmul_output(512),
                                   "kernel out.update(0)\n"
                                   "  out.update(0) threads x=32 y=4\n"
                                   "    out.update(0) serial x=2 y=4\n"
                                   "kernel out\n  out threads x=32 y=8\n");
    // Each of the 512 steps of k reads 4 values of a, 2 of b, and the 8 sums.
    f.expect_stage("out.update(0)", {{"serial_iterations", 512},
                                     {"unrolled_points", 8},
                                     {"points_computed_per_thread", 8 * 512},
                                     {"fp32_ops_per_thread", 2 * 8 * 512},
                                     {"global_loads_per_thread", (4 + 2 + 8) * 512},
                                     {"global_stores_per_thread", 8 * 512},
                                     {"num_scalars", 512.0 * 512 * 512}});
    // A warp's lanes share one value of a; in b and out they are 8 bytes apart.
    const double spread = (31 * 8 + 4 + 28) / 32.0;
    f.expect_stage("out.update(0)",
                   {{"num_active_warps_per_block", 4},
                    {"num_global_mem_loads_per_block", 4 * 512 * (4 * 1 + (2 + 8) * spread)},
                    {"num_global_mem_stores_per_block", 4 * 512 * 8 * 8}});
    // a, b and the sums, a MiB each; all of them leave the chip once.
    f.expect_kernel({{"num_blocks", 8 * 32},
                     {"global_bytes_read", 3 * 1048576},
                     {"dram_bytes_read", 3 * 1048576},
                     {"dram_bytes_written", 1048576}});
}

// out(x, 0) = max(out(x, 0), out(x, r)): what is compared is out's own, and 64 times what is
// stored.
TEST(Features, OfAnUpdateIncludeWhatItReadsElsewhereOfItsOwn) {
    DagBuilder b;
    const FuncId out = b.output("out", {{"x", 0, 65535}, {"y", 0, 63}});
    const StageId update =
        b.update(out, {b.over(0, "x"), b.reduction("r", 0, 63)}, {at(0), example::fixed(0)});
    b.reads(update, out, {at(0), example::fixed(0)}).reads(update, out, {at(0), at(1)});
    const Dag dag = b.build();
    const Features f = features_of(dag,
                                   "kernel out.update(0)\n  out.update(0) threads x=256\n"
                                   "kernel out\n  out threads x=256\n");
    constexpr double kBytes = 65536.0 * 64 * 4;
    f.expect_kernel({{"global_bytes_read", kBytes},
                     {"dram_bytes_read", kBytes},
                     {"block_global_read_sectors", kBytes / 32 / 256}});
}

// A matrix times itself, of which a tile needs rows and columns.
TEST(Features, OfASquareOfAMatrixShareRowsAndColumns) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 511}, {"y", 0, 511}});
    const StageId update =
        b.update(out, {b.over(0, "x"), b.over(1, "y"), b.reduction("k", 0, 511)}, {at(0), at(1)});
    b.reads(update, out, {at(0), at(1)})
        .reads(update, in, {at(2), at(1)})
        .reads(update, in, {at(0), at(2)})
        .ops(update, OpKind::mul, 1);
    const Dag dag = b.build();
    const auto loads = [&](const std::string &tile) {
        return features_of(dag, "kernel out.update(0)\n  out.update(0) threads x=32 y=4\n" + tile +
                                    "kernel out\n  out threads x=32 y=8\n")
            .stage("out.update(0)", "global_loads_per_thread");
    };
    EXPECT_EQ(loads(""), 512 * (1 + 1 + 1));
    EXPECT_EQ(loads("    out.update(0) serial x=2 y=4\n"), 512 * (4 + 2 + 8));
}

TEST(Features, OfAnUnrolledReductionAddToOneRegister) {
    const Features f = features_of(reduced_stencil(1024, 512),
                                   "kernel out\n  out threads x=32 y=8\n"
                                   "kernel total\n  total threads x=32 y=8\n"
                                   "kernel total.update(0)\n  total.update(0) threads x=32 y=8\n"
                                   "    total.update(0) serial y=2\n",
                                   2);
    // Two points in y, three steps each: six values of `in`; two sums, loaded and stored once.
    f.expect_stage("total.update(0)", {{"unrolled_points", 6},
                                       {"serial_iterations", 1},
                                       {"global_loads_per_thread", 6 + 2},
                                       {"global_stores_per_thread", 2},
                                       {"fp32_ops_per_thread", 6}});
}

TEST(Features, OfAHistogramAreThoseOfOneThread) {
    const Features f = features_of(histogram(64, 32),
                                   "kernel out\n  out threads x=32 y=8\n"
                                   "kernel hist\n  hist threads i=32\n"
                                   "kernel hist.update(0)\n",
                                   2);
    f.expect_kernel({{"num_blocks", 1}, {"threads_per_block", 1}, {"num_warps_per_block", 1}});
    // The row of 64 is too long to unroll: a byte, an old count and a new one per pixel.
    f.expect_stage("hist.update(0)", {{"serial_iterations", 64 * 32},
                                      {"warp_lane_utilization", 1.0 / 32},
                                      {"global_loads_per_thread", 2 * 64 * 32},
                                      {"global_stores_per_thread", 64 * 32},
                                      {"int_ops_per_thread", 64 * 32},
                                      {"num_global_mem_stores_per_block", 64 * 32}});
}

// Where a step adds to, data says: it loads what the step before may have stored.
TEST(Features, OfSumsInSharedMemoryAtPlacesInDataCountStepsThatWait) {
    Dag dag = scattered_bins({0, 7}, Interval{0, 7});
    Stage &count = dag.stages[find_stage(dag, "bins.update(0)").index()];
    for (Load &load : count.loads) {
        if (load.producer == count.func) load.in_place = 1;
    }
    const Features f = features_of(dag,
                                   "kernel out\n"
                                   "  bins threads x=32\n    bins serial z=9\n"
                                   "  bins.update(0) threads x=32\n"
                                   "    bins.update(0) serial r=16\n"
                                   "  out threads x=32\n    out serial z=8\n",
                                   0);
    f.expect_stage(
        "bins.update(0)",
        {{"serial_iterations", 16}, {"unrolled_points", 1}, {"shared_stores_per_thread", 16}});
}

// Of a tile that is cut off each step has a guard of its own, and loads wait for it. In a grid of
// many waves the others have the time.
TEST(Features, OfAScanCountStepsThatWaitWhereATileIsCut) {
    const auto iterations_of = [](int64_t lines) {
        const Features f = features_of(iir(1024, lines),
                                       "kernel out\n  out threads x=32 y=8\n"
                                       "kernel scan\n  scan threads x=32 y=8\n"
                                       "kernel scan.update(0)\n"
                                       "  scan.update(0) threads y=32\n"
                                       "    scan.update(0) serial r=1023 steps 8\n",
                                       2);
        return f.stage("scan.update(0)", "serial_iterations");
    };
    EXPECT_LT(iterations_of(512), 1023 / 4);
    EXPECT_GE(iterations_of(500), 1023);
    EXPECT_EQ(iterations_of(10'000'000 / 32 * 32), iterations_of(10'000'001));
}

// scan(x, r) = scan(x, r - 1) + in(x, r), or with x and r the other way round.
Dag scan_alone(bool along_rows) {
    constexpr int64_t kSize = 4096;
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId scan = b.output("scan", {{"x", 0, kSize - 1}, {"y", 0, kSize - 1}});
    const int line = along_rows ? 1 : 0, step = along_rows ? 0 : 1;
    std::vector<Loop> loops(2);
    loops[static_cast<size_t>(line)] = b.over(line, along_rows ? "y" : "x");
    loops[static_cast<size_t>(step)] = DagBuilder::reduction("r", 1, kSize - 1);
    const StageId update = b.update(scan, loops, {at(0), at(1)});
    const auto before =
        along_rows ? std::vector{at(0, -1, -1), at(1)} : std::vector{at(0), at(1, -1, -1)};
    b.reads(update, scan, before).reads(update, in, {at(0), at(1)});
    return b.ops(update, OpKind::add, 1).build();
}

Features features_of_scan(bool along_rows) {
    const std::string line = along_rows ? "y" : "x";
    return features_of(scan_alone(along_rows), "kernel scan.update(0)\n  scan.update(0) threads " +
                                                   line +
                                                   "=32\n    scan.update(0) serial r=4095 steps 8\n"
                                                   "kernel scan\n  scan threads x=32 y=8\n");
}

TEST(Features, OfAScanReadFromDramOnlyWhatOthersHaveWritten) {
    constexpr double kBytes = 4095.0 * 4096 * 4;
    for (const bool along_rows : {false, true}) {
        features_of_scan(along_rows)
            .expect_kernel({{"global_bytes_read", kBytes}, {"dram_bytes_read", kBytes}});
    }
}

// How far apart two rows of an image are is known at run time only: a load of the next row does not
// go ahead of the store before.
TEST(Features, OfAScanCountStepsThatWaitForStores) {
    const auto iterations_of = [](bool along_rows) {
        return features_of_scan(along_rows).stage("scan.update(0)", "serial_iterations");
    };
    EXPECT_EQ(iterations_of(true), 4095.0 / 8);
    EXPECT_EQ(iterations_of(false), 4095);
}

TEST(Features, OfAScalarSumAreThoseOfOneThread) {
    const Features f = features_of(zero_dim(1000), "kernel sum\nkernel sum.update(0)\n", 1);
    f.expect_stage("sum.update(0)", {{"num_threads_per_block", 1},
                                     {"num_active_warps_per_block", 1},
                                     {"serial_iterations", 1000},
                                     {"global_loads_per_thread", 2000},
                                     {"num_global_mem_loads_per_block", 2000},
                                     {"global_stores_per_thread", 1000}});
    f.expect_kernel({{"global_bytes_read", 1000 * 4 + 4}});
}

TEST(Features, OfAReductionOverNothingAreFinite) {
    DagBuilder b;
    const FuncId in = b.input("in", {"x"}), out = b.output("out", {{"x", 0, 1023}});
    const StageId none = b.update(out, {b.reduction("r", 0, -1), b.over(0, "x")}, {at(1)});
    b.reads(none, in, {sum(1, 0)});
    const Features f = features_of(b.build(),
                                   "kernel out\n  out threads x=32\nkernel out.update(0)\n  "
                                   "out.update(0) threads x=32\n",
                                   1);
    for (const FeatureInfo &info : stage_feature_list()) {
        EXPECT_TRUE(std::isfinite(f.stage("out.update(0)", std::string(info.name)))) << info.name;
    }
    for (const FeatureInfo &info : kernel_feature_list()) {
        EXPECT_TRUE(std::isfinite(f.kernel(std::string(info.name)))) << info.name;
    }
}

TEST(Features, OfAHistogramInABlockCountItsAtomicsInSharedMemory) {
    const Features f = features_of(row_histograms(512, 256),
                                   "kernel out\n  out threads x=32 y=8\n"
                                   "kernel hist\n  hist threads i=32\n"
                                   "kernel hist.update(0) blocks r=256\n"
                                   "  rows threads i=256\n"
                                   "  rows.update(0) threads c=256\n"
                                   "    rows.update(0) serial c=2\n"
                                   "  hist.update(0) threads i=256\n",
                                   2);
    f.expect_kernel({{"num_blocks", 256},
                     {"threads_per_block", 256},
                     {"shared_bytes_per_block", 256 * 4},
                     {"barriers_per_block", 2}});
    // Neighbouring threads count neighbouring pixels, in random bins: 3.53 passes a warp.
    f.expect_stage("rows.update(0)",
                   {{"num_scalars", 512 * 256},
                    {"atomics_per_thread", 2},
                    {"num_global_atomics_per_block", 0},
                    {"atomics_per_element", 0},
                    {"shared_loads_per_thread", 2},
                    {"shared_stores_per_thread", 2},
                    {"num_shared_mem_stores_per_block", 8 * 2 * 3.53},
                    {"num_global_mem_loads_per_block", 8 * 2 * (32 + 31) / 32.0}});
    // Each block adds each bin once: 8 warps of 4 sectors; 256 blocks meet in every bin.
    f.expect_stage("hist.update(0)", {{"atomics_per_thread", 1},
                                      {"num_global_atomics_per_block", 8 * 4},
                                      {"num_global_mem_stores_per_block", 8 * 4},
                                      {"atomics_per_element", 256},
                                      {"shared_loads_per_thread", 1}});
}

TEST(Features, OfAtomicsOnOneElementOfSharedMemoryTakeTurns) {
    const Features f = features_of(row_sums(128, 64),
                                   "kernel out\n  rows threads y=4\n"
                                   "  rows.update(0) threads c=32 y=4\n"
                                   "    rows.update(0) serial c=4\n"
                                   "  out threads y=4\n");
    // Four warps of a row each; the lanes of a warp all add to the row's sum.
    f.expect_stage("rows.update(0)", {{"atomics_per_thread", 4},
                                      {"shared_stores_per_thread", 4},
                                      {"num_shared_mem_stores_per_block", 4 * 4 * 32}});
}

// Whatever the place is computed of.
TEST(Features, OfAtomicsSayWhatIsAddedUp) {
    const auto added = [](ScalarType::Code code) {
        Dag dag = row_sums(128, 64);
        Stage &sum = dag.stages[find_stage(dag, "rows.update(0)").index()];
        sum.ops.at(OpKind::mul, OpType::single) = 1;
        dag.funcs[sum.func.index()].values = {{code, 32}};
        const Features f = features_of(dag,
                                       "kernel out\n  rows threads y=4\n"
                                       "  rows.update(0) threads c=32 y=4\n"
                                       "    rows.update(0) serial c=4\n"
                                       "  out threads y=4\n");
        EXPECT_EQ(f.table().stages.at(0).added, Added::not_known) << "no atomic operation";
        return f.table().stages.at(1).added;
    };
    EXPECT_EQ(added(ScalarType::Code::unsigned_int), Added::integers);
    EXPECT_EQ(added(ScalarType::Code::floating), Added::floats);
}

// A warp's additions to one of so many bins of a block.
TEST(Features, OfAtomicsOnFewElementsOfSharedMemoryTakeTurnsInALoop) {
    const auto passes = [](int64_t bins, ScalarType value) {
        Dag dag = row_histograms(512, 256);
        const StageId count = find_stage(dag, "rows.update(0)");
        Func &rows = dag.funcs[dag.stage(count).func.index()];
        rows.dims[0].estimate = {0, bins - 1};
        rows.values = {value};
        const Features f = features_of(dag,
                                       "kernel out\n  out threads x=32 y=8\n"
                                       "kernel hist\n  hist threads i=32\n"
                                       "kernel hist.update(0) blocks r=256\n"
                                       "  rows threads i=256\n"
                                       "  rows.update(0) threads c=512\n"
                                       "  hist.update(0) threads i=256\n",
                                       2);
        return f.stage("rows.update(0)", "num_shared_mem_stores_per_block") / 16;
    };
    constexpr ScalarType word{ScalarType::Code::unsigned_int, 32};
    constexpr ScalarType wide{ScalarType::Code::unsigned_int, 64};
    constexpr ScalarType real{ScalarType::Code::floating, 32};
    EXPECT_NEAR(passes(256, real), 3.53, 0.01);
    EXPECT_NEAR(passes(2, real), 18.26, 1.2);
    EXPECT_GT(passes(2, wide), passes(8, wide));
    EXPECT_GT(passes(8, real), passes(256, real));
    // Of counts it is not known whether they wait.
    EXPECT_NEAR(passes(2, word), 3.53, 0.01);
}

// sums(rx + ry) += in(rx, ry): 64 times 32 additions to 64 + 32 - 1 elements.
TEST(Features, OfAtomicsCountElementsThatSeveralIterationsAddTo) {
    constexpr ScalarType word{ScalarType::Code::signed_int, 32};
    DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}, word);
    const FuncId sums = b.output("sums", {{"x", 0, 99}}, word);
    const Index diagonal{.terms = {{0, 1}, {1, 1}}};
    const StageId update =
        b.update(sums, {b.reduction("rx", 0, 63), b.reduction("ry", 0, 31)}, {diagonal});
    b.reads(update, sums, {diagonal}).reads(update, in, {at(0), at(1)}).atomics(update);
    const Features f = features_of(b.build(),
                                   "kernel sums\n  sums threads x=32\n"
                                   "kernel sums.update(0) blocks rx=2 ry=32\n"
                                   "  sums.update(0) threads rx=32\n",
                                   1);
    f.expect_stage("sums.update(0)", {{"atomics_per_element", 64 * 32 / 95.0}});
}

TEST(Features, OfAtomicsInGlobalMemoryReadEachElementEveryTime) {
    const Features f = features_of(row_sums(128, 64),
                                   "kernel out\n  out threads y=32\n"
                                   "kernel rows\n  rows threads y=32\n"
                                   "kernel rows.update(0) blocks c=1 y=64\n"
                                   "  rows.update(0) threads c=32\n"
                                   "    rows.update(0) serial c=4\n",
                                   2);
    f.expect_stage("rows.update(0)", {{"atomics_per_thread", 4},
                                      {"global_stores_per_thread", 4},
                                      {"global_loads_per_thread", 4 + 4},
                                      {"num_global_mem_stores_per_block", 4},
                                      {"num_global_atomics_per_block", 4},
                                      {"atomics_per_element", 128}});
}

}  // namespace
}  // namespace autoschedule_gpu
