// A decision: what it is about, of which kind it is, what was chosen, and what could have been. The
// same value is written to decisions_out, read by `autoscheduler.decisions`, and changed by tuners.
//
// A library may add kinds of its own: decisions about one stage of a kernel, beside where it is
// computed and how it is tiled. For each kind and stage there is one decision; its value becomes
// directives that stand behind the stage's own. The search takes the first of the choices; others
// are decided by lists and by tuners, and a schedule that Halide refuses then is refused. Kinds are
// asked from any number of threads, must depend on their arguments alone, and must not throw.
//
// A list of decisions as JSON:
//
//     {
//       "format": "autoschedule_gpu.decisions",
//       "version": 1,
//       "pipeline": "00c0ffee00c0ffee",     a hash of it, 16 hexadecimal digits
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
// Kinds of the autoscheduler's own:
//
//   rfactor      of a reduction, an update, that could be taken apart into partial results: none;
//                "32": 32 lanes have a share each; "256x32": in chunks, of which each of 256 lanes
//                has 32 iterations; "1x128": in chunks of 128 iterations, each a thread's. What
//                is decided of the Funcs that this makes ("sum_by_32_lanes") follows
//   place        of a Func: inline (evaluated where it is read), threads (in the threads that read
//                it), loop (in the block, in the loop of the reduction that reads it), block (in
//                the block of the only kernel that reads it), block_loop (the same, its own
//                reduction outside its threads), block_outer_loop (the same, of a reduction along
//                several loops only the outermost), root (in a kernel of its own)
//   member_tile  of a Func in a block that copies another: split (each thread has neighbouring
//                points), dealt (the root stage's threads stride over them)
//   reduction    of a loop of an update at root: serial (whole, in each thread), atomic (shared by
//                blocks and threads)
//   rows         of a loop at root along which something found of a whole row, or of a large chunk,
//                is used: split (by blocks), whole (a block has all of the row, its threads stride
//                through it), spread (by blocks, the threads of each stride through its tile)
//   serial       of a loop: neighbouring points per thread
//   threads      of a loop at root: threads per block
//   sliding      of a loop at root, of a kernel in whose blocks other Funcs are computed: tiles that a
//                block does along the loop, one after the other; of these Funcs it computes for
//                each what is new, and keeps the rest; with disable_rules=walking_blocks
//   storage      of a Func at root, between stages on the device: the dimension that is innermost
//                in memory, by its name ("x"); the others follow in their order
//   unroll       of a stage: none, tile, all (of its loops in a thread)
//   steps        of a stage: so many iterations of a reduction that stays a loop in a thread are
//                written out, a power of two
//   vectors      of a stage at root: on, off (whether four points in a row are loaded and stored at
//                once, where rows begin at multiples of 16 bytes)
//   step_vectors likewise (whether four steps of a reduction are loaded at once by a thread of the
//                stage's kernel, where they go along such rows and are not left over)
//   channel_vectors  likewise (whether two or four channels of a Func in a thread's registers are
//                computed at once, which lie side by side in what is loaded for them; or those
//                of the stage's Func are stored at once)
//   pixel_vectors  likewise (whether a thread loads and stores several pixels with all of their
//                channels by vectors, where a buffer has these side by side)
//   multiples    likewise (whether the stage has one schedule more for outputs that begin and end
//                at multiples of the period of patterns along its loops)
//   along_stores likewise (whether neighbouring threads compute what the stage stores side by side;
//                off: thread x and thread y are exchanged, for loads that lie side by side so)
//   loads_ahead  likewise (whether a scan whose steps are several loads what these read before the
//                first of them stores)
//   padding      of the first stage of a Func in a block: on, off (whether its rows are an odd number
//                of words apart in shared memory)
//   compute_with of a stage at root: the name of the stage in whose launch it is computed, its own
//                where it has one of its own
//
// Places say nothing of which kernel: only one reads the Func, and it may come to be another when
// the place of a reader changes. A Func that is called as another one of the process, and so has a
// counter of Halide's ("f$2"), has its index instead ("f#7"); in another build it may have none, or
// another: where one Func of the pipeline and one of the list are called f, with an index or without,
// they are the same. "f.in()" wraps f for all that read it, "f.in(g)" for g alone. Updates are
// "f.update(0)"; a loop comes after a dot.
//
// Every Func that is decided has a place. Sizes that the place of a Func gives no meaning are not
// looked at; those that it needs and are not there are chosen plainly. So a changed place needs no
// other change; what there is to decide then is in the list of the schedule that comes of it. A
// stage without an `unroll` is unrolled as by `all`: it has none where nothing else can be chosen.
// A loop without `sliding` has one tile per block.
// One without `steps` has one, and one without `vectors`, `step_vectors`, `channel_vectors`,
// `pixel_vectors`, `multiples`, `along_stores` or `loads_ahead` has them on; one without `padding` has none, one without `compute_with` its own launch,
// and so has one whose Func, or the other's, is not at root.
// A Func without `storage` has its first dimension innermost; elsewhere than at root every Func has.
//
// Another `rfactor` makes other Funcs. What a list does not say of those is searched for, quickly;
// what it says of others, that are not there then, is not looked at.
//
// Choices ascend, neighbours in the list being neighbours in meaning; the value is among them. They
// are what can be chosen while all else stays, as far as the space knows: Halide may still refuse.
//
// Needs C++17 and the standard library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "autoschedule_gpu/nest.h"
#include "autoschedule_gpu/trace.h"

namespace autoschedule_gpu::api {

// Sizes are numbers, all else of the autoscheduler's own has a name; kinds of libraries have either.
using DecisionValue = std::variant<int64_t, std::string>;

inline constexpr int kDecisionsVersion = 1;

struct Decision {
    std::string name;  // "blur_y", "hist.update(0)", "blur_y.x"
    std::string kind;  // "place", "unroll", or the name of a kind that a library added
    DecisionValue value;
    std::vector<DecisionValue> choices;  // in the order of their meaning; the value is one of them

    friend bool operator==(const Decision &a, const Decision &b) {
        return a.name == b.name && a.kind == b.kind && a.value == b.value && a.choices == b.choices;
    }
};

class DecisionKind {
public:
    virtual ~DecisionKind() = default;

    // A word, as in "row_padding": the decision's `kind` in lists, reports and C++ headers.
    virtual std::string_view name() const = 0;

    // Values for the stage at that position of the kernel, of one type. The first is what there is
    // where nothing decides, and adds no directive; the others follow in the order of their
    // meaning. Empty: there is nothing to decide about this stage.
    virtual std::vector<DecisionValue> choices(const Kernel &kernel, size_t stage) const = 0;

    // What the value adds to the schedule.
    virtual std::vector<Directive> directives(const Kernel &kernel, size_t stage,
                                              const DecisionValue &value) const = 0;
};

}  // namespace autoschedule_gpu::api
