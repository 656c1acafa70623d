// Trains a network from samples and judges it on pipelines that it has not seen.
//
//     all pipelines ─────────► train ─► the network to keep
//     all but one fold, each ─► train ─► judged on that fold: what the report card shows
//
// If pipelines are held out by the user's wish, they are the only fold, and no training sees them:
// then the network to keep itself is judged. Further seeds repeat the judging with other initial
// weights, another order of the samples and other folds.
//
// The network to keep is trained first, so that it exists even if the judging is stopped.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/support/error.h"
#include "core/support/parallel.h"
#include "learn/train/dataset.h"
#include "learn/train/trainer.h"
#include "scheduler/model/network.h"

namespace autoschedule_gpu {

struct RetrainRequest {
    TrainingSettings training;
    // At least 2. If it exceeds the number of pipelines, each pipeline is a fold. None:
    // default_folds.
    std::optional<size_t> folds = {};
    std::vector<std::string> hold_out = {};  // names as for held_out_positions; none: folds
    size_t seeds = 1;                        // at least 1: from training.seed on
    std::optional<Network> start = {};       // none: drawn at random
    std::vector<std::string> seen = {};      // names of the pipelines that `start` was trained on
};

struct RetrainProgress {
    // Number 0 trains the network to keep; each of the others is only for judging.
    size_t training = 0, trainings = 0;
    int epochs = 0;  // the most epochs of each training
    Epoch epoch;
};
// Returning false asks for the end; there is still a result then.
using OnRetrainProgress = std::function<bool(const RetrainProgress &)>;

struct Retrained {
    Training training;                         // that of the network to keep
    std::vector<std::string> never_seen = {};  // pipelines that no training saw, by name
    size_t folds = 0;                          // as requested
    size_t judged_folds = 0;
    // Predictions for the pipelines of the judged folds, by networks that were trained without
    // them. If no fold was judged: for the pipelines by which the training of the kept network was
    // watched. Sorted by name and size.
    std::vector<Judged> held_out = {};
    // The same of each further seed, for those whose folds were all judged.
    std::vector<std::vector<Judged>> further_seeds = {};

    // Whether anything is known of pipelines that a whole training did not see.
    bool is_judged() const { return judged_folds > 0; }
};

// Returns an error if there are fewer than two pipelines, if `hold_out` is as held_out_positions
// refuses it, or if training diverges.
Result<Retrained> retrain(const Dataset &dataset, const RetrainRequest &request, ThreadPool &pool,
                          const OnRetrainProgress &on_progress);

// Puts together what was found with one application after another held out (leave-one-out), of so
// many; `begun` must have one. An application whose training was stopped is not judged, because its
// network is not what it was to be. The training is that of the first.
Retrained put_together(const std::vector<Retrained> &begun, size_t applications);

// Returns how `held_out` was judged: "leave-one-pipeline-out", "5 folds of pipelines, stopped after
// 2", "pipelines held out of all trainings: app:harris".
std::string protocol_of(const Retrained &retrained, size_t pipelines);

}  // namespace autoschedule_gpu
