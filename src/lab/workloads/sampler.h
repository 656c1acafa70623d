// How schedules are drawn, from good ones to bad ones: a cost model is to tell them apart.
//
//     paper  the batches of Anderson et al. 2021 (section 6): of 80, one from a beam search
//            (beam size 32, 5 passes) and 79 greedy ones (beam size 1, 1 pass), which begin with
//            nothing, choose among options drawn at random and are not improved. What is drawn
//            again, for it came out as another did, drops ever more of the options at random
//     mixed  what users get, greedy grouping and the plain schedule; then searches that are quick
//            and drop most decisions at random, a quarter of them free to do what the heuristic
//            pruning rules forbid, under any of the models
//
// With trained weights, schedules come from where the network leads as well: a search goes where it
// finds low costs, which is where a network errs that never saw what is there.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/support/error.h"
#include "lab/workloads/schedule_request.h"
#include "lab/workloads/workload.h"

namespace autoschedule_gpu {

enum class SamplerKind : uint8_t { mixed, paper };

inline constexpr std::array<std::string_view, 2> kSamplerNames = {"mixed", "paper"};

Result<SamplerKind> parse_sampler(std::string_view text);

// A trained network, under which schedules are searched for too.
struct SamplerWeights {
    std::string path = {};
    std::string name = {};  // as schedules call it, wherever the file is: a hash of its content
};

// The error names the file.
Result<SamplerWeights> sampler_weights(const std::string &path);

struct Sampler {
    SamplerKind kind = SamplerKind::mixed;
    std::optional<SamplerWeights> weights = {};
};

// How many draws there are at most of each number.
inline constexpr int kMostRedraws = 6;

// The schedule of that number of the workload, after so many others of that number that came out as
// schedules that were there already. Equal arguments give equal draws.
ScheduleRequest draw_schedule(const Sampler &sampler, uint64_t seed, const Workload &workload,
                              int number, int redraws = 0);

// What a sample calls a schedule at that size, whether the schedule's own name says a size or not.
std::string schedule_at_size(std::string size, std::string_view schedule);

// The workload's size in what a sample calls its schedule; empty if it names none.
std::string_view size_of_schedule(std::string_view schedule);

}  // namespace autoschedule_gpu
