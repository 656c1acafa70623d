#include "plugins/autoscheduler/narration.h"

#include <algorithm>
#include <cstdio>

#include "core/support/narration.h"
#include "plugins/autoscheduler/chosen_kernels.h"
#include "scheduler/factors/no_parts.h"

namespace autoschedule_gpu {
namespace {

constexpr double kMostElements = 2147483647;

std::string printed(const char *format, double value) {
    char text[64];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

// "59.1 us", "1.23 ms", "4.56 s"
std::string time_text(double ns) {
    if (ns < 1e6) return printed("%.1f us", ns / 1e3);
    if (ns < 1e9) return printed("%.2f ms", ns / 1e6);
    return printed("%.2f s", ns / 1e9);
}

std::string counted(size_t count, const std::string &what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string kernels_text(const ChosenSchedule &chosen) {
    if (chosen.attempt == "host") return "all on the host";
    if (const auto &lowered = chosen.accepted.lowered) {
        return counted(static_cast<size_t>(
                           std::ranges::count(lowered->kernels, true, &KernelLaunch::at_estimates)),
                       "kernel");
    }
    if (chosen.complete) return counted(in_launches(chosen.complete->state.nest).size(), "kernel");
    return "kernels not counted";
}

// Of parts of the search that have but a share of the time, as the comparison of reductions.
std::string share_text(const StopReason &reason, double time_limit_s) {
    constexpr double kLeastShare = 0.01, kMostShare = 0.99;
    const double share = reason.limit / time_limit_s;
    if (!(share > kLeastShare && share < kMostShare)) return "";
    return ", of which the part that was cut has " + printed("%.3g s", reason.limit);
}

std::string end_text(const ScheduleTask &task, const ChosenSchedule &chosen) {
    if (!chosen.search) {
        return "the schedule was given (" + chosen.attempt + ")" +
               (chosen.complete ? "" : ", and has no featurization");
    }
    const StopReason &reason = chosen.search->stop_reason;
    switch (reason.kind) {
        case StopReason::Kind::completed:
            return "search completed";
        case StopReason::Kind::time_limit:
            return "search cut short by autoscheduler.time_limit_s=" +
                   printed("%g", task.parameters.time_limit_s) +
                   share_text(reason, task.parameters.time_limit_s);
        case StopReason::Kind::effort_limit:
            return "search cut short by its limit on effort, which grows with "
                   "autoscheduler.time_limit_s";
    }
    return "";
}

// "; 1 Func kept as scheduled by hand (out)"; of many Funcs the first few.
std::string kept_text(const Dag &dag) {
    constexpr size_t kMost = 4;
    size_t kept = 0;
    std::string names;
    for (const Func &func : dag.funcs) {
        if (func.user_directives.empty() || func.ours != Func::Ours::nothing) continue;
        if (++kept <= kMost) names += (names.empty() ? "" : ", ") + func.name;
    }
    if (kept == 0) return "";
    return "; " + counted(kept, "Func") + " kept as scheduled by hand (" + names +
           (kept > kMost ? ", ..." : "") + ")";
}

// "pass: 67.7 us after 0.41 s, 1234 states"
std::string part_text(const SearchPart &part) {
    std::string text = part.attempt.empty() ? part.name : part.attempt + ", " + part.name;
    if (part.cost_after > 0) text += ": " + time_text(part.cost_after);
    return text + " after " + printed("%.2f s", part.seconds) + ", " +
           counted(part.states, "state");
}

std::string buffer_text(const Func &func) {
    return std::string(func.is_input() ? "input " : "output ") + func.name;
}

}  // namespace

std::string narrate(const ScheduleTask &task, const std::string &gpu_origin,
                    const ChosenSchedule &chosen, double seconds) {
    if (task.parameters.verbose == 0) return "";
    const std::string head(kNarration);
    std::string text;
    if (task.parameters.verbose > 1 && chosen.search) {
        for (const SearchPart &part : chosen.search->parts) text += head + part_text(part) + "\n";
    }
    const std::string predicted = chosen.complete
                                      ? time_text(chosen.complete->state.cost) + " predicted"
                                      : "no time predicted";
    const bool guesses = task.spill_check.guesses() && chosen.attempt != "host";
    return text + head + task.gpu.name + " (" + gpu_origin + "), " + kernels_text(chosen) + ", " +
           predicted + "; " + printed("%.1f s", seconds) + ", " + end_text(task, chosen) +
           kept_text(task.as_read) + (guesses ? "; spills are guessed without ptxas" : "") + "\n";
}

std::vector<std::string> absurd_estimates(const Dag &dag) {
    std::vector<std::string> found;
    for (const Func &func : dag.funcs) {
        if (!func.is_input() && !func.is_output()) continue;
        double elements = 1;
        for (const Dimension &dim : func.dims) {
            elements *= static_cast<double>(dim.estimate.extent());
        }
        if (elements >= 1 && elements <= kMostElements) continue;
        found.push_back(
            buffer_text(func) +
            (elements < 1 ? " has nothing in it by its estimates: an extent is 0 or less"
                          : " has " + printed("%.3g", elements) +
                                " elements by its estimates, more than the 2^31 - 1 of Halide's "
                                "buffers") +
            ". Set estimates of the sizes that it will have, for they decide the schedule.");
    }
    return found;
}

std::vector<std::string> missing_parts(const Dag &dag, const Schedule &schedule) {
    std::vector<std::string> found;
    for (const StageId stage : may_have_no_parts(dag, schedule)) {
        found.push_back(
            "the reduction " + describe_stage(dag.func_of(stage).name, dag.stage(stage).index) +
            " is taken apart, and may run no time: then the program ends, for Halide's runtimes "
            "take no buffer without an element. Where that can happen, keep it whole by "
            "autoscheduler.disable_decisions=rfactor.");
    }
    return found;
}

}  // namespace autoschedule_gpu
