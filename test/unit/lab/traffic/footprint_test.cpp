#include "lab/traffic/footprint.h"

#include <gtest/gtest.h>

namespace autoschedule_gpu {
namespace {

const BufferShape kImage({{100, 1}, {50, 100}, {3, 5000}});

double footprint(FootprintMode mode, const BufferShape &shape,
                 const std::vector<std::vector<int64_t>> &accesses) {
    Footprint f(mode);
    for (const std::vector<int64_t> &flat : accesses) {
        f.include(shape, flat);
        f.ask(static_cast<double>(flat.size()) * 100);
    }
    return f.elements();
}

double box(const std::vector<std::vector<int64_t>> &accesses) {
    return footprint(FootprintMode::box, kImage, accesses);
}

TEST(Footprint, OfMarkedElementsIsTheirNumber) {
    const auto marked = [](const std::vector<std::vector<int64_t>> &accesses) {
        return footprint(FootprintMode::every_element, kImage, accesses);
    };
    EXPECT_EQ(marked({}), 0);
    EXPECT_EQ(marked({{3, 3, 5000}, {5000, -1, 1 << 30}}), 4);
}

TEST(Footprint, OfASampleIsTheBoxAroundIt) {
    EXPECT_EQ(box({}), 0);
    EXPECT_EQ(box({{7}}), 1);
    // Corners (2, 1) and (9, 4) of the first channel: 8 x 4 if steps of one are seen.
    EXPECT_EQ(box({{102, 103}, {202}, {409}}), 8 * 4);
    EXPECT_EQ(box({{102, 103}, {202}, {409}, {10102}}), 8 * 4 * 2);  // and the last channel
}

TEST(Footprint, OfASampleSeesSteps) {
    EXPECT_EQ(box({{0, 2, 4, 98}}), 50);
    EXPECT_EQ(box({{0, 200, 4800}}), 25);         // every other row
    EXPECT_EQ(box({{0, 10000}, {1, 10001}}), 4);  // channels 0 and 2
}

TEST(Footprint, OfASampleWrapsAtRows) {
    // 99 of row 0 and 0 of row 1 are neighbours in memory only.
    EXPECT_EQ(box({{99, 100}}), 4);
    EXPECT_EQ(box({{100, 99}}), 4);
}

TEST(Footprint, OfASampleIsNoMoreThanWasAskedFor) {
    // A diagonal of 50 elements fills no box of 50 x 50.
    Footprint diagonal(FootprintMode::box);
    for (int64_t i = 0; i < 50; i++) {
        diagonal.include(kImage, {i * 101});
        diagonal.ask(1);
    }
    EXPECT_EQ(diagonal.elements(), 50);
}

TEST(Footprint, KnowsInterleavedChannelsAndPaddedRows) {
    // Three channels inside, rows of 20 pixels padded to 64 elements.
    const BufferShape shape({{20, 3}, {10, 64}, {3, 1}});
    EXPECT_EQ(shape.strides(), (std::vector<int64_t>{1, 3, 64}));
    // The second channel of pixels 0 and 1 in rows 0 and 1.
    EXPECT_EQ(footprint(FootprintMode::box, shape, {{1, 4, 65, 68}}), 4);
}

TEST(Footprint, TakesABufferOfUnknownShapeAsOneRow) {
    EXPECT_EQ(footprint(FootprintMode::box, BufferShape({}), {{5, 8, 11}}), 3);
}

}  // namespace
}  // namespace autoschedule_gpu
