// src/halide/README.md: what PTX loads and stores at once in shared memory.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "halide_facts/lowered.h"

namespace autoschedule_gpu::test {
namespace {

using Halide::Func;
using Halide::Var;

struct Tap {
    int x, y;
};

std::vector<Tap> row_of(int taps) {
    std::vector<Tap> row;
    for (int i = 0; i < taps; ++i) row.push_back({i, 0});
    return row;
}

// Four points per thread and row, written out, of each of
//
//     staged ─► sum of the taps ─► out
//
// of which the first two are in shared memory.
std::string ptx_of_sums(const std::vector<Tap> &taps) {
    Halide::ImageParam image(Halide::Float(32), 2, "image");
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, xt{"xt"}, xs{"xs"}, yt{"yt"};
    Func staged{"staged"}, sum{"sum"}, out{"out"};
    staged(x, y) = image(x, y) * 3;
    Halide::Expr all = 1.0f;
    for (const Tap &tap : taps) all += staged(x + tap.x, y + tap.y) * (tap.x + tap.y + 2.0f);
    sum(x, y) = all;
    out(x, y) = sum(x, y) + 1;
    out.split(x, xo, xi, 128).split(xi, xt, xs, 4).split(y, yo, yt, 8);
    out.reorder(xs, xt, yt, xo, yo).unroll(xs).gpu_blocks(xo, yo).gpu_threads(xt, yt);
    staged.align_storage(x, 4);
    for (Func f : {staged, sum}) {
        f.compute_at(out, xo).store_in(Halide::MemoryType::GPUShared);
        f.split(x, xt, xs, 4).unroll(xs).gpu_threads(xt, y);
    }
    return lower(out, kCuda).device_code;
}

// What the sums load or store, one, two and four at once.
struct Widths {
    int one, two, four;
    bool operator==(const Widths &) const = default;
    friend void PrintTo(const Widths &widths, std::ostream *out) {
        *out << widths.one << " + " << widths.two << " x 2 + " << widths.four << " x 4";
    }
};

Widths widths(const std::string &ptx, const std::string &instruction) {
    const std::string barrier = "bar.sync";
    const size_t begin = ptx.find(barrier), end = ptx.find(barrier, begin + 1);
    const std::string sums = ptx.substr(begin, end - begin);
    return {count(sums, instruction + ".b32") + count(sums, instruction + ".f32"),
            count(sums, instruction + ".v2"), count(sums, instruction + ".v4")};
}

// Rows of the sums are 128 floats long, those of what they read 132.
TEST(HalideFacts, NeighboursInSharedMemoryAreLoadedAtOnceFromMultiplesOfTheirNumber) {
    const auto loads = [](int taps) { return widths(ptx_of_sums(row_of(taps)), "ld.shared"); };
    EXPECT_EQ(loads(2), (Widths{4, 2, 0}));  // 0-1, 1 2, 2-3, 3 4
    EXPECT_EQ(loads(3), (Widths{4, 4, 0}));  // 0-1 2, 1 2-3, 2-3 4, 3 4-5
    EXPECT_EQ(loads(4), (Widths{4, 4, 1}));  // 0-3, 1 2-3 4, 2-3 4-5, 3 4-5 6
    EXPECT_EQ(loads(5), (Widths{4, 4, 2}));  // 0-3 4, 1 2-3 4-5, 2-3 4-5 6, 3 4-7
}

TEST(HalideFacts, StoresToSharedMemoryPartWhatThePointsAroundThemLoad) {
    EXPECT_EQ(widths(ptx_of_sums(row_of(3)), "st.shared"), (Widths{4, 0, 0}));
}

// The sums and what they read have rows of one length: how far apart the two are is known.
TEST(HalideFacts, StoresToSharedMemoryPartNothingWhereTheDistanceIsKnown) {
    const std::string column = ptx_of_sums({{0, 0}, {0, 1}, {0, 2}});
    EXPECT_EQ(widths(column, "ld.shared"), (Widths{0, 0, 3}));
    EXPECT_EQ(widths(column, "st.shared"), (Widths{0, 0, 1}));
}

// Each thread loads four numbers that are in the block, at once, at a place that does not depend on
// the thread or does; before them in shared memory, in the order of names, lie seven floats, or, if
// `aligned`, eight.
struct FourBeside {
    Func out{"out"};

    FourBeside(bool of_thread, bool aligned) {
        Var x{"x"}, c{"c"}, xo{"xo"}, xi{"xi"};
        Func before{"before"}, table{"table"}, four{"four"};
        before(x) = Halide::cast<float>(x);
        table(c, x) = Halide::cast<float>(x + 100 + c * 7);
        four(c, x) = table(c, of_thread ? Halide::Expr(x) : Halide::Expr(3)) * 2;
        out(x) = four(0, x) + four(1, x) * 10 + four(2, x) * 100 + four(3, x) * 1000 + before(x) +
                 before(x + 3);
        out.bound(x, 0, 64).split(x, xo, xi, 4).gpu_blocks(xo).gpu_threads(xi);
        four.bound(c, 0, 4).compute_at(out, xi).vectorize(c);
        four.store_in(Halide::MemoryType::Register);
        table.bound(c, 0, 4).vectorize(c);
        for (Func f : {before, table}) f.compute_at(out, xo).gpu_threads(x);
        if (aligned) before.align_storage(x, 4);
    }

    static float expected(int x, bool of_thread) {
        float sum = static_cast<float>(x + x + 3), tens = 1;
        for (int c = 0; c < 4; ++c, tens *= 10) {
            sum += 2 * static_cast<float>((of_thread ? x : 3) + 100 + c * 7) * tens;
        }
        return sum;
    }
};

bool is_right(bool of_thread, bool aligned) {
    const Halide::Buffer<float> found =
        FourBeside(of_thread, aligned).out.realize({64}, Halide::Target("host-opencl"));
    for (int x = 0; x < 64; ++x) {
        if (found(x) != FourBeside::expected(x, of_thread)) return false;
    }
    return true;
}

int vectors_loaded(bool of_thread, bool aligned) {
    return count(lower(FourBeside(of_thread, aligned).out, kCuda).device_code, "ld.shared.v4");
}

// The place is a multiple of four of the Func, and of the block's memory only if what is before it
// is one. Of a place that depends on the thread, Halide finds that out.
TEST(HalideFacts, AVectorAtOnePlaceInSharedMemoryIsTakenForAlignedWhereverItsFuncLies) {
    EXPECT_TRUE(is_right(false, true));
    EXPECT_FALSE(is_right(false, false));
    EXPECT_EQ(vectors_loaded(false, true), 1);
    EXPECT_EQ(vectors_loaded(false, false), 1) << "at an address that is no multiple of 16";
    EXPECT_TRUE(is_right(true, true));
    EXPECT_TRUE(is_right(true, false));
    EXPECT_EQ(vectors_loaded(true, true), 1);
    EXPECT_EQ(vectors_loaded(true, false), 0);
}

}  // namespace
}  // namespace autoschedule_gpu::test
