#include "lab/build/step.h"

#include <cctype>
#include <csignal>
#include <cstring>

#include "core/support/free_space.h"
#include "lab/build/full_disk.h"

namespace autoschedule_gpu {

namespace {

std::string seconds_text(std::chrono::milliseconds time) {
    std::string text = std::to_string(time.count() / 1000);
    const int64_t tenths = time.count() % 1000 / 100;
    if (tenths > 0) text += "." + std::to_string(tenths);
    return text + " s";
}

// Returns the last line, in which programs say what they are about to do, or why they end.
std::string last_line(const std::string &text) {
    const size_t end = text.find_last_not_of(" \t\r\n");
    if (end == std::string::npos) return {};
    const size_t begin = text.find_last_of('\n', end);
    return text.substr(begin == std::string::npos ? 0 : begin + 1, end - (begin + 1) + 1);
}

std::string with_last_words(std::string reason, const ProcessResult &result) {
    const std::string line = in_one_line(last_line(result.err));
    return line.empty() ? reason : reason + "; its last words: " + line;
}

}  // namespace

Outcome<ProcessResult> run_step(const std::string &who, const std::vector<std::string> &command,
                                const std::string &folder, const StepLimits &limits) {
    return end_of_step(who, command, folder, limits,
                       run_process(command, limits.timeout, limits.memory_bytes));
}

Outcome<ProcessResult> end_of_step(const std::string &who, const std::vector<std::string> &command,
                                   const std::string &folder, const StepLimits &limits,
                                   Result<ProcessResult> result) {
    constexpr int64_t kMiB = int64_t{1} << 20;
    Failure failure{.command = shell_text(command)};
    if (!result) {
        failure.reason = result.error().message;
        return failure;
    }
    if (result->end == ProcessEnd::exited && result->code == 0) return std::move(result).value();
    failure.output = end_of_output(*result);
    if (auto reason = full_disk_reason(*result, folder, free_bytes_of(folder))) {
        failure.reason = *std::move(reason);
        return failure;
    }
    switch (result->end) {
        case ProcessEnd::exited:
            return std::move(result).value();
        case ProcessEnd::timed_out:
            failure.kind = FailureKind::timeout;
            failure.reason = with_last_words(
                who + " did not end within " + seconds_text(limits.timeout), *result);
            break;
        case ProcessEnd::out_of_memory:
            failure.kind = FailureKind::resource;
            failure.reason = who + " used more than " + std::to_string(limits.memory_bytes / kMiB) +
                             " MiB of memory";
            break;
        case ProcessEnd::killed_by_signal:
            // Programs do not end themselves like that: the system was short of memory, or somebody
            // killed it.
            failure.kind = result->code == SIGKILL ? FailureKind::lost : FailureKind::crash;
            failure.reason =
                with_last_words(who + " was ended by signal " + std::to_string(result->code) +
                                    " (" + strsignal(result->code) + ")",
                                *result);
            break;
    }
    return failure;
}

StepCost cost_of(const ProcessResult &result) {
    return {.wall_s = result.wall_s, .peak_memory_bytes = result.peak_memory_bytes};
}

std::string end_of_output(const ProcessResult &result) {
    constexpr size_t kMost = 4000;
    std::string text = result.out + result.err;
    if (text.size() > kMost) text.erase(0, text.size() - kMost);
    return text;
}

std::string in_one_line(std::string_view message) {
    constexpr size_t kMost = 400;
    std::string line;
    for (const char c : message) {
        const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
        if (!blank) {
            line += c;
        } else if (!line.empty() && line.back() != ' ') {
            line += ' ';
        }
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    if (line.size() > kMost) line = line.substr(0, kMost) + " ...";
    return line;
}

}  // namespace autoschedule_gpu
