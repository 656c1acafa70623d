#include "space/rules.h"

namespace autoschedule_gpu {

namespace {

struct RuleInfo {
    std::string_view name;
    InForce in_force;
    std::string_view meaning;
};

constexpr RuleInfo kRules[] = {
#define X(name, in_force, meaning) {#name, InForce::in_force, meaning},
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
InForce in_force(Rule rule) {
    return info(rule).in_force;
}

RuleSet::RuleSet() {
    for (size_t i = 0; i < kRuleCount; ++i) on_[i] = kRules[i].in_force != InForce::on_request;
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
