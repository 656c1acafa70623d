// The rule by which the winner among measured schedules of one pipeline on one device is found. The
// tuner's finals, its export, the records and the plugin all go by it, so that they name the same:
//
//     those that took part in finals ─► least median ─► significantly faster than the reference?
//     (if there are none: all, by                          yes: it is the winner
//      their first measurements)                           no: the reference is
//
// What was measured once and seemed fastest of many was lucky, too; so a schedule that took part in
// no finals is not the winner while others did. Finals of different days differ by more than
// schedules do; so a time counts as a share of the reference's median in the same finals, and
// finals without the reference do not count where there are others.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/verdict/significance.h"

namespace autoschedule_gpu {

// With this the names of finals begin.
inline constexpr std::string_view kFinals = "final";
// So often at most the finals of a run are looked at (level_of_look).
inline constexpr int kLooksAtFinals = 3;

// True for the label of a comparison that finals were.
bool is_of_finals(std::string_view comparison);

// Times are in milliseconds, positive.
struct Contender {
    bool is_reference = false;  // what the autoscheduler makes without tuning
    std::vector<double> first_ms = {};
    std::map<std::string, std::vector<double>> finals_ms = {};  // by the label of the comparison
};

struct Verdict {
    size_t winner = 0;                     // index
    std::optional<size_t> reference = {};  // index of the fastest, if one takes part
    // That the fastest of the others is not faster than the reference; 1 without either.
    double challengers_luck = 1;
    double times_as_fast = 1;  // the winner, compared with the reference
};

// Returns nothing if nobody was measured. Of several that are equally fast, the first wins.
std::optional<Verdict> find_fastest(std::span<const Contender> contenders);

// Returns the times of the winner, or of another contender, that count in find_fastest.
std::vector<double> times_that_count(std::span<const Contender> contenders, size_t contender);

}  // namespace autoschedule_gpu
