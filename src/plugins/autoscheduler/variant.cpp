#include "plugins/autoscheduler/variant.h"

#include <algorithm>
#include <utility>

#include "core/dag/scans.h"
#include "core/dag/storage_order.h"
#include "halide/apply/apply.h"
#include "scheduler/decisions/names.h"
#include "scheduler/factors/factor_directives.h"
#include "scheduler/factors/made_funcs.h"
#include "scheduler/schedule/factors.h"
#include "scheduler/space/wrappers.h"

namespace autoschedule_gpu {
namespace {

std::shared_ptr<const Dag> shared(Dag dag) {
    return std::make_shared<const Dag>(std::move(dag));
}

Dag with_most_extents(Dag dag, const std::map<int, MadeFunc> &made) {
    for (Func &func : dag.funcs) {
        const auto found = made.find(func.halide_index);
        if (found == made.end()) continue;
        for (Dimension &dim : func.dims) {
            const auto most = found->second.most.find(dim.name);
            if (most != found->second.most.end()) dim.most_extent = most->second;
        }
    }
    return dag;
}

Result<Dag> read_with(const VariantSource &source, const Schedule &factors) {
    const Halide::Pipeline copy = deep_copy_pipeline(source.pipeline);
    const Result<std::vector<Halide::Func>> funcs = apply_factors(factors, copy);
    if (!funcs) return funcs.error();
    const std::map<int, MadeFunc> made = made_funcs(source.as_read, factors);
    std::map<int, std::string> factored;
    for (const auto &[number, func] : made) factored.emplace(number, func.name);
    for (const Func &func : source.as_read.funcs) {
        const bool is_taken_apart =
            std::ranges::find(factors, func.halide_index, &Directive::func) != factors.end();
        if (is_taken_apart) factored.emplace(func.halide_index, func.name);
    }
    Result<Dag> dag =
        read_factored(copy, *funcs, factored, source.target, source.respect, source.sizes);
    if (!dag) return dag;
    Dag with_extents = with_most_extents(std::move(dag).value(), made);
    forget_disabled(source.parameters, with_extents);
    return with_extents;
}

Result<PipelineVariant> made_by(const VariantSource &source, Schedule factors) {
    if (factors.empty()) return source.plain();
    Result<Dag> dag = read_with(source, factors);
    if (!dag) return dag.error();
    std::shared_ptr<const Dag> wrapped = shared(with_wrapped_reductions(*dag));
    return PipelineVariant{.decisions = {},
                           .factors = std::move(factors),
                           .read = shared(std::move(dag).value()),
                           .dag = std::move(wrapped)};
}

}  // namespace

Result<Dag> read_dag(const Halide::Pipeline &pipeline, const Halide::Target &target,
                     Respect respect, const Parameters &parameters, const GivenSizes &sizes) {
    Result<Dag> read = read_pipeline(pipeline, target, respect, sizes);
    if (!read) return read;
    Dag dag = std::move(read).value();
    forget_disabled(parameters, dag);
    return dag;
}

// Pipelines in which users have made wrappers stay whole: Halide numbers these last.
std::vector<Factorable> reductions_of(const Dag &dag, const GpuModel &gpu,
                                      const Parameters &parameters) {
    if (dag.has_user_wrappers || disables_decision(parameters, decision_kind::rfactor)) return {};
    return factorable_reductions(dag, gpu);
}

void forget_disabled(const Parameters &parameters, Dag &dag) {
    if (disables_decision(parameters, "vectors")) forget_aligned_rows(dag);
    if (disables_decision(parameters, "step_vectors")) forget_fours(dag);
    if (disables_decision(parameters, "loads_ahead")) forget_reads_ahead(dag);
    if (disables_decision(parameters, "multiples")) forget_periods(dag);
    if (disables_decision(parameters, "channel_vectors")) forget_channel_vectors(dag);
    if (disables_decision(parameters, "pixel_vectors")) forget_alignments(dag);
    if (disables_decision(parameters, decision_kind::storage)) keep_storage_orders(dag);
}

std::vector<Coordinate> VariantSource::decisions(const Factorings &choices) const {
    const Names names(as_read);
    std::vector<Coordinate> result;
    for (size_t i = 0; i < reductions.size(); ++i) {
        const std::string value = to_string(choices[i]);
        Coordinate decision{names.stage(reductions[i].stage), decision_kind::rfactor, value, {}};
        for (const Factoring &choice : reductions[i].choices) {
            decision.choices.push_back(to_string(choice));
        }
        if (std::ranges::find(decision.choices, decision.value) == decision.choices.end()) {
            decision.choices.push_back(decision.value);
        }
        result.push_back(std::move(decision));
    }
    return result;
}

Result<PipelineVariant> VariantSource::make(const Factorings &choices) const {
    std::vector<FactoredStage> stages;
    for (size_t i = 0; i < choices.size(); ++i) {
        if (!choices[i].is_none()) stages.push_back({reductions[i].stage, choices[i]});
    }
    Result<PipelineVariant> variant = made_by(*this, factor_directives(as_read, stages));
    if (!variant) return variant;
    PipelineVariant result = std::move(variant).value();
    result.decisions = decisions(choices);
    return result;
}

PipelineVariant VariantSource::plain() const {
    return {.decisions = decisions(Factorings(reductions.size())),
            .factors = {},
            .read = shared(as_read),
            .dag = shared(with_wrapped_reductions(as_read))};
}

Result<Factorings> VariantSource::choices_of(const DecisionList &list) const {
    const Names names(as_read);
    Factorings result(reductions.size());
    std::vector<std::optional<size_t>> decided_by(reductions.size());
    for (size_t i = 0; i < list.decisions.size(); ++i) {
        const Coordinate &decision = list.decisions[i];
        if (decision.kind != decision_kind::rfactor) continue;
        const auto reduction = std::ranges::find_if(reductions, [&](const Factorable &one) {
            return names.stage(one.stage) == decision.name;
        });
        if (reduction == reductions.end()) {
            return refusal(list, i, "the pipeline has no such reduction that could be taken apart");
        }
        const std::optional<Factoring> choice =
            parse_factoring(std::get<std::string>(decision.value));
        if (!choice)
            return refusal(list, i, "expected \"none\", or lanes as in \"1\", \"32\" or \"256x8\"");
        const auto at = static_cast<size_t>(reduction - reductions.begin());
        if (decided_by[at]) {
            return refusal(list, i,
                           "decision " + std::to_string(*decided_by[at] + 1) + " has decided that");
        }
        decided_by[at] = i;
        result[at] = *choice;
    }
    return result;
}

Result<PipelineVariant> variant_of_schedule(const VariantSource &source, const Schedule &schedule) {
    return made_by(source, split_off_factors(schedule).factors);
}

}  // namespace autoschedule_gpu
