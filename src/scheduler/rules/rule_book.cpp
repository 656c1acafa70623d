#include "scheduler/rules/rule_book.h"

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "scheduler/rules/families.h"

namespace autoschedule_gpu {

// ---- counts

void RuleCounts::count(RuleId rule, uint64_t candidates) {
    if (candidates == 0) return;  // equal counts are equal vectors
    if (rule.index() < kFirst) {
        first_[rule.index()] += candidates;
        return;
    }
    const size_t index = rule.index() - kFirst;
    if (index >= more_.size()) more_.resize(index + 1);
    more_[index] += candidates;
}

void RuleCounts::add(const RuleCounts &more) {
    for (size_t r = 0; r < kFirst; ++r) first_[r] += more.first_[r];
    if (more.more_.size() > more_.size()) more_.resize(more.more_.size());
    for (size_t r = 0; r < more.more_.size(); ++r) more_[r] += more.more_[r];
}

uint64_t RuleCounts::operator[](RuleId rule) const {
    if (rule.index() < kFirst) return first_[rule.index()];
    const size_t index = rule.index() - kFirst;
    return index < more_.size() ? more_[index] : 0;
}

uint64_t RuleCounts::total() const {
    return std::accumulate(more_.begin(), more_.end(),
                           std::accumulate(first_.begin(), first_.end(), uint64_t{0}));
}

// ---- rules

RuleBook::RuleBook() {
    for (const auto &family :
         {named_rules, nesting_rules, hardware_rules, register_rules, recompute_rules, size_rules,
          code_rules, parallelism_rules, atomics_rules}) {
        for (const AnyRule &rule : family()) (void)add(rule).value();
    }
    built_in_ = infos_.size();
}

RuleBook RuleBook::without_added() const {
    RuleBook book = *this;
    std::fill(book.on_.begin() + static_cast<std::ptrdiff_t>(built_in_), book.on_.end(), 0);
    return book;
}

Result<RuleId> RuleBook::add_info(const RuleInfo &info) {
    const std::optional<RuleId> known = find(info.name);
    if (!known) {
        infos_.push_back(info);
        on_.push_back(info.in_force != InForce::on_request);
        return RuleId(infos_.size() - 1);
    }
    if ((*this)[*known] == info) return *known;
    return Error{"There are two rules of the name \"" + info.name + "\": \"" +
                 (*this)[*known].sentence + "\" and \"" + info.sentence + "\"."};
}

Result<RuleId> RuleBook::add(const AnyRule &any) {
    return std::visit(
        [&](const auto &rule) -> Result<RuleId> {
            using Kind = std::decay_t<decltype(rule)>;
            if constexpr (std::is_same_v<Kind, RuleInfo>) {
                return add_info(rule);
            } else {
                const Result<RuleId> id = add_info(rule.info);
                if (!id) return id;
                if constexpr (std::is_same_v<Kind, TilingRule>) {
                    tiling_.push_back({*id, rule.asked, rule.check});
                } else if constexpr (std::is_same_v<Kind, FusionRule>) {
                    fusion_.push_back({*id, rule.asked, rule.check});
                } else {
                    kernel_.push_back({*id, rule.asked, rule.check});
                    if (rule.asked == KernelCandidate::Asked::early) {
                        early_kernel_.push_back(kernel_.back());
                    }
                }
                return id;
            }
        },
        any);
}

std::optional<RuleId> RuleBook::find(std::string_view name) const {
    for (size_t i = 0; i < infos_.size(); ++i) {
        if (infos_[i].name == name) return RuleId(i);
    }
    return std::nullopt;
}

// ---- questions

template <typename Candidate, typename IsAsked>
std::optional<Rejection> RuleBook::first(const Checks<Candidate> &checks,
                                         const Candidate &candidate, IsAsked is_asked) const {
    for (const Check<Candidate> &check : checks) {
        if (!is_asked(check.asked) || !has(check.rule)) continue;
        if (const Verdict no = check.function(candidate)) return Rejection{check.rule, *no};
    }
    return std::nullopt;
}

std::optional<Rejection> RuleBook::rejection(const TilingCandidate &candidate,
                                             TilingCandidate::Asked asked) const {
    return first(tiling_, candidate, [&](TilingCandidate::Asked when) { return when == asked; });
}

std::optional<Rejection> RuleBook::rejection(const FusionCandidate &candidate) const {
    return first(fusion_, candidate, [](FusionCandidate::Asked) { return true; });
}

std::optional<Rejection> RuleBook::rejection(const KernelCandidate &candidate,
                                             KernelCandidate::Asked asked) const {
    const auto &checks = asked == KernelCandidate::Asked::early ? early_kernel_ : kernel_;
    return first(checks, candidate, [](KernelCandidate::Asked) { return true; });
}

std::vector<RuleId> RuleBook::tiling_rules(TilingCandidate::Asked asked) const {
    std::vector<RuleId> rules;
    for (const Check<TilingCandidate> &check : tiling_) {
        if (check.asked == asked && has(check.rule)) rules.push_back(check.rule);
    }
    return rules;
}

Verdict RuleBook::wish(RuleId rule, const TilingCandidate &candidate) const {
    for (const Check<TilingCandidate> &check : tiling_) {
        if (check.rule != rule || check.asked != TilingCandidate::Asked::wish) continue;
        if (const Verdict no = check.function(candidate)) return no;
    }
    return std::nullopt;
}

std::string RuleBook::text(const Rejection &rejection) const {
    const RuleInfo &rule = (*this)[rejection.rule];
    return rule.name + ": " + why(rule, rejection.why);
}

}  // namespace autoschedule_gpu
