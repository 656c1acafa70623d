#include "tune/executor.h"

#include <algorithm>

#include "support/hash.h"
#include "support/hex.h"

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

std::vector<ComparedTimes> first_measurements(std::span<Trial *const> trials,
                                              const Comparison &comparison) {
    std::vector<ComparedTimes> times(trials.size(), std::vector<double>());
    if (comparison.part > 1) return times;
    for (size_t i = 0; i < trials.size(); ++i) times[i] = trials[i]->samples_ms;
    return times;
}

}  // namespace autoschedule_gpu
