#include "scheduler/nest/shared_storage.h"

#include <gtest/gtest.h>

#include <array>

#include "core/dag/storage_order.h"
#include "scheduler/schedule/directives_of_nest.h"
#include "unit/dag_builder.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu {
namespace {

Func with_values(std::vector<ScalarType> values, size_t dims = 1) {
    Func func;
    func.values = std::move(values);
    func.dims.resize(dims);
    return func;
}

constexpr ScalarType of_bits(uint8_t bits) {
    return {ScalarType::Code::unsigned_int, bits};
}

TEST(SharedStorage, RowsAreWholeElementsOfTheWidest) {
    EXPECT_EQ(shared_row_alignment(with_values({of_bits(8)}), 4), 4);
    EXPECT_EQ(shared_row_alignment(with_values({of_bits(16)}), 8), 4);
    EXPECT_EQ(shared_row_alignment(with_values({of_bits(32)}), 4), 1);
    EXPECT_EQ(shared_row_alignment(with_values({of_bits(1)}), 4), 4);
    EXPECT_EQ(shared_row_alignment(with_values({of_bits(32), of_bits(16)}), 4), 2);
    EXPECT_EQ(shared_row_alignment(with_values({of_bits(8)}), 1), 1);
    EXPECT_EQ(shared_row_alignment(with_values({of_bits(8)}, 0), 4), 1);
}

TEST(SharedStorage, RoundsUpTheFirstDimension) {
    EXPECT_EQ(stored_points(std::array<int64_t, 2>{197, 33}, 4), 200 * 33);
    EXPECT_EQ(stored_points(std::array<int64_t, 2>{196, 33}, 4), 196 * 33);
    EXPECT_EQ(stored_points(std::array<int64_t, 2>{197, 33}, 1), 197 * 33);
    EXPECT_EQ(stored_points({}, 4), 1);
}

TEST(SharedStorage, RoundsUpTheInnermostDimension) {
    EXPECT_EQ(stored_points(std::array<int64_t, 3>{7, 5, 2}, 4, 2), 7 * 5 * 4);
    EXPECT_EQ(stored_points(std::array<int64_t, 3>{7, 5, 4}, 4, 2), 7 * 5 * 4);
}

// In each step of total's sum, `first` is made of `before`, `second` of `first`, and the sum takes
// `second` and, if asked for, what is inlined of `before`.
struct SumInALoop {
    FuncId before, first, second, inlined, total, out;
    StageId update;
    Dag dag;
    Kernel kernel;

    explicit SumInALoop(bool sum_reads_before) {
        example::DagBuilder b;
        const FuncId image = b.input("image", {"x"});
        before = b.func("before", {"x"});
        first = b.func("first", {"x", "i"});
        second = b.func("second", {"x", "i"});
        inlined = b.func("inlined", {"x"});
        total = b.func("total", {"x"});
        out = b.output("out", {{"x", 0, 63}});
        b.reads(before, image, {example::at(0)}).reads(first, before, {example::at(0)});
        b.reads(second, first, {example::at(0), example::at(1)});
        b.reads(inlined, before, {example::at(0)});
        update = b.update(total, {b.reduction("s", 0, 9), b.over(0, "x")}, {example::at(1)});
        b.reads(update, total, {example::at(1)});
        b.reads(update, second, {example::at(1), example::at(0)});
        if (sum_reads_before) b.reads(update, inlined, {example::at(1)});
        b.reads(out, total, {example::at(0)});
        dag = b.build();
        kernel.stage = dag.func(out).stages[0];
        kernel.inlined = {inlined};
        Band blocks;
        blocks.level = Level::block;
        blocks.stage = kernel.stage;
        for (const auto &[stage, loop] : std::initializer_list<std::pair<StageId, StageId>>{
                 {dag.func(before).stages[0], {}},
                 {dag.func(total).stages[0], {}},
                 {dag.func(first).stages[0], update},
                 {dag.func(second).stages[0], update},
                 {update, update},
                 {kernel.stage, {}}}) {
            blocks.body.push_back(threads(stage, loop));
        }
        kernel.blocks = std::make_shared<const Band>(std::move(blocks));
    }

    static BandPtr threads(StageId stage, StageId loop) {
        Band serial, band;
        serial.level = Level::serial;
        band.level = Level::thread;
        serial.stage = band.stage = stage;
        serial.memory = band.memory = MemoryKind::shared;
        band.loop = loop;
        band.body.push_back(std::make_shared<const Band>(std::move(serial)));
        return std::make_shared<const Band>(std::move(band));
    }
};

TEST(SharedStorage, OfWhatALoopReadsIsOverwrittenByWhatFollowsInTheLoop) {
    const SumInALoop early(false), late(true);
    EXPECT_EQ(overwritten_in_loop(early.dag, early.kernel), early.before);
    EXPECT_FALSE(overwritten_in_loop(late.dag, late.kernel).valid());
}

// Rows of taps of a picture, with weights that each thread makes of so many numbers:
//
//     picture ─► rows ──────────────────► out
//     numbers ─► table ─► weights ────────┘
//
// `rows`, `table` and `level` (one number) are in the block, `weights` in the threads.
struct Weighted {
    Dag dag;
    int64_t numbers;

    explicit Weighted(int64_t numbers) : numbers(numbers) {
        example::DagBuilder b;
        const FuncId picture = b.input("picture", {"x", "y"}), given = b.input("given", {"c"});
        const FuncId level = b.func("level", {}), table = b.func("table", {"c"});
        const FuncId weights = b.func("weights", {"c"}), rows = b.func("rows", {"x", "y"});
        const FuncId out = b.output("out", {{"x", 0, 511}, {"y", 0, 511}});
        b.reads(rows, picture, {example::at(0), example::at(1)});
        b.reads(level, given, {{.terms = {}, .lo = 0, .hi = 0}});
        b.reads(table, given, {example::at(0)}).reads(weights, table, {example::at(0)});
        b.reads(out, rows, {example::at(0, 0, 6), example::at(1)}, 7);
        b.reads(out, weights, {{.terms = {}, .lo = 0, .hi = numbers - 1}},
                static_cast<int>(numbers));
        b.reads(out, level, {});
        dag = b.build();
    }

    // `level`: where its line is; empty: it is inlined.
    KernelPtr kernel(const std::string &level = "", const std::string &option = "") const {
        const std::string c = std::to_string(numbers);
        return example::parsed(dag, (level.empty() ? "inline: level\n" : "") +
                                        ("kernel out" + option + "\n") + level +
                                        "  rows threads x=38 y=7\n    rows serial x=1 y=1\n"
                                        "  table threads c=" +
                                        c +
                                        "\n    table serial c=1\n"
                                        "  out threads x=32 y=7\n    weights serial c=" +
                                        c + "\n    out serial x=1 y=1\n")
            .kernels[0];
    }
};

TEST(SharedStorage, RowsBesideAVectorAreWholeVectors) {
    for (const int64_t numbers : {2, 4}) {
        const Weighted w(numbers);
        EXPECT_EQ(widest_shared_element(w.dag, *w.kernel()), 4 * numbers);
        EXPECT_EQ(widest_shared_element(w.dag, *w.kernel("", " apart")), 4) << "no vectors";
    }
    const Weighted three(3);
    EXPECT_EQ(widest_shared_element(three.dag, *three.kernel()), 4);
}

TEST(SharedStorage, OfOnePointPartsVectors) {
    const std::string level = "  level threads\n    level serial\n";
    const Weighted w(4);
    EXPECT_FALSE(parts_shared_vectors(w.dag, *w.kernel()));
    EXPECT_TRUE(parts_shared_vectors(w.dag, *w.kernel(level)));
    EXPECT_FALSE(parts_shared_vectors(w.dag, *w.kernel(level, " apart")));
}

// Each thread has four points of a row and loads a row of factors, which is in the block, by
// vectors.
TEST(SharedStorage, OfARowThatThreadsShareIsOneOfVectors) {
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x", "y"}), given = b.input("given", {"x"});
    const FuncId factors = b.func("factors", {"x"});
    const FuncId out = b.output("out", {{"x", 0, 511}, {"y", 0, 511}});
    b.reads(factors, given, {example::at(0)});
    b.reads(out, in, {example::at(0), example::at(1)}).reads(out, factors, {example::at(0)});
    Dag dag = b.build();
    find_aligned_rows(dag);
    const auto widest = [&](int threads_x, int threads_y, const std::string &option = "") {
        const std::string x = std::to_string(threads_x), y = std::to_string(threads_y);
        const std::string row = std::to_string(4 * threads_x);
        return widest_shared_element(
            dag, *example::parsed(dag, "kernel out" + option + "\n  factors threads x=" + row +
                                           "\n    factors serial x=1\n  out threads x=" + x +
                                           " y=" + y + "\n    out serial x=4 y=1\n")
                      .kernels[0]);
    };
    EXPECT_EQ(widest(1, 32), 16);
    EXPECT_EQ(widest(8, 4), 4) << "each of the threads along the row has another place";
    EXPECT_EQ(widest(1, 32, " scalar"), 4) << "no vectors";
}

// Rows of values, each times what a table of them has at some place along the row.
struct Tabulated {
    Dag dag;

    Tabulated(const example::Index &place, uint8_t bits) {
        example::DagBuilder b;
        const FuncId in = b.input("in", {"x", "y"}), given = b.input("given", {"i"});
        const FuncId values = b.func("values", {"x", "y"}), table = b.func("table", {"i"});
        const FuncId out = b.output("out", {{"x", 0, 511}, {"y", 0, 511}});
        b.reads(values, in, {example::at(0), example::at(1)});
        b.reads(table, given, {example::at(0)});
        b.reads(out, values, {example::at(0), example::at(1)}).reads(out, table, {place});
        dag = b.build();
        find_aligned_rows(dag);
        for (const FuncId func : {values, table}) {
            dag.funcs[func.index()].values[0].bits = bits;
        }
    }

    int64_t widest() const {
        return widest_shared_element(
            dag,
            *example::parsed(dag,
                             "kernel out\n  values threads x=32 y=4\n    values serial x=1 y=1\n"
                             "  table threads i=32\n    table serial i=1\n"
                             "  out threads x=8 y=4\n    out serial x=4 y=1\n")
                 .kernels[0]);
    }
};

TEST(SharedStorage, VectorsAtOnePlaceAreAsWideAsWhatTheyPassOver) {
    EXPECT_EQ(Tabulated(example::at(0), 32).widest(), 4) << "threads load different places";
    // What nobody knows of, as x % 4, may have gaps.
    const example::Index unknown{.form = example::Index::Form::anywhere, .lo = 0, .hi = 3};
    EXPECT_EQ(Tabulated(unknown, 32).widest(), 4 * 4 * 4);
    EXPECT_EQ(Tabulated(unknown, 16).widest(), 4 * 4 * 2);
    EXPECT_EQ(Tabulated(unknown, 8).widest(), 4 * 4);
}

// Two numbers are loaded at once, beside four.
TEST(SharedStorage, ChannelsAreWholeVectorsOfTheWidest) {
    example::DagBuilder b;
    const FuncId in = b.input("in", {"x", "y", "c"}), given = b.input("given", {"c"});
    const FuncId pairs = b.func("pairs", {"x", "y", "p"}), table = b.func("table", {"c"});
    const FuncId pair = b.func("pair", {"x", "y", "p"}), four = b.func("four", {"c"});
    const FuncId out = b.output("out", {{"x", 0, 511}, {"y", 0, 511}});
    b.reads(pairs, in, {example::at(0), example::at(1), example::at(2)});
    b.reads(pair, pairs, {example::at(0), example::at(1), example::at(2)});
    b.reads(table, given, {example::at(0)}).reads(four, table, {example::at(0)});
    b.reads(out, pair, {example::at(0), example::at(1), {.terms = {}, .lo = 0, .hi = 1}}, 2);
    b.reads(out, four, {{.terms = {}, .lo = 0, .hi = 3}}, 4);
    const Dag dag = b.build();
    const Nest nest =
        example::parsed(dag,
                        "kernel out\n  pairs flat x=32 y=8\n    pairs strided p=2\n"
                        "  table threads c=4\n    table serial c=1\n"
                        "  out threads x=32 y=8\n    pair serial p=2\n    four serial c=4\n"
                        "    out serial x=1 y=1\n");
    EXPECT_EQ(widest_shared_element(dag, *nest.kernels[0]), 16);
    std::vector<std::string> aligned;
    for (const Directive &directive : directives(dag, nest)) {
        if (directive.op == DirectiveOp::align_storage) {
            aligned.push_back(describe(directive, "out"));
        }
    }
    EXPECT_EQ(aligned, std::vector<std::string>{"pairs.align_storage(p, 4)"});
}

}  // namespace
}  // namespace autoschedule_gpu
