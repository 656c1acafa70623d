#include <HalideBuffer.h>

#include <algorithm>
#include <cstdio>

#include "brighten.h"

using Image = Halide::Runtime::Buffer<uint8_t, 2>;

// What the generator says, in plain C++.
static int expected(const Image &image, float gain, int x, int y) {
    int sum = 0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            sum += image(std::clamp(x + dx, 0, image.width() - 1),
                         std::clamp(y + dy, 0, image.height() - 1));
        }
    }
    return std::min(255, static_cast<int>(static_cast<float>(sum / 9) * gain));
}

int main() {
    const float gain = 1.5f;
    Image input(1920, 1080), output(1920, 1080);
    input.for_each_element([&](int x, int y) { input(x, y) = (x * 7 + y * 13) % 251; });
    input.set_host_dirty();

    if (brighten(input, gain, output) != 0 || output.copy_to_host() != 0) {
        std::puts("the pipeline failed");
        return 1;
    }

    int wrong = 0;
    output.for_each_element(
        [&](int x, int y) { wrong += output(x, y) != expected(input, gain, x, y); });
    std::printf("%d of %zu pixels are wrong\n", wrong, output.number_of_elements());
    return wrong == 0 ? 0 : 1;
}
