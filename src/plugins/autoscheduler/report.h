// The JSON report of one autoscheduling run (autoscheduler.report=FILE). Its fields:
//
//   format, version     "autoschedule_gpu.report", 1
//   target, gpu, model  what was scheduled for, and the model that ranked
//   weights             of a network: the device and gpu that they were trained for, on what
//                       (trained_from, its first line), when (date); else null
//   parameters          as they were given
//   pipeline            hash, counts of Funcs, stages and edges; fallback_edges and fallback_share:
//                       edges whose region is not compiled but a whole estimate
//   search              null where nothing was searched for; else stop_reason, steps, passes,
//   pass_costs_us (the best of each), draft_cost_us
//                       (of the state that greedy grouping gave; 0: none);
//                       states_enumerated, states_rejected (by a rule), states_scored,
//                       share_scored; kernels_asked, kernels_evaluated, memo_hits, memo_hit_rate,
//                       memo_evicted; sampling, freeze, memo: what was used; funcs_frozen; seconds
//                       and phase_seconds; rejections: a count per rule; stop: the reason with the
//                       value that stopped the search (seconds, of limit_seconds; null where it
//                       was completed); parts, one after the other: in which attempt, name,
//                       seconds, states (that got a cost), cost_before_us and cost_after_us of the
//                       best schedule (null: there was none). Names stay as they are
//   chosen              "search", "no_fusion", "plain" or "host": which attempt Halide accepted;
//                       "sizes": for several sizes; the nest and what is predicted are those at the
//                       pipeline's own estimates, null where nothing can be said of these;
//                       "decisions" or "trace": what to decide, or the whole schedule, was given. A
//                       trace has no nest: model, predicted_us, predictions and nest are null
//   trial_lowerings_refused  the attempts before, each with Halide's error and the nest
//   trials              of schedules, by lowering them: made; stopped, because time was up;
//                       chosen_was_tried: false if that one was stopped, and then kernels is empty;
//                       in_this_process: why they were made there, a sentence; null: none was
//   reductions          those that could be taken apart, so that many threads compute one: decided,
//                       with name, rfactor (lanes, or lanes x iterations of each in a chunk; none)
//                       and choices; compared, what a quick search predicted for one choice each
//   sizes               of autoscheduler.sizes, one each: name, weight; made_for, the size that the
//                       schedule which is used there was made for; predicted_us, of that (null:
//                       nothing can be said); alone_us, of a schedule made for this size alone;
//                       regret, by how much the former is more, as a share of the latter
//   schedules_for_sizes  how many schedules there are in it, each for its sizes; 0: it is for one
//                       size
//   predicted_us, predictions  in all; and per launch, with what bounds it by the roofline, its
//                       grid, what it is estimated to take of registers and shared memory, and what
//                       its warps move through L1 (transaction_*_bytes: whole sectors). terms_us:
//                       how long each resource is busy by the roofline, whatever model ranked;
//                       occupancy: what limits the warps that an SM has at once. buffers: func,
//                       access (read, written; kept by a block or thread), memory, bytes (distinct;
//                       over the launch in global memory, else of a block or of a thread),
//                       bytes_of_block (that a block reads), dram (or it is in the L2 cache)
//   kernels             launches as Halide lowered them, in order, at the estimated sizes; null:
//                       known only at run time.
//                       code_values: values that its code computes, as long as it is; live_words:
//                       values that a thread keeps at once, in 32-bit words, before
//                       the compiler; registers and spill_bytes (stored and loaded) per thread, by
//                       ptxas: null where it was not asked
//   ptxas               the program, or null; ptxas_not_used: why, a sentence, else null
//   funcs               of what was scheduled, producers first: name, kind (input, internal,
//                       output), types, extents at the estimates, reads (the Funcs that it reads),
//                       updates (how many), and place (null: of an input, or not known)
//   loops               the loops of each kernel on the device, a tree (scheduler/schedule/
//                       loop_tree.h): stage, level (blocks, threads, serial; strided and spread:
//                       as far apart as there are threads), loops (innermost first; an extent that
//                       is known only at run time is null), memory, in_loop_of, body. Of a trace as
//                       its directives say, for tiles that are full
//   alternatives        null unless `explain` asked for it: predicted_us of the decisions as they
//                       are, seconds that it took, and decisions (name, kind, value), each with
//                       others: a value, and what is predicted where all else stays as it is, or
//                       why it is refused
//   nest                the loop nest as text
//   extensions          users' libraries that were loaded: library (its name), path, version (of
//                       the public headers that it was built against), and the names of its rules,
//                       models, strategies, decision_kinds, tuner_strategies, executors
//   total_seconds       reading, search and trial lowering
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/extensions/extensions.h"
#include "core/gpu/gpu_model.h"
#include "plugins/autoscheduler/alternatives.h"
#include "plugins/autoscheduler/find_schedule.h"
#include "plugins/autoscheduler/spill_check.h"
#include "scheduler/features/feature_list.h"
#include "scheduler/model/weights_file.h"
#include "scheduler/rules/rule_book.h"

namespace autoschedule_gpu {

struct ReportInput {
    const Dag &pipeline;  // as it was read
    const GpuModel &gpu;
    const Weights *weights;  // of the model that ranked; null if it has none
    std::string target;
    std::map<std::string, std::string> parameters;
    const ChosenSchedule &chosen;
    const std::vector<FeatureTable> &tables;  // of its kernels in the order of launch
    const RuleBook &rules;
    const SpillCheck &spill_check;
    const Extensions &extensions;
    const std::optional<Alternatives> &alternatives;  // none: not asked for
    double total_s = 0;
};

std::string report_json(const ReportInput &input);

}  // namespace autoschedule_gpu
