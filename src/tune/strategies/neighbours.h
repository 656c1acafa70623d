// The schedules that differ from one in a single decision by the least difference (Canesche et al.
// 2024, definition 3.2), over the decision list that the plugin writes
// (autoscheduler.decisions_out) and reads (autoscheduler.decisions).
//
// Sizes are ordered: their neighbours are the next smaller and the next greater choice. Places, how
// far loops are unrolled and other names have no order: all other choices are neighbours.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/error.h"
#include "tune/strategies/listed_decisions.h"

namespace autoschedule_gpu {

struct Neighbour {
    size_t decision = 0;    // its place in the list
    std::string what = {};  // "blur_y.x threads"
    std::string from = {}, to = {};
    int direction = 0;            // of a size: -1 smaller, 1 greater; else 0
    std::string decisions = {};   // the list, JSON
    bool is_speculative = false;  // it is a neighbour of a neighbour
};

// What follows if the same decision goes on in the same direction: the schedule that is one choice
// further than the neighbour, as a list. Nothing where there is none, or no direction. The centroid
// of a speculative set (Canesche et al. 2024, section 3.4).
std::optional<std::string> beyond(std::string_view decisions, const Neighbour &step);

// In the order of the decisions, of each the smaller before the greater. Errors say what of the
// list is not as it should be.
Result<std::vector<Neighbour>> neighbours_of(std::string_view decisions);

// The choices of a decision that are least different from the chosen one.
std::vector<size_t> choices_beside(const ListedDecision &decision);

}  // namespace autoschedule_gpu
