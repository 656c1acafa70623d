// The kinds of decisions that can be switched off (autoscheduler.disable_decisions): one list, from
// which names, errors and the parameter's help come. What a kind decides is then as without it.
#pragma once

#include <span>
#include <string_view>

namespace autoschedule_gpu {

struct OptionalKind {
    std::string_view name;  // as in lists of decisions
    std::string_view help;  // a sentence
};

std::span<const OptionalKind> optional_kinds();

}  // namespace autoschedule_gpu
