// What was decided for a schedule, as an ordered list: the coordinates along which a tuner moves
// (coordinate descent, Canesche et al. 2024). A tuner changes values, and nothing else.
//
//     state ─► decisions_of_state ─► list ─► JSON ─► list ─► follow ─► the same state
//
// One object; the reader takes exactly what is described here and nothing else.
//
//     {
//       "format": "autoschedule_gpu.decisions",
//       "version": 1,
//       "pipeline": "00c0ffee00c0ffee",     Dag::hash(), 16 hexadecimal digits
//       "freedom": "full",                  of the search space: "full", "no_fusion", "root_only"
//       "decisions": [
//         {"name": "blur_y", "kind": "place", "value": "root", "choices": ["root"]},
//         {"name": "blur_y.x", "kind": "serial", "value": 4, "choices": [1, 2, 4, 8]},
//         {"name": "blur_y.x", "kind": "threads", "value": 32, "choices": [16, 32, 64]},
//         {"name": "blur_x", "kind": "place", "value": "block",
//          "choices": ["inline", "threads", "block", "root"]}
//       ]
//     }
//
// Kinds and values:
//
//   place        of a Func; from the inside outwards
//                  inline      evaluated where it is read
//                  threads     in the threads that read it, in registers
//                  loop        in the block, in the loop of the reduction that reads it
//                  block       in the block of the only kernel that reads it, in shared memory
//                  block_loop  the same, its own reduction outside its threads, so that what that
//                              one reads may be computed in the loop
//                  root        in a kernel of its own
//   member_tile  of a Func in a block that copies another: "split", each thread has neighbouring
//                points, as many as `serial` says; "dealt", the root stage's threads take them in
//                rounds
//   reduction    of a loop of an update at root
//                  serial      in each thread, whole
//                  atomic      shared by blocks and threads
//   serial       of a loop: neighbouring points per thread
//   threads      of a loop at root: threads per block
//   unroll       of a stage that is not inlined: which of its loops in a thread are unrolled, if
//                they are short (nest/nest.h)
//                  none        none
//                  tile        those over points
//                  all         these, and reductions of known length
//
// Places say nothing of which kernel: only one reads the Func, and it may come to be another when
// the place of a reader changes. A Func has a name without what differs from build to build; with
// its index ("f#7") where that leaves it without one of its own. "f.in()" wraps f for all that read
// it, "f.in(g)" for g alone. Updates are "f.update(0)"; a loop comes after a dot.
//
// Every Func that is decided has a place. Sizes that the place of a Func gives no meaning are not
// looked at; those that it needs and are not there are chosen plainly. So a changed place needs no
// other change; what there is to decide then is in the list of the schedule that comes of it. A
// stage without an `unroll` is unrolled as by `all`: it has none where nothing else can be chosen.
//
// Choices ascend, neighbours in the list being neighbours in meaning; the value is among them. They
// are what can be chosen while all else stays, as far as the space knows: Halide may still refuse.
// Unrolling that would move arrays of a thread from registers into memory is not among them; a list
// that has it is followed all the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "space/space.h"
#include "support/error.h"

namespace autoschedule_gpu {

inline constexpr int kDecisionsVersion = 1;

enum class DecisionKind : uint8_t { place, member_tile, reduction, serial, threads, unroll };
inline constexpr int kDecisionKinds = 6;
std::string_view name(DecisionKind kind);

std::string_view name(Freedom freedom);

enum class Place : uint8_t { inlined, threads, loop, block, block_loop, root };
inline constexpr int kPlaces = 6;
std::string_view name(Place place);
std::optional<Place> place_of(std::string_view name);

// Sizes are numbers, all else has a name.
using DecisionValue = std::variant<int64_t, std::string>;
bool is_size(DecisionKind kind);

struct Decision {
    std::string name;
    DecisionKind kind = DecisionKind::place;
    DecisionValue value;
    std::vector<DecisionValue> choices;
    friend bool operator==(const Decision &, const Decision &) = default;
};

struct DecisionList {
    uint64_t pipeline_hash = 0;
    Freedom freedom = Freedom::full;
    std::vector<Decision> decisions;
    friend bool operator==(const DecisionList &, const DecisionList &) = default;
};

// One decision a line.
std::string to_json(const DecisionList &list);

// Errors say where, what was expected and what was found. A value need not be among the choices.
Result<DecisionList> parse_decisions(std::string_view json);

// That a decision fails: `decision 5, place of "blur_x", block: why`. The first is number 1.
Error refusal(const DecisionList &list, size_t decision, const std::string &why);

}  // namespace autoschedule_gpu
