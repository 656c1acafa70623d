// What was decided for a schedule, as an ordered list: the coordinates that a tuner changes one by
// one (coordinate descent, Canesche et al. 2024). A tuner changes values and nothing else.
//
//     state ─► decisions_of_state ─► list ─► JSON ─► list ─► follow ─► the same state
//
// The format, with all kinds and their values, is public (autoschedule_gpu/decision.h); the reader
// accepts exactly that. The kinds are decided in kinds/place.h, kinds/tiling.h, kinds/unroll.h
// and kinds/compute_with.h.
// Users' libraries may add kinds that are about single stages.
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

// The kinds of coordinates about reductions (scheduler/factors), places and tilings. Those about
// single stages are named by their StageKind (scheduler/schedule/stage_kind.h).
namespace decision_kind {
inline constexpr char place[] = "place", member_tile[] = "member_tile", reduction[] = "reduction",
                      serial[] = "serial", threads[] = "threads", rows[] = "rows",
                      rfactor[] = "rfactor", storage[] = "storage", compute_with[] = "compute_with",
                      sliding[] = "sliding";
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

// Returns the list as JSON, with one decision per line.
std::string to_json(const DecisionList &list);

// Parses a list. Errors say where, what was expected and what was found. A value need not be among
// the choices. `kinds` are the known kinds that are about single stages; of the scheduler's own,
// those that are not switched off.
Result<DecisionList> parse_decisions(std::string_view json, const StageKinds &kinds);

// Returns the error of a decision: `decision 5, place of "blur_x", block: why`. The first is 1.
Error refusal(const DecisionList &list, size_t decision, const std::string &why);

}  // namespace autoschedule_gpu
