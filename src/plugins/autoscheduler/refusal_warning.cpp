#include "plugins/autoscheduler/refusal_warning.h"

#include <algorithm>

namespace autoschedule_gpu {

namespace {

// What a schedule is that was not the search's own; empty for those that were.
std::string_view told(std::string_view attempt, Instead instead) {
    if (attempt == to_string(Attempt::no_fusion)) return "computes no Func in another one's kernel";
    if (attempt == to_string(Attempt::plain)) return "has a simple kernel for each Func";
    if (attempt == to_string(Attempt::host)) return "runs on the host";
    return instead == Instead::whole_reductions ? "has whole reductions only" : "";
}

}  // namespace

std::optional<std::string> refusal_warning(std::span<const RefusedAttempt> refused,
                                           std::string_view attempt, Instead instead) {
    const std::string_view taken = told(attempt, instead);
    if (refused.empty() || taken.empty()) return std::nullopt;
    return "none of the best schedules can be used (" + std::to_string(refused.size()) +
           " were refused). The one that is taken instead " + std::string(taken) +
           ", and may be several times slower. The first was refused because: " +
           first_line(refused.front().error) + " (autoscheduler.report=FILE has all reasons.)";
}

std::string first_line(const std::string &reason) {
    constexpr size_t kMost = 200;  // characters
    std::string line = reason.substr(0, std::min(kMost, reason.find('\n')));
    if (line.size() < reason.size()) line += " [...]";
    return line;
}

}  // namespace autoschedule_gpu
