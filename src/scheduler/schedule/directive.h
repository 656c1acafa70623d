// The schedule as one ordered list of scheduling directives. The list has
// three readers, so that what is printed is what was applied:
//
//     directives ─► halide/apply        calls on Halide Funcs
//                ─► schedule/cpp_source C++ text, the body of Halide's schedule header
//                ─► schedule/trace      JSON, and back
//
// The list itself is public (autoschedule_gpu/trace.h); here is what its readers share.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "autoschedule_gpu/trace.h"
#include "core/support/memory_kind.h"

namespace autoschedule_gpu {

using api::Branch;
using api::Directive;
using api::DirectiveOp;
using api::kDirectiveOps;
using api::kTailStrategies;
using api::LoopRef;
using api::Schedule;
using api::TailStrategy;

std::string_view to_string(DirectiveOp op);
std::string_view to_string(Branch branch);
std::string_view to_string(TailStrategy tail);  // Halide's spelling: "GuardWithIf"
std::string_view to_string(MemoryKind memory);  // Halide's spelling: "GPUShared"

// The inverse of to_string(); nothing for text that is no name, or names memory that none may ask
// for.
std::optional<DirectiveOp> parse_directive_op(std::string_view name);
std::optional<TailStrategy> parse_tail_strategy(std::string_view name);
std::optional<MemoryKind> parse_memory_kind(std::string_view name);

// True for directives that act on a Func as a whole and not on one of its stages.
bool is_func_level(DirectiveOp op);

// Which fields of a Directive an op uses; the others keep their default values.
struct DirectiveShape {
    size_t min_loops = 0;
    size_t max_loops = 0;
    bool split = false;      // factor, tail
    bool dimension = false;  // factor; the loop is a dimension of the Func
    bool memory = false;     // memory
    bool site = false;       // site_func, site_loop, site_stage
    bool extents = false;    // site_func, least
    bool wrapper = false;    // wrapped_func, reader_func
    bool factor = false;     // made_func; the first half of the loops exist already
    bool aligned = false;    // site_func, which specialize_aligned may do without, inputs
    bool multiples = false;  // site_func, multiples
    bool sizes = false;      // extents
    bool pixels = false;     // factor, buffers
    bool steps = false;      // factor
    int first_made = -1;     // loops from this position on are new; -1: all exist already, or half
};
DirectiveShape shape(DirectiveOp op);

// Whether it begins Branch::aligned of an update, about a loop of its reduction.
bool begins_aligned(DirectiveOp op);

// The call as Halide code without the Func: "split(x, xo, xi, 32, TailStrategy::GuardWithIf)",
// with loops and the site's Func spelled by the caller.
using LoopSpelling = std::function<std::string(const LoopRef &)>;
std::string call_text(const Directive &directive, const LoopSpelling &loop,
                      std::string_view site_func, std::string_view site_loop);

// Indices of wrappers are below this, so that a damaged trace makes no large tables.
inline constexpr int kMaxFuncs = 1 << 16;

// The dimensions of a Func, so that lists of extents in a damaged trace stay short.
inline constexpr int kMaxDimensions = 64;

// The elements of a vector along pixels, likewise.
inline constexpr int64_t kMaxPixelVector = 16;

// For messages: "blur_y.update(0).unroll(ri)". `site_func` is the name of the enclosing Func.
std::string describe(const Directive &directive, std::string_view site_func = "");

// "blur_y" or "blur_y.update(0)".
std::string describe_stage(std::string_view func_name, int stage);

// Which loops are RVars for Halide: the algorithm's own reduction loops, what a split makes of
// one, and what a fusion with one makes.
class ReductionLoops {
public:
    // `original` answers for the algorithm's loops, by func, stage and position; it is not called
    // for negative positions and must bear any other.
    using Original = std::function<bool(int func, int stage, int loop)>;
    ReductionLoops(const Schedule &schedule, Original original);

    bool contains(int func, int stage, const LoopRef &loop) const;
    // The site loop of a compute_at; a made loop is looked for in site_stage, then in the others.
    bool contains_site(const Directive &directive) const;

private:
    using Key = std::tuple<std::string, int, int>;  // loop, func, stage
    Original original_;
    void pass_on(const Directive &rfactor);

    std::map<Key, bool> made_;
};

}  // namespace autoschedule_gpu
