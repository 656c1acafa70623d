#include "core/json/json.h"
#include "learn/train/report_card.h"

namespace autoschedule_gpu {

namespace {

Json json_of(std::optional<double> value) {
    return value ? Json(*value) : Json();
}

Json json_of(const RankQuality &quality) {
    Json json = {{"schedules", quality.schedules},
                 {"pairs", quality.pairs.pairs},
                 {"pairwise_accuracy", json_of(quality.pairs.accuracy())},
                 {"spearman", json_of(quality.spearman)}};
    for (size_t i = 0; i < kRegretAt.size(); ++i) {
        json["regret_at_" + std::to_string(kRegretAt[i])] = json_of(quality.regret[i]);
    }
    const Calibration &c = quality.calibration;
    json["predicted_over_measured"] = {{"q05", c.low},
                                       {"q25", c.lower_quartile},
                                       {"median", c.median},
                                       {"q75", c.upper_quartile},
                                       {"q95", c.high}};
    return json;
}

Json json_of(const ModelCard &model) {
    Json json = {{"model", model.model}, {"pipelines_seen_in_training", model.seen}};
    json["total"] = model.judged.empty() ? Json() : json_of(rank_quality(model.judged));
    json["pipelines"] = Json::array();
    for (const Judged &judged : model.judged) {
        Json pipeline = {{"pipeline", judged.pipeline},
                         {"size", judged.size.empty() ? Json() : Json(judged.size)}};
        pipeline.update(json_of(rank_quality(judged)));
        json["pipelines"].push_back(std::move(pipeline));
    }
    return json;
}

Json json_of(const AccuracyRange &range) {
    return {{"mean", range.mean}, {"low", range.low}, {"high", range.high}};
}

Json json_of(const CardVerdict &verdict) {
    const Difference &difference = verdict.difference;
    return {{"verdict", to_string(difference.verdict)},
            {"in_use", verdict.in_use},
            {"text", verdict_text(difference, verdict.in_use)},
            {"accuracy", json_of(difference.now)},
            {"accuracy_in_use", difference.in_use},
            {"difference", json_of(difference.more)},
            {"pipelines", difference.pipelines},
            {"seeds", difference.seeds}};
}

Json samples_json(const Dataset &dataset) {
    return {{"device", dataset.origin.device}, {"gpu", dataset.origin.gpu.name},
            {"files", dataset.files},          {"samples", dataset.samples},
            {"schedules", dataset.schedules},  {"pipelines", dataset.by_name().size()}};
}

Json training_json(const ReportCard &card) {
    const TrainingSettings &settings = card.settings;
    const Training &training = card.retrained->training;
    Json json = {{"loss", kLossNames[static_cast<size_t>(settings.loss)]},
                 {"adapt", settings.part == TrainedPart::heads ? Json("heads") : Json()},
                 {"epochs", settings.epochs},
                 {"patience", settings.patience},
                 {"learning_rate", learning_rate_of(settings)},
                 {"batch", settings.batch},
                 {"seed", settings.seed},
                 {"stop", to_string(training.stop)},
                 {"best_epoch", training.best_epoch},
                 {"history", Json::array()}};
    for (const Epoch &epoch : training.epochs) {
        json["history"].push_back({{"epoch", epoch.number},
                                   {"loss", epoch.loss},
                                   {"held_out_accuracy", epoch.held_out_accuracy}});
    }
    return json;
}

}  // namespace

std::string report_card_json(const ReportCard &card) {
    Json json = {{"samples", samples_json(*card.dataset)},
                 {"protocol", protocol_of(*card.retrained, card.dataset->by_name().size())},
                 {"folds", card.retrained->folds},
                 {"judged_folds", card.retrained->judged_folds},
                 {"timing_noise", kTimingNoise},
                 {"training", training_json(card)},
                 {"models", Json::array()}};
    for (const ModelCard &model : card.models) json["models"].push_back(json_of(model));
    json["replaces"] = Json();
    if (card.comparison) {
        json["replaces"] = {{"earlier_accuracy", json_of(card.comparison->earlier.accuracy())},
                            {"new_accuracy", json_of(card.comparison->now.accuracy())},
                            {"pairs", card.comparison->now.pairs}};
    }
    json["verdict"] = card.verdict ? json_of(*card.verdict) : Json();
    json["decision"] = card.decision;
    return dump(json, 4) + "\n";
}

}  // namespace autoschedule_gpu
