// judge_model: what the plugin's cost model says of schedules whose time somebody knows.
#include <iostream>

#include "common/command_line.h"
#include "common/progress_line.h"
#include "common/tool_paths.h"
#include "compare/judged/counted.h"
#include "compare/judged/tables.h"
#include "compare/schedulers/toolbox.h"
#include "core/support/file.h"
#include "present/terminal.h"

namespace {

using namespace autoschedule_gpu;

constexpr FailureOf fail("judge_model");

Result<JudgeRequest> request_of(const std::string &data, const std::string &generators,
                                const std::vector<std::string> &params) {
    const ToolPaths paths = tool_paths("");
    const Toolbox tools{.probe = paths.probe, .plugin_folders = paths.plugin_folders};
    const Result<std::string> plugin = find_plugin(tools, "libautoschedule_gpu.so");
    if (!plugin) return plugin.error();
    JudgeRequest request{.data = absolute_path(data),
                         .generators = generators.empty() ? paths.bin_folder : generators,
                         .plugin = *plugin};
    for (const std::string &param : params) {
        const size_t equals = param.find('=');
        if (equals == param.npos) return Error{"--param: '" + param + "' is no NAME=VALUE"};
        request.parameters.emplace_back(param.substr(0, equals), param.substr(equals + 1));
    }
    if (Status free = check_parameters(request.parameters); !free) {
        return Error{"--param: " + free.error().message};
    }
    return request;
}

// Who is judged.
enum class Judged : uint8_t { cost_model, counted };

Outcome<std::vector<JudgedSchedule>> judge_all(const JudgeRequest &request, Judged who,
                                               const std::vector<SimulatedSchedule> &schedules,
                                               const std::function<void(size_t)> &done) {
    if (who == Judged::cost_model) return judge(request, schedules, done);
    return judge_counted(request, tool_paths("").probe, schedules, done);
}

int run(const JudgeRequest &request, Judged who) {
    const auto schedules = read_simulated(request.data);
    if (!schedules) return fail(schedules.error().message, kBadUsage);
    ProgressLine line;
    const int total = static_cast<int>(schedules->size());
    const auto judged = judge_all(request, who, *schedules, [&](size_t done) {
        const bool more = done < schedules->size();
        line.show(static_cast<int>(done), total, more ? (*schedules)[done].application : "");
    });
    line.clear();
    if (!judged) return fail(judged.error().reason + "\n" + judged.error().command, kFailed);
    std::cout << terminal_text(judgement_tables(*judged)) << judgement_line(*judged) << "\n";
    return 0;
}

}  // namespace

int main(int argc, char **argv) {
    CommandLine line({
        .name = "judge_model",
        .what = "What the plugin's cost model predicts for schedules with known times, and "
                "how well it ranks them: pairs in the right order, the worst inversion and "
                "the regret of its first choice per application, and predicted over known "
                "times by resource. The last line is `pairs N pairwise P regret R`; a regret "
                "of 0.04 is a loss of 4 %.",
        .examples = "judge_model --data test/judge"
                    "\n"
                    "judge_model --data test/judge --param model=analytical",
        .statuses = "0 judged, 1 a schedule could not be made again, 2 bad usage",
    });
    std::string data, generators;
    std::vector<std::string> params;
    bool counted = false;
    line.app()
        .add_option("--data", data, "folder of schedules.jsonl.xz and device.json")
        ->required()
        ->check(CLI::ExistingDirectory);
    line.app().add_option(
        "--param", params,
        "KEY=VALUE for the plugin, such as model=analytical; not of gpu, decisions, "
        "disable_decisions, ptxas and report, which this program sets");
    line.app().add_option("--generators", generators,
                          "folder of NAME.generator; default: beside this");
    line.app().add_flag(
        "--counted", counted,
        "judge what is counted in the lowered code instead, which also compares schedules "
        "in compare_autoschedulers; the experts' schedules are among them");
    if (const auto done = line.parse(argc, argv)) return *done;
    const Result<JudgeRequest> request = request_of(data, generators, params);
    if (request) return run(*request, counted ? Judged::counted : Judged::cost_model);
    return fail(request.error().message, kBadUsage);
}
