#include "plugins/parameters/parameter_table.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "scheduler/decisions/optional_kinds.h"
#include "scheduler/search/freeze.h"
#include "scheduler/strategies/shipped.h"

namespace autoschedule_gpu {

namespace {

using P = Parameters;
using parameter_kind::Choice;
using parameter_kind::InFile;
using parameter_kind::Integer;
using parameter_kind::OutFile;
using parameter_kind::Real;
using parameter_kind::Text;

// Strategies that users may choose.
std::vector<StrategyInfo> offered_strategies() {
    std::vector<StrategyInfo> offered;
    for (const auto &strategy : shipped_strategies()) {
        if (!strategy->info().help.empty()) offered.push_back(strategy->info());
    }
    return offered;
}

ParameterRow strategy_row() {
    std::vector<std::string_view> names = {"auto"};
    std::string help = "How schedules are searched for.";
    for (const StrategyInfo &strategy : offered_strategies()) {
        names.push_back(strategy.name);
        help += " " + std::string(strategy.name) + ": " + std::string(strategy.help);
    }
    help += " auto: greedy_grouping if time_limit_s is below 1, else beam.";
    return {"strategy", Choice{&Parameters::strategy, std::move(names), &AddedNames::strategies},
            std::move(help)};
}

ParameterRow disable_decisions_row() {
    std::string help = "Kinds of decisions that are not made.";
    for (const OptionalKind &kind : optional_kinds()) {
        help += " " + std::string(kind.name) + ": " + std::string(kind.help);
    }
    return {"disable_decisions",
            Text{&Parameters::disable_decisions, "names of decisions, separated by commas"},
            std::move(help)};
}

// Of the rules that are in force then: their names, and what each rejects.
std::string rules_by_name(InForce when) {
    const RuleBook rules;
    std::string text;
    for (size_t i = 0; i < rules.size(); ++i) {
        const RuleInfo &rule = rules[RuleId(i)];
        if (rule.in_force == when) text += " " + rule.name + ": " + rule.sentence + ".";
    }
    return text;
}

// The device, what ranks schedules, and how they are searched for.
std::vector<ParameterRow> rows_of_the_search() {
    return {
        {"gpu", Text{&P::gpu, "a preset's name, auto, or a JSON file"},
         "The device to schedule for. auto: the CUDA driver's device where there is one, else a "
         "preset after the target's CUDA capability (A100 if it names none); for other APIs a "
         "generic device, such as vulkan-generic. Any device is kept to what the API allows."},
        {"model",
         Choice{&P::model, {"auto", "roofline", "analytical", "network"}, &AddedNames::models},
         "The cost model that ranks schedules. roofline: the time of the resource that is busy "
         "longest. analytical: Sioutas et al. 2020, work by occupancy and active threads. Neither "
         "needs training. network: Anderson et al. 2021, a trained network; none is shipped yet, "
         "so weights_path has to name one. auto: network if weights_path is set, else analytical "
         "for greedy_grouping, else what has ranked best in measurements on the device; roofline "
         "where nothing was measured."},
        strategy_row(),
        {"fusion", Choice{&P::fusion, {"nested", "overlap", "none"}},
         "What greedy_grouping may do with a stage. none: inline, or a kernel of its own. overlap: "
         "also in shared memory, per block of the kernel that reads it. nested: also in the "
         "threads that read it, where shared memory is short or they share none of it, and in each "
         "iteration of a reduction that reads it."},
        {"beam_size", Integer{&P::beam_size, 1, 100000}, "States that beam search keeps per step."},
        {"num_passes", Integer{&P::num_passes, 1, 100},
         "Passes of the search at most, each over finer structure than the one before; after "
         "several in a row that find hardly anything cheaper, fewer where passes are dear, it "
         "makes no more. The first of several looks at all decisions of a step where they are few. "
         "Without sampling every pass would repeat the first, so one is made."},
        {"seed", Integer{&P::seed, 0, INT64_MAX},
         "Seed of every random choice. Equal seeds give equal schedules."},
        {"threads", Integer{&P::threads, 0, 1024},
         "Threads to search with; 0: all cores. The schedule does not depend on it."},
        {"time_limit_s", Real{&P::time_limit_s, 0, 86400},
         "Seconds for reading the pipeline, the search, trial lowerings and ptxas. Then the search "
         "stops and its best state so far is completed plainly. What is left, but 10 s at least, "
         "is for the trial of the schedule; one that takes longer is stopped, and its schedule is "
         "used without a trial."},
    };
}

// What is read and written.
std::vector<ParameterRow> rows_of_files() {
    return {
        {"report", OutFile{&P::report}, "Where to write a JSON report of the search."},
        {"explain", OutFile{&P::explain},
         "Where to write a page (HTML) that explains the schedule: its kernels and their loops, "
         "what limits each, its memory, and for each decision what else there was and what that "
         "would cost. Looking at these takes some tenths of a second to a few seconds after the "
         "search."},
        {"decisions", InFile{&P::decisions},
         "What to decide, as decisions_out wrote it for the same pipeline, with values changed or "
         "not. Nothing is searched; rules and the device are the other parameters'."},
        {"decisions_out", OutFile{&P::decisions_out},
         "Where to write what was decided, and what could have been instead, as a JSON list: the "
         "coordinates of a tuner (src/scheduler/decisions/decision_list.h)."},
        {"candidates", InFile{&P::candidates},
         "Lists of decisions, one a line: each is replayed and priced by the model, and none is "
         "lowered. Nothing is scheduled: the run ends with an error that names the prices' file."},
        {"candidates_out", OutFile{&P::candidates_out},
         "Where to write, for each of the candidates, its cost or why it is refused, as JSON lines "
         "(src/plugins/autoscheduler/price_candidates.h)."},
        {"trace", InFile{&P::trace},
         "The schedule to use, as trace_out wrote it for the same pipeline. Nothing is searched."},
        {"trace_out", OutFile{&P::trace_out}, "Where to write the schedule as a JSON trace."},
        {"python_out", OutFile{&P::python_out},
         "Where to write the schedule as Python: a module with apply_schedule(pipeline)."},
        {"records", InFile{&P::records},
         "Tuning records, as autotune writes them: the schedule of this pipeline for this device "
         "that `records best` names is used. Where there is none, a warning says so, and one is "
         "searched for. Not with decisions or trace."},
        {"sizes", InFile{&P::sizes},
         "Sizes that there is to be one schedule for, as JSON, instead of the pipeline's "
         "estimates: one that is good at all of them, with specialisations by size where no one "
         "will do. "
         "time_limit_s is for all together. Not with decisions, trace or records."},
    };
}

// What is kept, checked and said.
std::vector<ParameterRow> rows_of_checks() {
    return {
        {"respect", Choice{&P::respect, {"keep", "refuse"}},
         "What to do where Funcs have been scheduled by hand. keep: they stay as they are, and the "
         "others are scheduled around them. refuse: it is an error."},
        {"ptxas", Text{&P::ptxas, "auto, off, or a file"},
         "NVIDIA's assembler, which is asked whether kernels that keep many values at once spill "
         "registers; a search for fewer registers then replaces the schedule. auto: beside nvcc, "
         "on PATH, in CUDA_HOME, CUDA_PATH, or among the Python packages beside Halide's; without "
         "one only kernels that keep very many are taken to spill, and with greedy_grouping and "
         "sampled nothing is checked. off: nothing is checked."},
        {"verbose", Integer{&P::verbose, 0, 2},
         "What is printed on standard error. 0: nothing, warnings neither. 1: progress of a search "
         "of more than two seconds on a terminal, and at the end a line with the device and where "
         "it comes from, kernels, predicted time, seconds, why the search ended. 2: also its "
         "parts."},
    };
}

// What may be decided, and which of it is looked at.
std::vector<ParameterRow> rows_of_the_space() {
    return {
        {"disable_rules", Text{&P::disable_rules, "names of rules, separated by commas"},
         "Pruning rules to disable, each with what it rejects." +
             rules_by_name(InForce::by_default)},
        {"enable_rules", Text{&P::enable_rules, "names of rules, separated by commas"},
         "Optional pruning rules to enable, each with what it rejects." +
             rules_by_name(InForce::on_request)},
        disable_decisions_row(),
        {"sampling", Choice{&P::sampling, {"auto", "on", "off"}},
         "Hierarchical sampling: of decisions that lead to similar structure, only a few drawn at "
         "random are evaluated. auto: on."},
        {"freeze", Choice{&P::freeze, {"auto", "on", "off"}},
         "Whether a quick search without fusion decides for all but the most expensive stages; the "
         "most expensive kernels are looked at again at the end. auto: on for pipelines of " +
             std::to_string(kFreezeFuncs) + " Funcs and more."},
        {"memo", Choice{&P::memo, {"auto", "on", "off"}},
         "Whether costs of kernels are remembered. Changes no result. auto: on."},
        {"random_dropout", Integer{&P::random_dropout, 0, 100},
         "Per cent of the decisions that are kept at random; 100: all. Below that, beam does not "
         "start from greedy_grouping's schedule."},
        {"random_dropout_seed", Integer{&P::random_dropout_seed, 0, INT64_MAX},
         "Seed of random_dropout, added to seed."},
    };
}

// The device, where it is not as its preset says, and weights for it.
std::vector<ParameterRow> rows_of_the_device() {
    return {
        {"weights_path", InFile{&P::weights_path},
         "Weights of model=network, as retrain_cost_model writes them, for the device that is "
         "scheduled for. none: the plugin's own, where it was built with some for that device."},
        {"parallelism", Integer{&P::parallelism, 0, 4096},
         "Multiprocessors (SMs) of the device; 0: the device's own number."},
        {"shared_memory_limit_kb", Integer{&P::shared_memory_limit_kb, 0, 1024},
         "KiB of shared memory per block; 0: the device's own limit."},
        {"shared_memory_sm_limit_kb", Integer{&P::shared_memory_sm_limit_kb, 0, 4096},
         "KiB of shared memory per SM; 0: the device's own limit."},
        {"active_block_limit", Integer{&P::active_block_limit, 0, 256},
         "Blocks resident on an SM at once; 0: the device's own limit."},
        {"active_warp_limit", Integer{&P::active_warp_limit, 0, 256},
         "Warps resident on an SM at once; 0: the device's own limit."},
    };
}

std::vector<ParameterRow> all_rows() {
    std::vector<ParameterRow> all;
    for (const auto &rows : {rows_of_the_search, rows_of_files, rows_of_checks, rows_of_the_space,
                             rows_of_the_device}) {
        std::vector<ParameterRow> some = rows();
        std::ranges::move(some, std::back_inserter(all));
    }
    return all;
}

}  // namespace

const std::vector<ParameterRow> &parameter_table() {
    static const std::vector<ParameterRow> table = all_rows();
    return table;
}

}  // namespace autoschedule_gpu
