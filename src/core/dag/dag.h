// The pipeline as plain data: everything that the search, the cost models and the schedule writer
// need to know about a Halide pipeline, without a Halide type in sight.
//
//     Dag ── funcs   topological order, producers first; input images are Funcs without stages
//         ── stages  a Func's definitions in order: the pure one, then its updates
//         ── edges   "this stage reads that Func", with a program that gives the region it needs
//
// A Dag is built once by halide/read (or by hand, in tests) and never changes afterwards. Any
// number of threads may read it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
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
    // The range that is computed of this dimension when the outputs have their estimated sizes and
    // every Func is computed at root. For an output it is the user's estimate, united with what its
    // consumers need.
    Interval estimate;
    // The storage stride in elements, as far as it is known: 1 for the innermost dimension, else
    // the product of the estimated extents of the dimensions inside it. For input and output
    // buffers it is what the user declared (an interleaved image has stride 3 in x and 1 in c).
    int64_t stride = 1;
    // True for an output whose buffer must have exactly the range `estimate`, because Func::bound
    // or set_bounds was called with constants.
    bool fixed = false;
    // True if Func::bound or align_bounds decides what is computed, of a Func that may be inlined:
    // then Halide forgets it, and less may be read of the Func's producers.
    bool promised = false;
    // True if, at root, `estimate` is computed whatever the sizes of images are: a compile-time
    // constant for Halide. Filled by `find_constant_dimensions`.
    bool constant = false;
    // True if, at root, it begins at `estimate.min` whatever the sizes of images are: a
    // compile-time constant for Halide. Of outputs it is declared; of other Funcs it is filled by
    // `find_aligned_tiles`. Not hashed.
    bool constant_min = false;
    // True if it is not `constant`, and its last tile may be computed as a whole, beyond its end:
    // that asks for nothing beyond the end of a buffer (what it reads there is clamped). Filled by
    // `find_aligned_tiles`; not hashed.
    bool rounds_up = false;
    // True if what lies before its beginning may be computed, too, wherever that is: it asks for
    // nothing before the beginning of a buffer. Filled by `find_aligned_tiles`; not hashed.
    bool begins_before = false;
    // Not more points are ever computed of it, whatever the sizes; 0: nobody knows. Not hashed.
    int64_t most_extent = 0;
    // Contains what is computed of it at root, whatever the values of parameters and the sizes of
    // images, if Funcs at root compute no more than is asked of them; nullopt: nobody knows. Where
    // it is not `constant`, parameters decide how much of that is computed. Filled by
    // `find_widest_ranges`; not hashed.
    std::optional<Interval> widest = std::nullopt;

    // True if so many points are all that is computed of it, and parameters alone decide how many
    // these are.
    bool is_set_by_parameters(int64_t points) const {
        return widest.has_value() && !constant && points == estimate.extent();
    }
};

// Whether the reduction loops of an update may run in parallel with atomic additions to the same
// element. `rounding`: they may, but the order of the sums then affects rounding.
enum class Atomics : uint8_t { no, rounding, exact };

// Whether an update may be taken apart into partial results and an update that puts them together
// (Halide's rfactor): its operator is associative. `in_order`: of consecutive iterations only, for
// what is put together in another order may be another result.
enum class Partials : uint8_t { no, in_order, any_order };

// What one instruction of a thread moves at most, 16 bytes, as elements of a size that Halide makes
// vectors of without a promise about a buffer's address.
inline constexpr int64_t kVectorElements = 4, kVectorElementBytes = 4;

struct Func {
    enum class Kind : uint8_t { input_image, internal, output };

    std::string name;
    Kind kind = Kind::internal;
    // The index for Halide's Pipeline::get_func; -1 for input images. Wrappers have greater indices
    // than all Funcs of the pipeline.
    int halide_index = -1;
    std::vector<Dimension> dims;     // dims[0] is the first argument
    std::vector<ScalarType> values;  // one per Tuple element
    std::vector<StageId> stages;     // empty for input images
    // Why the Func must run outside the GPU, as text for the report (extern stage, memoize, async,
    // print, extern C call ...). Empty if it may run on the GPU.
    std::string host_reason;
    // Whether it is an extern stage, whether its user has made it async, and whether its points are
    // computed one after the other, for it prints, is traced or calls C functions that may do more
    // than compute. Not hashed: each is a reason to be on the host.
    bool is_extern = false, is_async = false, in_order = false;
    // True if Halide would accept this Func inline: one pure definition, no extern, no
    // specialization.
    bool can_inline = false;
    // True if some consumer reads it at indices without a bound (repeat_edge(in)(x + flow(x, y))).
    // Halide then accepts it inline only, and its `estimate` reaches +-kRegionLimit. Implies
    // can_inline.
    bool must_inline = false;
    // What users have scheduled of it, as the names of Halide's calls; and of which the rest is
    // ours: all of it, its loops (it is at root, also where they only look at what is realized), or
    // nothing. What is theirs runs where they say: it counts as on the host, for it is no kernel of
    // ours.
    std::vector<std::string> user_directives;
    enum class Ours : uint8_t { all, loops, nothing };
    Ours ours = Ours::all;
    // Maps the required region to the computed one (bound, align_bounds, what updates touch).
    RegionProgramId computed;
    // The dimension that a schedule puts innermost in memory (core/dag/storage_order.h); -1: as the
    // pipeline has it.
    int stored_first = -1;
    bool keeps_storage = false;  // whether no schedule may choose that
    // Whether its user has aligned its rows in memory (Halide's align_storage). In a kernel that
    // would make of a tile what nobody has reckoned with, or what the kernel needs of its rows.
    bool users_alignment = false;
    // Whether a thread may compute it by vectors (scheduler/nest/channel_vectors.h). Not hashed.
    bool channel_vectors = true;
    // True for an input or output of 32-bit elements whose rows begin at multiples of
    // kVectorElements at the estimates, as far as its minimum and its strides say. Filled by
    // `find_aligned_rows`; not hashed: it follows from sizes and types.
    bool aligned_rows = false;
    // Of an input or output, what users promise that its address is a multiple of (Halide's
    // set_host_alignment). Not hashed: it changes no schedule but by vectors.
    int64_t alignment_bytes = 1;
    // The output whose rows begin and end where this Func's do, whatever the sizes: all who read it
    // do so at the first coordinate of what they compute, and lead to that output alone. An
    // output's is itself. Filled by `find_rows_of_outputs`; not hashed: it follows from regions.
    FuncId rows_of;
    // Valid for a wrapper (Halide's Func::in, scheduler/space/wrappers.h). The wrapper holds the
    // values of `wraps`, for the one Func `reader` or, where that is invalid, for all readers. It
    // is not part of the pipeline until a schedule makes it.
    FuncId wraps, reader;
    // Valid for a wrapper that the user has made, and of which something is left to schedule: of
    // what and for whom Halide's Func::in finds it, the latter invalid for all readers. Else it is
    // a Func like any.
    FuncId users_wrapper_of, users_wrapper_for;

    bool is_input() const { return kind == Kind::input_image; }
    bool is_output() const { return kind == Kind::output; }
    bool on_host() const { return !host_reason.empty(); }
    // Whether its user has left open that it is computed in the kernel of a reader.
    bool may_be_in_kernel() const { return ours == Ours::all && !users_alignment; }
    // Returns the bytes of all Tuple elements, each counted as `least_bytes_per_value` at least.
    int64_t bytes_per_point(int64_t least_bytes_per_value = 1) const;
};

// One loop of a stage, in Halide's order: loops[0] is the innermost of the unscheduled stage.
struct Loop {
    enum class Kind : uint8_t { pure, reduction };

    std::string name;  // Halide's name of the Var or RVar, e.g. "x" or "r4$x"
    Kind kind = Kind::pure;
    int dim = -1;  // pure: the dimension of the Func that it runs over; reduction: -1
    // True if iterations are independent: every pure loop, and RVars that Halide knows to be pure.
    bool parallel = true;
    Interval range;  // reduction: the RDom's range at the estimates; pure: unused
    // True if the range is a compile-time constant for Halide. Otherwise it depends on a parameter
    // or on an image's size, and `range` is its value at the estimates. Always false for pure
    // loops.
    bool constant = false;
    // True for a reduction that may have no iteration as far as can be known, because its extent is
    // neither a constant nor an image's.
    bool may_be_empty = false;
    // True for a reduction that, at the estimates, begins at a multiple of kVectorElements and has
    // a multiple of that as iterations, which Halide can be told: the extent is a constant or an
    // image's. Filled by `find_fours`; not hashed: it follows from the range.
    bool fours = false;
    // True for a loop of a scan whose steps read of other Funcs, and this stage of its Func alone
    // does, lines that are as long as there are steps: they can be copied ahead of several steps
    // (scheduler/nest/loads_ahead.h). Filled by `find_reads_ahead`; not hashed: it follows from
    // what is read.
    bool reads_ahead = false;
};

// d(index) / d(loop): how far one coordinate of an access moves per step of one loop. `known` is
// false for data-dependent and non-linear indices. Fractions are common (x / 2 when upsampling).
struct Coefficient {
    double value = 0;
    bool known = true;
    // Of one that is not known: after so many iterations of the loop the index is the same again,
    // whatever the data (x % 2); 0: nobody knows. Not compared, not hashed.
    int64_t period = 0;

    friend bool operator==(const Coefficient &a, const Coefficient &b) {
        return a.value == b.value && a.known == b.known;
    }
};

// The period of an index to which both add something.
int64_t common_period(const Coefficient &a, const Coefficient &b);

// The Jacobian of an access: one row per dimension of the accessed Func, one column per loop of the
// stage.
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
    // Whether the index of a dimension, or any, changes with a loop as far as is known.
    bool moves(size_t dim, size_t loop) const {
        return !at(dim, loop).known || at(dim, loop).value != 0;
    }
    bool moves(size_t loop) const {
        for (size_t d = 0; d < dims(); ++d) {
            if (moves(d, loop)) return true;
        }
        return false;
    }
    // Whether all coefficients are known.
    bool is_known() const;
    // Whether a coordinate moves by a fraction, as where x / 2 is read.
    bool divides() const;
    friend bool operator==(const AccessMatrix &, const AccessMatrix &) = default;

private:
    size_t loops_ = 0;
    std::vector<Coefficient> coefficients_;
};

// All sites of one stage that read one Func with the same access matrix (a 3x3 stencil is one
// Load of count 9). Several Loads may name one producer.
struct Load {
    FuncId producer;
    int count = 1;               // sites in the text, per evaluation of the stage
    int64_t bytes_per_site = 4;  // bytes of the Tuple element that is read
    AccessMatrix access;
    // Sites in arms that are not taken, on average, by which choices are known (Stage::choices);
    // not hashed.
    std::vector<double> untaken = {};
    // True if a coordinate beyond the first is clamped, or otherwise no sum: then code that asks
    // for the same row twice says so. Not hashed.
    bool clamped = false;
    // True if all coordinates of all sites are sums, or quotients of such, so that Halide knows how
    // many points several iterations read. Not hashed.
    bool of_sums = true;
    // Of the sites, those that read the very element that the stage then stores. Not hashed.
    int in_place = 0;
    // Of the sites, those that read a Tuple where another one reads another of its elements, of
    // this load or of one before. Not hashed.
    int in_tuple = 0;

    // Of a producer that is inlined: one evaluation gives all elements of a Tuple.
    int evaluations() const { return count - in_tuple; }
};

// A loop whose iterations decide what a stage computes: mux(c, ..), select(x % 2 == 0, ..). A
// stage has not more of them than so many.
inline constexpr size_t kMostChoices = 3;
struct LoopChoice {
    size_t loop = 0;
    int64_t period = 0;  // iterations so far apart decide the same; 0: each may decide otherwise
    friend bool operator==(const LoopChoice &, const LoopChoice &) = default;
};

// Operations that depend on some of a stage's loops alone.
struct SharedOps {
    uint64_t loops = 0;  // bit i: on loops[i]
    OpHistogram ops;
};

struct Stage {
    FuncId func;
    int index = 0;  // 0: the pure definition; n: update n - 1
    std::vector<Loop> loops;
    OpHistogram ops;  // per evaluation of the definition, without address arithmetic
    // What is written in the algorithm beyond `ops`, and Halide spares: less what it computes
    // instead. The two are hashed as one, so that lists of decisions stay good.
    OpHistogram spared_ops;
    // Where compilers know which iterations of these loops they compile, they leave out what is not
    // taken. Operations that are not, on average, by which choices are known: bit i of the position
    // stands for choices[i]. Empty without choices. Not hashed, as they follow from what is.
    std::vector<LoopChoice> choices;
    std::vector<OpHistogram> untaken_ops;
    int branching = 1;          // Strahler number of its expressions, without address arithmetic
    int nodes = 1;              // of its expressions, address arithmetic included; not hashed
    std::vector<Load> loads;    // includes reads of the stage's own Func (recursion)
    std::vector<EdgeId> edges;  // one per Func that is read, except the stage's own
    AccessMatrix store;         // own dimensions x loops: where the result goes
    Atomics atomics = Atomics::no;
    Partials partials = Partials::no;  // not hashed: it follows from what is computed
    // Whether all its values are undef: Halide makes no code of it, and no kernel where it is at
    // root. Not hashed, so that lists of decisions stay good.
    bool is_undefined = false;
    bool has_predicate = false;  // it has an RDom::where
    // True if the predicate reads a Func or an image. Halide evaluates it before the guard of a
    // split loop, so such a stage reads beyond its region unless its loops stay whole.
    bool predicate_reads = false;
    // Whether the predicate depends on a loop, for each; empty without one. What it computes is
    // part of `ops`. Not hashed, as they follow from what is.
    std::vector<bool> predicate_loops;
    // What of `ops` points share that differ in other loops only: of an interpolation between
    // pixels of several channels, the weights. Each set of loops once. Not hashed, as they follow
    // from what is.
    std::vector<SharedOps> shared_ops;
    // The least number by which all constants are divisible that its expressions divide by, or take
    // the remainder of, where a loop is divided: 2 where even and odd points differ. 1: none is, or
    // they have none so small that loops are tiled by it. Not hashed, as it follows from what is.
    int64_t period = 1;
};

// Whether a stage has loops whose iterations are not independent.
bool reduces(const Stage &stage);

// A hash of what a stage computes in its loops, but for how many points and which Funcs it reads:
// equal for the layers of a network.
uint64_t signature(const Stage &stage);

// Whether all points of a stage are left out by its predicate or none is, for each iteration of its
// reduction loops. Without a predicate none ever is.
bool is_predicate_uniform(const Stage &stage);

// "`consumer` reads `producer`", with the region that it needs as a program over the ranges of the
// consumer's loops.
struct Edge {
    StageId consumer;
    FuncId producer;
    RegionProgramId region;
    // True if every read of the producer has the coordinates of the consumer's pure loops, in
    // order, and is not left out by a condition on several of them.
    bool pointwise = false;
    // True if the region could not be compiled; the producer's whole estimated region is used.
    bool fallback = false;
};

struct Dag {
    std::vector<Func> funcs;
    std::vector<Stage> stages;
    std::vector<Edge> edges;
    RegionCode regions;

    // What was assumed, as of parameters without an estimate, a sentence for each. Not hashed.
    std::vector<std::string> assumed;
    // Whether the target has vectors of more elements than an instruction loads: Halide makes such
    // of what a vector loads or stores some distance apart. Not hashed.
    bool wide_vectors = true;
    // Where it has not, the most elements of a vector that its language has a type for. Not hashed.
    int most_vector_lanes = 4;
    // Whether buffers may have more elements than 32 bits count (the target's large_buffers). Not
    // hashed.
    bool large_buffers = false;
    // Whether users have made wrappers (Halide's Func::in), be they left inline. Not hashed.
    bool has_user_wrappers = false;

    const Func &func(FuncId id) const { return funcs[id.index()]; }
    const Stage &stage(StageId id) const { return stages[id.index()]; }
    const Edge &edge(EdgeId id) const { return edges[id.index()]; }
    const Func &func_of(StageId id) const { return func(stage(id).func); }

    // By FuncId: the edges whose producer is that Func. Filled by `link_consumers`.
    std::vector<std::vector<EdgeId>> consumers;

    // Returns a hash of structure, sizes and types, but not of names. It is stable across runs and
    // machines.
    uint64_t hash() const;
};

// Fills dag.consumers from dag.edges.
void link_consumers(Dag &dag);

// Fills Dimension::constant from what is read of each Func. Call `link_consumers` first.
void find_constant_dimensions(Dag &dag);

// Fills Dimension::widest. Call `find_constant_dimensions` first.
void find_widest_ranges(Dag &dag);

// Whether the loop begins elsewhere where a part of an image is computed.
bool may_begin_elsewhere(const Dag &dag, const Stage &stage, const Loop &loop);

// Whether more of a Func may be asked for, beyond its end along that dimension.
using MayGrow = std::function<bool(FuncId, size_t dim)>;
bool rounds_up(const Dag &dag, FuncId func, size_t dim);

// Whether a stage may be computed beyond the end of its Func along that dimension, whatever the
// sizes of images are: it asks for nothing beyond the end of a buffer there, and for no more of
// other Funcs but of those that may grow.
bool may_run_on(const Dag &dag, const Stage &stage, size_t dim, const MayGrow &may_grow);

// Fills Dimension::constant_min, rounds_up and begins_before. Call `link_consumers` first.
void find_aligned_tiles(Dag &dag);

// Fills Func::aligned_rows; or says of all that they are not.
void find_aligned_rows(Dag &dag);
void forget_aligned_rows(Dag &dag);

// Fills Func::rows_of. Call `link_consumers` first.
void find_rows_of_outputs(Dag &dag);

// Fills Loop::fours; or says of all that they are not.
void find_fours(Dag &dag);
void forget_fours(Dag &dag);

// What a loop of a stage runs over at the estimates.
const Interval &estimated_range(const Dag &dag, const Stage &stage, const Loop &loop);

// Says of all Funcs that nothing is promised of their addresses.
void forget_alignments(Dag &dag);

// Says of all stages that they have no Stage::period.
void forget_periods(Dag &dag);

// Says of all Funcs that they have no Func::channel_vectors.
void forget_channel_vectors(Dag &dag);

// Returns a sentence for every violation of what the comments above promise; empty for a sound Dag.
std::vector<std::string> check(const Dag &dag);

// Returns true for an input under another name, a boundary condition or a conversion: one load and
// next to no arithmetic. What follows a reduction (an activation) is not a copy, because its kernel
// can keep the sums in registers; nor is what lies in memory in an order of its own.
bool is_copy(const Dag &dag, FuncId func);

// Returns the name of a stage in reports and errors: "blur_y", "blur_y.update(0)".
std::string stage_name(const Dag &dag, StageId id);

}  // namespace autoschedule_gpu
