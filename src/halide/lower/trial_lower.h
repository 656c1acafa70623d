// Tries a schedule by lowering a copy of the pipeline. What Halide refuses comes back as an Error
// with Halide's own text (halide/apply/halide_error.h). Nothing here prints; Halide itself may
// write a warning to stderr while it lowers. Different threads may handle different pipelines.
#pragma once

#include <Halide.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/support/error.h"
#include "halide/lower/part_of_pipeline.h"
#include "halide/read/given_sizes.h"
#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu {

// One GPU kernel launch found in lowered code. A size of -1 is not a compile-time constant; a
// dimension that the kernel does not use is 1.
struct KernelLaunch {
    std::string name;  // the device function in Halide, without the counter for repeated names
    int func = -1;     // whose stage it computes, by its number in the schedule
    int stage = 0;
    int64_t blocks[3] = {1, 1, 1};
    int64_t threads[3] = {1, 1, 1};
    int64_t shared_bytes = 0;
    // The most whatever the values of parameters within their declared ranges; -1: no limit is
    // known.
    int64_t most_shared_bytes = 0;
    // False if it only runs at other sizes than the estimates, as schedules for tiles that are not
    // full do.
    bool at_estimates = true;
    // The following are per thread; -1: not looked at (see CodeCheck).
    int64_t live_words = -1;   // most values kept at once (core/lowered/live_values.h)
    int64_t values = -1;       // number of values computed
    int64_t registers = -1;    // as the assembler reports it, like spill_bytes
    int64_t spill_bytes = -1;  // stored and loaded

    bool is_assembled() const { return registers >= 0; }
};

struct TrialLowering {
    std::vector<KernelLaunch> kernels;
    std::string code_check_error;  // why registers are not known, if the check went wrong
};

// What a trial for CUDA is to find out about the registers of its kernels.
struct CodeCheck {
    bool on = false;  // count live_words of all kernels
    // Kernels that keep at least so many values at once, or compute `doubtful_values`, are compiled
    // to PTX, which takes 0.1 s and some tenths more for each large kernel, and judged by the
    // assembler, those for other sizes than the estimates like the others. If any kernel that runs
    // at the estimates keeps `hopeless_live_words`, none is compiled, because the schedule is
    // useless in any case. One kernel is judged for all that compute and keep equally many values,
    // as in a chain of equal stages; of very many kernels, only those that keep most are.
    int64_t doubtful_live_words = 0;
    int64_t hopeless_live_words = 0;

    struct Usage {
        int64_t registers = 0, spill_bytes = 0;
    };
    // Returns the usage of each entry of the PTX, in its order. Empty if there is no assembler.
    std::function<Result<std::vector<Usage>>(const std::string &ptx)> assemble;
    int64_t doubtful_values = std::numeric_limits<int64_t>::max();  // the many that are computed
    // Kernels of earlier trials of the pipeline whose usage is known: what looks the same in every
    // respect is not compiled again.
    std::vector<KernelLaunch> known = {};
};

// How far a trial goes. `loops` stops just before Halide turns kernels into device code, which for
// CUDA (a run of LLVM per kernel) takes most of the time, and checks by itself what PTX generation
// is known to refuse; kernels of which LLVM may make wrong code it compiles all the same
// (signed_bytes.h). `device_code` goes through to the end. Without a CodeCheck, either keeps the
// code small, if it can't be wrong: loops are not unrolled where unrolling cannot fail. `sketch` is
// `loops` without the branches of schedules for other sizes, in a quarter of the time: how Halide
// gets on with what lies between kernels that it has lowered elsewhere. What it says of kernels
// means nothing.
enum class TrialDepth { sketch, loops, device_code };

// Returns the cheapest depth that finds what Halide refuses: `loops` for CUDA, and `device_code`
// for other APIs, whose kernels are quickly emitted as text, under rules of their own.
TrialDepth default_trial_depth(const Halide::Target &target);

// Applies `schedule` to a deep copy and lowers that for `target`. An Error carries Halide's own
// message: Halide does not accept the schedule. The pipeline itself stays as it is; only Halide's
// process-wide counters for temporary names advance, so code that is lowered later may number its
// temporaries differently. If `check` itself fails, the schedule is still accepted (see
// code_check_error).
Result<TrialLowering> trial_lower(const Schedule &schedule, const Halide::Pipeline &pipeline,
                                  const Halide::Target &target);
// Of what is lowered, one of so many shares that take about as long: several trials at once, each
// of a share.
struct Share {
    size_t number = 0, of = 1;
};
// What becomes of the kernels that are not asked for. Kept small, they stay around the others:
// where a Func begins depends on all that read it, in their branches for other sizes, too, and
// where coordinates are divided, that decides what code is made of a kernel.
enum class Others : uint8_t { left_out, kept_small };
// Of which kernels a trial is. `roots`: those of these Funcs, with what is computed in them; none:
// all kernels. Of kernels that are alike (alike_kernels.h) one is lowered, and speaks for the
// others, which come last. `share`: of those that are lowered of the roots.
struct AskedKernels {
    std::span<const KeptRoot> roots = {};
    Others others = Others::left_out;
    Share share = {};
};
// Whether half of the kernels that the assembler judges are compiled in a fork of this process,
// which must then have one thread.
enum class CompiledBy : uint8_t { this_process, two_processes };
// `sizes`: instead of the pipeline's own estimates.
Result<TrialLowering> trial_lower(const Schedule &schedule, const Halide::Pipeline &pipeline,
                                  const Halide::Target &target, TrialDepth depth,
                                  const CodeCheck &check = {}, const AskedKernels &asked = {},
                                  CompiledBy by = CompiledBy::this_process,
                                  const GivenSizes &sizes = {});

}  // namespace autoschedule_gpu
