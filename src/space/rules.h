// Why a candidate is not considered: every pruning rule by name (one list), so that each can be
// counted in the report and switched off.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <string_view>

namespace autoschedule_gpu {

// clang-format off
//   name, can be switched off, what it rejects
#define AUTOSCHEDULE_GPU_RULES(X)                                                                  \
    X(halide_nesting,          false, "a compute site that does not enclose all uses (HALIDE_FACTS A1)") \
    X(host_boundary,           false, "GPU code for, or around, what must stay on the host")       \
    X(dynamic_allocation,      false, "a Func in a block or thread whose extents are no compile-time constants") \
    X(hardware_threads,        false, "more threads per block than the device allows")             \
    X(hardware_shared,         false, "more shared memory per block than the device allows")       \
    X(hardware_grid,           false, "more blocks than the device's grid holds")                  \
    X(excess_recompute,        true,  "a Func, other than a copy, evaluated more than ten times as often as at root")  \
    X(code_size,               true,  "inlining that makes the code of a point, or of a tile, too large") \
    X(idle_sms,                true,  "fewer blocks than twice the number of SMs, where more are possible") \
    X(low_lane_use,            true,  "less than a warp of threads, where more are possible")      \
    X(serial_too_large,        true,  "a serial tile too large to unroll")                         \
    X(large_thread_allocation, true,  "arrays of a thread too large for registers")              \
    X(inexact_atomics,         true,  "sums of floating-point values by atomic operations, whose order, and so whose rounding, is another in every run") \
    X(ample_parallelism,       true,  "atomic operations where the loops without them give every lane of the device work") \
    X(random_dropout,          true,  "a decision dropped at random (random_dropout)")
// clang-format on

enum class Rule : uint8_t {
#define X(name, optional, meaning) name,
    AUTOSCHEDULE_GPU_RULES(X)
#undef X
};

#define X(name, optional, meaning) +1
inline constexpr size_t kRuleCount = 0 AUTOSCHEDULE_GPU_RULES(X);
#undef X

std::string_view name(Rule rule);
std::string_view meaning(Rule rule);
bool can_switch_off(Rule rule);
std::optional<Rule> find_rule(std::string_view name);

// Rules that are in force.
class RuleSet {
public:
    RuleSet() { on_.set(); }
    bool has(Rule rule) const { return on_[static_cast<size_t>(rule)]; }
    void switch_off(Rule rule) { on_[static_cast<size_t>(rule)] = !can_switch_off(rule); }

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
