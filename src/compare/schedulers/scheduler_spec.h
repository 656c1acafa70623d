// A scheduler with its parameters: one row per application of a comparison.
//
//     gpu              this plugin                        gpu:beam_size=1:seed=3
//     root             its plain schedule, without any search
//     manual           the expert's schedule, in the application's generator
//     anderson2021     Halide's own autoschedulers        anderson2021:beam_size=1
//     mullapudi2016    (in its experimental GPU mode)
//     li2018
//
// All are told of the same GPU, in as far as they listen: this plugin by its preset's name, the
// others by the number of its multiprocessors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/gpu_model.h"
#include "core/support/error.h"
#include "lab/build/build_candidate.h"

namespace autoschedule_gpu {

struct SchedulerSpec {
    std::string label = {};      // as it was asked for
    std::string plugin = {};     // file name of the shared library; empty: none
    std::string scheduler = {};  // as registered with Halide; empty: the generator's own schedule
    NamedValues scheduler_params = {};
    NamedValues generator_params = {};

    // Returns the label as the name of a folder that no other label has: what a folder's name can't
    // have in it is replaced, and a hash of the label follows.
    std::string folder_name() const;
};

// `gpu` is the preset's name or file, as the plugin takes it, and `model` what it stands for.
Result<SchedulerSpec> parse_contender(std::string_view text, const std::string &gpu,
                                      const GpuModel &model);

// A list separated by commas. A contender that is named twice is taken once.
Result<std::vector<SchedulerSpec>> parse_contenders(std::string_view text, const std::string &gpu,
                                                    const GpuModel &model);

}  // namespace autoschedule_gpu
