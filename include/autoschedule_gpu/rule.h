// A rule says no to schedules that are not worth looking at: a name, a sentence, when it is in
// force, and a pure function from a candidate to what was found and what is allowed.
//
//     TilingRule   a stage, and how its loops would be split
//     FusionRule   a Func that would be computed in the kernel of another
//     KernelRule   a kernel with all that has come into it so far
//
// The autoscheduler's own rules are asked first. Rejections are counted by name in the report
// (`rejections`), and users switch rules by `autoscheduler.disable_rules` and `enable_rules`.
//
// Functions are called from any number of threads at once, must depend on the candidate alone, and
// must not throw. They see each candidate of a search, so they should take microseconds. A rule may
// make the search find less; it can never make a schedule wrong. Needs C++17 and the standard
// library.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "autoschedule_gpu/gpu_model.h"
#include "autoschedule_gpu/nest.h"

namespace autoschedule_gpu::api {

enum class InForce : uint8_t {
    always,      // it keeps schedules legal, or must not be switched off
    by_default,  // until disable_rules names it
    on_request   // once enable_rules names it
};

// What a rule has against a candidate: 1,152 "threads per block", where 1,024 are allowed. Where
// `found` is less than `allowed`, the rule asks for more.
struct Finding {
    double found = 0, allowed = 0;
    const char *unit = nullptr;  // a literal; null: nothing is counted
};

struct TilingCandidate {
    const GpuModel &gpu;
    // As it would be. Of a stage that is computed in the block of another only the points per
    // thread are chosen: its blocks and threads are 1.
    const Stage &stage;
};

struct FusionCandidate {
    const GpuModel &gpu;
    const Kernel &kernel;                    // as it is
    std::string func;                        // that would come into it
    MemoryKind memory = MemoryKind::shared;  // shared: per block; registers: per thread
    std::vector<int64_t> extents;            // of the part of it that is needed there
};

struct KernelCandidate {
    const GpuModel &gpu;
    const Kernel &kernel;  // as it would be
};

template <typename Candidate>
struct Rule {
    std::string name;      // a word, as in "row_of_warps"
    std::string sentence;  // what it rejects, as in "a block that is no whole number of warps"
    InForce in_force = InForce::by_default;
    // Nothing if the candidate may stay.
    std::function<std::optional<Finding>(const Candidate &)> check;
};
using TilingRule = Rule<TilingCandidate>;
using FusionRule = Rule<FusionCandidate>;
using KernelRule = Rule<KernelCandidate>;

}  // namespace autoschedule_gpu::api
