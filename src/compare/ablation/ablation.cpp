#include "compare/ablation/ablation.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "compare/ablation/ablation_file.h"
#include "compare/ablation/search_report.h"
#include "compare/schedulers/fill_row.h"
#include "compare/schedulers/fingerprint.h"
#include "compare/schedulers/scheduler_spec.h"
#include "core/gpu/gpu_model_file.h"
#include "core/support/file.h"
#include "core/support/hash.h"
#include "core/support/hex.h"
#include "lab/run/device.h"

namespace autoschedule_gpu {
namespace {

namespace fs = std::filesystem;

constexpr double kMebibyte = 1 << 20;
constexpr double kLongestTimeLimitS = 86400;  // the longest that the plugin accepts

// Parameters that users must not set: configurations consist of them, or this file sets them
// itself.
constexpr std::array<std::string_view, 6> kOwnParams = {
    "memo", "sampling", "freeze", "disable_decisions", "report", "gpu"};

double seconds_of(std::chrono::milliseconds time) {
    return static_cast<double>(time.count()) / 1000;
}

int64_t unix_seconds(std::chrono::system_clock::time_point time) {
    return std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count();
}

// Returns when the file was last changed; 0 if it does not exist.
int64_t changed_unix_s(const std::string &path) {
    std::error_code error;
    const fs::file_time_type changed = fs::last_write_time(path, error);
    return error ? 0 : unix_seconds(std::chrono::file_clock::to_sys(changed));
}

// Returns "num_passes=3:memo=on". The configuration's own parameters come last, so that they win.
std::string parameters_text(const AblationSettings &settings, const Configuration &configuration) {
    std::string text;
    const auto add = [&](const std::string &param) { text += (text.empty() ? "" : ":") + param; };
    for (const std::string &param : settings.params) add(param);
    for (const auto &[name, value] : configuration.params) add(name + "=" + value);
    return text;
}

// The search's time limit is the generator's timeout, so that a search which takes longer fails
// visibly instead of being cut short.
Result<SchedulerSpec> contender_of(const AblationSettings &settings,
                                   const Configuration &configuration) {
    const double time_limit_s = std::min(seconds_of(settings.timeout), kLongestTimeLimitS);
    return parse_contender("gpu:time_limit_s=" + std::to_string(time_limit_s) + ":" +
                               parameters_text(settings, configuration),
                           settings.gpu, settings.model);
}

// Returns AblationRow::inputs.
std::string inputs_of(const AblationSettings &settings, const Application &application,
                      const SchedulerSpec &contender) {
    Hasher hasher;
    add_values(hasher, size_parameters(application, settings.size).value());
    hasher.add(to_json(settings.model));
    add_named_files(hasher, contender.scheduler_params);
    return to_hex(hasher.value());
}

std::string as_folder_name(std::string name) {
    std::replace(name.begin(), name.end(), '+', '_');  // generators take none in a value
    return name;
}

// One search, and what its process cost.
struct Measured {
    SearchRun run = {};
    double peak_mb = 0;
};

Outcome<Measured> measure(const AblationSettings &settings, const Toolbox &tools,
                          const Application &application, const SchedulerSpec &contender,
                          const std::string &folder) {
    const std::string report_path = folder + "/report.json";
    std::error_code ignored;
    fs::remove(report_path, ignored);
    const Result<NamedValues> params = size_parameters(application, settings.size);
    if (!params) return setup_failure(params.error().message);
    const Result<std::string> plugin = find_plugin(tools, contender.plugin);
    if (!plugin) return setup_failure(plugin.error().message);
    Candidate candidate{.name = application.name + "_ablation",
                        .generator = application.generator,
                        .generator_name = application.name,
                        .target = halide_target(RunDevice::cuda, settings.model),
                        .params = *params,
                        .plugin = tools.probe + "," + *plugin,
                        .scheduler = "Probe",
                        .scheduler_params = contender.scheduler_params};
    // The probe ends the process once the schedule exists, because what follows is not the search's
    // cost.
    for (const auto &[name, value] : NamedValues{{"inner", contender.scheduler},
                                                 {"probe_only", "true"},
                                                 {"probe_out", folder + "/probe.json"},
                                                 {"report", report_path}}) {
        candidate.scheduler_params.emplace_back(name, value);
    }
    const Outcome<Generated> generated =
        generate(candidate, folder, {.timeout = settings.timeout},
                 {.object = false, .device_code = false, .schedule = true});
    if (!generated) return generated.error();
    const Result<std::string> text = read_file(report_path);
    if (!text) return setup_failure(text.error().message);
    Result<SearchRun> run = parse_search_report(*text);
    if (!run) return setup_failure(report_path + ": " + run.error().message);
    return Measured{std::move(run).value(),
                    static_cast<double>(generated->cost.peak_memory_bytes) / kMebibyte};
}

void fail(const Failure &failure, AblationRow &row) {
    row.failure = row_failure(failure);
    if (!failure.command.empty()) row.reproduce = failure.command;
    row.search_s.clear();
    row.phases.clear();
    row.peak_mb.reset();
    row.search.reset();
}

// Returns how two repeats of one search differ; empty if they agree. Equal input and seed give
// equal results unless a search was cut short.
std::string difference(const SearchFigures &first, const SearchFigures &again) {
    for (const auto &[what, a, b] :
         {std::tuple{"enumerated", first.states_enumerated, again.states_enumerated},
          std::tuple{"scored", first.states_scored, again.states_scored}}) {
        if (a != b) return std::to_string(b) + " states " + what + ", not " + std::to_string(a);
    }
    if (first.predicted_us == again.predicted_us) return "";
    return "a predicted cost of " + std::to_string(again.predicted_us) + " us, not " +
           std::to_string(first.predicted_us);
}

void add(const Measured &measured, AblationRow &row) {
    const bool first = !row.search;
    if (first) {
        row.search = measured.run.figures;
        row.phases = measured.run.phases;
    } else if (row.completed()) {
        const std::string differs = difference(*row.search, measured.run.figures);
        if (!differs.empty()) {
            return fail({.kind = FailureKind::search,
                         .reason = "a repeat of the same search found " + differs},
                        row);
        }
    }
    row.search_s.push_back(measured.run.seconds);
    row.peak_mb = std::max(row.peak_mb.value_or(0), measured.peak_mb);
}

// Returns true if an earlier row still answers what this call would measure.
bool holds(const AblationRow &old, const AblationRow &wanted, int repeats,
           int64_t programs_changed_unix_s) {
    if (!same_entry(old, wanted) || old.parameters != wanted.parameters) return false;
    if (old.inputs != wanted.inputs) return false;
    if (old.failure && is_provisional(old.failure->kind)) return false;
    if (old.measured_unix_s < programs_changed_unix_s) return false;
    if (old.ok() && old.search_s.size() < static_cast<size_t>(repeats)) return false;
    return old.completed() || wanted.timeout_s <= old.timeout_s;
}

// The rows of one application, and which of them must still be measured.
struct Plan {
    const Application *application = nullptr;
    std::vector<AblationRow> rows = {};  // one per configuration
    std::vector<size_t> open = {};       // indices into these
};

class Ablation {
public:
    Ablation(const AblationSettings &settings, const Toolbox &tools,
             const std::vector<AblationRow> &earlier, const ReportProgress &progress,
             const ReportAblationRows &report_rows)
        : settings_(settings), tools_(tools), progress_(progress), report_rows_(report_rows) {
        for (const Configuration &configuration : settings.configurations) {
            contenders_.push_back(contender_of(settings, configuration).value());
        }
        const std::string plugin = find_plugin(tools, contenders_.front().plugin).value();
        const int64_t changed = std::max(changed_unix_s(plugin), changed_unix_s(tools.probe));
        for (const Application &application : settings.applications) {
            plans_.push_back(plan(application, earlier, changed));
            state_.total += static_cast<int>(plans_.back().open.size()) * settings.repeats;
        }
    }

    std::vector<AblationRow> run() {
        std::vector<AblationRow> all;
        for (size_t i = 0; i < plans_.size(); ++i) {
            run(plans_[i], i);
            all.insert(all.end(), plans_[i].rows.begin(), plans_[i].rows.end());
            if (report_rows_) report_rows_(all);
        }
        return all;
    }

private:
    Plan plan(const Application &application, const std::vector<AblationRow> &earlier,
              int64_t libraries_changed_unix_s) const {
        const int64_t changed =
            std::max(libraries_changed_unix_s, changed_unix_s(application.generator));
        Plan plan{.application = &application};
        for (size_t i = 0; i < settings_.configurations.size(); ++i) {
            const Configuration &configuration = settings_.configurations[i];
            AblationRow row{.app = application.name,
                            .configuration = configuration.name,
                            .size = settings_.size,
                            .gpu = settings_.gpu,
                            .parameters = parameters_text(settings_, configuration),
                            .inputs = inputs_of(settings_, application, contenders_[i]),
                            .timeout_s = seconds_of(settings_.timeout)};
            const auto kept =
                std::find_if(earlier.begin(), earlier.end(), [&](const AblationRow &old) {
                    return holds(old, row, settings_.repeats, changed);
                });
            if (kept == earlier.end()) plan.open.push_back(plan.rows.size());
            plan.rows.push_back(kept == earlier.end() ? std::move(row) : *kept);
        }
        return plan;
    }

    // Each repeat starts at another configuration, so that none always finds the disk's cache cold
    // or the machine warm.
    void run(Plan &plan, size_t first) {
        for (int repeat = 0; repeat < settings_.repeats; ++repeat) {
            for (size_t i = 0; i < plan.open.size(); ++i) {
                const size_t turn = (first + static_cast<size_t>(repeat) + i) % plan.open.size();
                search(plan, plan.open[turn], repeat);
            }
        }
    }

    void search(Plan &plan, size_t index, int repeat) {
        AblationRow &row = plan.rows[index];
        state_.doing = row.app + ": " + row.configuration + ", search " +
                       std::to_string(repeat + 1) + " of " + std::to_string(settings_.repeats);
        if (progress_) progress_(state_);
        ++state_.done;
        if (row.failure) return;
        if (repeat == 0) row.measured_unix_s = unix_seconds(std::chrono::system_clock::now());
        const std::string folder =
            settings_.folder + "/work/" + row.app + "/" + as_folder_name(row.configuration);
        const Outcome<Measured> measured =
            measure(settings_, tools_, *plan.application, contenders_[index], folder);
        if (measured) {
            add(*measured, row);
        } else {
            fail(measured.error(), row);
        }
    }

    const AblationSettings &settings_;
    const Toolbox &tools_;
    const ReportProgress &progress_;
    const ReportAblationRows &report_rows_;
    std::vector<SchedulerSpec> contenders_;  // one per configuration
    std::vector<Plan> plans_;
    ComparisonProgress state_;
};

}  // namespace

Status check(const AblationSettings &settings, const Toolbox &tools) {
    if (settings.applications.empty() || settings.configurations.empty()) {
        return Error{"there is nothing to search: no application, or no configuration"};
    }
    for (const std::string &param : settings.params) {
        const std::string name = param.substr(0, param.find('='));
        if (std::find(kOwnParams.begin(), kOwnParams.end(), name) != kOwnParams.end()) {
            return Error{"the parameter '" + name +
                         "' is not free: configurations set it, or this "
                         "program does"};
        }
    }
    for (const Application &application : settings.applications) {
        const Result<NamedValues> size = size_parameters(application, settings.size);
        if (!size) return size.error();
    }
    const Result<SchedulerSpec> contender = contender_of(settings, settings.configurations.front());
    if (!contender) return contender.error();
    const Result<std::string> plugin = find_plugin(tools, contender->plugin);
    if (!plugin) return plugin.error();
    if (!fs::exists(tools.probe)) return Error{tools.probe + ": there is no such file"};
    return Ok{};
}

std::vector<AblationRow> run_ablation(const AblationSettings &settings, const Toolbox &tools,
                                      const std::vector<AblationRow> &earlier,
                                      const ReportProgress &progress,
                                      const ReportAblationRows &report_rows) {
    return Ablation(settings, tools, earlier, progress, report_rows).run();
}

}  // namespace autoschedule_gpu
