#include "tune/strategies/retraining.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/support/parallel.h"
#include "learn/train/provenance.h"
#include "learn/train/trainer.h"
#include "scheduler/model/weights_file.h"
#include "tune/strategies/measured_dataset.h"

namespace autoschedule_gpu {
namespace {

// Of the few schedules of a run, small steps: of 64 random ones of hist_equalize on PoCL, 30 epochs
// in steps of 128 ranked 65 % of the pairs of others rightly, and 100 in steps of 32 ranked 78 %
// (roofline: 56 %; 2026-11-28). More epochs, or fewer schedules in a step, gained nothing.
constexpr size_t kSchedulesOfAStep = 32;
constexpr int kMostEpochs = 100, kFewestEpochs = 30;
// Schedules that are looked at in all epochs, where those bounds let them: of hist_equalize, less
// than two seconds of a core.
constexpr size_t kVisits = 48'000;

int epochs_of(size_t schedules) {
    return std::clamp(static_cast<int>(kVisits / schedules), kFewestEpochs, kMostEpochs);
}

size_t measured(const Session &session) {
    size_t count = 0;
    for (const Trial &trial : session.trials()) {
        count += trial.is_measured() && !trial.kernels.empty();
    }
    return count;
}

// What training begins with, and what that was trained on.
struct Start {
    Network network;
    std::vector<TrainedPipeline> seen = {};
};

Result<Start> start_of(const RetrainingSettings &settings, PipelineList pipelines) {
    if (!settings.weights) return Start{fresh_network(pipelines, settings.seed)};
    Result<Weights> weights = read_weights(settings.weights->path);
    if (!weights) return weights.error();
    return Start{continued_network(std::move(weights->network), pipelines),
                 trained_pipelines(weights->origin.trained_from)};
}

std::vector<const PipelineSamples *> pipelines_of(const Dataset &dataset) {
    std::vector<const PipelineSamples *> pipelines;
    for (const PipelineSamples &pipeline : dataset.pipelines) pipelines.push_back(&pipeline);
    return pipelines;
}

Result<Network> trained_on(const Session &session, const Dataset &dataset,
                           const RetrainingSettings &settings, Network start) {
    ThreadPool pool(settings.threads);
    const int epochs = epochs_of(dataset.schedules);
    Result<Training> training = train(
        std::move(start), pipelines_of(dataset), {},
        {.epochs = epochs, .patience = epochs, .batch = kSchedulesOfAStep, .seed = settings.seed},
        pool, [&](const Epoch &) { return !session.is_over(); });
    if (!training) return training.error();
    return std::move(training->network);
}

std::string weights_path(const Session &session, const std::string &name) {
    return session.parts().folder + "/" + name + ".weights";
}

std::string name_of(int iteration) {
    return "iteration-" + std::to_string(iteration);
}

// Writes the weights to `path`.
Result<SessionModel> model_of(const Session &session, const Dataset &dataset,
                              const RetrainingSettings &settings, const std::string &path) {
    Result<Start> start = start_of(settings, pipelines_of(dataset));
    if (!start) return start.error();
    Result<Network> network = trained_on(session, dataset, settings, std::move(start->network));
    if (!network) return network.error();
    const Session::Parts &parts = session.parts();
    Weights weights{.origin = {.device = dataset.origin.device,
                               .gpu = parts.gpu.name,
                               .trained_from = trained_from_text(dataset, {}, {}, start->seen),
                               .date = "",
                               .command = "autotune, run " + parts.id,
                               .seed = settings.seed},
                    .card = std::nullopt,
                    .network = std::move(network).value()};
    if (Status written = write_weights(path, weights); !written) return written.error();
    return SessionModel{
        .choice = {ModelKind::network, std::make_shared<const Weights>(std::move(weights))},
        .parameters = {{"model", "network"}, {"weights_path", path}}};
}

// A model for each path, as retrain_ensemble says.
Result<std::vector<SessionModel>> retrain(Session &session, const RetrainingSettings &settings,
                                          int iteration, std::span<const std::string> paths) {
    std::vector<SessionModel> models;
    if (measured(session) < kLeastSchedulesToTrain) return models;
    session.tell("training");
    const Stopwatch watch;
    const Result<Dataset> dataset = measured_dataset(session);
    if (!dataset) return dataset.error();
    RetrainingSettings own = settings;
    for (const std::string &path : paths) {
        Result<SessionModel> model = model_of(session, *dataset, own, path);
        if (!model) return model.error();
        models.push_back(std::move(model).value());
        ++own.seed;
    }
    session.parts().journal.announce({{"event", "retrained"},
                                      {"iteration", iteration + 1},
                                      {"schedules", dataset->schedules},
                                      {"members", paths.size()}});
    session.train_seconds() += watch.seconds();
    return models;
}

}  // namespace

Result<std::vector<SessionModel>> retrain_ensemble(Session &session,
                                                   const RetrainingSettings &settings,
                                                   int iteration, int members) {
    std::vector<std::string> paths;
    for (int member = 0; member < members; ++member) {
        paths.push_back(weights_path(session, name_of(iteration) + "-" + std::to_string(member)));
    }
    return retrain(session, settings, iteration, paths);
}

Result<std::optional<SamplerWeights>> retrain_on(Session &session,
                                                 const RetrainingSettings &settings,
                                                 int iteration) {
    const std::string path = weights_path(session, name_of(iteration));
    Result<std::vector<SessionModel>> models = retrain(session, settings, iteration, {&path, 1});
    if (!models) return models.error();
    if (models->empty()) return std::optional<SamplerWeights>();
    session.use_model(std::move(models->front()));
    Result<SamplerWeights> drawn_under = sampler_weights(path);
    if (!drawn_under) return drawn_under.error();
    return std::optional(std::move(drawn_under).value());
}

}  // namespace autoschedule_gpu
