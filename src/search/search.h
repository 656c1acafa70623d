// Finding a schedule (contract 5 of DESIGN): data and limits in, the best states, a stop reason and
// a report out. Same input, same seed: same result, on any number of threads. Prints nothing,
// installs nothing, leaves no thread behind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "gpu/gpu_model.h"
#include "model/cost_model.h"
#include "space/space.h"

namespace autoschedule_gpu {

struct SearchLimits {
    int beam_size = 32;
    int num_passes = 5;
    int threads = 0;                       // 0: all cores
    double time_limit_s = 60;              // then the best so far is returned, completed plainly
    size_t memo_bytes = size_t{64} << 20;  // of remembered costs, roughly
};

// Of a part of the search that can be left out. `automatic`: where it pays.
enum class Use : uint8_t { off, on, automatic };

struct SearchOptions {
    SearchLimits limits;
    uint64_t seed = 0;
    Use sampling = Use::automatic;  // hierarchical sampling (Anderson 2021 §4.4); automatic: on
    Use freeze = Use::automatic;    // §3.2; automatic: for pipelines of many stages, see freeze.h
    Use memo = Use::automatic;      // §3.3; automatic: on. Changes no result
    // Whether the tilings of each pass's best states are improved at its end, and the decisions of
    // the best of all after the last. Never with dropout.
    bool refine = true;
    // Per cent of the decisions that are kept at random; 100: all.
    int random_dropout = 100;
    // Called between steps, with the share that is done (0 to 1), for progress lines.
    std::function<void(double)> progress = {};
};

enum class StopReason : uint8_t {
    completed,   // every pass was made
    time_limit,  // what was left was not looked at, or decided in the plain way
};
std::string_view name(StopReason reason);

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
    double stage = 0;   // staging of what kernels read, after the search (search/stage_reads.h)
    double total = 0;
    double fewer_registers = 0;  // whole searches that replace a schedule which spills
};

struct SearchReport {
    StopReason stop_reason = StopReason::completed;
    uint64_t states_enumerated = 0;  // decisions that were listed
    uint64_t states_rejected = 0;    // by a rule, see `rejections`
    uint64_t states_scored = 0;      // legal successors that got a cost
    uint64_t kernels_asked = 0;      // costs of kernels that were asked for
    uint64_t kernels_evaluated = 0;  // and those that were not remembered
    uint64_t memo_hits = 0;
    uint64_t memo_evicted = 0;
    int steps = 0;  // of all passes
    int passes = 0;
    int funcs_frozen = 0;
    bool sampling = false, freeze = false, memo = false;  // what was used
    std::vector<double> pass_costs;                       // nanoseconds, the best of each pass
    double draft_cost = 0;                                // nanoseconds; 0: there was no draft
    SearchTimes times;
    RuleCounts rejections{};
};

struct SearchResult {
    std::vector<State> best;  // complete, best first, never empty
    SearchReport report;
};

// Beam search over the space's steps (Anderson 2021 §4), in passes that look at ever finer
// structure. Without sampling every pass would repeat the first, so one is made.
//
// `draft`, if given: a complete nest over the space's pipeline that was found in another way. It is
// a state among those that are found, so that the result never costs more.
SearchResult beam_search(const SearchSpace &space, const CostModel &model,
                         const SearchOptions &options, const Nest *draft = nullptr);

// One schedule by the full search, then `greedy` ones by searches of beam size 1 and one pass, each
// with random draws of its own (§6.2, One Shot: 1 and 79). In that order, equal ones included.
std::vector<State> one_shot_batch(const SearchSpace &space, const CostModel &model,
                                  const SearchOptions &options, int greedy = 79);

// The nest without any search: every step taken in the plain way.
State plain_state(const SearchSpace &space, const CostModel &model);

// The nest that leaves everything on the host: the last resort.
State host_state(const SearchSpace &space);

}  // namespace autoschedule_gpu
