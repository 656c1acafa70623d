#include "core/lowered/lowered.h"

#include <gtest/gtest.h>

#include "lab/traffic/launch_extents.h"
#include "unit/lab/traffic/code_builder.h"

namespace autoschedule_gpu {
namespace {

using namespace test;

CodeBuilder small_kernel() {
    CodeBuilder c;
    const lowered::BufferId out = c.global("out", {32});
    c.blocks(0, 1, [&](E) { c.threads(0, 32, [&](E t) { c.store(out, t, t); }); });
    c.finished();
    return c;
}

std::string complaint(const lowered::Code &code) {
    const Status status = check(code);
    return status.ok() ? "fine" : status.error().message;
}

TEST(LoweredCode, OfABuilderIsWellFormed) {
    EXPECT_EQ(complaint(small_kernel().code), "fine");
}

TEST(LoweredCode, NeedsOperandsThatComeFirst) {
    lowered::Code code = small_kernel().code;
    lowered::Expr expr;
    expr.op = lowered::Op::logical_not;
    expr.operands = {lowered::ExprId(code.exprs.size())};
    code.add(expr);
    EXPECT_EQ(complaint(code), "the lowered code is not well-formed: expression " +
                                   std::to_string(code.exprs.size() - 1) +
                                   " has an operand that comes after it");
}

TEST(LoweredCode, NeedsTheRightNumberOfOperands) {
    lowered::Code code = small_kernel().code;
    lowered::Expr expr;
    expr.op = lowered::Op::add;
    code.add(expr);
    EXPECT_NE(complaint(code).find("has 0 operands"), std::string::npos);
}

TEST(LoweredCode, NeedsOperandsOfAsManyLanes) {
    CodeBuilder c = small_kernel();
    const E one = c.constant(1);
    lowered::Expr expr;
    expr.op = lowered::Op::absolute;
    expr.type.lanes = 4;
    expr.operands = {one.id};
    c.code.add(expr);
    EXPECT_NE(complaint(c.code).find("another number of lanes"), std::string::npos);
}

TEST(LoweredCode, NeedsARoot) {
    lowered::Code code = small_kernel().code;
    code.root = lowered::StatementId();
    EXPECT_NE(complaint(code).find("the root is no statement"), std::string::npos);
}

TEST(LoweredCode, HasNoBlocksInsideThreads) {
    CodeBuilder c;
    const lowered::BufferId out = c.global("out", {32});
    c.blocks(1, 1, [&](E) {
        c.threads(0, 32, [&](E t) { c.blocks(0, 1, [&](E) { c.store(out, t, t); }); });
    });
    EXPECT_NE(complaint(c.finished()).find("is inside a thread loop"), std::string::npos);
}

TEST(LoweredCode, OfUnknownBuffersIsRefused) {
    CodeBuilder c;
    c.store(lowered::BufferId(3), c.constant(0), c.constant(1));
    EXPECT_NE(complaint(c.finished()).find("is not complete"), std::string::npos);
}

TEST(LaunchExtents, AreThoseThatAreConstantsInAllLoops) {
    CodeBuilder c;
    const lowered::BufferId out = c.global("out", {64});
    c.blocks(1, 7, [&](E) {
        c.threads(0, 32, [&](E t) { c.store(out, t, t); });
        c.threads(0, 64, [&](E t) { c.store(out, t, t); });
    });
    const std::vector<LaunchExtents> launches = launch_extents(c.finished());
    ASSERT_EQ(launches.size(), 1u);
    EXPECT_EQ(launches[0].blocks, (std::array<int64_t, 3>{1, 7, 1}));
    EXPECT_EQ(launches[0].threads, (std::array<int64_t, 3>{64, 1, 1}));
    lowered::Code code = c.code;
    for (lowered::Statement &statement : code.statements) {
        auto *loop = std::get_if<lowered::For>(&statement);
        if (loop != nullptr && loop->kind == lowered::LoopKind::block) {
            code.exprs[loop->extent.index()].op = lowered::Op::unknown;
        }
    }
    EXPECT_EQ(launch_extents(code)[0].blocks, (std::array<int64_t, 3>{1, 0, 1}));
}

// What is allocated inside another is there beside it, what comes after it takes its place; and
// threads' own arrays do not count.
TEST(LaunchExtents, HaveTheSharedMemoryThatIsAllocatedAtOnce) {
    CodeBuilder c;
    const lowered::BufferId out = c.global("out", {64});
    const auto array = [&](MemoryKind memory, int64_t elements, const CodeBuilder::Block &body) {
        c.allocate("array", memory, elements, [&](lowered::BufferId) { body(); });
    };
    const auto compute = [&] { c.threads(0, 32, [&](E t) { c.store(out, t, t); }); };
    c.blocks(0, 7, [&](E) {
        array(MemoryKind::shared, 100, [&] {
            array(MemoryKind::shared, 50, compute);
            array(MemoryKind::shared, 70, [&] { array(MemoryKind::local, 1000, compute); });
        });
    });
    lowered::Code code = c.finished();
    EXPECT_EQ(launch_extents(code)[0].shared_bytes, 4 * (100 + 70));
    lowered::Expr &outermost = code.exprs[code.buffers[1].extents[0].index()];
    outermost.integer = int64_t{1} << 62;
    EXPECT_GT(launch_extents(code)[0].shared_bytes.value_or(0), int64_t{1} << 60);
    outermost.op = lowered::Op::unknown;
    EXPECT_FALSE(launch_extents(code)[0].shared_bytes);
}

}  // namespace
}  // namespace autoschedule_gpu
