// What a training was worth: how well the new network, earlier weights and the models that need no
// training rank the same schedules, as data, as JSON and as tables.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/parallel.h"
#include "learn/train/dataset.h"
#include "learn/train/retrain.h"
#include "present/table.h"
#include "scheduler/model/weights_file.h"

namespace autoschedule_gpu {

// Weights from before, for the device of the samples or, if they are where training started, for
// any.
struct EarlierWeights {
    std::string path;
    Weights weights;
};

// One model on the pipelines that were judged.
struct ModelCard {
    std::string model;  // "network", "roofline", "analytical" or the path of earlier weights
    std::vector<Judged> judged = {};
    size_t seen = 0;  // pipelines of these that it was trained on: there, its figures flatter it
};

// Earlier weights beside the new network, by the pairs of the same schedules. A pipeline that the
// earlier weights were trained on counts by what was found when it was held out (provenance.h),
// and is left out if nothing was.
struct Comparison {
    PairCount earlier, now;
    // By more than the four digits with which accuracies are kept.
    bool worse_now() const;
};

struct ReportCard {
    const Dataset *dataset = nullptr;
    const Retrained *retrained = nullptr;
    TrainingSettings settings = {};
    std::vector<ModelCard> models = {};         // the new network first
    std::optional<Comparison> comparison = {};  // with the weights that are to be replaced
    std::string decision = {};                  // what became of the new weights, and why
};

// `dataset` and `retrained` must outlive the card.
ReportCard make_report_card(const Dataset &dataset, const Retrained &retrained,
                            const TrainingSettings &settings,
                            const std::vector<EarlierWeights> &earlier, ThreadPool &pool);

Comparison compare(const Retrained &retrained, const Dataset &dataset, const Weights &earlier,
                   ThreadPool &pool);

// What goes into the weights file; nothing if nothing was held out.
std::optional<CardSummary> summary(const ReportCard &card);

// The layout is in weights/README.md.
std::string report_card_json(const ReportCard &card);

// All models in total; the new network by pipeline.
std::vector<Table> report_card_tables(const ReportCard &card);

}  // namespace autoschedule_gpu
