// Values counted by hand, in words.
#include "core/lowered/live_values.h"

#include <gtest/gtest.h>

#include "core/lowered/code_facts.h"
#include "unit/lab/traffic/code_builder.h"

namespace autoschedule_gpu {
namespace {

using namespace test;
using lowered::BufferId;

// The loops of one thread, around `body`, which gets the thread's number times 64.
int64_t most_live(CodeBuilder &c, const CodeBuilder::Body &body) {
    c.blocks(0, 1, [&](E) { c.threads(0, 32, [&](E thread) { body(thread * 64); }); });
    const lowered::Code &code = c.finished();
    return live_values(code, CodeFacts(code).kernels.at(0)).most_words;
}

TEST(LiveValues, AValueUsedOnceAtOnceDoesNotCount) {
    CodeBuilder c;
    const BufferId in = c.global("in", {4096}), out = c.global("out", {4096});
    // The address, which all loads and stores share, is two words.
    EXPECT_EQ(most_live(c,
                        [&](E at) {
                            for (int i = 0; i < 8; ++i) c.store(out, at + i, c.load(in, at + i));
                        }),
              2);
}

TEST(LiveValues, AreCountedOnceEach) {
    CodeBuilder c;
    const BufferId in = c.global("in", {4096}), out = c.global("out", {4096});
    c.blocks(0, 1, [&](E) {
        c.threads(0, 32, [&](E thread) {
            const E at = thread * 64;
            for (int i : {0, 1, 0, 1}) c.store(out, at + i, c.load(in, at + i));
        });
    });
    const lowered::Code &code = c.finished();
    // The address and two elements.
    EXPECT_EQ(live_values(code, CodeFacts(code).kernels.at(0)).values, 3);
}

TEST(LiveValues, AValueIsKeptToItsLastUse) {
    for (int repeated : {1, 3, 8}) {
        CodeBuilder c;
        const BufferId in = c.global("in", {4096}), out = c.global("out", {4096});
        const auto body = [&](E at) {
            for (int round = 0; round < 2; ++round) {
                for (int i = 0; i < repeated; ++i) {
                    c.store(out, at + (8 * round + i), c.load(in, at + i));
                }
            }
        };
        EXPECT_EQ(most_live(c, body), 2 + repeated);
    }
}

TEST(LiveValues, AStoreToTheSameBufferAndABarrierEndThat) {
    const auto loaded_twice = [](const std::function<void(CodeBuilder &, BufferId, E)> &between) {
        CodeBuilder c;
        const BufferId in = c.global("in", {4096}), out = c.global("out", {4096});
        return most_live(c, [&](E at) {
            for (int i = 0; i < 8; ++i) c.store(out, at + i, c.load(in, at + i));
            between(c, in, at);
            for (int i = 0; i < 8; ++i) c.store(out, at + (8 + i), c.load(in, at + i));
        });
    };
    EXPECT_EQ(loaded_twice([](CodeBuilder &, BufferId, E) {}), 10);
    EXPECT_EQ(loaded_twice([](CodeBuilder &c, BufferId, E) { c.barrier(); }), 2);
    EXPECT_EQ(
        loaded_twice([](CodeBuilder &c, BufferId in, E at) { c.store(in, at, c.constant(0)); }), 2);
}

// Sums in an array of the thread: as many values as there are sums, not one per step.
TEST(LiveValues, AnArrayOfTheThreadIsValues) {
    for (int sums : {1, 4, 16}) {
        CodeBuilder c;
        const BufferId in = c.global("in", {4096}), out = c.global("out", {4096});
        const auto body = [&](E at) {
            c.allocate("sum", MemoryKind::local, sums, [&](BufferId sum) {
                for (int i = 0; i < sums; ++i) c.store(sum, c.constant(i), c.load(in, at + i));
                for (int i = 0; i < sums; ++i) {
                    const E so_far = c.load(sum, c.constant(i));
                    c.store(sum, c.constant(i), so_far + c.load(in, at + (16 + i)));
                }
                for (int i = 0; i < sums; ++i) {
                    c.store(out, at + i, c.load(sum, c.constant(i)));
                }
            });
        };
        EXPECT_EQ(most_live(c, body), 2 + sums);
    }
}

TEST(LiveValues, WhatALoopUsesIsKeptToItsEnd) {
    const auto in_a_loop = [](bool loop) {
        CodeBuilder c;
        const BufferId in = c.global("in", {4096}), out = c.global("out", {4096});
        return most_live(c, [&](E at) {
            for (int i = 0; i < 8; ++i) c.store(out, at + i, c.load(in, at + i));
            const auto again = [&](E step) {
                for (int i = 0; i < 8; ++i) c.store(out, at + step + i, c.load(in, at + i) + step);
            };
            if (loop) {
                c.serial(4, again);
            } else {
                again(c.constant(1));
            }
        });
    };
    EXPECT_EQ(in_a_loop(false), 10);
    // The address of the stores changes with the loop.
    EXPECT_EQ(in_a_loop(true), 8 + 2 + 2);
}

}  // namespace
}  // namespace autoschedule_gpu
