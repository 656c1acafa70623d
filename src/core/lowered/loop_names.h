// What the names of lowered loops tell. Halide derives all other names from them.
#pragma once

#include <string>

namespace autoschedule_gpu {

// Returns Halide's name for the device function of a kernel whose outermost loop is `loop`, without
// the counter that it appends to repeated names: "_kernel_blur_y_s0_y_y_b_block_id_y".
std::string device_function_name(const std::string &loop);
// Returns the Func that a loop's name begins with: "blur_y".
std::string func_of_loop(const std::string &loop);
// Returns the number of that Func's stage: 0, or 1 and more for updates.
int stage_of_loop(const std::string &loop);

}  // namespace autoschedule_gpu
