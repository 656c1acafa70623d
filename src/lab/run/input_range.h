// What an input is filled with in place of what is usual for its type (synthetic_input.h), where
// that would hide errors: an output that is saturated, or a sum in which one element counts little.
//
//     {"least": -1, "greatest": 1}                    the usual picture, stretched to these ends
//     {"least": 0, "greatest": 3, "whole": true}      whole numbers, each drawn by itself and all
//                                                     equally often: sums of them are exact
//     {"least": -1, "greatest": 1, "clamp_below": 0}  the picture, 0 where it would be less: sparse
//
// As text: "-1:1", "0:3:whole", "-1:1:clamp_below=0".
#pragma once

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/error.h"

namespace autoschedule_gpu {

struct InputRange {
    double least = 0;
    double greatest = 1;
    bool whole = false;  // of floats; integers always are
    std::optional<double> clamp_below = {};

    friend bool operator==(const InputRange &, const InputRange &) = default;
};

// By the names of the inputs.
using InputRanges = std::map<std::string, InputRange>;

// Whether all that is said of its values are whole numbers.
inline bool has_whole_ends(const InputRange &range) {
    const auto is_whole = [](double value) { return value == std::floor(value); };
    return is_whole(range.least) && is_whole(range.greatest) &&
           is_whole(range.clamp_below.value_or(range.least));
}

// What was to be expected of a range, whatever the input's type is; empty if nothing is wrong.
inline std::string fault_of(const InputRange &range) {
    const double clamp = range.clamp_below.value_or(range.least);
    if (!std::isfinite(range.least) || !std::isfinite(range.greatest) || !std::isfinite(clamp)) {
        return "finite numbers";
    }
    if (!(range.least < range.greatest)) return "\"least\" below \"greatest\"";
    if (!(range.least <= clamp && clamp < range.greatest)) {
        return "\"clamp_below\" of \"least\" or more, and below \"greatest\"";
    }
    if (range.whole && !has_whole_ends(range)) return "whole numbers in a range of whole numbers";
    return "";
}

// Ranges as texts, NAME=LEAST:GREATEST and what else there is, and back. The order of the texts is
// that of the names; a name that comes again is an error.
std::vector<std::string> to_texts(const InputRanges &inputs);
Result<InputRanges> parse_input_ranges(const std::vector<std::string> &texts);

}  // namespace autoschedule_gpu
