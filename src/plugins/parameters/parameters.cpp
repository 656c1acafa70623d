#include "plugins/parameters/parameters.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <utility>
#include <variant>

#include "core/support/file.h"
#include "scheduler/decisions/optional_kinds.h"
#include "scheduler/search/freeze.h"
#include "scheduler/strategies/shipped.h"

namespace autoschedule_gpu {

namespace {

struct Integer {
    int64_t Parameters::*member;
    int64_t least, greatest;
};
struct Real {
    double Parameters::*member;
    double least, greatest;
};
struct Choice {
    std::string Parameters::*member;
    std::vector<std::string_view> values;
    std::vector<std::string> AddedNames::*added = nullptr;  // further values; null: there are none

    std::vector<std::string_view> all(const AddedNames &names) const {
        std::vector<std::string_view> result = values;
        if (added != nullptr) {
            result.insert(result.end(), (names.*added).begin(), (names.*added).end());
        }
        return result;
    }
};
struct Text {
    std::string Parameters::*member;
    std::string_view what;
};

struct InFile {  // that is read
    std::string Parameters::*member;
};
struct OutFile {  // that is written
    std::string Parameters::*member;
};

struct Row {
    std::string_view name;
    std::variant<Integer, Real, Choice, Text, InFile, OutFile> kind;
    std::string help;
};

// Strategies that users may choose.
std::vector<StrategyInfo> offered_strategies() {
    std::vector<StrategyInfo> offered;
    for (const auto &strategy : shipped_strategies()) {
        if (!strategy->info().help.empty()) offered.push_back(strategy->info());
    }
    return offered;
}

Row strategy_row() {
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

Row disable_decisions_row() {
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

const std::vector<Row> &rows() {
    using P = Parameters;
    static const std::vector<Row> table = {
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
        {"report", OutFile{&P::report}, "Where to write a JSON report of the search."},
        {"explain", OutFile{&P::explain},
         "Where to write a page (HTML) that explains the schedule: its kernels and their loops, "
         "what "
         "limits each, its memory, and for each decision what else there was and what that would "
         "cost. Looking at these takes some tenths of a second to a few seconds after the search."},
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
         "that `records best` names is used. Where there is none, one is searched for."},
        {"sizes", InFile{&P::sizes},
         "Sizes that there is to be one schedule for, as JSON, instead of the pipeline's "
         "estimates: "
         "one that is good at all of them, with specialisations by size where no one will do. "
         "time_limit_s is for all together. Not with decisions, trace or records."},
        {"respect", Choice{&P::respect, {"keep", "refuse"}},
         "What to do where Funcs have been scheduled by hand. keep: they stay as they are, and the "
         "others are scheduled around them. refuse: it is an error."},
        {"ptxas", Text{&P::ptxas, "auto, off, or a file"},
         "NVIDIA's assembler, which is asked whether kernels that keep many values at once spill "
         "registers; a search for fewer registers then replaces the schedule. auto: beside nvcc, "
         "on "
         "PATH, in CUDA_HOME, CUDA_PATH, or among the Python packages beside Halide's; without one "
         "only kernels that keep very many are taken to spill, and with greedy_grouping and "
         "sampled "
         "nothing is checked. off: nothing is checked."},
        {"verbose", Integer{&P::verbose, 0, 2},
         "What is printed on standard error. 0: nothing, warnings neither. 1: progress of a search "
         "of more than two seconds on a terminal, and at the end a line with the device and where "
         "it comes from, kernels, predicted time, seconds, why the search ended. 2: also its "
         "parts."},
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
    return table;
}

template <typename T>
std::string text_of(T value) {
    std::ostringstream out;
    out << value;
    return out.str();
}

struct RangeText {
    const AddedNames &added;

    std::string operator()(const Integer &i) const {
        const std::string greatest =
            i.greatest == INT64_MAX ? "2^63 - 1" : std::to_string(i.greatest);
        return "a whole number from " + std::to_string(i.least) + " to " + greatest;
    }
    std::string operator()(const Real &r) const {
        return "a number from " + text_of(r.least) + " to " + text_of(r.greatest);
    }
    std::string operator()(const Choice &c) const {
        std::string all;
        for (std::string_view value : c.all(added)) {
            if (!all.empty()) all += ", ";
            all += value;
        }
        return "one of " + all;
    }
    std::string operator()(const Text &t) const { return std::string(t.what); }
    std::string operator()(const InFile &) const { return "a file"; }
    std::string operator()(const OutFile &) const { return "a file"; }
};

template <typename T>
bool read_number(const std::string &text, T &value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

// Whether the value was legal, and if so stored.
struct Store {
    const std::string &text;
    const AddedNames &added;
    Parameters &out;

    bool operator()(const Integer &i) const {
        int64_t value = 0;
        if (!read_number(text, value) || value < i.least || value > i.greatest) return false;
        out.*i.member = value;
        return true;
    }
    bool operator()(const Real &r) const {
        double value = 0;
        if (!read_number(text, value) || !std::isfinite(value)) return false;
        if (value < r.least || value > r.greatest) return false;
        out.*r.member = value;
        return true;
    }
    bool operator()(const Choice &c) const {
        const std::vector<std::string_view> values = c.all(added);
        if (std::find(values.begin(), values.end(), text) == values.end()) return false;
        out.*c.member = text;
        return true;
    }
    bool operator()(const Text &t) const { return store(t.member); }
    bool operator()(const InFile &f) const { return store(f.member); }
    bool operator()(const OutFile &f) const { return store(f.member); }

    bool store(std::string Parameters::*member) const {
        out.*member = text;
        return !text.empty();
    }
};

size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<size_t> row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (size_t i = 1; i <= a.size(); ++i) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            const size_t substituted = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
        }
    }
    return row.back();
}

Error unknown(const std::string &name) {
    // The beginning of a name is nearer to it than another name of the same length.
    const auto distance = [&](const Row &row) {
        return name.size() > 2 && row.name.starts_with(name) ? 0 : edit_distance(name, row.name);
    };
    const auto nearest = std::ranges::min_element(rows(), {}, distance);
    std::string message = "unknown parameter autoscheduler." + name + ".";
    if (distance(*nearest) <= 3) {
        message += " Did you mean autoscheduler." + std::string(nearest->name) + "?";
    }
    message += " Known are:";
    for (const Row &row : rows())
        message += (&row == &rows()[0] ? " " : ", ") + std::string(row.name);
    return {message + "."};
}

std::vector<std::string> split_names(const std::string &list) {
    std::vector<std::string> result;
    std::istringstream names(list);
    for (std::string name; std::getline(names, name, ',');) result.push_back(name);
    return result;
}

// Why a list of rules can't name that one.
Error no_switch(const RuleBook &rules, const std::string &parameter, const std::string &named,
                bool exists) {
    std::string message =
        "autoscheduler." + parameter + " names \"" + named + "\"; " +
        (exists ? "that rule keeps schedules legal. " : "there is no such rule. ") +
        "Rules that can be switched:";
    for (size_t i = 0; i < rules.size(); ++i) {
        if (rules.can_switch(RuleId(i))) message += " " + rules[RuleId(i)].name;
    }
    return {message + "."};
}

// Of a list of names, as that parameter gives it.
Result<std::vector<RuleId>> switchable_rules(const RuleBook &rules, const std::string &parameter,
                                             const std::string &list) {
    std::vector<RuleId> found;
    for (const std::string &named : split_names(list)) {
        const std::optional<RuleId> rule = rules.find(named);
        if (!rule || !rules.can_switch(*rule)) {
            return no_switch(rules, parameter, named, rule.has_value());
        }
        found.push_back(*rule);
    }
    return found;
}

Status check_disabled_decisions(const std::string &list) {
    std::string known;
    for (const OptionalKind &kind : optional_kinds()) known += " " + std::string(kind.name);
    for (const std::string &named : split_names(list)) {
        const auto kinds = optional_kinds();
        if (std::ranges::find(kinds, named, &OptionalKind::name) != kinds.end()) continue;
        return Error{"autoscheduler.disable_decisions names \"" + named +
                     "\"; there is no such kind of decisions. Kinds that can be switched off:" +
                     known + "."};
    }
    return Ok{};
}

// For several sizes a schedule is searched for.
Status check_sizes_alone(const Parameters &parameters) {
    if (parameters.sizes.empty()) return Ok{};
    const std::pair<std::string_view, std::string Parameters::*> others[] = {
        {"decisions", &Parameters::decisions},
        {"trace", &Parameters::trace},
        {"records", &Parameters::records}};
    for (const auto &[name, member] : others) {
        if ((parameters.*member).empty()) continue;
        return Error{"autoscheduler.sizes and autoscheduler." + std::string(name) +
                     " both say where the schedule comes from. Leave one out."};
    }
    return Ok{};
}

}  // namespace

Result<Parameters> parse_parameters(const std::map<std::string, std::string> &extra,
                                    const AddedNames &added) {
    Parameters parameters;
    for (const auto &[name, value] : extra) {
        const auto row = std::find_if(rows().begin(), rows().end(),
                                      [&](const Row &r) { return r.name == name; });
        if (row == rows().end()) return unknown(name);
        if (!std::visit(Store{value, added, parameters}, row->kind)) {
            return Error{"autoscheduler." + name + " must be " +
                         std::visit(RangeText{added}, row->kind) + ", found \"" + value + "\"."};
        }
    }
    if (Result<RuleBook> rules = rule_set(parameters, added.rules); !rules) return rules.error();
    if (Status known = check_disabled_decisions(parameters.disable_decisions); !known) {
        return known.error();
    }
    if (parameters.candidates.empty() != parameters.candidates_out.empty()) {
        return Error{
            "autoscheduler.candidates and autoscheduler.candidates_out belong together. Name both "
            "or none."};
    }
    if (!parameters.trace.empty() && !parameters.decisions.empty()) {
        return Error{
            "autoscheduler.trace and autoscheduler.decisions each give a schedule. Leave "
            "one out."};
    }
    if (Status only = check_sizes_alone(parameters); !only) return only.error();
    return parameters;
}

Status check_files(const Parameters &parameters) {
    for (const Row &row : rows()) {
        Status can = Ok{};
        if (const auto *in = std::get_if<InFile>(&row.kind)) {
            const std::string &path = parameters.*in->member;
            if (!path.empty()) can = can_read_file(path);
        } else if (const auto *out = std::get_if<OutFile>(&row.kind)) {
            const std::string &path = parameters.*out->member;
            if (!path.empty()) can = can_write_file(path);
        }
        if (!can) {
            return Error{"autoscheduler." + std::string(row.name) + "=" + can.error().message};
        }
    }
    return Ok{};
}

Result<RuleBook> rule_set(const Parameters &parameters, RuleBook rules) {
    const Result<std::vector<RuleId>> off =
        switchable_rules(rules, "disable_rules", parameters.disable_rules);
    if (!off) return off.error();
    const Result<std::vector<RuleId>> on =
        switchable_rules(rules, "enable_rules", parameters.enable_rules);
    if (!on) return on.error();
    for (RuleId rule : *off) rules.switch_off(rule);
    for (RuleId rule : *on) {
        if (std::ranges::find(*off, rule) != off->end()) {
            return Error{"autoscheduler.enable_rules and autoscheduler.disable_rules both name \"" +
                         rules[rule].name + "\". Leave it out of one."};
        }
        rules.switch_on(rule);
    }
    constexpr std::pair<const char *, std::string_view> kForbidden[] = {
        {"aligned_tiles", "aligned_tiles"},
        {"rows", "whole_rows"},
        {"updates_in_registers", "updates_in_registers"}};
    for (const auto &[kind, rule] : kForbidden) {
        if (disables_decision(parameters, kind)) rules.switch_on(*rules.find(rule));
    }
    return rules;
}

bool disables_decision(const Parameters &parameters, const std::string &kind) {
    return std::ranges::count(split_names(parameters.disable_decisions), kind) > 0;
}

std::vector<std::string_view> choices_of(std::string_view parameter) {
    const auto row = std::ranges::find(rows(), parameter, &Row::name);
    return row == rows().end() ? std::vector<std::string_view>()
                               : std::get<Choice>(row->kind).values;
}

std::vector<ParameterInfo> parameter_list() {
    const Parameters defaults;
    const AddedNames none;
    std::vector<ParameterInfo> list;
    for (const Row &row : rows()) {
        std::string value =
            std::visit([&](const auto &kind) { return text_of(defaults.*kind.member); }, row.kind);
        list.push_back(
            {row.name, std::visit(RangeText{none}, row.kind), std::move(value), row.help});
    }
    return list;
}

std::string parameters_markdown() {
    std::string out = "| parameter | value | default | meaning |\n|---|---|---|---|\n";
    for (const ParameterInfo &info : parameter_list()) {
        out += "| `" + std::string(info.name) + "` | " + info.range + " | " +
               (info.default_value.empty() ? "none" : "`" + info.default_value + "`") + " | " +
               std::string(info.help) + " |\n";
    }
    return out;
}

}  // namespace autoschedule_gpu
