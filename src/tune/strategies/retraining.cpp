#include "tune/strategies/retraining.h"

#include <utility>

#include "core/support/parallel.h"
#include "learn/train/dataset.h"
#include "learn/train/trainer.h"
#include "scheduler/model/weights_file.h"

namespace autoschedule_gpu {
namespace {

Result<Dataset> dataset_of(const Session &session) {
    const Session::Parts &parts = session.parts();
    const Environment &environment = parts.executor.tuned().environment;
    NamedSampleFile all;
    all.path = "the measurements of this run";
    all.file.origin.device = environment.device;
    all.file.origin.driver = environment.driver;
    all.file.origin.gpu = parts.gpu;
    for (const Trial &trial : session.trials()) {
        if (!trial.is_measured() || trial.kernels.empty()) continue;
        all.file.samples.push_back({.pipeline = parts.executor.tuned().pipeline.name,
                                    .schedule = trial.draw.schedule,
                                    .code_hash = trial.code_hash,
                                    .kernels = trial.kernels,
                                    .times_ms = trial.samples_ms});
    }
    return make_dataset({&all, 1});
}

size_t measured(const Session &session) {
    size_t count = 0;
    for (const Trial &trial : session.trials()) {
        count += trial.is_measured() && !trial.kernels.empty();
    }
    return count;
}

Result<Network> first_network(const RetrainingSettings &settings, PipelineList pipelines) {
    if (settings.weights.empty()) return fresh_network(pipelines, settings.seed);
    Result<Weights> weights = read_weights(settings.weights);
    if (!weights) return weights.error();
    return weights->network;
}

}  // namespace

Result<std::optional<SamplerWeights>> retrain_on(Session &session,
                                                 const RetrainingSettings &settings,
                                                 int iteration) {
    if (measured(session) < kLeastSchedulesToTrain) return std::optional<SamplerWeights>();
    session.tell("training");
    const Stopwatch watch;
    const Result<Dataset> dataset = dataset_of(session);
    if (!dataset) return dataset.error();
    std::vector<const PipelineSamples *> pipelines;
    for (const PipelineSamples &pipeline : dataset->pipelines) pipelines.push_back(&pipeline);
    Result<Network> start = first_network(settings, pipelines);
    if (!start) return start.error();
    ThreadPool pool(settings.threads);
    Result<Training> training = train(
        std::move(start).value(), pipelines, {}, {.epochs = settings.epochs, .seed = settings.seed},
        pool, [&](const Epoch &) { return !(session.parts().stop && session.parts().stop()); });
    if (!training) return training.error();

    const Session::Parts &parts = session.parts();
    const std::string path = parts.folder + "/iteration-" + std::to_string(iteration) + ".weights";
    const Weights weights{
        .origin = {.device = dataset->origin.device,
                   .gpu = parts.gpu.name,
                   .trained_from = std::to_string(dataset->schedules) + " schedules of " +
                                   parts.executor.tuned().pipeline.name,
                   .date = "",
                   .command = "autotune, run " + parts.id,
                   .seed = settings.seed},
        .card = std::nullopt,
        .network = training->network};
    if (Status written = write_weights(path, weights); !written) return written.error();
    session.use_model({.choice = {ModelKind::network, std::make_shared<const Weights>(weights)},
                       .parameters = {{"model", "network"}, {"weights_path", path}}});
    parts.journal.add(
        {{"event", "retrained"}, {"iteration", iteration + 1}, {"schedules", dataset->schedules}});
    session.train_seconds() += watch.seconds();
    Result<SamplerWeights> drawn_under = sampler_weights(path);
    if (!drawn_under) return drawn_under.error();
    return std::optional(std::move(drawn_under).value());
}

}  // namespace autoschedule_gpu
