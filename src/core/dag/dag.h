// The pipeline as plain data: everything that the search, the cost models and the schedule writer
// need to know about a Halide pipeline, without a Halide type in sight.
//
//     Dag ── funcs   topological order, producers first; input images are Funcs without stages
//         ── stages  a Func's definitions in order: the pure one, then its updates
//         ── edges   "this stage reads that Func", with a program that gives the region it needs
//
// A Dag is built once by bridge/read (or by hand, in tests) and never changes afterwards. It may
// be read from any number of threads.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/dag/interval.h"
#include "core/dag/op_histogram.h"
#include "core/dag/region_program.h"
#include "core/support/strong_id.h"

namespace autoschedule_gpu {

struct ScalarType {
    enum class Code : uint8_t { signed_int, unsigned_int, floating, handle };
    Code code = Code::floating;
    uint8_t bits = 32;

    int64_t bytes() const { return (bits + 7) / 8; }
    friend bool operator==(const ScalarType &, const ScalarType &) = default;
};

// One dimension of a Func.
struct Dimension {
    std::string name;
    // What is computed of this dimension when the outputs have their estimated sizes and every
    // Func is computed at root. Outputs: the user's estimate (united with what consumers need).
    Interval estimate;
    // Storage stride in elements, as far as it is known: 1 for the innermost dimension, the
    // product of the estimated extents of the dimensions inside it otherwise. Input and output
    // buffers: what the user declared (an interleaved image has stride 3 in x and 1 in c).
    int64_t stride = 1;
    // Of an output, when its buffer must have exactly the range `estimate`: Func::bound or
    // set_bounds, with constants.
    bool fixed = false;
    // At root, `estimate` is what is computed whatever the sizes of images are: a compile-time
    // constant for Halide. Filled by `find_constant_dimensions`.
    bool constant = false;
};

// Whether the reduction loops of an update may run in parallel with atomic additions to the same
// element. `rounding`: yes, but sums in another order are rounded otherwise.
enum class Atomics : uint8_t { no, rounding, exact };

struct Func {
    enum class Kind : uint8_t { input_image, internal, output };

    std::string name;
    Kind kind = Kind::internal;
    // Index for Halide's Pipeline::get_func; -1 for input images; greater than all of these for
    // wrappers.
    int halide_index = -1;
    std::vector<Dimension> dims;     // dims[0] is the first argument
    std::vector<ScalarType> values;  // one per Tuple element
    std::vector<StageId> stages;     // empty for input images
    // Must run outside the GPU (extern stage, memoize, async, print, extern C call ...); empty
    // when it may run on the GPU. The text says why, for the report.
    std::string host_reason;
    // Halide would accept this Func inline: one pure definition, no extern, no specialization.
    bool can_inline = false;
    // Some consumer reads it at indices without a bound (repeat_edge(in)(x + flow(x, y))): Halide
    // accepts it inline only, and its `estimate` reaches +-kRegionLimit. Implies can_inline.
    bool must_inline = false;
    // Required region -> computed region (bound, align_bounds, what updates touch).
    RegionProgramId computed;
    // A wrapper (Halide's Func::in, scheduler/space/wrappers.h): holds what `wraps` holds, for one
    // Func that reads it or, where `reader` is invalid, for all. Not part of the pipeline until a
    // schedule makes it. Invalid: a Func of the pipeline.
    FuncId wraps, reader;

    bool is_input() const { return kind == Kind::input_image; }
    bool is_output() const { return kind == Kind::output; }
    bool on_host() const { return !host_reason.empty(); }
    int64_t bytes_per_point(int64_t least_bytes_per_value = 1) const;
};

// One loop of a stage, in Halide's order: loops[0] is the innermost of the unscheduled stage.
struct Loop {
    enum class Kind : uint8_t { pure, reduction };

    std::string name;  // Halide's name of the Var or RVar, e.g. "x" or "r4$x"
    Kind kind = Kind::pure;
    int dim = -1;  // pure: the dimension of the Func that it runs over; reduction: -1
    // Iterations are independent: every pure loop, and RVars that Halide knows to be pure.
    bool parallel = true;
    Interval range;  // reduction: the RDom's range (at the estimates); pure: unused
    // The range is a compile-time constant for Halide (false: it depends on a parameter or on an
    // image's size, and `range` is its value at the estimates). Always false for pure loops.
    bool constant = false;
    // A reduction that may have no iteration, as far as can be known: its extent is neither a
    // constant nor an image's.
    bool may_be_empty = false;
};

// d(index) / d(loop): how one coordinate of an access moves per step of one loop. `known` is false
// for data-dependent or non-linear indices. Fractions are common (x / 2 when upsampling).
struct Coefficient {
    double value = 0;
    bool known = true;
    friend bool operator==(const Coefficient &, const Coefficient &) = default;
};

// An access of a stage: `rows x columns` = dimensions of the accessed Func x loops of the stage.
class AccessMatrix {
public:
    AccessMatrix() = default;
    AccessMatrix(size_t dims, size_t loops) : loops_(loops), coefficients_(dims * loops) {}

    size_t dims() const { return loops_ == 0 ? 0 : coefficients_.size() / loops_; }
    size_t loops() const { return loops_; }
    Coefficient &at(size_t dim, size_t loop) { return coefficients_[dim * loops_ + loop]; }
    const Coefficient &at(size_t dim, size_t loop) const {
        return coefficients_[dim * loops_ + loop];
    }
    friend bool operator==(const AccessMatrix &, const AccessMatrix &) = default;

private:
    size_t loops_ = 0;
    std::vector<Coefficient> coefficients_;
};

// All sites of one stage that read one Func with the same access matrix (a 3x3 stencil is one
// Load of count 9). Several Loads may name one producer.
struct Load {
    FuncId producer;
    int count = 1;               // textual sites, per evaluation of the stage
    int64_t bytes_per_site = 4;  // bytes of the Tuple element that is read
    AccessMatrix access;
};

struct Stage {
    FuncId func;
    int index = 0;  // 0: the pure definition; n: update n - 1
    std::vector<Loop> loops;
    OpHistogram ops;            // per evaluation of the definition, address arithmetic apart
    int branching = 1;          // Strahler number of its expressions, likewise
    std::vector<Load> loads;    // reads of the own Func (recursion) included
    std::vector<EdgeId> edges;  // one per Func that is read, the own Func excepted
    AccessMatrix store;         // own dimensions x loops: where the result goes
    Atomics atomics = Atomics::no;
    bool has_predicate = false;  // RDom::where
    // The predicate reads a Func or an image. Halide evaluates it before the guard of a split loop,
    // so that such a stage reads beyond its region unless its loops stay whole.
    bool predicate_reads = false;
};

// "`consumer` reads `producer`", with the region it needs of it as a program over the ranges of
// the consumer's loops.
struct Edge {
    StageId consumer;
    FuncId producer;
    RegionProgramId region;
    // Every read of the producer has the coordinates of the consumer's pure loops, in order.
    bool pointwise = false;
    // The region could not be compiled: the producer's whole estimated region is used.
    bool fallback = false;
};

struct Dag {
    std::vector<Func> funcs;
    std::vector<Stage> stages;
    std::vector<Edge> edges;
    RegionCode regions;

    const Func &func(FuncId id) const { return funcs[id.index()]; }
    const Stage &stage(StageId id) const { return stages[id.index()]; }
    const Edge &edge(EdgeId id) const { return edges[id.index()]; }
    const Func &func_of(StageId id) const { return func(stage(id).func); }

    // Edges whose producer is the given Func, by FuncId; filled by `link_consumers`.
    std::vector<std::vector<EdgeId>> consumers;

    // Stable across runs and machines: depends on structure, sizes and types, not on names.
    uint64_t hash() const;
};

// Fills dag.consumers from dag.edges.
void link_consumers(Dag &dag);

// Fills Dimension::constant, from what is read of each Func. Needs the consumers.
void find_constant_dimensions(Dag &dag);

// Every violation of what the comments above promise, a sentence each; empty for a sound Dag.
std::vector<std::string> check(const Dag &dag);

// An input under another name, a boundary condition, a conversion: one load and next to no
// arithmetic. Not what comes after a reduction (an activation): in its kernel the sums can stay in
// registers.
bool is_copy(const Dag &dag, FuncId func);

// "blur_y", "blur_y.update(0)": how a stage is named in reports and errors.
std::string stage_name(const Dag &dag, StageId id);

}  // namespace autoschedule_gpu
