#include "scheduler/nest/shared_storage.h"

#include <gtest/gtest.h>

#include <array>

#include "unit/dag_builder.h"

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

}  // namespace
}  // namespace autoschedule_gpu
