// What a user may ask of a search, and the limits that it keeps to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace autoschedule_gpu {

struct SearchLimits {
    int beam_size = 32;
    int num_passes = 5;
    int threads = 0;                       // 0: all cores
    double time_limit_s = 60;              // then the best so far is returned, completed plainly
    size_t memo_bytes = size_t{64} << 20;  // of remembered costs, roughly
};

// Of a part of the search that can be left out. `automatic`: where it pays.
enum class Switch : uint8_t { off, on, automatic };

// The modes of greedy grouping (greedy_grouping.h) in its paper: every stage inline or at root;
// overlapping tiles; nested fusion as well.
enum class Fusion : uint8_t { none, overlap, nested };

struct SearchOptions {
    SearchLimits limits;
    uint64_t seed = 0;
    Switch sampling =
        Switch::automatic;  // hierarchical sampling (Anderson 2021 §4.4); automatic: on
    Switch freeze =
        Switch::automatic;  // §3.2; automatic: for pipelines of many stages, see freeze.h
    Switch memo = Switch::automatic;  // §3.3; automatic: on. Changes no result
    // Whether the tilings of each pass's best states are improved at its end, and the decisions of
    // the best of all after the last. Never with dropout.
    bool refine = true;
    // Per cent of the decisions that are kept at random; 100: all.
    int random_dropout = 100;
    // Kinds of decisions (scheduler/decisions/optional_kinds.h) that are as they are without being
    // decided.
    std::set<std::string, std::less<>> disabled_decisions = {};
    bool decides(std::string_view kind) const { return !disabled_decisions.contains(kind); }
    // Of the strategy greedy_grouping alone.
    Fusion fusion = Fusion::nested;
    // Called between steps, with the share that is done (0 to 1), for progress lines.
    std::function<void(double)> progress = {};
};

}  // namespace autoschedule_gpu
