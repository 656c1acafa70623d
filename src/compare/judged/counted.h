// What the roofline says of what is counted (compare/schedulers/predicted_time.h) in schedules that
// somebody has simulated, the experts' too: how far the judge without a GPU can be trusted.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "compare/judged/predictions.h"

namespace autoschedule_gpu {

// The Func and the stage in a kernel's name: "_kernel_blur_y_s0" of
// "_kernel_blur_y_s0_x_block_id_x". The rest, names of loops and a number, may differ from build to
// build.
std::string_view stage_of_kernel(std::string_view kernel);

// `probe` is the plugin that counts (plugins/probe). Registers are those of the simulated kernels.
Outcome<std::vector<JudgedSchedule>> judge_counted(const JudgeRequest &request,
                                                   const std::string &probe,
                                                   const std::vector<SimulatedSchedule> &schedules,
                                                   const std::function<void(size_t)> &done);

}  // namespace autoschedule_gpu
