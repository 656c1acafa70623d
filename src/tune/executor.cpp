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
    return comparison.name + " " + to_hex(hasher.value());
}

std::vector<ComparedTimes> first_measurements(std::span<Trial *const> trials) {
    std::vector<ComparedTimes> times;
    for (const Trial *trial : trials) times.push_back(trial->samples_ms);
    return times;
}

}  // namespace autoschedule_gpu
