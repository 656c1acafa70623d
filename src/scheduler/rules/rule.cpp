#include "scheduler/rules/rule.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace autoschedule_gpu {

namespace {

// "1,152"; "12.5" where it is no whole number.
std::string with_commas(double value) {
    char digits[64];
    std::snprintf(digits, sizeof digits, value == std::floor(value) ? "%.0f" : "%.1f", value);
    std::string text = digits;
    const size_t first = value < 0 ? 1 : 0;
    for (size_t end = std::min(text.find('.'), text.size()); end > first + 3; end -= 3) {
        text.insert(end - 3, ",");
    }
    return text;
}

}  // namespace

std::string why(const RuleInfo &rule, const Finding &finding) {
    if (finding.unit == nullptr) return rule.sentence;
    return with_commas(finding.found) + " " + finding.unit + ", " + rule.whose_limit +
           (finding.found < finding.allowed ? " asks for " : " allows ") +
           with_commas(finding.allowed);
}

}  // namespace autoschedule_gpu
