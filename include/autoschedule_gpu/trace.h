// A schedule as one ordered list of scheduling directives, and its form as a JSON trace, in which
// schedules are stored, compared and replayed (`autoscheduler.trace_out`, `trace`). The list is
// what is applied to the Halide Funcs, printed as C++ and written as the trace.
//
// Directives of one stage are applied in the list's order. Funcs have numbers: their position in
// the order in which Halide realizes the pipeline, producers first.
//
// A trace is one object; the reader takes exactly what is described here and nothing else.
//
//     {
//       "format": "autoschedule_gpu.trace",
//       "version": 1,
//       "pipeline": "00c0ffee00c0ffee",     a hash of it, 16 hexadecimal digits
//       "producer": "autoschedule_gpu 0.1", optional: who wrote it; any text
//       "directives": [
//         {"op": "compute_root", "func": 2, "name": "blur_y"},
//         {"op": "split", "func": 2, "name": "blur_y", "stage": 0,
//          "loops": [{"original": 0, "name": "x"}, {"name": "xo"}, {"name": "xi"}],
//          "factor": 32, "tail": "GuardWithIf"},
//         {"op": "store_in", "func": 1, "name": "blur_x", "memory": "GPUShared"},
//         {"op": "compute_at", "func": 1, "name": "blur_x",
//          "site_func": 2, "site_stage": 0, "site_loop": {"name": "xo"}}
//       ]
//     }
//
// A directive has "op", "func" and "name", the other fields where its op uses them (see
// DirectiveOp), "stage" unless it acts on the Func as a whole. All are required. A loop with
// "original" is one of the stage's own, and its name is for readers only; one without was made by
// an earlier directive (or is by this one). Names of ops, tails and memory types are Halide's:
// GuardWithIf, GPUShared and so on.
//
// A stage may have two schedules: one for where a Func is computed over full tiles that are not too
// many for a grid, which "specialize" begins, and one for all other sizes.
//
//         {"op": "specialize", "func": 2, "name": "blur_y", "stage": 0,
//          "site_func": 2, "least": [64, 8], "most": [0, 524280]},   from 64 x 8 points on,
//                                                              up to 524280 rows
//         {"op": "split", "func": 2, "name": "blur_y", "stage": 0, "branch": "full_tiles", ...},
//         {"op": "split", "func": 2, "name": "blur_y", "stage": 0, ...}      otherwise
//
// A pipeline may have several schedules, each for its sizes. "for_sizes" begins one: all that
// follows, to the next, is a schedule of the whole pipeline, for where buffers of outputs (by the
// number of their Func) and of inputs (by name) have such extents. The first of which that is true
// is taken; the last has no condition.
//
//         {"op": "for_sizes", "func": 2, "name": "blur_y",
//          "extents": [{"func": 2, "dimension": 0, "least": 544},
//                      {"input": "in", "dimension": 1, "least": 641}]},
//         {"op": "compute_root", "func": 2, "name": "blur_y"},     a schedule for large sizes
//         {"op": "for_sizes", "func": 2, "name": "blur_y", "extents": []},
//         {"op": "compute_root", "func": 2, "name": "blur_y"}      another, for all others
//
// A schedule may begin by taking reductions apart. The loops of an update that "rfactor" names
// become dimensions of a Func that it makes, which has partial results; what is left of the update
// puts these together. The loops of both then have the names that they had or were given, and where
// a later directive calls one "original", it is by its position after the last "rfactor" of them.
//
//         {"op": "split", "func": 2, "name": "sum", "stage": 1,
//          "loops": [{"original": 0, "name": "r$x"}, {"name": "rs"}, {"name": "ru"}],
//          "factor": 32, "tail": "Auto"},
//         {"op": "rfactor", "func": 2, "name": "sum", "stage": 1,
//          "loops": [{"name": "ru"}, {"name": "u"}], "made_func": 3},   Func 3: partial sums, by u
//         {"op": "reorder_storage", "func": 3, "name": "sum_intm", "loops": [{"name": "u"}, ...]}
//
// Storage may be reordered of any Func but an output; right behind an "rfactor" it is of what that
// makes.
//
// A loop of four elements may be a vector where rows begin at multiples of 16 bytes: those of the
// output `site_func` and of the inputs that are named. For CUDA their buffers must begin so on the
// device, too, here and in the next of such directives.
//
//         {"op": "vectorize_aligned", "func": 2, "name": "blur_y", "stage": 0,
//          "branch": "full_tiles", "loops": [{"name": "x_s"}],
//          "site_func": 2, "inputs": [{"name": "in", "dimensions": 2}]}
//
// "specialize_aligned" gives an update the schedule that it has so far once more, as a branch of
// its own, for where the rows of those buffers are so and a loop of its reduction has whole fours
// of iterations.
//
//         {"op": "specialize_aligned", "func": 2, "name": "sum", "stage": 1,
//          "branch": "full_tiles", "loops": [{"original": 2, "name": "k"}],
//          "site_func": 3, "inputs": [{"name": "in", "dimensions": 2}]},    site_func may be
//          missing
//         {"op": "unroll", "func": 2, "name": "sum", "stage": 1, "branch": "aligned", ...}
//
// "specialize_steps" begins such a branch, too, for where a loop of the update's reduction has a
// multiple of `factor` iterations, wherever rows begin.
//
//         {"op": "specialize_steps", "func": 2, "name": "sum", "stage": 1,
//          "branch": "full_tiles", "loops": [{"original": 2, "name": "k"}], "factor": 16}
//
// "repeat_for_multiples" gives a stage the schedule that it has so far once more, for where the
// buffer of the output `site_func` begins at multiples of these numbers and its extents are such,
// so that Halide knows which points are even when it compiles.
//
//         {"op": "repeat_for_multiples", "func": 2, "name": "blur_y", "stage": 0,
//          "branch": "full_tiles", "site_func": 2, "multiples": [2, 0]}      any number of rows
//
// A loop along pixels may be a vector of `factor` of them where in each of these buffers vectors
// begin at multiples of that many elements (and for CUDA the buffer on the device at one of 16
// bytes): an output's, by its Func, or an input's. `pixels` is
// the dimension along which they are neighbours, `step` elements apart; `channels`, if there is
// one, that of their channels, side by side.
//
//         {"op": "vectorize_pixels", "func": 2, "name": "rgb", "stage": 0, "branch": "full_tiles",
//          "loops": [{"name": "x_s"}], "factor": 8,
//          "buffers": [{"func": 2, "dimensions": 3, "pixels": 1, "channels": 0, "step": 3},
//                      {"input": "in", "dimensions": 3, "pixels": 0, "step": 1}]}
//
// "compute_with" computes a stage together with one of another Func, from the outermost loops of
// both to one that has the same name in both, as have those around it: each iteration does a piece
// of either.
//
//         {"op": "compute_with", "func": 3, "name": "dy", "stage": 0,
//          "site_func": 2, "site_stage": 0, "site_loop": {"name": "x_b"}}
//
// Version: a change that an older reader would misread raises it. Numbers are integers.
//
// Value types. Needs C++17 and the standard library.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "autoschedule_gpu/memory_kind.h"

namespace autoschedule_gpu::api {

inline constexpr int kTraceVersion = 1;

enum class DirectiveOp : uint8_t {
    compute_root,       // func
    compute_at,         // func at site
    store_in,           // func, memory
    in,                 // func, a wrapper, which this makes: of wrapped_func, for reader_func
    split,              // stage: loops = {old, outer, inner}, factor, tail
    fuse,               // stage: loops = {inner, outer, fused}
    reorder,            // stage: loops, innermost first
    unroll,             // stage: loops = {loop}
    vectorize,          // stage: loops = {loop}
    gpu_blocks,         // stage: loops, x first (at most three)
    gpu_threads,        // stage: loops, x first (at most three)
    gpu_single_thread,  // stage: no loop
    atomic,             // stage: no loop; before what runs its reduction loops in parallel
    align_storage,      // func: loops = {one of its pure definition's own}, factor
    specialize,         // stage: site_func, least, most, of its dimensions and then of loops, own
                        // ones of an update's reduction if site_func is its Func; before all other
                        // directives of the stage
    rfactor,  // stage, an update: loops = {loops to take out, a dimension for each}, made_func;
              // before it there are but splits of the stage
    reorder_storage,    // func: loops, its dimensions, innermost first
    vectorize_aligned,  // stage: loops = {loop}, site_func, inputs; behind all other directives of
                        // the stage
    repeat_for_multiples,  // stage: site_func, multiples; behind all other directives of the stage
    specialize_aligned,    // stage, an update: loops = {one of its reduction's own}, site_func or
                           // none, inputs; begins Branch::aligned, in the branch that it is in
    bound_extent,          // func: loops = {one of its pure definition's own}, factor
    for_sizes,             // func, an output: extents; begins a schedule
    compute_with,          // stage with stage `site_stage` of site_func, from its outermost loop to
                           // site_loop
    store_at,              // func at site, a loop around that of compute_at
    vectorize_pixels,      // stage: loops = {loop}, factor, buffers; behind all other directives of
                           // the stage
    bound_storage,         // func: loops = {one of its pure definition's own}, factor
    parallel,              // stage: loops = {loop}, on the host
    specialize_steps,      // stage, an update: loops = {one of its reduction's own}, factor; begins
                           // Branch::aligned, as specialize_aligned does
};
inline constexpr int kDirectiveOps = 28;

enum class TailStrategy : uint8_t { automatic, guard_with_if, shift_inwards, round_up };
inline constexpr int kTailStrategies = 4;

// Which schedule of a stage a directive belongs to. Loops of a stage have the same names in both,
// where other Funcs are computed in them.
enum class Branch : uint8_t { otherwise, full_tiles, aligned };

// A loop of a stage: either one of the stage's own loops, named by its position in Halide's
// dims() *before any scheduling* because Halide's own names are
// not stable from one build of the pipeline to the next; or one that a directive made, by name.
struct LoopRef {
    int original = -1;
    std::string name;  // original: its display name only

    bool is_original() const { return original >= 0; }
    static LoopRef made(std::string name) { return {-1, std::move(name)}; }
    // The loop of a single iteration that Halide has around all others of a stage.
    static LoopRef outermost() { return made("__outermost"); }
    friend bool operator==(const LoopRef &a, const LoopRef &b) {
        return a.original == b.original && (a.is_original() || a.name == b.name);
    }
};

// A buffer that the pipeline reads, by its name.
struct InputBuffer {
    std::string name;
    int dimensions = 0;

    friend bool operator==(const InputBuffer &a, const InputBuffer &b) {
        return a.name == b.name && a.dimensions == b.dimensions;
    }
};

// A buffer of pixels, and how they lie in memory.
struct PixelBuffer {
    int func = -1;      // whose buffer it is, an output; -1: an input's
    std::string input;  // its name
    int dimensions = 0;
    int pixels = 0;     // the dimension along which they are neighbours
    int channels = -1;  // that of their channels; -1: each has a plane
    int64_t step = 1;   // elements from one pixel to the next

    friend bool operator==(const PixelBuffer &a, const PixelBuffer &b) {
        return a.func == b.func && a.input == b.input && a.dimensions == b.dimensions &&
               a.pixels == b.pixels && a.channels == b.channels && a.step == b.step;
    }
};

// How far a buffer extends at least along a dimension.
struct LeastExtent {
    int func = -1;      // whose buffer it is, an output; -1: an input's
    std::string input;  // its name
    int dimension = 0;
    int64_t least = 1;

    friend bool operator==(const LeastExtent &a, const LeastExtent &b) {
        return a.func == b.func && a.input == b.input && a.dimension == b.dimension &&
               a.least == b.least;
    }
};

struct Directive {
    DirectiveOp op = DirectiveOp::compute_root;
    int func = 0;           // its number, see below; of a wrapper, the number that `in` gives it
    std::string func_name;  // for readers; `func` decides
    int stage = 0;          // 0: pure definition, n: update n - 1; Func-level directives: 0
    std::vector<LoopRef> loops;
    int64_t factor = 0;  // split: iterations of the inner loop; align_storage: elements;
                         // bound_extent, bound_storage: points; vectorize_pixels: pixels;
                         // specialize_steps: iterations
    TailStrategy tail = TailStrategy::automatic;
    MemoryKind memory = MemoryKind::automatic;
    Branch branch = Branch::otherwise;
    // compute_at: the Func whose loop encloses; compute_with: the other Func; specialize: whose
    // extents decide; vectorize_aligned, specialize_aligned: whose rows do; repeat_for_multiples:
    // whose buffer does
    int site_func = -1;
    LoopRef site_loop;
    // compute_at: the stage of site_func in which `site_loop` is looked up. Halide then computes
    // the Func in the loop of that name of *every* stage of site_func that uses it.
    int site_stage = 0;
    // specialize: by dimension of site_func, the extents from which on and up to which the stage is
    // computed by Branch::full_tiles; 0: any. They are those of what is computed of its pure
    // definition there: of a stage in a block or in a thread, of what the block or thread computes.
    // site_func is not inlined.
    std::vector<int64_t> least, most;
    int wrapped_func = -1;  // in
    int reader_func = -1;   // in: the Func that reads the wrapper; -1: all that read wrapped_func
    int made_func = -1;     // rfactor: the number that it gives the Func that it makes
    // vectorize_aligned, specialize_aligned: the rows of these and of site_func's buffer, an
    // output, must begin at multiples of four elements.
    std::vector<InputBuffer> inputs;
    // repeat_for_multiples: by dimension of site_func; 0: any.
    std::vector<int64_t> multiples;
    // for_sizes: all must be so.
    std::vector<LeastExtent> extents;
    // vectorize_pixels: in which vectors must be aligned.
    std::vector<PixelBuffer> buffers;

    friend bool operator==(const Directive &a, const Directive &b) {
        const auto fields = [](const Directive &d) {
            return std::tie(d.op, d.func, d.func_name, d.stage, d.loops, d.factor, d.tail, d.memory,
                            d.branch, d.site_func, d.site_loop, d.site_stage, d.least, d.most,
                            d.wrapped_func, d.reader_func, d.made_func, d.inputs, d.multiples,
                            d.extents, d.buffers);
        };
        return fields(a) == fields(b);
    }
};

using Schedule = std::vector<Directive>;

}  // namespace autoschedule_gpu::api
