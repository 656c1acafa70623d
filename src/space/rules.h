// Why a candidate is not considered: every pruning rule by name (one list), so that each can be
// counted in the report and switched off or on.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <string_view>

namespace autoschedule_gpu {

// clang-format off
//   name, when it is in force, what it rejects
#define AUTOSCHEDULE_GPU_RULES(X)                                                                  \
    X(halide_nesting,          always,     "a compute site that does not enclose all uses (HALIDE_FACTS A1)") \
    X(host_boundary,           always,     "GPU code for, or around, what must stay on the host")       \
    X(dynamic_allocation,      always,     "a Func in a block or thread whose extents are no compile-time constants") \
    X(hardware_threads,        always,     "more threads per block than the device allows")             \
    X(hardware_shared,         always,     "more shared memory per block than the device allows")       \
    X(hardware_grid,           always,     "more blocks than the device's grid holds")                  \
    X(excess_recompute,        by_default, "a Func, other than a copy, evaluated more than ten times as often as at root")  \
    X(code_size,               by_default, "inlining that makes the code of a point, or of a tile, too large") \
    X(idle_sms,                by_default, "fewer blocks than twice the number of SMs, where more are possible") \
    X(low_lane_use,            by_default, "less than a warp of threads, where more are possible")      \
    X(serial_too_large,        by_default, "a serial tile too large to unroll")                         \
    X(large_thread_allocation, by_default, "arrays of a thread too large for registers")              \
    X(tile_of_most,            by_default, "a tile with other Funcs in it that covers most of a dimension of an output, which may come smaller") \
    X(inexact_atomics,         by_default, "sums of floating-point values by atomic operations, whose order, and so whose rounding, is another in every run") \
    X(ample_parallelism,       by_default, "atomic operations where the loops without them give every lane of the device work") \
    X(random_dropout,          by_default, "a decision dropped at random (random_dropout)")          \
    X(nested_fusion,           on_request, "a Func in the loop of a reduction of the block, or in the threads of another Func in the block (Sioutas 2020, Listing 2)")
// clang-format on

// Rules that are always in force keep schedules legal.
enum class InForce : uint8_t { always, by_default, on_request };

enum class Rule : uint8_t {
#define X(name, in_force, meaning) name,
    AUTOSCHEDULE_GPU_RULES(X)
#undef X
};

#define X(name, in_force, meaning) +1
inline constexpr size_t kRuleCount = 0 AUTOSCHEDULE_GPU_RULES(X);
#undef X

std::string_view name(Rule rule);
std::string_view meaning(Rule rule);
InForce in_force(Rule rule);
inline bool can_switch(Rule rule) {
    return in_force(rule) != InForce::always;
}
std::optional<Rule> find_rule(std::string_view name);

// Rules that are in force.
class RuleSet {
public:
    RuleSet();  // those in force by default
    bool has(Rule rule) const { return on_[static_cast<size_t>(rule)]; }
    void switch_off(Rule rule) { on_[static_cast<size_t>(rule)] = !can_switch(rule); }
    void switch_on(Rule rule) { on_[static_cast<size_t>(rule)] = true; }

private:
    std::bitset<kRuleCount> on_;
};

// How many candidates each rule rejected.
using RuleCounts = std::array<uint64_t, kRuleCount>;

inline void count(RuleCounts &counts, Rule rule, uint64_t candidates = 1) {
    counts[static_cast<size_t>(rule)] += candidates;
}
void add(RuleCounts &counts, const RuleCounts &more);

}  // namespace autoschedule_gpu
