#include "halide/lower/signed_bytes.h"

#include <gtest/gtest.h>

#include <vector>

namespace autoschedule_gpu {
namespace {

namespace ir = Halide::Internal;
using Halide::Expr;
using Halide::Int;
using Halide::UInt;
using Indices = std::vector<size_t>;

Expr load(const Halide::Type &type, const char *from) {
    return ir::Load::make(type, from, ir::Variable::make(Int(32), "x"), Halide::Buffer<>(),
                          Halide::Parameter(), ir::const_true(), ir::ModulusRemainder());
}

ir::Stmt store(const char *to, const Expr &value) {
    return ir::Store::make(to, value, ir::Variable::make(Int(32), "x"), Halide::Parameter(),
                           ir::const_true(), ir::ModulusRemainder());
}

ir::Stmt kernel(const ir::Stmt &body) {
    return ir::For::make("k.block_id_x", 0, 8, ir::ForType::GPUBlock, Halide::Partition::Auto,
                         Halide::DeviceAPI::CUDA, body);
}

bool orders(const ir::Stmt &body) {
    return kernels_that_order_signed_bytes(kernel(body)) == Indices{0};
}

bool orders(const Expr &value) {
    return orders(ir::Evaluate::make(value));
}

Expr wide(const Expr &e) {
    return ir::Cast::make(Int(32), e);
}

const Expr byte = load(Int(8), "bytes"), other = load(Int(8), "others"),
           number = load(Int(32), "numbers");

TEST(SignedBytes, AreOrderedByComparisons) {
    EXPECT_TRUE(orders(ir::LT::make(byte, other)));
    EXPECT_TRUE(orders(ir::LE::make(byte, other)));
    EXPECT_TRUE(orders(ir::GT::make(byte, other)));
    EXPECT_TRUE(orders(ir::GE::make(byte, other)));
    EXPECT_TRUE(orders(ir::Min::make(byte, other)));
    EXPECT_TRUE(orders(ir::Max::make(byte, other)));
    EXPECT_TRUE(
        orders(ir::Call::make(UInt(8), ir::Call::absd, {byte, other}, ir::Call::PureIntrinsic)));
    EXPECT_FALSE(orders(ir::EQ::make(byte, other)));
}

TEST(SignedBytes, AreOrderedAsWiderNumbersAndByTheirDifference) {
    EXPECT_TRUE(orders(ir::LT::make(wide(byte), wide(other))));
    EXPECT_TRUE(orders(ir::LT::make(ir::Sub::make(wide(byte), wide(other)), 0)));
    const Expr cast = ir::Cast::make(Int(8), load(UInt(8), "unsigned"));
    EXPECT_TRUE(orders(ir::LT::make(wide(cast), wide(cast))));
}

TEST(SignedBytes, AreNotThereInOtherComparisons) {
    EXPECT_FALSE(orders(ir::LT::make(number, number)));
    const Expr unsigned_byte = load(UInt(8), "unsigned");
    EXPECT_FALSE(orders(ir::LT::make(unsigned_byte, unsigned_byte)));
    EXPECT_FALSE(orders(
        ir::Max::make(ir::Min::make(byte, ir::make_const(Int(8), 9)), ir::make_const(Int(8), -9))))
        << "clamped";
    EXPECT_FALSE(orders(ir::Mul::make(wide(byte), wide(other))));
}

TEST(SignedBytes, WhereOneReadsAreNoMatter) {
    const Expr looked_up =
        ir::Load::make(Int(32), "table", wide(byte), Halide::Buffer<>(), Halide::Parameter(),
                       ir::const_true(), ir::ModulusRemainder());
    EXPECT_FALSE(orders(ir::LT::make(looked_up, number)));
}

TEST(SignedBytes, MayBeInVariables) {
    const Expr t = ir::Variable::make(Int(32), "t");
    EXPECT_TRUE(orders(ir::Let::make("t", wide(byte), ir::LT::make(t, number))));
    EXPECT_TRUE(
        orders(ir::LetStmt::make("t", wide(byte), ir::Evaluate::make(ir::LT::make(t, number)))));
    EXPECT_FALSE(orders(ir::Let::make("t", number, ir::LT::make(t, number))));
}

// A loop stores at its end what it reads at its beginning.
TEST(SignedBytes, MayBeInArraysThatAreReadBefore) {
    const Expr kept = load(Int(32), "kept");
    EXPECT_TRUE(orders(
        ir::Block::make(store("out", ir::Select::make(ir::LT::make(kept, number), kept, number)),
                        store("kept", wide(byte)))));
}

TEST(SignedBytes, AreOrderedInKernelsOneByOne) {
    const ir::Stmt with = kernel(store("a", wide(ir::Max::make(byte, other))));
    const ir::Stmt without = kernel(store("b", wide(byte)));
    EXPECT_EQ(kernels_that_order_signed_bytes(ir::Block::make({without, with, without, with})),
              (Indices{1, 3}));
    EXPECT_EQ(kernels_that_order_signed_bytes(ir::Evaluate::make(ir::LT::make(byte, other))),
              Indices{})
        << "on the host";
}

TEST(SignedBytes, AreInFuncsOfThemAndInCasts) {
    Halide::Var x("x");
    Halide::Func plain("plain"), of_bytes("of_bytes"), with_casts("with_casts");
    const Halide::ImageParam image(UInt(8), 1, "image");
    plain(x) = Halide::cast<int>(image(x)) + 1;
    of_bytes(x) = Halide::cast<int8_t>(x);
    with_casts(x) = Halide::cast<int>(Halide::cast<int8_t>(image(x))) + 1;
    EXPECT_FALSE(has_signed_bytes(std::vector{plain, Halide::Func()}));
    EXPECT_TRUE(has_signed_bytes(std::vector{plain, of_bytes}));
    EXPECT_TRUE(has_signed_bytes(std::vector{plain, with_casts}));
}

}  // namespace
}  // namespace autoschedule_gpu
