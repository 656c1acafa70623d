// What was decided for a schedule, as an ordered list: the coordinates along which a tuner moves
// (coordinate descent, Canesche et al. 2024). A tuner changes values, and nothing else.
//
//     state ─► decisions_of_state ─► list ─► JSON ─► list ─► follow ─► the same state
//
// The format is public (autoschedule_gpu/decision.h); the reader takes exactly that and nothing
// else. Kinds and their values are described where they are decided: kinds/place.h (place,
// member_tile, serial), kinds/tiling.h (reduction, serial, threads), kinds/unroll.h (unroll).
// Users' libraries may add others about single stages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "autoschedule_gpu/decision.h"
#include "core/support/error.h"
#include "scheduler/schedule/stage_kind.h"
#include "scheduler/space/space_facts.h"

namespace autoschedule_gpu {

using api::kDecisionsVersion;

// Of coordinates about places and tilings. Those about single stages have the names of their kinds
// (scheduler/schedule/stage_kind.h).
namespace decision_kind {
inline constexpr char place[] = "place", member_tile[] = "member_tile", reduction[] = "reduction",
                      serial[] = "serial", threads[] = "threads";
}

std::string_view to_string(Freedom freedom);

// One coordinate of a decision (space/decision.h), as text.
using Coordinate = api::Decision;

struct DecisionList {
    uint64_t pipeline_hash = 0;
    Freedom freedom = Freedom::full;
    std::vector<Coordinate> decisions;
    friend bool operator==(const DecisionList &, const DecisionList &) = default;
};

// One decision a line.
std::string to_json(const DecisionList &list);

// Errors say where, what was expected and what was found. A value need not be among the choices.
// `kinds`: those about single stages that are known.
Result<DecisionList> parse_decisions(std::string_view json, const StageKinds &kinds);

// That a decision fails: `decision 5, place of "blur_x", block: why`. The first is number 1.
Error refusal(const DecisionList &list, size_t decision, const std::string &why);

}  // namespace autoschedule_gpu
