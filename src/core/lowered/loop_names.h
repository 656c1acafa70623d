// What names of lowered loops tell: Halide makes all other names of them.
#pragma once

#include <string>

namespace autoschedule_gpu {

// What Halide calls the device function of a kernel with that outermost loop, up to its counter for
// repeated names: "_kernel_blur_y_s0_y_y_b_block_id_y".
std::string device_function_name(const std::string &loop);
// The Func of a loop's name: "blur_y".
std::string func_of_loop(const std::string &loop);

}  // namespace autoschedule_gpu
