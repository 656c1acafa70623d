// Makes a raw picture from a photograph, with a few broken pixels, and develops it; see process.h.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "camera_pipe_candidate.h"
#include "camera_pipe_manual.h"
#include "camera_pipe_reference.h"
#include "process.h"

using namespace autoschedule_gpu::apps;

namespace {

constexpr int kBlack = 48;    // what the sensor gives without light
constexpr int kWhite = 1023;  // the most it gives

using Matrix = std::array<std::array<int, 3>, 3>;  // row, column; in 1/256

// Rows red, green, blue of the screen. A lamp's light has little blue, which needs a high gain.
constexpr Matrix kWarm = {{{340, -70, -20}, {-60, 330, -30}, {-10, -190, 700}}};
constexpr Matrix kCool = {{{560, -110, -10}, {-70, 360, -50}, {0, -110, 420}}};
// At the pipeline's estimate of 4200 K, that is 238 of 142 (cool) to 312 (warm) mired.
constexpr double kWarmShare = 144.0 / 256.0;

Image with_offsets(const Matrix &matrix) {
    Halide::Runtime::Buffer<int16_t> result(4, 3);
    for (int row = 0; row < 3; row++) {
        int gain = 0;
        for (int column = 0; column < 3; column++) {
            result(column, row) = static_cast<int16_t>(matrix[row][column]);
            gain += matrix[row][column];
        }
        result(3, row) = static_cast<int16_t>(-kBlack * gain / 256);
    }
    return result;
}

// What the camera's red, green or blue pixel sees of a screen colour: solves the mixed matrix for
// one camera colour by Cramer's rule.
double seen(int colour, const std::array<double, 3> &screen) {
    double m[3][3], n[3][3];
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            m[row][column] =
                (kWarmShare * kWarm[row][column] + (1 - kWarmShare) * kCool[row][column]) / 256.0;
            n[row][column] = column == colour ? screen[row] : m[row][column];
        }
    }
    const auto determinant = [](const double a[3][3]) {
        return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
               a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
               a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
    };
    return determinant(n) / determinant(m);
}

Image raw_picture(const Image &photograph) {
    const Halide::Runtime::Buffer<const float> rgb(photograph);
    Halide::Runtime::Buffer<uint16_t> raw(rgb.width(), rgb.height());
    raw.for_each_element([&](int x, int y) {
        const int colour = x % 2 == y % 2 ? 1 : (y % 2 == 0 ? 0 : 2);
        // The screen's values are about the square root of the light's.
        std::array<double, 3> light;
        for (int k = 0; k < 3; k++) light[k] = rgb(x, y, k) * rgb(x, y, k);
        const double value = kBlack + (kWhite - kBlack) * seen(colour, light);
        raw(x, y) = static_cast<uint16_t>(std::clamp(std::lround(value), 0L, long{kWhite}));
        const uint32_t draw = (x * 73856093u ^ y * 19349663u) % 997u;  // a fixed random number
        if (draw == 0) raw(x, y) = kWhite;
        if (draw == 1) raw(x, y) = 0;
    });
    return raw;
}

}  // namespace

int main(int argc, char **argv) {
    return process_main(argc, argv,
                        {.arguments =
                             [](const Image &photograph) {
                                 return Arguments{.inputs = {{"input", raw_picture(photograph)},
                                                             {"warm", with_offsets(kWarm)},
                                                             {"cool", with_offsets(kCool)}},
                                                  .outputs = {{"output", shape_of(photograph)}}};
                             },
                         .present = unchanged,
                         .reference = AUTOSCHEDULE_GPU_VARIANT(camera_pipe, reference),
                         .candidates = {AUTOSCHEDULE_GPU_VARIANT(camera_pipe, candidate),
                                        AUTOSCHEDULE_GPU_VARIANT(camera_pipe, manual)}});
}
