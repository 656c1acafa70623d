// src/halide/README.md: reductions taken apart.
#include <gtest/gtest.h>

#include "halide/version/version.h"
#include "halide_facts/lowered.h"

namespace autoschedule_gpu::test {
namespace {

using Halide::Buffer;
using Halide::Expr;
using Halide::Func;
using Halide::ImageParam;
using Halide::RDom;
using Halide::RVar;
using Halide::Tuple;
using Halide::Var;

// sum(y) += in(r, y), with parts for every fourth iteration of a chunk of 8.
struct Parts {
    ImageParam in{Halide::Int(32), 2, "in"};
    Var y{"y"}, u{"u"}, b{"b"};
    RVar rb{"rb"}, rest{"rest"}, rs{"rs"}, ru{"ru"};
    Func sum{"sum"}, parts;

    Parts() {
        const RDom r(0, in.dim(0).extent(), "r");
        sum(y) = 0;
        sum(y) += in(r, y);
        sum.update(0).split(r.x, rb, rest, 8).split(rest, rs, ru, 4);
        parts = sum.update(0).rfactor({{ru, u}, {rb, b}});
    }
};

std::vector<std::string> loops_of_update(const Func &func) {
    std::vector<std::string> names;
    for (const ir::Dim &dim : func.function().update(0).schedule().dims()) names.push_back(dim.var);
    names.pop_back();  // Halide's own
    return names;
}

TEST(HalideFacts, RfactorLeavesNoSplits) {
    const Parts p;
    const auto splits = [](const Func &func) {
        return func.function().update(0).schedule().splits().size();
    };
    EXPECT_EQ(splits(p.sum) + splits(p.parts) == 0, halide_version::kRfactorLeavesNoSplits);
    if (!halide_version::kRfactorLeavesNoSplits) return;
    EXPECT_EQ(loops_of_update(p.sum), (std::vector<std::string>{"ru", "rb", "y"}));
    EXPECT_EQ(loops_of_update(p.parts), (std::vector<std::string>{"u", "rs", "b", "y"}));
}

TEST(HalideFacts, WhatRfactorMakesHasTheNewDimensionsLast) {
    const Parts p;
    EXPECT_EQ(p.parts.function().args(), (std::vector<std::string>{"y", "u", "b"}));
}

TEST(HalideFacts, WhatRfactorMakesIsNumberedAmongTheOthers) {
    Parts p;
    Halide::Pipeline pipeline(p.sum);
    EXPECT_EQ(pipeline.get_func(1).name(), p.parts.name());
    EXPECT_EQ(pipeline.get_func(2).name(), p.sum.name());
}

// A block puts the parts of so many chunks together, which it has in shared memory.
Lowered chunks_in_blocks(int chunks_of_block) {
    ImageParam in{Halide::Int(32), 1, "in"};
    const RDom r(0, in.dim(0).extent(), "r");
    RVar rb("rb"), rest("rest"), rs("rs"), ru("ru");
    Var u("u"), b("b"), c("c"), co("co"), ci("ci");
    Func sum("sum");
    sum() = 0;
    sum() += in(r);
    sum.update(0).split(r.x, rb, rest, 128).split(rest, rs, ru, 16);
    Func lanes = sum.update(0).rfactor({{ru, u}, {rb, b}});
    Func chunks = sum.update(0).rfactor(rb, c);
    Func shared = lanes.in(chunks), stored = chunks.in(sum);
    sum.compute_root();
    stored.compute_root().split(c, co, ci, chunks_of_block).gpu_blocks(co).gpu_threads(ci);
    chunks.compute_at(stored, ci);
    shared.compute_at(stored, co).store_in(Halide::MemoryType::GPUShared).gpu_threads(u, b);
    lanes.compute_at(shared, u);
    return lower_or_throw(Halide::Pipeline(sum), kCuda);
}

TEST(HalideFacts, OneChunkOfABlockIsOneThoughItIsPromisedToBeThere) {
    const Launch one = chunks_in_blocks(1).launches.at(0);
    EXPECT_EQ(one.threads, (std::array<Size, 3>{16, 1, 1}));
    EXPECT_EQ(one.shared_bytes, 16 * 4);
    const Launch two = chunks_in_blocks(2).launches.at(0);
    EXPECT_EQ(two.threads[1], std::nullopt) << "some may not be there";
}

// A block for each part of each row, whose lanes are in registers.
std::string complaint_of_parts_of_rows(bool fuses) {
    Parts p;
    Var c("c"), co("co"), ci("ci"), yo("yo"), block("block"), t("t");
    Func whole = p.sum.update(0).rfactor(p.rb, c);
    Func shared = p.parts.in(whole), stored = whole.in(p.sum);
    p.sum.compute_root();
    stored.compute_root().split(p.y, yo, t, 1, Halide::TailStrategy::ShiftInwards);
    if (fuses) {
        stored.fuse(yo, c, block).gpu_blocks(block).gpu_threads(t);
    } else {
        stored.split(c, co, ci, 1024, Halide::TailStrategy::GuardWithIf);
        stored.reorder(t, yo, ci, co).gpu_blocks(yo, ci, co).gpu_threads(t);
    }
    whole.compute_at(stored, t);
    shared.compute_at(stored, fuses ? block : yo).reorder(p.b, p.u).gpu_threads(p.u);
    p.parts.compute_at(shared, p.u).store_in(Halide::MemoryType::Register);
    return complaint([&] { lower_or_throw(Halide::Pipeline(p.sum), kCuda); });
}

TEST(HalideFacts, APartIsNotKnownToBeThereInAFusedLoop) {
    EXPECT_EQ(complaint_of_parts_of_rows(false), "fine");
    EXPECT_TRUE(says(complaint_of_parts_of_rows(true), "has a dynamic size"));
}

// The place of a maximum of zeros, the last of equal ones.
int last_place(int count, bool neighbours) {
    Buffer<uint8_t> zeros(count);
    zeros.fill(0);
    const RDom r(0, count, "r");
    RVar ro("ro"), ri("ri");
    Var u("u");
    Func best("best");
    best() = Tuple(Halide::cast<uint8_t>(0), -1);
    best() =
        Tuple(Halide::max(best()[0], zeros(r)), Halide::select(zeros(r) < best()[0], best()[1], r));
    best.update(0).split(r.x, ro, ri, 4);
    best.update(0).rfactor(neighbours ? ro : ri, u).compute_root();
    Buffer<uint8_t> value = Buffer<uint8_t>::make_scalar();
    Buffer<int> place = Buffer<int>::make_scalar();
    best.realize({value, place});
    return place();
}

TEST(HalideFacts, ThePlaceOfAMaximumDependsOnTheOrder) {
    EXPECT_EQ(last_place(6, true), 5);
    EXPECT_NE(last_place(6, false), 5) << "Halide has become careful: no rule is needed";
}

// Real and imaginary part of a product of complex numbers: of n + (n + 1)i, or with imaginary parts
// that are other values of the buffer.
enum class Numbers { n_and_n_plus_one, n_and_others };

std::array<int, 2> complex_product(Numbers numbers, bool in_parts) {
    Buffer<int> values(4);
    for (int i = 0; i < 4; ++i) values(i) = i - 1;
    const RDom r(0, 4, "r");
    RVar ro("ro"), ri("ri");
    Var u("u");
    Func product("product");
    const Expr real = values(r);
    const Expr imaginary = numbers == Numbers::n_and_others ? Expr(values(3 - r)) : real + 1;
    product() = Tuple(1, 0);
    product() = Tuple(product()[0] * real - product()[1] * imaginary,
                      product()[1] * real + product()[0] * imaginary);
    if (in_parts) {
        product.update(0).split(r.x, ro, ri, 2);
        product.update(0).rfactor(ro, u).compute_root();
    }
    Buffer<int> real_part = Buffer<int>::make_scalar(), imaginary_part = Buffer<int>::make_scalar();
    product.realize({real_part, imaginary_part});
    return {real_part(), imaginary_part()};
}

TEST(HalideFacts, AValueInsideAnotherIsLostWherePartsArePutTogether) {
    const auto in_parts = [](Numbers numbers) { return complex_product(numbers, true); };
    const auto whole = [](Numbers numbers) { return complex_product(numbers, false); };
    EXPECT_EQ(in_parts(Numbers::n_and_others), whole(Numbers::n_and_others));
    EXPECT_NE(in_parts(Numbers::n_and_n_plus_one), whole(Numbers::n_and_n_plus_one))
        << "Halide has become careful: no rule is needed";
}

// Zero is the least of all bytes, and so an empty part could not be told from a maximum of zeros.
TEST(HalideFacts, PartsWithoutIterationsAreNotPutTogether) {
    if (!halide_version::kRfactorLeavesNoSplits) GTEST_SKIP();
    ImageParam in(Halide::UInt(8), 1, "in");
    const RDom r(0, in.dim(0).extent(), "r");
    RVar rb("rb"), rest("rest"), ru("ru"), rs("rs");
    Var u("u"), b("b");
    Func best("best");
    best() = Tuple(Halide::cast<uint8_t>(0), -1);
    best() = Tuple(Halide::max(best()[0], in(r)), Halide::select(in(r) < best()[0], best()[1], r));
    best.update(0).split(r.x, rb, rest, 16).split(rest, ru, rs, 4);
    best.update(0).rfactor({{ru, u}, {rb, b}}).compute_root();
    for (const int count : {1, 5, 16, 17, 33}) {
        Buffer<uint8_t> zeros(count);
        zeros.fill(0);
        in.set(zeros);
        Buffer<uint8_t> value = Buffer<uint8_t>::make_scalar();
        Buffer<int> place = Buffer<int>::make_scalar();
        best.realize({value, place});
        EXPECT_EQ(place(), count - 1);
    }
}

TEST(HalideFacts, AQuotientComparedWithALargeConstantOverflows) {
    const Expr quotient = (ir::Variable::make(Halide::Int(32), "n") + 8191) / 8192;
    std::ostringstream fits, overflows;
    fits << ir::simplify(quotient <= 65535);
    overflows << ir::simplify(quotient <= 524280);
    EXPECT_TRUE(says(overflows.str(), "signed_integer_overflow"));
    EXPECT_FALSE(says(fits.str(), "signed_integer_overflow"));
}

}  // namespace
}  // namespace autoschedule_gpu::test
