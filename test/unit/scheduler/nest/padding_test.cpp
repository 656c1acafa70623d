// Rows of shared memory that are longer than they need be: how long, and of what.
#include "scheduler/nest/padding.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "core/dag/dag.h"
#include "scheduler/nest/edit.h"
#include "unit/dag_builder.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

using example::at;
using example::parsed;
using Rows = std::optional<int64_t>;

constexpr ScalarType unsigned_of(uint8_t bits) {
    return {ScalarType::Code::unsigned_int, bits};
}

// What is there and back again, through values of those types, and once more through what is
// `beside`.
Dag there_and_back(std::vector<ScalarType> values, ScalarType beside = unsigned_of(32)) {
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"});
    const FuncId mid = b.func("mid", {"x", "y"}), more = b.func("more", {"x", "y"});
    const FuncId out = b.output("out", {{"x", 0, 511}, {"y", 0, 255}});
    b.reads(mid, in, {at(1), at(0)}).reads(more, in, {at(0), at(1)});
    b.reads(out, mid, {at(1), at(0)}).reads(out, more, {at(0), at(1)});
    Dag dag = b.build();
    dag.funcs[mid.index()].values = std::move(values);
    dag.funcs[more.index()].values = {beside};
    return dag;
}

// Of a tile of so many rows, each of which is a column of the output's.
Rows padded(const Dag &dag, int rows, bool beside = false) {
    const std::string n = std::to_string(rows);
    const Nest nest =
        parsed(dag, (beside ? "" : "inline: more\n") + ("kernel out\n  mid threads x=" + n) +
                        " y=32\n" + (beside ? "  more threads x=32 y=" + n + "\n" : "") +
                        "  out threads x=32 y=" + n + "\n");
    return padded_row(dag, *nest.kernels[0], dag.func(FuncId(1)).stages[0]);
}

TEST(PaddedRow, IsTheNextOddNumberOfWords) {
    const Dag words = there_and_back({unsigned_of(32)});
    EXPECT_EQ(padded(words, 32), 33);
    EXPECT_EQ(padded(words, 16), 17);
    EXPECT_EQ(padded(words, 31), Rows()) << "it is odd";
    const Dag bytes = there_and_back({unsigned_of(8)});
    EXPECT_EQ(padded(bytes, 32), 36) << "nine words";
    EXPECT_EQ(padded(bytes, 30), 36);
    EXPECT_EQ(padded(bytes, 18), 20) << "five words";
    EXPECT_EQ(padded(bytes, 20), Rows());
    EXPECT_EQ(padded(there_and_back({unsigned_of(16)}), 32), 34) << "17 words";
}

TEST(PaddedRow, IsAnOddNumberOfElementsThatAreWiderThanAWord) {
    EXPECT_EQ(padded(there_and_back({unsigned_of(64)}), 32), 33);
    EXPECT_EQ(padded(there_and_back({unsigned_of(64)}), 31), Rows());
}

// The array of each value of a Tuple has as many elements in a row.
TEST(PaddedRow, OfATupleIsThatOfItsNarrowestValue) {
    EXPECT_EQ(padded(there_and_back({unsigned_of(32), unsigned_of(32)}), 32), 33);
    EXPECT_EQ(padded(there_and_back({unsigned_of(32), unsigned_of(16)}), 32), 34);
}

// scheduler/nest/shared_storage.h
TEST(PaddedRow, IsAMultipleOfTheWidestElementInTheBlock) {
    const Dag beside_wide = there_and_back({unsigned_of(32)}, unsigned_of(64));
    EXPECT_EQ(padded(beside_wide, 32, false), 33);
    EXPECT_EQ(padded(beside_wide, 32, true), 34);
    EXPECT_EQ(padded(there_and_back({unsigned_of(8)}, unsigned_of(64)), 32, true), 40);
}

TEST(PaddedRow, IsOfAFuncInABlockWithSeveralRows) {
    const Dag dag = example::stencil_chain(3, 512, 256);
    const StageId f0 = dag.func(FuncId(1)).stages[0], f2 = dag.func(FuncId(3)).stages[0];
    const auto of = [&](StageId stage, std::string_view text) {
        return padded_row(dag, *parsed(dag, text).kernels.back(), stage);
    };
    const std::string_view in_block =
        "inline: f1\nkernel f2\n  f0 threads x=36 y=12\n  f2 threads x=32 y=8\n";
    EXPECT_EQ(of(f0, in_block), 37);
    EXPECT_EQ(of(f2, in_block), Rows()) << "at root";
    EXPECT_EQ(of(f0, "inline: f1\nkernel f2\n  f2 threads x=32 y=8\n    f0 serial x=5 y=5\n"),
              Rows())
        << "in a thread";
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x"}), line = b.func("line", {"x"});
    b.reads(line, in, {at(0)});
    b.reads(b.output("out", {{"x", 0, 511}}), line, {at(0, -1, 0)}, 2);
    const Dag lines = b.build();
    const Nest nest = parsed(lines,
                             "kernel out\n  line threads x=33\n    line serial x=2\n  out threads "
                             "x=32\n    out serial x=2\n");
    EXPECT_EQ(padded_row(lines, *nest.kernels[0], lines.func(line).stages[0]), Rows());
}

// Points that a split adds are stored as well.
TEST(PaddedRow, HoldsWhatASplitRoundsUp) {
    const Dag dag = example::two_stencils(1536, 1024);
    const Nest nest =
        parsed(dag, "kernel f1\n  f0 threads x=9 y=10\n    f0 serial x=4\n  f1 threads x=32 y=8\n");
    const StageId f0 = dag.func(FuncId(1)).stages[0];
    EXPECT_EQ(stored_row(dag, *nest.kernels[0], f0), 36) << "of which 34 are needed";
    EXPECT_EQ(padded_row(dag, *nest.kernels[0], f0), 37);
}

// How long they are Halide finds at run time: a multiple of what was thought may be twice that.
TEST(PaddedRow, IsNotOfRowsOfALengthThatIsKnownAtRunTime) {
    const Dag dag = example::down_and_up(1024, 512);
    const Nest nest = parsed(dag, "kernel out\n  down threads x=17 y=5\n  out threads x=32 y=8\n");
    EXPECT_EQ(padded_row(dag, *nest.kernels[0], dag.func(FuncId(1)).stages[0]), Rows());
}

TEST(PaddedRow, IsOfWhatALoopInABlockReads) {
    const Dag dag = example::shifted_patches(1024, 512);
    const std::string text =
        "kernel out blocks x=32 y=64\n  total threads x=32 y=4\n    total serial y=2\n"
        "  diff threads x=17 y=8 row 35 in total.update(0)\n    diff serial x=2\n"
        "  total.update(0) threads x=32 y=4 in loop\n    patch serial y=2\n"
        "    total.update(0) serial y=2\n"
        "  out threads x=32 y=8\n    out serial\n";
    const Nest nest = example::sound(dag, text);
    EXPECT_EQ(to_text(dag, nest), text);
    const auto bands = thread_bands(*nest.kernels[0]);
    EXPECT_EQ(padded_row(dag, *nest.kernels[0], bands[1]->stage), 35);
}

const std::string kPadded =
    "inline: f1\nkernel f2 blocks x=16 y=32\n  f0 threads x=36 y=12 row 37\n    f0 serial\n"
    "  f2 threads x=32 y=8\n    f2 serial\n";

TEST(Row, ComesBackFromText) {
    const Dag dag = example::stencil_chain(3, 512, 256);
    const Nest nest = example::sound(dag, kPadded);
    EXPECT_EQ(to_text(dag, nest), kPadded);
    EXPECT_EQ(nest.kernels[0]->blocks->body[0]->row, 37);
}

TEST(Row, IsPartOfTheKernelsHash) {
    const Dag dag = example::stencil_chain(3, 512, 256);
    const KernelPtr padded = parsed(dag, kPadded).kernels[0];
    const StageId f0 = dag.func(FuncId(1)).stages[0];
    const KernelPtr plain = store_rows(padded, f0, 0);
    EXPECT_NE(plain->hash, padded->hash);
    EXPECT_NE(store_rows(plain, f0, 39)->hash, padded->hash);
    EXPECT_EQ(store_rows(plain, f0, 37)->hash, padded->hash);
}

TEST(Row, IsForgottenWhenSomethingComesIntoTheBlock) {
    const Dag dag = example::stencil_chain(4, 512, 256);
    const KernelPtr padded = parsed(dag,
                                    "inline: f2\nkernel f3\n  f1 threads x=36 y=12 row 37\n"
                                    "  f3 threads x=32 y=8\n")
                                 .kernels[0];
    const std::vector<int64_t> extents = {38, 14}, serial = {1, 1};
    const KernelPtr more = compute_in_block(dag, padded, FuncId(1), extents, serial);
    ASSERT_EQ(more->blocks->body.size(), 3u);
    EXPECT_EQ(more->blocks->body[1]->row, 0);
}

TEST(Row, IsRefusedWhereItIsTooShortOrOfNothingShared) {
    const Dag dag = example::stencil_chain(3, 512, 256);
    const auto problems = [&](const Dag &of, const std::string &text) {
        return check(of, parsed(of, text), Completeness::complete);
    };
    const auto with_row = [](int row) {
        return "inline: f1\nkernel f2\n  f0 threads x=36 y=12 row " + std::to_string(row) +
               "\n  f2 threads x=32 y=8\n";
    };
    EXPECT_EQ(problems(dag, with_row(36)), std::vector<std::string>{});
    EXPECT_EQ(problems(dag, with_row(35)),
              std::vector<std::string>{"kernel f2, f0: has rows shorter than it needs"});
    const Dag wide = there_and_back({unsigned_of(32)}, unsigned_of(64));
    EXPECT_EQ(
        problems(wide,
                 "kernel out\n  mid threads x=32 y=32 row 33\n  more threads x=32 y=32\n"
                 "  out threads x=32 y=32\n"),
        std::vector<std::string>{
            "kernel out, mid: has rows that are no multiple of the widest element beside it"});
    const StageId f2 = dag.func(FuncId(3)).stages[0];
    Nest at_root = parsed(dag, with_row(37));
    at_root.kernels[0] = store_rows(at_root.kernels[0], f2, 33);
    EXPECT_EQ(
        check(dag, at_root, Completeness::complete),
        std::vector<std::string>{"kernel f2, f2: has rows, but stores none in shared memory"});
}

}  // namespace
}  // namespace autoschedule_gpu
