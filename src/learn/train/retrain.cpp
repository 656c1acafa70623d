#include "learn/train/retrain.h"

#include <algorithm>
#include <utility>

#include "learn/train/folds.h"

namespace autoschedule_gpu {

namespace {

Split split_of(PipelineList pipelines, const RetrainRequest &request, size_t number) {
    return random_split(pipelines, Random(request.training.seed).fork(number));
}

Result<Training> train_on(PipelineList pipelines, const RetrainRequest &request, size_t number,
                          size_t trainings, ThreadPool &pool,
                          const OnRetrainProgress &on_progress) {
    const TrainingSettings &settings = request.training;
    const Split split = split_of(pipelines, request, number);
    Network start = request.start ? *request.start : fresh_network(split.training, settings.seed);
    return train(std::move(start), split.training, split.held_out, settings, pool,
                 [&](const Epoch &epoch) {
                     return on_progress({.training = number,
                                         .trainings = trainings,
                                         .epochs = settings.epochs,
                                         .epoch = epoch});
                 });
}

void sort_by_name(std::vector<Judged> &judged) {
    std::sort(judged.begin(), judged.end(),
              [](const Judged &a, const Judged &b) { return a.pipeline < b.pipeline; });
}

}  // namespace

Result<Retrained> retrain(const Dataset &dataset, const RetrainRequest &request, ThreadPool &pool,
                          const OnRetrainProgress &on_progress) {
    const size_t pipelines = dataset.pipelines.size();
    if (pipelines < 2) {
        return Error{"expected samples of two pipelines or more, found those of " +
                     std::to_string(pipelines) +
                     ": a network is judged on pipelines that it was not trained on"};
    }
    const size_t count = std::min(request.folds.value_or(default_folds(pipelines)), pipelines);
    const std::vector<std::vector<size_t>> folds =
        random_folds(pipelines, count, Random(request.training.seed));
    std::vector<const PipelineSamples *> all;
    for (const PipelineSamples &pipeline : dataset.pipelines) all.push_back(&pipeline);

    Result<Training> kept = train_on(all, request, 0, 1 + folds.size(), pool, on_progress);
    if (!kept) return kept.error();
    Retrained result{.training = std::move(kept).value(), .folds = folds.size()};
    if (result.training.stop == TrainingStop::asked) {
        const Split split = split_of(all, request, 0);
        result.held_out = judge(result.training.network, split.held_out, pool);
        sort_by_name(result.held_out);
        return result;
    }
    for (const std::vector<size_t> &fold : folds) {
        std::vector<const PipelineSamples *> seen, unseen;
        for (size_t i = 0; i < pipelines; ++i) {
            (std::binary_search(fold.begin(), fold.end(), i) ? unseen : seen).push_back(all[i]);
        }
        const Result<Training> fold_training =
            train_on(seen, request, result.judged_folds + 1, 1 + folds.size(), pool, on_progress);
        if (!fold_training) return fold_training.error();
        if (fold_training->stop == TrainingStop::asked) break;
        for (Judged &judged : judge(fold_training->network, unseen, pool)) {
            result.held_out.push_back(std::move(judged));
        }
        ++result.judged_folds;
    }
    sort_by_name(result.held_out);
    return result;
}

std::string protocol_of(const Retrained &retrained, size_t pipelines) {
    if (retrained.judged_folds == 0) return "pipelines held out of a training that was stopped";
    std::string text = retrained.folds == pipelines
                           ? "leave-one-pipeline-out"
                           : std::to_string(retrained.folds) + " folds of pipelines";
    if (retrained.judged_folds < retrained.folds) {
        text += ", stopped after " + std::to_string(retrained.judged_folds);
    }
    return text;
}

}  // namespace autoschedule_gpu
