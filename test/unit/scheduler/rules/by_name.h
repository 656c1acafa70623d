// Built-in rules by their names, for tests.
#pragma once

#include <cstdint>
#include <string_view>

#include "scheduler/rules/rule_book.h"

namespace autoschedule_gpu::example {

inline RuleId id_of(std::string_view name) {
    return RuleBook().find(name).value();
}

inline uint64_t counted(const RuleCounts &counts, std::string_view name) {
    return counts[id_of(name)];
}

inline RuleBook without(std::string_view name) {
    RuleBook rules;
    rules.switch_off(id_of(name));
    return rules;
}

}  // namespace autoschedule_gpu::example
