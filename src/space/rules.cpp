#include "space/rules.h"

namespace autoschedule_gpu {

namespace {

struct RuleInfo {
    std::string_view name;
    bool optional;
    std::string_view meaning;
};

constexpr RuleInfo kRules[] = {
#define X(name, optional, meaning) {#name, optional, meaning},
    AUTOSCHEDULE_GPU_RULES(X)
#undef X
};

const RuleInfo &info(Rule rule) {
    return kRules[static_cast<size_t>(rule)];
}

}  // namespace

std::string_view name(Rule rule) {
    return info(rule).name;
}
std::string_view meaning(Rule rule) {
    return info(rule).meaning;
}
bool can_switch_off(Rule rule) {
    return info(rule).optional;
}

void add(RuleCounts &counts, const RuleCounts &more) {
    for (size_t r = 0; r < kRuleCount; ++r) counts[r] += more[r];
}

std::optional<Rule> find_rule(std::string_view wanted) {
    for (size_t i = 0; i < kRuleCount; ++i) {
        if (kRules[i].name == wanted) return static_cast<Rule>(i);
    }
    return std::nullopt;
}

}  // namespace autoschedule_gpu
