// What users are told where the best schedules of a search can't be used.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "plugins/autoscheduler/acceptance.h"

namespace autoschedule_gpu {

// What became of reductions that were to be taken apart.
enum class Instead : uint8_t { nothing, whole_reductions };

// Nothing where none was refused, or what is taken is one of the search's own, of which only
// cheaper ones were refused.
std::optional<std::string> refusal_warning(std::span<const RefusedAttempt> refused,
                                           std::string_view attempt, Instead instead);

// Of a reason, which may be as long as Halide's are, what a warning has room for.
std::string first_line(const std::string &reason);

}  // namespace autoschedule_gpu
