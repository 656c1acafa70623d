// A rule as a value: a name, a sentence, when it is in force, and a function that says no to a
// candidate, with what it found and what it allows.
//
//     TilingRule{{"wide_blocks", "a block of less than 64 threads"},
//                TilingCandidate::Asked::complete,
//                [](const TilingCandidate &c) -> Verdict {
//                    if (c.threads >= 64) return std::nullopt;
//                    return Finding{double(c.threads), 64, "threads per block"};
//                }}
//
// The function is pure: the same answer for the same candidate, from any thread. The search asks it
// some thousand times per step, so it makes no text.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "autoschedule_gpu/rule.h"
#include "core/support/strong_id.h"
#include "scheduler/rules/candidates.h"

namespace autoschedule_gpu {

using api::InForce;

struct RuleInfo {
    std::string name;      // a word, as reports and parameters have it
    std::string sentence;  // what is rejected
    InForce in_force = InForce::by_default;
    std::string whose_limit = "the rule";  // or "the device": who allows no more

    friend bool operator==(const RuleInfo &, const RuleInfo &) = default;
};

using api::Finding;
using Verdict = std::optional<Finding>;  // nullopt: nothing

template <typename Candidate>
struct Rule {
    RuleInfo info;
    typename Candidate::Asked asked = Candidate::Asked::complete;
    std::function<Verdict(const Candidate &)> check;
};
using TilingRule = Rule<TilingCandidate>;
using FusionRule = Rule<FusionCandidate>;
using KernelRule = Rule<KernelCandidate>;

// A rule without a function is one that whoever lists decisions finds broken (named_rules.h). Rules
// of one name are one rule, which is asked about several kinds of candidates.
using AnyRule = std::variant<RuleInfo, TilingRule, FusionRule, KernelRule>;

// An index into a RuleBook.
using RuleId = StrongId<struct RuleTag>;

struct Rejection {
    RuleId rule;
    Finding why = {};
};

// "1,152 threads per block, the device allows 1,024"; the rule's sentence where nothing is counted.
std::string why(const RuleInfo &rule, const Finding &finding);

}  // namespace autoschedule_gpu
