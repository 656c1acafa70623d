// The configurations that are compared: the plugin's search, with parts of it on or off.
//
//     memo+sampling+freeze, ..., none   all eight of Anderson et al. (2021), section 6.3: what is
//                                       not named is off
//     default                           as users get it
//     exhaustive                        no sampling, no freezing and a large beam: not every
//                                       schedule, but the yardstick of predicted costs
//     without_padding, ...              as users get it, but for one kind of decision
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
    NamedValues params = {};  // the plugin's
};

// Returns the name: "memo+sampling", "none".
std::string configuration_name(bool memo, bool sampling, bool freeze);

// Returns the name of the search without a kind of decision: "without_padding".
std::string name_without(std::string_view kind);

// Returns default, and for each kind of decision that can be switched off the search without it.
std::vector<Configuration> decision_configurations();

// Returns the eight in the order of the paper's tables, then default and exhaustive.
std::vector<Configuration> all_configurations();

// Parses names separated by commas; "paper" stands for the eight, and "all" for all. Returns each
// once, in the order of all_configurations. The error lists the valid names.
Result<std::vector<Configuration>> parse_configurations(std::string_view text);

}  // namespace autoschedule_gpu
