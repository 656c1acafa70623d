// Rules of users' libraries as rules of the search: the candidate is shown as plain data, and
// everything else stays as it is.
#pragma once

#include <span>
#include <vector>

#include "core/extensions/extensions.h"
#include "scheduler/rules/rule.h"

namespace autoschedule_gpu {

std::vector<AnyRule> added_rules(std::span<const Extension> extensions);

}  // namespace autoschedule_gpu
