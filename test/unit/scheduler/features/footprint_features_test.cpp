// What stages read and write in all: per pass of a thread, thread, block (task) and realization.
// All elements are floats of 4 bytes; images are 512 x 256 unless said otherwise.
#include "unit/scheduler/features/features_of.h"

namespace autoschedule_gpu {
namespace {

using namespace example;

TEST(Footprints, OfACopyAreItsPoints) {
    const Features f = features_of(copy(512, 256), "kernel out\n  out threads x=32 y=8\n");
    f.expect_stage("out", {{"num_realizations", 1},
                           {"unique_global_bytes_read_per_realization", kImageBytes},
                           {"unique_global_lines_read_per_realization", 256},
                           {"unique_global_bytes_read_per_thread", 4},
                           {"unique_global_lines_read_per_thread", 1},
                           {"unique_bytes_read_per_task", 32 * 8 * 4},
                           {"unique_lines_read_per_task", 8},
                           {"unique_bytes_read_per_point", 4},
                           {"unique_lines_read_per_point", 1},
                           {"global_allocation_bytes_read_per_realization", kImageBytes},
                           {"global_bytes_at_task", 32 * 8 * 4},
                           {"global_innermost_bytes_at_task", 32 * 4},
                           {"unique_shared_bytes_read_per_realization", 0},
                           {"unique_register_bytes_read_per_thread", 0},
                           {"shared_bytes_at_task", 0},
                           {"register_bytes_at_task", 0},
                           {"working_set_at_thread", 0}});
}

// in(y, x): the block's tile of `in` is 32 lines of 8.
TEST(Footprints, OfATransposedReadCountItsLines) {
    const Features f = features_of(transpose(512, 256), "kernel out\n  out threads x=32 y=8\n");
    f.expect_stage("out", {{"unique_bytes_read_per_task", 32 * 8 * 4},
                           {"unique_lines_read_per_task", 32},
                           {"unique_global_lines_read_per_realization", 512}});
}

// Pixels of three channels lie in one line.
TEST(Footprints, OfInterleavedPixelsHaveTheChannelsInnermost) {
    const Features f =
        features_of(interleaved(512, 256), "kernel out\n  out threads x=32 y=2 c=3\n");
    f.expect_stage("out", {{"global_bytes_at_task", 32 * 2 * 3 * 4},
                           {"global_innermost_bytes_at_task", 3 * 4}});
}

TEST(Footprints, OfAStencilInSharedMemory) {
    const Features f = features_of(two_stencils(512, 256),
                                   "kernel f1\n"
                                   "  f0 threads x=34 y=10\n"
                                   "  f1 threads x=32 y=8\n");
    f.expect_stage("f0", {{"num_realizations", 512},  // once per block
                          {"unique_global_bytes_read_per_realization", 36 * 12 * 4},
                          {"unique_global_lines_read_per_realization", 12},
                          {"unique_global_bytes_read_per_thread", 9 * 4},
                          {"unique_global_lines_read_per_thread", 3},
                          {"unique_bytes_read_per_task", 36 * 12 * 4},
                          {"unique_bytes_read_per_point", 9 * 4},
                          {"global_allocation_bytes_read_per_realization", 516 * 260 * 4},
                          {"shared_bytes_at_task", 34 * 10 * 4},
                          {"shared_innermost_bytes_at_task", 34 * 4},
                          {"global_bytes_at_task", 0}});
    f.expect_stage("f1", {{"num_realizations", 1},
                          {"unique_shared_bytes_read_per_realization", 514 * 258 * 4},
                          {"unique_shared_lines_read_per_realization", 258},
                          {"unique_shared_bytes_read_per_thread", 9 * 4},
                          {"unique_shared_lines_read_per_thread", 3},
                          {"unique_global_bytes_read_per_realization", 0},
                          {"unique_bytes_read_per_task", 34 * 10 * 4},
                          {"unique_lines_read_per_task", 10},
                          {"shared_allocation_bytes_read_per_realization", 34 * 10 * 4},
                          {"global_bytes_at_task", 32 * 8 * 4}});
}

TEST(Footprints, OfAStencilInRegisters) {
    const Features f = features_of(two_stencils(512, 256),
                                   "kernel f1\n"
                                   "  f1 threads x=32 y=8\n"
                                   "    f0 serial x=3 y=3\n    f1 serial\n");
    f.expect_stage("f0", {{"num_realizations", 512 * 256},  // once per thread
                          {"unique_global_bytes_read_per_realization", 25 * 4},
                          {"unique_global_lines_read_per_realization", 5},
                          {"unique_global_bytes_read_per_thread", 25 * 4},
                          {"unique_bytes_read_per_task", 36 * 12 * 4},
                          {"unique_bytes_read_per_point", 25 * 4 / 9.0},
                          {"unique_lines_read_per_point", 5 / 9.0},
                          {"register_bytes_at_task", 9 * 4 * 256},
                          {"register_innermost_bytes_at_task", 3 * 4},
                          {"working_set_at_thread", 9 * 4}});
    f.expect_stage("f1", {{"unique_register_bytes_read_per_thread", 9 * 4},
                          {"unique_register_lines_read_per_thread", 3},
                          {"unique_register_bytes_read_per_realization", 514 * 258 * 4},
                          {"register_allocation_bytes_read_per_realization", 9 * 4},
                          {"working_set_at_thread", 9 * 4},
                          {"global_bytes_at_task", 32 * 8 * 4}});
}

// out(x, y) += a(k, y) * b(x, k): a thread reads a row of `a` and a column of `b`.
TEST(Footprints, OfAMatrixProductGrowWithTheReduction) {
    const Features f = features_of(matmul_output(512),
                                   "kernel out\n  out threads x=32 y=8\n"
                                   "kernel out.update(0)\n  out.update(0) threads x=32 y=8\n"
                                   "    out.update(0) serial k=512\n",
                                   1);
    f.expect_stage("out.update(0)",
                   {{"unrolled_points", 1},  // 512 iterations are too many to unroll
                    {"unique_bytes_read_per_point", 2 * 4},
                    {"unique_lines_read_per_point", 2},
                    {"unique_global_bytes_read_per_thread", (512 + 512) * 4},
                    {"unique_global_lines_read_per_thread", 1 + 512},
                    {"unique_bytes_read_per_task", (8 * 512 + 512 * 32) * 4},
                    {"unique_lines_read_per_task", 8 + 512},
                    {"unique_global_bytes_read_per_realization", 2 * 512 * 512 * 4},
                    {"unique_global_lines_read_per_realization", 2 * 512},
                    {"global_bytes_at_task", 32 * 8 * 4},
                    {"reduction_split", 1}});
}

TEST(Footprints, OfStoresHaveTheWidthOfWhatIsUnrolledAlongMemory) {
    const auto width = [](const char *serial) {
        return features_of(copy(512, 256), "kernel out\n  out threads x=16 y=4\n    out serial" +
                                               std::string(serial) + "\n")
            .stage("out", "vector_width");
    };
    EXPECT_EQ(width(""), 1);
    EXPECT_EQ(width(" y=4"), 1);
    EXPECT_EQ(width(" x=2"), 2);
    EXPECT_EQ(width(" x=3"), 1);
    EXPECT_EQ(width(" x=4 y=2"), 4);
    EXPECT_EQ(width(" x=8"), 4);  // 16 bytes
}

TEST(Footprints, OfAReductionCountTheThreadsThatShareIt) {
    const Features f = features_of(row_sums(128, 64),
                                   "kernel out\n  out threads y=32\n"
                                   "kernel rows\n  rows threads y=32\n"
                                   "kernel rows.update(0) blocks c=2 y=64\n"
                                   "  rows.update(0) threads c=16\n"
                                   "    rows.update(0) serial c=4\n",
                                   2);
    f.expect_stage("rows.update(0)", {{"reduction_split", 2 * 16},
                                      {"global_bytes_at_task", 4},
                                      {"unique_bytes_read_per_task", 64 * 4},
                                      {"unique_global_bytes_read_per_realization", 128 * 64 * 4}});
}

// A stencil whose loops do not unroll in one pass: 3 x 3 points each of 16 in a column.
TEST(Footprints, OfAThreadOfSeveralPassesAreThoseOfAllOfThem) {
    const Features f = features_of(two_stencils(512, 256),
                                   "kernel f1\n  f1 threads x=32 y=1\n    f1 serial y=128\n"
                                   "kernel f0\n  f0 threads x=32 y=8\n");
    EXPECT_GT(f.stage("f1", "serial_iterations"), 1);
    f.expect_stage("f1", {{"unique_global_bytes_read_per_thread", 3 * 130 * 4},
                          {"unique_global_lines_read_per_thread", 130},
                          {"unique_bytes_read_per_task", 34 * 130 * 4}});
}

}  // namespace
}  // namespace autoschedule_gpu
