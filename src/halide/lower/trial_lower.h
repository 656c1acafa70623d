// Tries a schedule out by lowering a copy of the pipeline. What Halide refuses comes back as an
// Error with Halide's own text (halide/apply/halide_error.h). Nothing here prints; Halide itself
// may write a warning to stderr while it lowers. Different pipelines may be handled by different
// threads.
#pragma once

#include <Halide.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/support/error.h"
#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu {

// One GPU kernel launch found in lowered code. -1: not a compile-time constant. A dimension that
// the kernel doesn't use is 1.
struct KernelLaunch {
    std::string name;  // as Halide names the device function, up to its counter for repeated names
    int64_t blocks[3] = {1, 1, 1};
    int64_t threads[3] = {1, 1, 1};
    int64_t shared_bytes = 0;
    // Per thread. -1: not looked at (see CodeCheck).
    int64_t live_words = -1;   // values kept at once, by core/lowered/live_values.h
    int64_t values = -1;       // computed in all
    int64_t registers = -1;    // as an assembler has it, as is the next
    int64_t spill_bytes = -1;  // stored and loaded
};

struct TrialLowering {
    std::vector<KernelLaunch> kernels;
    std::string code_check_error;  // why there are no registers, if that went wrong
};

// What a trial for CUDA is to find out about the registers of kernels.
struct CodeCheck {
    bool on = false;  // live_words of all kernels
    // Kernels that keep so many values at once are turned into PTX, which takes a tenth of a second
    // and some tenths for each large one, and judged by the assembler; unless one keeps so many
    // that the schedule is of no use in any case. Of kernels that compute and keep as many values,
    // as in a chain of equal stages, one is judged for all; of very many, those that keep most.
    int64_t doubtful_live_words = 0;
    int64_t hopeless_live_words = 0;

    struct Usage {
        int64_t registers = 0, spill_bytes = 0;
    };
    // One per entry of the PTX, in its order. Empty: there is no assembler.
    std::function<Result<std::vector<Usage>>(const std::string &ptx)> assemble;
};

// How far a trial goes. Without a CodeCheck it is made of small code: loops are not unrolled where
// that can't fail. `loops` stops just before Halide turns kernels into device code, which for
// CUDA (a run of LLVM per kernel) takes most of the time, and looks itself for what PTX generation
// is known to refuse. `device_code` goes through to the end.
enum class TrialDepth { loops, device_code };

// The cheapest depth that finds what Halide refuses: `loops` for CUDA; `device_code` for the
// others, whose kernels are emitted as text in no time, under rules of their own.
TrialDepth default_trial_depth(const Halide::Target &target);

// Applies `schedule` to a deep copy and lowers that for `target`. An Error carries Halide's own
// message: the schedule is then not one that Halide accepts. The pipeline itself stays as it is;
// only Halide's process-wide counters for temporary names move on, so later lowered code may
// number its temporaries differently. That `check` fails is no error of the schedule.
Result<TrialLowering> trial_lower(const Schedule &schedule, const Halide::Pipeline &pipeline,
                                  const Halide::Target &target);
Result<TrialLowering> trial_lower(const Schedule &schedule, const Halide::Pipeline &pipeline,
                                  const Halide::Target &target, TrialDepth depth,
                                  const CodeCheck &check = {});

}  // namespace autoschedule_gpu
