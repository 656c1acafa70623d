// Operations counted by hand.
#include "lab/traffic/operations.h"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "unit/lab/traffic/code_builder.h"

namespace autoschedule_gpu {
namespace {

using namespace test;
using lowered::BufferId;
using lowered::Op;

constexpr lowered::Type kUint8 = {lowered::Type::Kind::natural, 8, 1};

E real(CodeBuilder &c, Op op, const std::vector<E> &operands) {
    return c.op(op, kFloat32, operands);
}

// The kernel of 3 blocks of 32 threads around `body`, which gets the thread's number times 64.
KernelTraffic counted(CodeBuilder &c, const CodeBuilder::Body &body, double work = 1e12) {
    c.blocks(0, 3, [&](E) { c.threads(0, 32, [&](E thread) { body(thread * 64); }); });
    return c.traffic(work);
}
constexpr double kThreads = 3 * 32;

TEST(Operations, FloatsCountAndAddressesDoNot) {
    CodeBuilder c;
    const BufferId in = c.global("in", {4096}), out = c.global("out", {4096});
    const KernelTraffic k = counted(c, [&](E at) {
        const E sum = real(c, Op::add, {c.load(in, at), c.load(in, at + 1)});
        c.store(out, at + 2, real(c, Op::divide, {sum, c.load(in, at + 3)}));
    });
    EXPECT_EQ(k.float_operations, kThreads * 2);
    EXPECT_EQ(k.special_operations, kThreads * 1);
    EXPECT_EQ(k.integer_operations, 0);
    EXPECT_EQ(k.fused_float_operations, 0);
    EXPECT_EQ(k.memory_instructions(), kThreads * 4);
    EXPECT_EQ(k.stored_elements, kThreads);
}

TEST(Operations, DoublesCountTheirUnitsInstructionsToo) {
    CodeBuilder c;
    const BufferId in = c.global("in", {4096}, 8), out = c.global("out", {4096}, 8);
    constexpr lowered::Type kDouble = {lowered::Type::Kind::real, 64, 1};
    const KernelTraffic k = counted(c, [&](E at) {
        const E a = c.load(in, at, 1, kDouble), b = c.load(in, at + 1, 1, kDouble);
        const E sum = c.op(Op::add, kDouble, {c.op(Op::multiply, kDouble, {a, b}), b});
        c.store(out, at, c.op(Op::divide, kDouble, {sum, a}));
    });
    EXPECT_EQ(k.float_operations, kThreads * 3);
    EXPECT_EQ(k.special_operations, kThreads * 1);
    EXPECT_EQ(k.double_operations, kThreads * 2);
    EXPECT_EQ(k.fused_float_operations, 0);
    // One fused multiplication and addition, and 8 in the division.
    EXPECT_EQ(k.double_instructions, kThreads * (1 + 8));
}

TEST(Operations, DivisionsOf64BitIntegersAreLong) {
    const auto other_per_thread = [](uint8_t bits) {
        CodeBuilder c;
        const BufferId in = c.global("in", {4096}, 8), out = c.global("out", {4096}, 8);
        const lowered::Type type = {lowered::Type::Kind::integer, bits, 1};
        const KernelTraffic k = counted(c, [&](E at) {
            const E a = c.load(in, at, 1, type), b = c.load(in, at + 1, 1, type);
            c.store(out, at, c.op(Op::divide, type, {a, b}));
        });
        EXPECT_EQ(k.integer_operations, kThreads);
        EXPECT_EQ(k.special_operations, kThreads);
        return k.other_operations / kThreads;
    };
    EXPECT_EQ(other_per_thread(64) - other_per_thread(32), 85);
}

TEST(Operations, DivisionsByConstantsAreMultiplications) {
    // What a thread does besides for quotients of what it has loaded, if each divisor takes one.
    const auto other_per_thread = [](lowered::Type type, Op op, std::vector<int64_t> divisors) {
        CodeBuilder c;
        const BufferId in = c.global("in", {4096}), out = c.global("out", {4096});
        const KernelTraffic k = counted(c, [&](E at) {
            int64_t place = 0;
            for (const int64_t divisor : divisors) {
                const E quotient = c.op(op, type, {c.load(in, at, 1, type), c.constant(divisor)});
                c.store(out, at + place++, quotient);
            }
        });
        EXPECT_EQ(k.integer_operations, kThreads * static_cast<double>(divisors.size()));
        EXPECT_EQ(k.special_operations, 0);
        return k.other_operations / kThreads - 1;  // the address
    };
    EXPECT_EQ(other_per_thread(kInt32, Op::divide, {8, 1}), 0);
    EXPECT_EQ(other_per_thread(kInt32, Op::remainder, {8}), 0);
    EXPECT_EQ(other_per_thread(kInt32, Op::divide, {3, 7}), 4 + 4);
    EXPECT_EQ(other_per_thread(kInt32, Op::remainder, {7}), 5);
    EXPECT_EQ(other_per_thread(kUint8, Op::divide, {3, 10, 7}), 1 + 1 + 6);
    EXPECT_EQ(other_per_thread({lowered::Type::Kind::natural, 32, 1}, Op::divide, {10, 7}), 1 + 6);
}

TEST(Operations, AQuotientAndItsRemainderShareTheMultiplication) {
    CodeBuilder c;
    const BufferId in = c.global("in", {4096}), out = c.global("out", {4096});
    const KernelTraffic k = counted(c, [&](E at) {
        const E value = c.load(in, at, 1, kInt32);
        c.store(out, at, value / 7);
        c.store(out, at + 1, value % 7);
    });
    EXPECT_EQ(k.other_operations, kThreads * (1 + 4));
}

TEST(Operations, IntegersCountWhereTheyDependOnData) {
    CodeBuilder c;
    const BufferId in = c.global("in", {4096}, 1), table = c.global("table", {256}, 1),
                   out = c.global("out", {4096});
    const KernelTraffic k = counted(c, [&](E at) {
        c.let(c.load(in, at, 1, kUint8), [&](E value) {
            // The index depends on data, the remainder does too; at + 1 does not.
            const E looked_up = c.load(table, c.op(Op::minimum, kUint8, {value, value}), 1, kUint8);
            c.store(out, at + 1, looked_up % 7);
        });
    });
    EXPECT_EQ(k.integer_operations, kThreads * 2);
    EXPECT_EQ(k.special_operations, 0);
}

TEST(Operations, ComparisonsSelectionsAndConversionsAreNone) {
    CodeBuilder c;
    const BufferId in = c.global("in", {4096}), out = c.global("out", {4096});
    const KernelTraffic k = counted(c, [&](E at) {
        const E a = c.load(in, at), b = c.load(in, at + 1);
        const E chosen = real(c, Op::select, {c.op(Op::less, kBool, {a, b}), a, b});
        c.store(out, at, c.op(Op::cast, kInt32, {chosen}));
    });
    EXPECT_EQ(k.float_operations, 0);
    EXPECT_EQ(k.integer_operations, 0);
}

TEST(Operations, OfAMatrixMultiplyAreTwoPerProduct) {
    for (const double work : {1e12, 1.0}) {
        CodeBuilder c;
        const BufferId a = c.global("a", {4096}), b = c.global("b", {4096}),
                       p = c.global("p", {4096});
        const KernelTraffic k = counted(
            c,
            [&](E at) {
                c.serial(1000, [&](E k) {
                    const E product = real(c, Op::multiply, {c.load(a, at + k), c.load(b, k)});
                    c.store(p, at, real(c, Op::add, {c.load(p, at), product}));
                });
            },
            work);
        EXPECT_EQ(k.exact, work > 1);
        EXPECT_DOUBLE_EQ(k.float_operations, kThreads * 1000 * 2);
        EXPECT_DOUBLE_EQ(k.fused_float_operations, kThreads * 1000);
        EXPECT_DOUBLE_EQ(k.serial_iterations, 3 * 1000);
    }
}

// One thread's fused multiplications among floats that it computes of the product of two elements
// and of another two.
double fused_per_thread(
    const std::function<std::vector<E>(CodeBuilder &, E product, E left, E right)> &values) {
    CodeBuilder c;
    const BufferId in = c.global("in", {4096}), out = c.global("out", {1 << 14});
    const KernelTraffic k = counted(c, [&](E at) {
        c.let(real(c, Op::multiply, {c.load(in, at), c.load(in, at + 1)}), [&](E product) {
            int64_t place = 0;
            for (const E value : values(c, product, c.load(in, at + 2), c.load(in, at + 3))) {
                c.store(out, at + place++, value);
            }
        });
    });
    return k.fused_float_operations / kThreads;
}

TEST(Operations, AProductOfTwoSumsIsFusedOnce) {
    EXPECT_EQ(fused_per_thread([](CodeBuilder &c, E p, E a, E b) {
                  return std::vector{real(c, Op::add, {p, a}), real(c, Op::subtract, {p, b})};
              }),
              1);
    // a * b + c * d and a * b - c * d
    EXPECT_EQ(fused_per_thread([](CodeBuilder &c, E p, E a, E b) {
                  const E q = real(c, Op::multiply, {a, b});
                  return std::vector{real(c, Op::add, {p, q}), real(c, Op::subtract, {p, q})};
              }),
              1);
}

TEST(Operations, AProductThatIsNeededItselfIsNotFused) {
    EXPECT_EQ(fused_per_thread([](CodeBuilder &c, E p, E a, E) {
                  return std::vector{real(c, Op::add, {p, a}), p};
              }),
              0);
    EXPECT_EQ(fused_per_thread([](CodeBuilder &c, E p, E a, E b) {
                  return std::vector{real(c, Op::maximum, {p, b}), real(c, Op::add, {p, a})};
              }),
              0);
}

TEST(Operations, AProductFromBeforeALoopIsNotFusedInIt) {
    CodeBuilder c;
    const BufferId in = c.global("in", {4096}), out = c.global("out", {1 << 14});
    const KernelTraffic k = counted(c, [&](E at) {
        c.let(real(c, Op::multiply, {c.load(in, at), c.load(in, at + 1)}), [&](E product) {
            c.serial(10, [&](E i) {
                c.store(out, at + i, real(c, Op::add, {product, c.load(in, at + i)}));
            });
        });
    });
    EXPECT_EQ(k.float_operations, kThreads * (1 + 10));
    EXPECT_EQ(k.fused_float_operations, 0);
}

TEST(Operations, UnrolledNeighboursShareThem) {
    // Each output adds two squares, and has one of them in common with its neighbour.
    CodeBuilder c;
    const BufferId in = c.global("in", {4096}), out = c.global("out", {4096});
    const KernelTraffic k = counted(c, [&](E at) {
        const auto square = [&](int i) {
            return real(c, Op::multiply, {c.load(in, at + i), c.load(in, at + i)});
        };
        for (int i = 0; i < 4; ++i) {
            c.store(out, at + i, real(c, Op::add, {square(i), square(i + 1)}));
        }
    });
    EXPECT_EQ(k.float_operations, kThreads * (5 + 4));
}

TEST(Operations, OfWhatHasANameCountOnce) {
    CodeBuilder c;
    const BufferId in = c.global("in", {4096}), out = c.global("out", {4096});
    const KernelTraffic k = counted(c, [&](E at) {
        // let twice = a + a in twice * twice
        lowered::Expr named;
        named.type = kFloat32;
        named.variable = c.code.add_variable("twice");
        named.op = Op::variable;
        const E value = real(c, Op::add, {c.load(in, at), c.load(in, at)});
        const E twice{&c, c.code.add(named)};
        const E square = real(c, Op::multiply, {twice, twice});
        named.op = Op::let;
        named.operands = {value.id, square.id};
        c.store(out, at, E{&c, c.code.add(named)});
    });
    EXPECT_EQ(k.float_operations, kThreads * 2);
}

TEST(Operations, WhatWasStoredToIsComputedAgain) {
    CodeBuilder c;
    const BufferId in = c.global("in", {4096}), out = c.global("out", {4096});
    const KernelTraffic k = counted(c, [&](E at) {
        const auto twice = [&] { return real(c, Op::add, {c.load(in, at), c.load(in, at)}); };
        c.store(out, at, twice());
        c.store(in, at, twice());
        c.store(out, at, twice());
    });
    EXPECT_EQ(k.float_operations, kThreads * 2);
}

TEST(Operations, AStoreBesideIsTold) {
    // Two places of one array: the sum of one stays, whatever is stored at the other.
    CodeBuilder c;
    const BufferId both = c.global("both", {8192});
    const KernelTraffic k = counted(c, [&](E at) {
        const auto twice = [&](int64_t i) {
            return real(c, Op::add, {c.load(both, at + i), c.load(both, at + i)});
        };
        c.store(both, at + 2, twice(1));
        c.store(both, at + 3, twice(1));
        c.store(both, at + 4, twice(2));
        c.store(both, at * 2, c.load(both, at));
        c.store(both, at + 5, twice(1));
    });
    EXPECT_EQ(k.float_operations, kThreads * 3);
}

TEST(Operations, OfABranchCountWhereItIsTaken) {
    CodeBuilder c;
    const BufferId in = c.global("in", {4096}), out = c.global("out", {4096});
    const KernelTraffic k = counted(c, [&](E at) {
        const auto twice = [&] { return real(c, Op::add, {c.load(in, at), c.load(in, at)}); };
        c.if_then(at < 8 * 64, [&] { c.store(out, at, twice()); });
        // Not all threads have it from the branch.
        c.store(out, at + 1, twice());
    });
    EXPECT_EQ(k.float_operations, 3 * 8 + kThreads);
}

TEST(Operations, OfALoopAreDoneInEachIteration) {
    CodeBuilder c;
    const BufferId in = c.global("in", {4096}), out = c.global("out", {4096});
    const KernelTraffic k = counted(c, [&](E at) {
        c.serial(10, [&](E i) {
            c.store(out, at + i, real(c, Op::add, {c.load(in, at + i), c.load(in, at)}));
        });
    });
    EXPECT_EQ(k.float_operations, kThreads * 10);
    EXPECT_EQ(k.serial_iterations, 3 * 10);
}

TEST(Operations, BarriersCountPerBlock) {
    CodeBuilder c;
    const BufferId out = c.global("out", {8192});
    const KernelTraffic k = counted(c, [&](E at) {
        c.serial(10, [&](E i) {
            c.store(out, at + i, i);
            c.barrier();
        });
    });
    EXPECT_EQ(k.barriers, 3 * 10);
}

TEST(Operations, OfAVectorAreOnePerLane) {
    CodeBuilder c;
    const BufferId in = c.global("in", {8192}), out = c.global("out", {8192});
    const lowered::Type four = {lowered::Type::Kind::real, 32, 4};
    const KernelTraffic k = counted(c, [&](E at) {
        const E v = c.load(in, c.ramp(at, 4), 4, four);
        c.store(out, c.ramp(at, 4), c.op(Op::maximum, four, {v, v}), 4);
    });
    EXPECT_EQ(k.float_operations, kThreads * 4);
    EXPECT_EQ(k.memory_instructions(), kThreads * 2);
}

}  // namespace
}  // namespace autoschedule_gpu
