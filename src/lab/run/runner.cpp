#include "lab/run/runner.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <utility>

#include "lab/build/step.h"
#include "lab/run/exact_text.h"
#include "lab/run/runner_exit.h"
#include "lab/run/time_limit.h"

namespace autoschedule_gpu {

namespace {

std::string folder_of(const std::string &path) {
    return std::filesystem::path(path).parent_path().string();
}

double seconds_of(std::chrono::milliseconds time) {
    return std::chrono::duration<double>(time).count();
}

bool is_time(double ms) {
    return std::isfinite(ms) && ms > 0;
}

std::string_view last_line(std::string_view text) {
    while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
    const size_t begin = text.rfind('\n');
    return begin == std::string_view::npos ? text : text.substr(begin + 1);
}

// What the runner said last, from the line on that begins with its name: before that it announces
// each step so.
std::string_view last_words(std::string_view text) {
    constexpr std::string_view kName = "pipeline_runner: ";
    const size_t begin = text.rfind(kName);
    return begin == std::string_view::npos ? text : text.substr(begin);
}

// Returns what became of a command that an executor of a user's library ran.
Result<ProcessResult> run_by(const api::Executor &executor, const api::RunRequest &request) {
    api::RunResult result = executor.run(request);
    ProcessResult process{
        .code = result.code, .out = std::move(result.output), .err = std::move(result.errors)};
    switch (result.end) {
        case api::RunEnd::exited:
            return process;
        case api::RunEnd::killed_by_signal:
            process.end = ProcessEnd::killed_by_signal;
            return process;
        case api::RunEnd::timed_out:
            process.end = ProcessEnd::timed_out;
            return process;
        case api::RunEnd::lost:  // as a process that somebody else killed
            process.end = ProcessEnd::killed_by_signal;
            process.code = SIGKILL;
            return process;
        case api::RunEnd::not_started:
            break;
    }
    return Error{"the executor \"" + std::string(executor.name()) +
                 "\" could not start the run: " + in_one_line(process.err)};
}

// Runs a command that limits its own time, and that may wait for the device for long.
Result<ProcessResult> run_by_own_limit(const std::vector<std::string> &command) {
    Result<ProcessResult> result = run_process(command, std::chrono::hours{48});
    const bool timed_out =
        result && result->end == ProcessEnd::killed_by_signal && result->code == kTimeLimitSignal;
    if (!timed_out) return result;
    ProcessResult process = std::move(result).value();
    process.end = ProcessEnd::timed_out;
    return process;
}

Outcome<ProcessResult> ended_run(const Runner &runner, const std::vector<std::string> &command,
                                 const RunJob &job) {
    const std::string who = "the run", folder = folder_of(job.library);
    const StepLimits limits{.timeout = job.timeout};
    if (job.locks_device) {
        return end_of_step(who, command, folder, limits, run_by_own_limit(command));
    }
    if (runner.executor == nullptr) return run_step(who, command, folder, limits);
    return end_of_step(
        who, command, folder, limits,
        run_by(*runner.executor, {.command = command,
                                  .files = {runner.program, job.library, job.expected},
                                  .time_limit_s = seconds_of(job.timeout)}));
}

Outcome<RunReport> report_of(const Outcome<ProcessResult> &result,
                             const std::vector<std::string> &command, const std::string &who) {
    if (!result) return result.error();
    Failure failure{.command = shell_text(command), .output = end_of_output(*result)};
    if (result->code != static_cast<int>(RunnerExit::measured) &&
        result->code != static_cast<int>(RunnerExit::failed)) {
        failure.reason = in_one_line(last_words(result->err));
        return failure;
    }
    Result<RunReport> report = parse_run_report(last_line(result->out));
    if (!report) {
        failure.kind = FailureKind::crash;
        failure.reason = who + " left no report: " + report.error().message;
        return failure;
    }
    if (report->failure) {
        failure.kind = report->failure->kind;
        failure.reason = report->failure->reason;
        return failure;
    }
    if (const auto bad = std::ranges::find_if_not(report->samples_ms, is_time);
        bad != report->samples_ms.end()) {
        failure.kind = FailureKind::launch;
        failure.reason = "it reported a time of " + exact_text(*bad) + " ms";
        return failure;
    }
    return std::move(report).value();
}

}  // namespace

std::vector<std::string> reference_command(const std::string &runner, const ReferenceJob &job) {
    std::vector<std::string> command = {
        runner,   "reference", "--library",  job.library, "--name",
        job.name, "--out",     job.expected, "--seed",    std::to_string(job.seed)};
    for (const ExtentsOf &buffer : job.extents) {
        std::string text = buffer.argument + "=";
        for (size_t i = 0; i < buffer.extents.size(); i++) {
            text += (i > 0 ? "x" : "") + std::to_string(buffer.extents[i]);
        }
        command.insert(command.end(), {"--extents", text});
    }
    for (const std::string &input : to_texts(job.inputs)) {
        command.insert(command.end(), {"--input", input});
    }
    return command;
}

std::vector<std::string> run_command(const std::string &runner, const RunJob &job) {
    std::vector<std::string> command = {runner,          "run",
                                        "--library",     job.library,
                                        "--name",        job.name,
                                        "--expected",    job.expected,
                                        "--device",      std::string(to_string(job.device)),
                                        "--warmup",      std::to_string(job.noise.warmup_runs),
                                        "--samples",     std::to_string(job.noise.samples),
                                        "--time-budget", exact_text(job.noise.time_budget_s)};
    if (job.locks_device) {
        command.insert(command.end(), {"--lock-device", exact_text(seconds_of(job.timeout))});
    }
    if (job.tolerance.relative) {
        command.insert(command.end(), {"--tolerance", exact_text(*job.tolerance.relative)});
    }
    if (job.tolerance.integer_steps != 0) {
        command.insert(command.end(),
                       {"--integer-steps", std::to_string(job.tolerance.integer_steps)});
    }
    return command;
}

Outcome<RunReport> run_reference(const Runner &runner, const ReferenceJob &job) {
    const std::vector<std::string> command = reference_command(runner.program, job);
    const std::string who = "the reference";
    return report_of(run_step(who, command, folder_of(job.expected), {.timeout = job.timeout}),
                     command, who);
}

Outcome<RunReport> run_candidate(const Runner &runner, const RunJob &job) {
    const std::vector<std::string> command = run_command(runner.program, job);
    Outcome<RunReport> report = report_of(ended_run(runner, command, job), command, "the run");
    if (!report || report->verified) return report;
    return Failure{.kind = FailureKind::wrong_output,
                   .reason = "it did not compare its output with the reference",
                   .command = shell_text(command)};
}

}  // namespace autoschedule_gpu
