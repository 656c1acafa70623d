// Training: ADAM over batches of schedules, watched on pipelines that are held out.
//
//     Network ─► steps of an epoch ─► judged on held-out pipelines ─► best network so far
//                     ▲   batches.h, loss.h, adam.h │
//                     └── trust in each measurement ┘   trust.h
//
// The result depends on the samples, the settings and the seed, not on the number of threads: the
// gradients of a step's chunks are added in the chunks' order.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "core/support/error.h"
#include "core/support/parallel.h"
#include "learn/train/loss.h"
#include "learn/train/predict.h"
#include "scheduler/model/network.h"

namespace autoschedule_gpu {

// What is trained: everything, or only the heads (ParameterBlock). A few hundred samples are enough
// to adapt the heads of existing weights to another device.
enum class TrainedPart : uint8_t { all, heads };

struct TrainingSettings {
    Loss loss = Loss::both;
    TrainedPart part = TrainedPart::all;
    int epochs = 100;
    int patience = 30;  // training stops after so many epochs without a better one
    std::optional<double> learning_rate = {};  // the greatest; none: learning_rate_of's default
    size_t batch = 128;                        // schedules of a step, at least
    uint64_t seed = 0;
};

// Heads are few and start far from their goal, so they need larger steps.
inline constexpr double kLearningRate = 2e-3, kHeadsLearningRate = 1e-2;
double learning_rate_of(const TrainingSettings &settings);

struct Epoch {
    int number = 0;   // 0: before any training
    double loss = 0;  // mean over the epoch's steps; 0 for number 0
    double held_out_accuracy = 0;
};

// The reason for which a training ended.
enum class TrainingStop : uint8_t { all_epochs, patience, asked };

std::string_view to_string(TrainingStop stop);

struct Training {
    Network network;     // as it was after the epoch that was best on held-out pipelines
    int best_epoch = 0;  // its number
    std::vector<Epoch> epochs = {};
    TrainingStop stop = TrainingStop::all_epochs;
};

// Called after each epoch; returning false asks for the end.
using OnEpoch = std::function<bool(const Epoch &)>;

// Returns a network with random weights whose inputs are normalised for these pipelines.
Network fresh_network(PipelineList pipelines, uint64_t seed);

// Returns `earlier`, to be trained further on these pipelines: it may now learn of inputs that were
// the same in all that it was trained on, as features are that an earlier list had not.
Network continued_network(Network earlier, PipelineList pipelines);

// Trains `start` on the pipelines `training`, of which there must be one, and keeps the best
// network on `held_out`, or on `training` if that is empty. Returns an error if a loss is not
// finite.
Result<Training> train(Network start, PipelineList training, PipelineList held_out,
                       const TrainingSettings &settings, ThreadPool &pool, const OnEpoch &on_epoch);

}  // namespace autoschedule_gpu
