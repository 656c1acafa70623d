#include "halide/lower/boolean_vectors.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

namespace ir = Halide::Internal;
using Halide::Expr;

bool reckons(const Expr &value) {
    return reckons_with_boolean_vectors(ir::Evaluate::make(value));
}

Expr boolean(const char *name, int lanes) {
    return ir::Variable::make(Halide::Bool(lanes), name);
}

TEST(BooleanVectors, AreReckonedWithAsNumbers) {
    const Expr p = boolean("p", 4), q = boolean("q", 4);
    EXPECT_TRUE(reckons(ir::Max::make(p, q)));
    EXPECT_TRUE(reckons(ir::Cast::make(Halide::Int(32, 4), ir::Min::make(p, q))));
    EXPECT_TRUE(reckons(ir::Call::make(Halide::UInt(8, 4), ir::Call::widening_add, {p, q},
                                       ir::Call::PureIntrinsic)));
}

TEST(BooleanVectors, AreOrderedAsNumbers) {
    const Expr p = boolean("p", 4), q = boolean("q", 4);
    const Expr number = ir::Cast::make(Halide::Int(32, 4), p);
    EXPECT_TRUE(reckons(ir::LT::make(p, q)));
    EXPECT_TRUE(reckons(ir::LE::make(p, q)));
    EXPECT_TRUE(reckons(ir::GT::make(p, q)));
    EXPECT_TRUE(reckons(ir::Select::make(ir::GE::make(p, q), number, number)));
    EXPECT_FALSE(reckons(ir::LT::make(number, number)));
    EXPECT_FALSE(reckons(ir::LT::make(boolean("p", 1), boolean("q", 1)))) << "no vector";
}

TEST(BooleanVectors, AreDividedAsNumbers) {
    const Expr p = boolean("p", 4), q = boolean("q", 4);
    EXPECT_TRUE(reckons(ir::Div::make(p, q)));
    EXPECT_TRUE(reckons(ir::Mod::make(p, q)));
}

TEST(BooleanVectors, AreMasksElsewhere) {
    const Expr p = boolean("p", 4), q = boolean("q", 4);
    const Expr number = ir::Cast::make(Halide::Int(32, 4), p);
    EXPECT_FALSE(reckons(number));
    EXPECT_FALSE(reckons(ir::Add::make(number, number)));
    EXPECT_FALSE(reckons(ir::And::make(p, q)));
    EXPECT_FALSE(reckons(ir::EQ::make(p, q)));
    EXPECT_FALSE(reckons(ir::NE::make(p, q)));
    EXPECT_FALSE(reckons(ir::Select::make(p, number, ir::Cast::make(Halide::Int(32, 4), q))));
    EXPECT_FALSE(reckons(ir::Max::make(boolean("p", 1), boolean("q", 1)))) << "no vector";
}

}  // namespace
}  // namespace autoschedule_gpu
