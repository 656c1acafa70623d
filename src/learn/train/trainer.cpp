#include "learn/train/trainer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "learn/train/adam.h"
#include "learn/train/batches.h"
#include "learn/train/trust.h"

namespace autoschedule_gpu {

namespace {

// Shares of the epochs. The learning rate rises at first, because ADAM knows no variance yet and
// its first steps should be small. Measurements are all believed at first, because a network that
// has learned nothing would mistrust the wrong ones.
constexpr double kWarmUp = 0.05, kBeliefEnds = 0.15;
// The last learning rate as a share of the greatest.
constexpr double kLastRate = 0.01;
// A longer gradient is scaled down to this length, so that one odd batch cannot undo many others.
constexpr double kLongestGradient = 0.1;

// Returns the learning rate, which rises linearly and then falls like a cosine (Loshchilov and
// Hutter 2017). `progress` is 0 to 1.
double rate_at(double greatest, double progress) {
    if (progress < kWarmUp) return greatest * (progress / kWarmUp);
    const double falling = (progress - kWarmUp) / (1 - kWarmUp);
    return greatest * std::lerp(kLastRate, 1.0, (1 + std::cos(std::numbers::pi * falling)) / 2);
}

Normalisation normalisation_of(PipelineList pipelines) {
    std::vector<const NetworkInputs *> inputs;
    for (const PipelineSamples *pipeline : pipelines) inputs.push_back(&pipeline->inputs);
    return fit_normalisation(inputs);
}

void shorten(std::span<float> gradient) {
    double square = 0;
    for (const float g : gradient) square += static_cast<double>(g) * g;
    const double length = std::sqrt(square);
    if (length <= kLongestGradient) return;
    for (float &g : gradient) g = static_cast<float>(g * (kLongestGradient / length));
}

// Clears the gradient of all parameters that belong to no head, so that these do not change.
void keep_heads(std::span<float> gradient) {
    for (const ParameterBlock &block : Network::blocks()) {
        if (block.head) continue;
        const std::span<float> part = gradient.subspan(block.offset, block.size);
        std::fill(part.begin(), part.end(), 0.0f);
    }
}

// What one chunk of a step needs. It is kept from step to step to save allocations.
struct ChunkWork {
    NetworkInputs inputs;
    std::vector<size_t> row_ends = {};
    std::vector<double> measured_ns = {}, predicted_ns = {}, trust = {}, d_log = {};
    std::vector<float> row_costs = {}, d_row_costs = {}, gradient = {};
    Activations activations = {};
    double loss = 0;
};

class Trainer {
public:
    Trainer(Network start, PipelineList training, const TrainingSettings &settings,
            ThreadPool &pool);

    // Returns the mean loss of the steps.
    double run_epoch(int number);
    const Network &network() const { return network_; }

private:
    void load(const Chunk &chunk, ChunkWork &work) const;
    void differentiate(const Chunk &chunk, double share, ChunkWork &work) const;
    // Takes one step along the gradient of its schedules' mean loss.
    double run_step(const Step &step, double rate);
    void update_trust();

    Network network_;
    PipelineList training_;
    const TrainingSettings &settings_;
    ThreadPool &pool_;
    Adam adam_;
    NetworkInputs no_inputs_;
    std::vector<size_t> schedules_;  // number of schedules by pipeline
    std::vector<Judged> judged_;     // predictions as the network was when a step had the schedule
    std::vector<std::vector<double>> trust_;
    std::vector<double> best_ns_;  // by pipeline, among what is trusted
    std::vector<ChunkWork> works_;
};

Trainer::Trainer(Network start, PipelineList training, const TrainingSettings &settings,
                 ThreadPool &pool)
    : network_(std::move(start)),
      training_(training),
      settings_(settings),
      pool_(pool),
      adam_(network_.parameters().size()),
      no_inputs_(training.front()->inputs) {
    no_inputs_.clear();
    for (const PipelineSamples *pipeline : training) {
        const std::vector<double> &times = pipeline->times_ns;
        schedules_.push_back(times.size());
        judged_.push_back({pipeline->name, times, times});
        trust_.emplace_back(times.size(), 1.0);
        best_ns_.push_back(*std::min_element(times.begin(), times.end()));
    }
}

void Trainer::load(const Chunk &chunk, ChunkWork &work) const {
    const PipelineSamples &pipeline = *training_[chunk.pipeline];
    work.inputs.clear();
    work.row_ends.clear();
    work.measured_ns.clear();
    work.trust.clear();
    for (const size_t schedule : chunk.schedules) {
        const size_t first = pipeline.first_row(schedule);
        work.inputs.append_rows(pipeline.inputs, first, pipeline.row_ends[schedule] - first);
        work.row_ends.push_back(work.inputs.rows());
        work.measured_ns.push_back(pipeline.times_ns[schedule]);
        work.trust.push_back(trust_[chunk.pipeline][schedule]);
    }
}

void Trainer::differentiate(const Chunk &chunk, double share, ChunkWork &work) const {
    load(chunk, work);
    work.row_costs.resize(work.inputs.rows());
    network_.forward(work.inputs, work.row_costs, &work.activations);
    work.predicted_ns = schedule_costs(work.row_costs, work.row_ends);
    work.d_log.assign(chunk.schedules.size(), 0.0);
    work.loss = loss(settings_.loss,
                     {.predicted_ns = work.predicted_ns,
                      .measured_ns = work.measured_ns,
                      .trust = work.trust,
                      .best_ns = best_ns_[chunk.pipeline]},
                     share, work.d_log);
    // A schedule's cost is the sum of its rows, so each row has the schedule's derivative.
    work.d_row_costs.resize(work.inputs.rows());
    size_t row = 0;
    for (size_t i = 0; i < chunk.schedules.size(); ++i) {
        const double slope = work.d_log[i] / work.predicted_ns[i];
        for (; row < work.row_ends[i]; ++row) work.d_row_costs[row] = static_cast<float>(slope);
    }
    work.gradient.assign(network_.parameters().size(), 0.0f);
    network_.backward(work.inputs, work.activations, work.d_row_costs, work.gradient);
}

double Trainer::run_step(const Step &step, double rate) {
    if (works_.size() < step.size()) works_.resize(step.size(), ChunkWork{no_inputs_});
    double schedules = 0;
    for (const Chunk &chunk : step) schedules += static_cast<double>(chunk.schedules.size());
    pool_.for_each(step.size(), [&](size_t i) {
        const double own = static_cast<double>(step[i].schedules.size());
        differentiate(step[i], own / schedules, works_[i]);
    });

    std::vector<float> &gradient = works_[0].gradient;
    double loss = 0;
    for (size_t i = 0; i < step.size(); ++i) {
        const ChunkWork &work = works_[i];
        loss += work.loss;
        if (i > 0) {
            for (size_t p = 0; p < gradient.size(); ++p) gradient[p] += work.gradient[p];
        }
        for (size_t s = 0; s < work.predicted_ns.size(); ++s) {
            judged_[step[i].pipeline].predicted_ns[step[i].schedules[s]] = work.predicted_ns[s];
        }
    }
    if (settings_.part == TrainedPart::heads) keep_heads(gradient);
    shorten(gradient);
    adam_.step(network_.parameters(), gradient, rate);
    return loss;
}

void Trainer::update_trust() {
    trust_ = trust_of(judged_);
    for (size_t p = 0; p < training_.size(); ++p) {
        double best = std::numeric_limits<double>::infinity();
        for (size_t i = 0; i < schedules_[p]; ++i) {
            if (trust_[p][i] > 0.5) best = std::min(best, training_[p]->times_ns[i]);
        }
        // Of two schedules that are far from each other neither is trusted: then nothing is known
        // that is better than the best as it is.
        if (std::isfinite(best)) best_ns_[p] = best;
    }
}

double Trainer::run_epoch(int number) {
    const std::vector<Step> steps = random_steps(
        schedules_, settings_.batch, Random(settings_.seed).fork(static_cast<uint64_t>(number)));
    double loss = 0;
    for (size_t i = 0; i < steps.size(); ++i) {
        const double done = static_cast<double>(i + 1) / static_cast<double>(steps.size());
        const double progress = (number - 1 + done) / settings_.epochs;
        loss += run_step(steps[i], rate_at(learning_rate_of(settings_), progress));
    }
    if (number >= kBeliefEnds * settings_.epochs) update_trust();
    return loss / static_cast<double>(steps.size());
}

}  // namespace

double learning_rate_of(const TrainingSettings &settings) {
    const bool heads = settings.part == TrainedPart::heads;
    return settings.learning_rate.value_or(heads ? kHeadsLearningRate : kLearningRate);
}

std::string_view to_string(TrainingStop stop) {
    constexpr std::array<std::string_view, 3> kNames = {"all_epochs", "patience", "asked"};
    return kNames[static_cast<size_t>(stop)];
}

Network fresh_network(PipelineList pipelines, uint64_t seed) {
    Network network = Network::initial(seed);
    network.set_normalisation(normalisation_of(pipelines));
    return network;
}

Network continued_network(Network earlier, PipelineList pipelines) {
    earlier.normalise_constant_inputs(normalisation_of(pipelines));
    return earlier;
}

Result<Training> train(Network start, PipelineList training, PipelineList held_out,
                       const TrainingSettings &settings, ThreadPool &pool,
                       const OnEpoch &on_epoch) {
    calibrate(start, training, pool);
    const bool tells = count_pairs(judge(start, held_out, pool)).pairs > 0;
    const PipelineList watched = tells ? held_out : training;
    const auto accuracy = [&](const Network &network) {
        return count_pairs(judge(network, watched, pool)).accuracy().value_or(0);
    };
    Training result{.network = start};
    double best = accuracy(start);
    result.epochs.push_back({.number = 0, .loss = 0, .held_out_accuracy = best});
    Trainer trainer(std::move(start), training, settings, pool);
    for (int number = 1; number <= settings.epochs; ++number) {
        const double loss = trainer.run_epoch(number);
        if (!std::isfinite(loss)) {
            return Error{"expected a finite loss in epoch " + std::to_string(number) + ", found " +
                         std::to_string(loss) + ": lower the learning rate"};
        }
        result.epochs.push_back({number, loss, accuracy(trainer.network())});
        // Of equal ones, a network that was trained at all.
        const double now = result.epochs.back().held_out_accuracy;
        if (now > best || (now == best && result.best_epoch == 0)) {
            best = now;
            result.best_epoch = number;
            result.network = trainer.network();
        }
        if (!on_epoch(result.epochs.back())) {
            result.stop = TrainingStop::asked;
            break;
        }
        if (number - result.best_epoch >= settings.patience) {
            result.stop = TrainingStop::patience;
            break;
        }
    }
    calibrate(result.network, training, pool);
    return result;
}

}  // namespace autoschedule_gpu
