// The rules of one search, in three lists: those about tilings, about Funcs inside kernels, and
// about kernels. The built-in ones come first (families.h); a user's are added.
//
//     RuleBook rules;
//     rules.add(TilingRule{...});                       in force from now on
//     rules.switch_off(rules.find("idle_sms").value());
//     if (const auto no = rules.rejection(candidate)) counts.count(no->rule);
//
// A list is asked in the order in which its rules were added, and the first that says no rejects
// the candidate. May be read from any thread, and copied, once all rules are added.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/error.h"
#include "scheduler/rules/rule.h"

namespace autoschedule_gpu {

// How many candidates each rule rejected.
class RuleCounts {
public:
    void count(RuleId rule, uint64_t candidates = 1);
    void add(const RuleCounts &more);
    uint64_t operator[](RuleId rule) const;
    uint64_t total() const;

    friend bool operator==(const RuleCounts &, const RuleCounts &) = default;

private:
    // Counts are made by the thousand while options are listed, so those of the first rules, all
    // that come with the scheduler, need no allocation.
    static constexpr size_t kFirst = 32;
    std::array<uint64_t, kFirst> first_{};  // by RuleId
    std::vector<uint64_t> more_;            // by RuleId - kFirst, as far as something was counted
};

class RuleBook {
public:
    RuleBook();  // the built-in rules, in force as they say

    // The rule's id. An error if there is another rule of that name, which says something else.
    Result<RuleId> add(const AnyRule &rule);

    // The book with the rules that were added switched off.
    RuleBook without_added() const;

    size_t size() const { return infos_.size(); }
    const RuleInfo &operator[](RuleId rule) const { return infos_[rule.index()]; }
    std::optional<RuleId> find(std::string_view name) const;

    bool has(RuleId rule) const { return on_[rule.index()] != 0; }  // it is in force
    bool can_switch(RuleId rule) const { return (*this)[rule].in_force != InForce::always; }
    void switch_off(RuleId rule) { on_[rule.index()] = !can_switch(rule); }
    void switch_on(RuleId rule) { on_[rule.index()] = 1; }

    // The first rule in force that says no, of those that are asked then.
    std::optional<Rejection> rejection(const TilingCandidate &candidate,
                                       TilingCandidate::Asked asked) const;
    std::optional<Rejection> rejection(const FusionCandidate &candidate) const;
    // With `complete`, rules that are asked early are asked again.
    std::optional<Rejection> rejection(const KernelCandidate &candidate,
                                       KernelCandidate::Asked asked) const;

    // Rules in force about tilings that are asked then, one after the other.
    std::vector<RuleId> tiling_rules(TilingCandidate::Asked asked) const;
    // What one that is asked as a wish says.
    Verdict wish(RuleId rule, const TilingCandidate &candidate) const;

    // For people: "hardware_threads: 1,152 threads per block, the device allows 1,024".
    std::string text(const Rejection &rejection) const;

private:
    template <typename Candidate>
    struct Check {
        RuleId rule;
        typename Candidate::Asked asked;
        std::function<Verdict(const Candidate &)> function;
    };
    template <typename Candidate>
    using Checks = std::vector<Check<Candidate>>;

    template <typename Candidate, typename IsAsked>
    std::optional<Rejection> first(const Checks<Candidate> &checks, const Candidate &candidate,
                                   IsAsked is_asked) const;
    Result<RuleId> add_info(const RuleInfo &info);

    std::vector<RuleInfo> infos_;  // by RuleId
    size_t built_in_ = 0;          // of these, the first
    std::vector<uint8_t> on_;      // by RuleId
    Checks<TilingCandidate> tiling_;
    Checks<FusionCandidate> fusion_;
    Checks<KernelCandidate> kernel_;
    Checks<KernelCandidate> early_kernel_;  // those of kernel_ that are asked early
};

}  // namespace autoschedule_gpu
