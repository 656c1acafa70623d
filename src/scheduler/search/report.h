// What a search returns: the best states, and a report of what it did, what took how long, and why
// it ended.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/stopwatch.h"
#include "scheduler/rules/rule_book.h"
#include "scheduler/search/stop_reason.h"
#include "scheduler/space/state.h"

namespace autoschedule_gpu {

// Seconds.
struct SearchTimes {
    double draft = 0;      // greedy grouping, for a first state
    double freeze = 0;     // the pre-pass that finds what to freeze, all its phases
    double enumerate = 0;  // listing decisions and drawing among them
    double apply = 0;      // making the drawn ones
    double evaluate = 0;   // features and cost model
    double select = 0;
    double refine = 0;  // tilings of the best states of each pass
    double revise = 0;  // decisions of the best state, after the passes
    double stage = 0;   // after the search: what slides, and staging of what kernels read
                        // (scheduler/search/slide_windows.h, stage_inputs.h)
    double total = 0;
    double fewer_registers = 0;  // whole searches that replace a schedule which spills
};

// One part of a search, from its beginning to its end. Parts come one after the other.
struct SearchPart {
    std::string attempt;  // in which attempt of a composition; empty outside of one
    std::string name;     // "draft", "pass", "improve_tilings", ...
    double seconds = 0;
    uint64_t states = 0;                     // that got a cost
    double cost_before = 0, cost_after = 0;  // nanoseconds, of the best state; 0: there was none
};

struct SearchReport {
    StopReason stop_reason;
    uint64_t states_enumerated = 0;  // decisions that were listed
    uint64_t states_rejected = 0;    // by a rule, see `rejections`
    uint64_t states_scored = 0;      // legal successors that got a cost
    uint64_t kernels_asked = 0;      // costs of kernels that were asked for
    uint64_t kernels_evaluated = 0;  // and those that were not remembered
    uint64_t memo_hits = 0;
    uint64_t memo_evicted = 0;
    int steps = 0;   // of all passes
    int passes = 0;  // 0: nothing was searched
    int funcs_frozen = 0;
    bool sampling = false, freeze = false, memo = false;  // what was used
    std::vector<double> pass_costs;                       // nanoseconds, the best of each pass
    double draft_cost = 0;                                // nanoseconds; 0: there was no draft
    SearchTimes times;
    std::vector<SearchPart> parts;
    RuleCounts rejections;
};

// Adds what a pass beside the search looked at to the search's own: states and rejections.
void add_states(SearchReport &report, const SearchReport &part);

// Adds what a piece of the search's work took and looked at, with its parts.
void add_piece(SearchReport &report, SearchReport piece);

// A part of a search, from its construction until it is done.
class RunningPart {
public:
    // `report` must outlive this object.
    RunningPart(SearchReport &report, std::string_view name, double cost_before)
        : report_(report),
          name_(name),
          cost_before_(cost_before),
          states_before_(report.states_scored) {}

    // Lists the part in the report.
    void done(double cost_after);

private:
    SearchReport &report_;
    std::string name_;
    double cost_before_;
    uint64_t states_before_;
    Stopwatch watch_;
};

struct SearchResult {
    std::vector<State> best;  // complete, best first, never empty
    SearchReport report;
};

}  // namespace autoschedule_gpu
