#include "learn/train/report_card.h"

#include <algorithm>
#include <set>

#include "scheduler/model/weights_file.h"

namespace autoschedule_gpu {

namespace {

// Returns the samples of the pipelines that were judged, in the order in which they were.
std::vector<const PipelineSamples *> judged_pipelines(const Dataset &dataset,
                                                      const Retrained &retrained) {
    std::vector<const PipelineSamples *> pipelines;
    for (const PipelineSamples &pipeline : dataset.pipelines) {
        const bool judged =
            std::any_of(retrained.held_out.begin(), retrained.held_out.end(),
                        [&](const Judged &judged) { return judged.pipeline == pipeline.name; });
        if (judged) pipelines.push_back(&pipeline);
    }
    return pipelines;
}

const TrainedPipeline *find(const std::vector<TrainedPipeline> &known, const std::string &name) {
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const TrainedPipeline &p) { return p.name == name; });
    return found == known.end() ? nullptr : &*found;
}

// Adds the pairs of judged pipeline `i` as the new network orders them, beside those of another.
// The sizes of one pipeline are one: they resemble each other, so the verdict draws them together.
void add(Comparison &comparison, const Retrained &retrained, size_t i, const PairCount &other) {
    const std::string &name = retrained.held_out[i].pipeline;
    std::vector<PairedPipeline> &pipelines = comparison.pipelines;
    if (pipelines.empty() || pipelines.back().pipeline != name) {
        pipelines.push_back(
            {.pipeline = name, .now = std::vector<PairCount>(1 + retrained.further_seeds.size())});
    }
    PairedPipeline &paired = pipelines.back();
    const auto pairs_of = [](const Judged &judged) {
        return count_pairs(judged.predicted_ns, judged.measured_ns);
    };
    const PairCount now = pairs_of(retrained.held_out[i]);
    paired.in_use += other;
    paired.now[0] += now;
    for (size_t seed = 0; seed < retrained.further_seeds.size(); ++seed) {
        paired.now[1 + seed] += pairs_of(retrained.further_seeds[seed][i]);
    }
    comparison.earlier += other;
    comparison.now += now;
}

Comparison beside_the_roofline(const Retrained &retrained, const Dataset &dataset,
                               const std::vector<TrainedPipeline> &before) {
    const auto number = static_cast<size_t>(
        std::ranges::find(kBaselines, ModelKind::roofline, &Baseline::kind) - kBaselines.begin());
    const std::vector<const PipelineSamples *> pipelines = judged_pipelines(dataset, retrained);
    Comparison comparison;
    for (size_t i = 0; i < pipelines.size(); ++i) {
        if (find(before, pipelines[i]->name) != nullptr) continue;
        add(comparison, retrained, i,
            count_pairs(pipelines[i]->baseline_ns[number], pipelines[i]->times_ns));
    }
    return comparison;
}

ModelCard card_of(const EarlierWeights &earlier, PipelineList pipelines, ThreadPool &pool) {
    const std::vector<TrainedPipeline> known =
        trained_pipelines(earlier.weights.origin.trained_from);
    ModelCard card{.model = earlier.path,
                   .judged = judge(earlier.weights.network, pipelines, pool)};
    std::set<std::string> seen;
    for (const Judged &judged : card.judged) {
        if (find(known, judged.pipeline) != nullptr) seen.insert(judged.pipeline);
    }
    card.seen = seen.size();
    return card;
}

}  // namespace

std::vector<TrainedPipeline> seen_by(const std::optional<EarlierWeights> &weights) {
    return weights ? trained_pipelines(weights->weights.origin.trained_from)
                   : std::vector<TrainedPipeline>();
}

bool Comparison::worse_now() const {
    return now.accuracy().value_or(0) < earlier.accuracy().value_or(0) - 1e-4;
}

Comparison compare(const Retrained &retrained, const Dataset &dataset, const Weights &earlier,
                   const std::optional<EarlierWeights> &init, ThreadPool &pool) {
    const std::vector<TrainedPipeline> known = trained_pipelines(earlier.origin.trained_from);
    const std::vector<TrainedPipeline> before = seen_by(init);
    const std::vector<Judged> judged =
        judge(earlier.network, judged_pipelines(dataset, retrained), pool);
    Comparison comparison;
    for (size_t i = 0; i < judged.size(); ++i) {
        if (find(before, judged[i].pipeline) != nullptr) continue;
        PairCount old = count_pairs(judged[i].predicted_ns, judged[i].measured_ns);
        if (const TrainedPipeline *seen = find(known, judged[i].pipeline)) {
            if (!seen->held_out_accuracy) continue;
            old.ordered = *seen->held_out_accuracy * static_cast<double>(old.pairs);
        }
        add(comparison, retrained, i, old);
    }
    return comparison;
}

CardVerdict verdict_of(const Retrained &retrained, const Dataset &dataset,
                       const std::optional<EarlierWeights> &in_place,
                       const std::optional<EarlierWeights> &init, ThreadPool &pool) {
    const Comparison comparison = in_place
                                      ? compare(retrained, dataset, in_place->weights, init, pool)
                                      : beside_the_roofline(retrained, dataset, seen_by(init));
    return {.in_use = in_place ? in_place->path : "the roofline",
            .difference = difference_of(comparison.pipelines)};
}

ReportCard make_report_card(const Dataset &dataset, const Retrained &retrained,
                            const TrainingSettings &settings,
                            const std::vector<EarlierWeights> &earlier, ThreadPool &pool) {
    ReportCard card{.dataset = &dataset, .retrained = &retrained, .settings = settings};
    const std::vector<const PipelineSamples *> pipelines = judged_pipelines(dataset, retrained);
    card.models.push_back({.model = "network", .judged = retrained.held_out});
    for (const EarlierWeights &weights : earlier) {
        card.models.push_back(card_of(weights, pipelines, pool));
    }
    for (size_t i = 0; i < kBaselines.size(); ++i) {
        ModelCard &model = card.models.emplace_back();
        model.model = kBaselines[i].name;
        for (const PipelineSamples *pipeline : pipelines) {
            model.judged.push_back(
                {pipeline->name, pipeline->baseline_ns[i], pipeline->times_ns, pipeline->size});
        }
    }
    return card;
}

std::optional<CardSummary> summary(const ReportCard &card) {
    const Retrained &retrained = *card.retrained;
    if (!retrained.is_judged() || retrained.held_out.empty()) return std::nullopt;
    if (card.models.front().seen > 0) return std::nullopt;
    const auto accuracy = [&](std::string_view name) {
        const auto model = std::find_if(card.models.begin(), card.models.end(),
                                        [&](const ModelCard &m) { return m.model == name; });
        return count_pairs(model->judged).accuracy().value_or(0);
    };
    CardSummary result{.network = accuracy("network"),
                       .roofline = accuracy("roofline"),
                       .analytical = accuracy("analytical")};
    result.pipelines = count_pipelines(retrained.held_out);
    for (const Judged &judged : retrained.held_out) result.samples += judged.measured_ns.size();
    return result;
}

}  // namespace autoschedule_gpu
