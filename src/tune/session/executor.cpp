#include "tune/session/executor.h"

#include <algorithm>

#include "core/support/hash.h"
#include "core/support/hex.h"

namespace autoschedule_gpu {

std::string label_of(const Comparison &comparison, std::span<Trial *const> trials) {
    std::vector<uint64_t> codes;
    for (const Trial *trial : trials) codes.push_back(trial->code_hash);
    std::sort(codes.begin(), codes.end());
    Hasher hasher;
    for (uint64_t code : codes) hasher.add(code);
    const std::string part = comparison.part > 1 ? " " + std::to_string(comparison.part) : "";
    return comparison.name + part + " " + to_hex(hasher.value());
}

bool is_complete(std::span<const double> times_ms, const Comparison &comparison) {
    return times_ms.size() >= static_cast<size_t>(comparison.rounds);
}

std::vector<ComparedTimes> first_measurements(std::span<Trial *const> trials,
                                              const Comparison &comparison) {
    std::vector<ComparedTimes> times(trials.size(), std::vector<double>());
    if (comparison.part > 1) return times;
    for (size_t i = 0; i < trials.size(); ++i) times[i] = trials[i]->samples_ms;
    return times;
}

Result<std::vector<Trial>> attempt(Executor &executor, std::span<const ScheduleRequest> requests,
                                   std::optional<double> best_ms) {
    std::vector<Trial> trials(requests.size());
    std::vector<Trial *> all;
    for (size_t i = 0; i < requests.size(); ++i) {
        trials[i].draw = requests[i];
        all.push_back(&trials[i]);
    }
    if (Status measured = executor.measure(all, best_ms); !measured) return measured.error();
    return trials;
}

}  // namespace autoschedule_gpu
