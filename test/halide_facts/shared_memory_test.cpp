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

}  // namespace
}  // namespace autoschedule_gpu::test
