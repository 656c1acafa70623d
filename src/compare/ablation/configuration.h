// The searches that are compared: the plugin's, with parts of it on or off.
//
//     memo+sampling+freeze, ..., none   all eight of Anderson et al. (2021), section 6.3: what is
//                                       not named is off
//     default                           as users get it
//     exhaustive                        no sampling, no freezing and a large beam: not every
//                                       schedule, but the yardstick of predicted costs
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/error.h"
#include "lab/build/build_candidate.h"

namespace autoschedule_gpu {

inline constexpr std::string_view kDefaultConfiguration = "default";
inline constexpr std::string_view kExhaustiveConfiguration = "exhaustive";

struct Configuration {
    std::string name = {};
    NamedValues params = {};  // of the plugin
};

// "memo+sampling", "none".
std::string configuration_name(bool memo, bool sampling, bool freeze);

// The eight in the order of the paper's tables, default, exhaustive.
std::vector<Configuration> all_configurations();

// A list with commas of names, "paper" (the eight) and "all"; in the order of all_configurations,
// each once. The error lists the names that there are.
Result<std::vector<Configuration>> parse_configurations(std::string_view text);

}  // namespace autoschedule_gpu
