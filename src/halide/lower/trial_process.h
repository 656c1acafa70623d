// Trial lowering in a process of its own: a fork of this one, which lowers, reports and ends. Where
// kernels are asked for by name, two forks have half of them each, and a third one may sketch the
// whole; where there is but one trial, each has half of what is compiled done by a fork of its own
// (compiled_kernels.h). Therefore
//   - a crash or a hang of the compiler costs the one schedule that caused it, not the user's
//     process;
//   - Halide's process-wide counters of temporary names do not advance, and code lowered
//     afterwards is the same, name by name, as if there had been no trial;
//   - warnings are not printed twice.
//
// A fork has one thread, and the locks that other threads held stay locked in it for ever. A child
// that has fallen asleep for such a lock (child_watch.h) is killed. From then on, as where no
// process can be forked, trials are made in this process, without the three advantages.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "halide/lower/trial_lower.h"

namespace autoschedule_gpu {

// What becomes of the whole pipeline where kernels are asked for by name. Sketched
// (TrialDepth::sketch), it shows what Halide makes of the whole and not of its parts: an error, or
// a crash. `around`: the kernels are lowered amid the others, which are kept small.
// `nothing_else`: no kernel is lowered but in that sketch.
enum class Whole : uint8_t { left_out, sketched, around, nothing_else };

// How trials were made.
struct TrialRecord {
    int made = 0;                 // brought to their end
    int stopped = 0;              // because time was up
    std::string in_this_process;  // why the last ones were made there; empty: none was
};

// A schedule that is tried; see trial_lower.
struct TrialRequest {
    const Schedule *schedule = nullptr;  // outlives the trial
    std::span<const KeptRoot> only = {};
    Whole whole = Whole::left_out;
};

// Trials of one pipeline. What the assembler finds in one is known in the next.
class ApartTrials {
public:
    // `sizes`: instead of the pipeline's own estimates.
    explicit ApartTrials(GivenSizes sizes = {}) : sizes_(std::move(sizes)) {}

    // Nothing: it has taken longer than its limit, and was killed.
    using Outcome = std::optional<Result<TrialLowering>>;

    // Does what trial_lower does, in a child. Only the child itself is waited for; signal handlers
    // and other children of the process are left alone. A trial in this process takes the time that
    // it takes.
    Outcome lower(const Schedule &schedule, const Halide::Pipeline &pipeline,
                  const Halide::Target &target, double time_limit_s, const CodeCheck &check = {},
                  std::span<const KeptRoot> only = {}, Whole whole = Whole::left_out);

    // The same of several, in their order, at once: none has more than one child, but for a sketch.
    // None knows what another of them finds.
    std::vector<Outcome> lower_together(std::span<const TrialRequest> trials,
                                        const Halide::Pipeline &pipeline,
                                        const Halide::Target &target, double time_limit_s,
                                        const CodeCheck &check);

    const TrialRecord &record() const { return record_; }

private:
    CodeCheck informed(const CodeCheck &check, const TrialRequest &trial) const;

    const GivenSizes sizes_;
    TrialRecord record_;
    // All assembled. What a part tells is no proof of the whole: a kernel that looks the same there
    // may be other code.
    std::vector<KernelLaunch> known_of_wholes_, known_of_parts_;
};

}  // namespace autoschedule_gpu
