#include "halide/lower/misaligned_vectors.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

namespace ir = Halide::Internal;
using Halide::Expr;

const ir::ModulusRemainder kWhole(4, 0);

// Four floats from there on, one after the other.
Expr load(const Expr &first, const ir::ModulusRemainder &said, const Expr &stride = 1) {
    return ir::Load::make(Halide::Float(32, 4), "block", ir::Ramp::make(first, stride, 4), {}, {},
                          ir::const_true(4), said);
}

bool is_misaligned(const Expr &value) {
    return has_misaligned_vectors(ir::Evaluate::make(value));
}

TEST(MisalignedVectors, BeginAtNoMultipleThoughHalideSaysSo) {
    const Expr row = ir::Variable::make(Halide::Int(32), "row");
    EXPECT_TRUE(is_misaligned(load(161, kWhole)));
    EXPECT_TRUE(is_misaligned(load(161, {0, 0}))) << "at 0, before it had its place";
    EXPECT_TRUE(is_misaligned(load(row * 4 + 161, kWhole)));
    EXPECT_TRUE(is_misaligned(load(row * 6 + 161, kWhole))) << "an odd number, whatever the row";
    EXPECT_TRUE(has_misaligned_vectors(ir::Store::make("block", ir::Broadcast::make(1.0f, 4),
                                                       ir::Ramp::make(162, 1, 4), {},
                                                       ir::const_true(4), kWhole)));
}

TEST(MisalignedVectors, AreNoneWhereTheyBeginAtMultiplesOrHalideKnowsBetter) {
    const Expr row = ir::Variable::make(Halide::Int(32), "row");
    EXPECT_FALSE(is_misaligned(load(160, kWhole)));
    EXPECT_FALSE(is_misaligned(load(row, kWhole))) << "it may be a multiple";
    EXPECT_FALSE(is_misaligned(load(161, {4, 1})));
    EXPECT_FALSE(is_misaligned(load(161, {})));
    EXPECT_FALSE(is_misaligned(load(161, kWhole, 2))) << "no neighbours";
}

}  // namespace
}  // namespace autoschedule_gpu
