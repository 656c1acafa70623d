#include "plugins/extensions/added_rules.h"

#include "plugins/extensions/plain_nest.h"

namespace autoschedule_gpu {
namespace {

template <typename Candidate>
RuleInfo info_of(const api::Rule<Candidate> &rule) {
    return {.name = rule.name, .sentence = rule.sentence, .in_force = rule.in_force};
}

TilingRule rule_of(const api::TilingRule &rule) {
    return {.info = info_of(rule), .check = [rule](const TilingCandidate &candidate) -> Verdict {
                const api::Stage stage =
                    plain_stage_at_root(candidate.dag, candidate.stage, candidate.tiling);
                return rule.check({candidate.gpu, stage});
            }};
}

FusionRule rule_of(const api::FusionRule &rule) {
    return {.info = info_of(rule), .check = [rule](const FusionCandidate &candidate) -> Verdict {
                const api::Kernel kernel =
                    plain_kernel(candidate.dag, candidate.gpu, candidate.kernel);
                return rule.check(
                    {candidate.gpu,
                     kernel,
                     candidate.dag.func(candidate.func).name,
                     candidate.site == nullptr ? MemoryKind::shared : MemoryKind::registers,
                     {candidate.extents.begin(), candidate.extents.end()}});
            }};
}

KernelRule rule_of(const api::KernelRule &rule) {
    return {.info = info_of(rule), .check = [rule](const KernelCandidate &candidate) -> Verdict {
                const api::Kernel kernel =
                    plain_kernel(candidate.dag, candidate.gpu, candidate.kernel);
                return rule.check({candidate.gpu, kernel});
            }};
}

}  // namespace

std::vector<AnyRule> added_rules(std::span<const Extension> extensions) {
    std::vector<AnyRule> rules;
    for (const Extension &extension : extensions) {
        const api::Library &added = extension.added;
        for (const auto &rule : added.tiling_rules) rules.push_back(rule_of(rule));
        for (const auto &rule : added.fusion_rules) rules.push_back(rule_of(rule));
        for (const auto &rule : added.kernel_rules) rules.push_back(rule_of(rule));
    }
    return rules;
}

}  // namespace autoschedule_gpu
