// Finding a schedule (contract 5 of DESIGN): data and limits in, the best states, a stop reason and
// a report out. Same input, same seed: same result, on any number of threads. Prints nothing,
// installs nothing, leaves no thread behind.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "gpu/gpu_model.h"
#include "model/cost_model.h"
#include "space/space.h"
#include "support/error.h"

namespace autoschedule_gpu {

struct SearchLimits {
    int beam_size = 32;
    int num_passes = 5;
    int threads = 0;           // 0: all cores
    double time_limit_s = 60;  // the best so far is completed in the plain way when it is over
};

struct SearchOptions {
    SearchLimits limits;
    uint64_t seed = 0;
    // Per cent of the decisions that are kept at random; 100: all.
    int random_dropout = 100;
    // Called between steps, with the share that is done (0 to 1), for progress lines.
    std::function<void(double)> progress;
};

enum class StopReason : uint8_t {
    completed,   // every step was taken
    time_limit,  // the rest was decided in the plain way
};
std::string_view name(StopReason reason);

struct SearchReport {
    StopReason stop_reason = StopReason::completed;
    uint64_t states_enumerated = 0;  // moves that were considered
    uint64_t states_rejected = 0;    // by a rule, see `rejections`
    uint64_t states_scored = 0;      // legal successors that got a cost
    uint64_t kernels_evaluated = 0;  // that were featurised: a kernel's cost is computed once
    int steps = 0;
    int passes = 0;
    double search_s = 0;
    RuleCounts rejections{};
};

struct SearchResult {
    std::vector<State> best;  // complete, best first, never empty
    SearchReport report;
};

// Beam search over the space's steps (Anderson 2021 §4). Without random draws every pass would
// repeat the first, so one pass is made; `num_passes` counts once states are sampled.
SearchResult beam_search(const SearchSpace &space, const CostModel &model,
                         const SearchOptions &options);

// The nest without any search: every step taken in the plain way.
State plain_state(const SearchSpace &space, const CostModel &model);

// The nest that leaves everything on the host: the last resort.
State host_state(const SearchSpace &space);

}  // namespace autoschedule_gpu
