// The schedule as one ordered list of scheduling directives (contract 6 of DESIGN). The list has
// three readers, so that what is printed is what was applied:
//
//     directives ─► bridge/apply        calls on Halide Funcs
//                ─► schedule/cpp_source C++ text, the body of Halide's schedule header
//                ─► schedule/trace      JSON, and back
//
// Directives of one stage are applied in list order. Value type; no Halide type.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace autoschedule_gpu {

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
};
inline constexpr int kDirectiveOps = 13;

enum class TailStrategy : uint8_t { automatic, guard_with_if, shift_inwards, round_up };
inline constexpr int kTailStrategies = 4;

enum class MemoryType : uint8_t { automatic, gpu_shared, registers, heap };
inline constexpr int kMemoryTypes = 4;

// A loop of a stage: either one of the stage's own loops, named by its position in Halide's
// dims() *before any scheduling* (Loop index of dag::Stage::loops), because Halide's own names are
// not stable from one build of the pipeline to the next; or one that a directive made, by name.
struct LoopRef {
    int original = -1;
    std::string name;  // original: its display name only

    bool is_original() const { return original >= 0; }
    static LoopRef made(std::string name) { return {-1, std::move(name)}; }
    friend bool operator==(const LoopRef &a, const LoopRef &b) {
        return a.original == b.original && (a.is_original() || a.name == b.name);
    }
};

struct Directive {
    DirectiveOp op = DirectiveOp::compute_root;
    int func = 0;           // Func::halide_index; of a wrapper, the index that `in` gives it
    std::string func_name;  // for readers; `func` decides
    int stage = 0;          // 0: pure definition, n: update n - 1; Func-level directives: 0
    std::vector<LoopRef> loops;
    int64_t factor = 0;
    TailStrategy tail = TailStrategy::automatic;
    MemoryType memory = MemoryType::automatic;
    int site_func = -1;     // compute_at: the Func whose loop encloses
    LoopRef site_loop;
    // compute_at: the stage of site_func in which `site_loop` is looked up. Halide then computes
    // the Func in the loop of that name of *every* stage of site_func that uses it.
    int site_stage = 0;
    int wrapped_func = -1;  // in
    int reader_func = -1;   // in: the Func that reads the wrapper; -1: all that read wrapped_func

    friend bool operator==(const Directive &, const Directive &) = default;
};

using Schedule = std::vector<Directive>;

std::string_view name(DirectiveOp op);
std::string_view name(TailStrategy tail);   // Halide's spelling: "GuardWithIf"
std::string_view name(MemoryType memory);   // Halide's spelling: "GPUShared"

// The inverse of `name`; nothing for text that is no name.
std::optional<DirectiveOp> directive_op(std::string_view name);
std::optional<TailStrategy> tail_strategy(std::string_view name);
std::optional<MemoryType> memory_type(std::string_view name);

// True for directives that act on a Func as a whole and not on one of its stages.
bool is_func_level(DirectiveOp op);

// Which fields of a Directive an op uses; the others keep their default values.
struct DirectiveShape {
    size_t min_loops = 0;
    size_t max_loops = 0;
    bool split = false;   // factor, tail
    bool memory = false;  // memory
    bool site = false;    // site_func, site_loop, site_stage
    bool wrapper = false; // wrapped_func, reader_func
    int first_made = -1;  // loops from this position on are new; -1: all exist already
};
DirectiveShape shape(DirectiveOp op);

// The call as Halide code without the Func: "split(x, xo, xi, 32, TailStrategy::GuardWithIf)",
// with loops and the site's Func spelled by the caller.
using LoopSpelling = std::function<std::string(const LoopRef &)>;
std::string call_text(const Directive &directive, const LoopSpelling &loop,
                      std::string_view site_func, std::string_view site_loop);

// Indices of wrappers are below this, so that a damaged trace makes no large tables.
inline constexpr int kMaxFuncs = 1 << 16;

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
    std::map<Key, bool> made_;
};

}  // namespace autoschedule_gpu
