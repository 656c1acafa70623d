// Reports what a training was worth: how well the new network, earlier weights and the models that
// need no training rank the same schedules. It is kept as data and shown as JSON and as tables.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/parallel.h"
#include "learn/train/dataset.h"
#include "learn/train/provenance.h"
#include "learn/train/retrain.h"
#include "learn/train/verdict.h"
#include "present/table.h"
#include "scheduler/model/weights_file.h"

namespace autoschedule_gpu {

// Earlier weights, for the device of the samples. If training starts from them, they may be for any
// device.
struct EarlierWeights {
    std::string path;
    Weights weights;
};

// The pipelines that they were trained on; none without weights.
std::vector<TrainedPipeline> seen_by(const std::optional<EarlierWeights> &weights);

// One model's predictions for the pipelines that were judged.
struct ModelCard {
    std::string model;  // "network", "roofline", "analytical" or the path of earlier weights
    std::vector<Judged> judged = {};
    // How many of these pipelines it was trained on; its figures are too good there.
    size_t seen = 0;
};

// The new network beside a model that is in use, on the pairs of the same schedules. A pipeline
// that earlier weights were trained on counts with the accuracy that was found while it was held
// out (provenance.h), and is left out if there is none; so is one that the weights were trained on
// with which the new network began.
struct Comparison {
    PairCount earlier = {}, now = {};
    std::vector<PairedPipeline> pipelines = {};
    // True if the difference is visible in the four digits with which accuracies are kept.
    bool worse_now() const;
};

// What the new network is worth, in a word, against what is in use.
struct CardVerdict {
    std::string in_use;  // "the roofline", or the path of weights
    Difference difference = {};
};

struct ReportCard {
    const Dataset *dataset = nullptr;
    const Retrained *retrained = nullptr;
    TrainingSettings settings = {};
    std::vector<ModelCard> models = {};         // the new network first
    std::optional<Comparison> comparison = {};  // with the weights that are to be replaced, if any
    std::optional<CardVerdict> verdict = {};    // none if nothing was judged
    std::string decision = {};                  // what became of the new weights, and why
};

// Makes the card; `dataset` and `retrained` must outlive it.
ReportCard make_report_card(const Dataset &dataset, const Retrained &retrained,
                            const TrainingSettings &settings,
                            const std::vector<EarlierWeights> &earlier, ThreadPool &pool);

Comparison compare(const Retrained &retrained, const Dataset &dataset, const Weights &earlier,
                   const std::optional<EarlierWeights> &init, ThreadPool &pool);

// Judges the new network against the weights that are to be replaced, or without any against the
// roofline, which is in use then.
CardVerdict verdict_of(const Retrained &retrained, const Dataset &dataset,
                       const std::optional<EarlierWeights> &in_place,
                       const std::optional<EarlierWeights> &init, ThreadPool &pool);

// Returns what goes into the weights file; nullopt if nothing was held out of whole trainings, or
// the network began with weights that had seen some of it.
std::optional<CardSummary> summary(const ReportCard &card);

// Returns the card as JSON, as documented in weights/README.md.
std::string report_card_json(const ReportCard &card);

// Returns one table with the totals of all models, and one of the new network by pipeline.
std::vector<Table> report_card_tables(const ReportCard &card);

}  // namespace autoschedule_gpu
