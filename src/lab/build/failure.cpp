#include "lab/build/failure.h"

#include <algorithm>

namespace autoschedule_gpu {

std::optional<FailureKind> find_failure_kind(std::string_view name) {
    const auto found = std::find(kFailureKindNames.begin(), kFailureKindNames.end(), name);
    if (found == kFailureKindNames.end()) return std::nullopt;
    return static_cast<FailureKind>(found - kFailureKindNames.begin());
}

}  // namespace autoschedule_gpu
