#include "retrain_cost_model/training_call.h"

#include <algorithm>
#include <functional>
#include <iostream>
#include <span>
#include <sstream>

#include "common/stop_signal.h"
#include "core/support/file.h"
#include "learn/train/held_out.h"
#include "learn/train/provenance.h"
#include "present/terminal.h"

namespace autoschedule_gpu {

bool TrainingProgress::operator()(const RetrainProgress &p) {
    if (p.epoch.number > 1 && last_.seconds() < 1) return !stop_was_asked();
    last_ = Stopwatch();
    std::ostringstream doing;
    doing.precision(4);
    doing << (p.training == 0 ? "weights" : "judging " + std::to_string(p.training)) << ", epoch "
          << p.epoch.number << ", loss " << p.epoch.loss << ", held-out accuracy "
          << p.epoch.held_out_accuracy;
    const auto done = static_cast<int>(p.training) * p.epochs + p.epoch.number;
    line_.show(done, static_cast<int>(p.trainings) * p.epochs, doing.str());
    return !stop_was_asked();
}

Status check_held_out(const TrainingCall &call, const std::string &option,
                      const std::vector<std::string> &names) {
    const Result<std::vector<size_t>> positions = held_out_positions(call.dataset, names);
    if (!positions) return Error{option + ": " + positions.error().message};
    const std::vector<TrainedPipeline> seen = seen_by(call.init);
    for (const size_t i : *positions) {
        const std::string &name = call.dataset.pipelines[i].name;
        if (std::ranges::find(seen, name, &TrainedPipeline::name) == seen.end()) continue;
        return Error{"--init: " + call.init->path + " was trained on " + name +
                     ", which no training is to see"};
    }
    return Ok{};
}

Result<Retrained> train_and_judge(TrainingCall &call) {
    Result<Retrained> retrained =
        retrain(call.dataset, call.request, call.pool, std::ref(call.progress));
    call.progress.clear();
    return retrained;
}

ReportCard card_of(TrainingCall &call, const Retrained &retrained,
                   const std::optional<EarlierWeights> &in_place) {
    std::vector<EarlierWeights> earlier;
    if (call.init) earlier.push_back(*call.init);
    if (in_place && in_place->path != call.options.init) earlier.push_back(*in_place);
    ReportCard card =
        make_report_card(call.dataset, retrained, call.request.training, earlier, call.pool);
    // The network began with what these had seen.
    if (call.init) card.models.front().seen = card.models[1].seen;
    if (in_place) card.comparison = Comparison();
    if (!retrained.is_judged()) return card;
    if (in_place) {
        card.comparison = compare(retrained, call.dataset, in_place->weights, call.init, call.pool);
    }
    card.verdict = verdict_of(retrained, call.dataset, in_place, call.init, call.pool);
    return card;
}

Weights weights_of(const TrainingCall &call, const Retrained &retrained, const ReportCard &card) {
    const Dataset &dataset = call.dataset;
    // A network that was stopped was watched by pipelines: the best of its epochs is that on these.
    const std::span<const Judged> held_out =
        retrained.is_judged() ? retrained.held_out : std::span<const Judged>();
    return {.origin = {.device = dataset.origin.device,
                       .gpu = dataset.origin.gpu.name,
                       .trained_from = trained_from_text(dataset, held_out, retrained.never_seen,
                                                         seen_by(call.init)),
                       .date = dataset.origin.date,
                       .command = command_text(call.options, call.request.training),
                       .seed = call.request.training.seed},
            .card = summary(card),
            .network = retrained.training.network};
}

int report(const TrainingCall &call, const ReportCard &card) {
    const Status reported = write_file(call.options.report, report_card_json(card));
    std::cout << terminal_text(report_card_tables(card));
    if (!reported) return fail(reported.error().message, kFailed);
    std::cout << "verdict: "
              << (card.verdict ? verdict_text(card.verdict->difference, card.verdict->in_use)
                               : "none, training was stopped before anything was judged")
              << "\n";
    return 0;
}

}  // namespace autoschedule_gpu
