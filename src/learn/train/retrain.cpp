#include "learn/train/retrain.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "learn/train/folds.h"
#include "learn/train/held_out.h"

namespace autoschedule_gpu {

namespace {

void sort_by_name(std::vector<Judged> &judged) {
    std::sort(judged.begin(), judged.end(), [](const Judged &a, const Judged &b) {
        return std::tie(a.pipeline, a.size) < std::tie(b.pipeline, b.size);
    });
}

// Shows a few names and the number of the others.
std::string list_text(const std::vector<std::string> &names) {
    constexpr size_t kMostShown = 3;
    std::string text;
    for (size_t i = 0; i < std::min(names.size(), kMostShown); ++i) {
        text += (i > 0 ? ", " : "") + names[i];
    }
    if (names.size() <= kMostShown) return text;
    return text + " and " + std::to_string(names.size() - kMostShown) + " more";
}

class Retraining {
public:
    Retraining(const Dataset &dataset, const RetrainRequest &request, std::vector<size_t> never,
               ThreadPool &pool, const OnRetrainProgress &on_progress)
        : dataset_(dataset),
          request_(request),
          never_(std::move(never)),
          pool_(pool),
          on_progress_(on_progress),
          by_name_(dataset.by_name()) {
        const size_t candidates = by_name_.size();
        folds_ = never_.empty()
                     ? std::min(request.folds.value_or(default_folds(candidates)), candidates)
                     : 1;
        trainings_ = 1 + folds_ * request.seeds - (never_.empty() ? 0 : 1);
    }

    Result<Retrained> run() {
        Result<Training> kept = train_on(all_but(never_), request_.training.seed);
        if (!kept) return kept.error();
        Result<Folds> first = judge_first(*kept);
        if (!first) return first.error();
        Retrained result{.training = std::move(kept).value(),
                         .folds = folds_,
                         .judged_folds = first->number,
                         .held_out = std::move(first).value().judged};
        for (const std::vector<size_t> &sizes : by_name_) {
            if (!std::ranges::binary_search(never_, sizes.front())) continue;
            result.never_seen.push_back(dataset_.pipelines[sizes.front()].name);
        }
        const bool stopped =
            result.training.stop == TrainingStop::asked || result.judged_folds < folds_;
        for (uint64_t seed = 1; seed < request_.seeds && !stopped; ++seed) {
            Result<Folds> folds = judge_folds(request_.training.seed + seed);
            if (!folds) return folds.error();
            if (folds->number < folds_) break;
            result.further_seeds.push_back(std::move(folds).value().judged);
        }
        return result;
    }

private:
    struct Folds {
        size_t number = 0;  // that were judged; fewer than there are if the end was asked for
        std::vector<Judged> judged = {};  // sorted by name and size
    };
    using Pipelines = std::vector<const PipelineSamples *>;

    Pipelines all_but(const std::vector<size_t> &positions) const {
        Pipelines others;
        for (size_t i = 0; i < dataset_.pipelines.size(); ++i) {
            if (std::binary_search(positions.begin(), positions.end(), i)) continue;
            others.push_back(&dataset_.pipelines[i]);
        }
        return others;
    }
    Pipelines only(const std::vector<size_t> &positions) const {
        Pipelines some;
        for (const size_t i : positions) some.push_back(&dataset_.pipelines[i]);
        return some;
    }

    Split split_of(PipelineList pipelines, uint64_t seed, size_t number) const {
        return random_split(pipelines, request_.seen, Random(seed).fork(number));
    }

    // Trains the next network.
    Result<Training> train_on(const Pipelines &pipelines, uint64_t seed) {
        const size_t number = begun_++;
        TrainingSettings settings = request_.training;
        settings.seed = seed;
        const Split split = split_of(pipelines, seed, number);
        Network start = request_.start ? continued_network(*request_.start, split.training)
                                       : fresh_network(split.training, settings.seed);
        return train(std::move(start), split.training, split.held_out, settings, pool_,
                     [&](const Epoch &epoch) {
                         return on_progress_({.training = number,
                                              .trainings = trainings_,
                                              .epochs = settings.epochs,
                                              .epoch = epoch});
                     });
    }

    // Judges the network to keep if there are pipelines for that, else others that are trained
    // alike.
    Result<Folds> judge_first(const Training &kept) {
        const uint64_t seed = request_.training.seed;
        if (!never_.empty()) {
            return Folds{.number = 1, .judged = judge(kept.network, only(never_), pool_)};
        }
        if (kept.stop != TrainingStop::asked) return judge_folds(seed);
        Folds watched{.judged =
                          judge(kept.network, split_of(all_but({}), seed, 0).held_out, pool_)};
        sort_by_name(watched.judged);
        return watched;
    }

    // Positions of the pipelines that are held out together, each at all of its sizes.
    std::vector<std::vector<size_t>> folds_of(uint64_t seed) const {
        std::vector<std::vector<size_t>> folds;
        for (const std::vector<size_t> &names :
             random_folds(by_name_.size(), folds_, Random(seed))) {
            std::vector<size_t> &fold = folds.emplace_back();
            for (const size_t name : names) {
                fold.insert(fold.end(), by_name_[name].begin(), by_name_[name].end());
            }
        }
        return folds;
    }

    Result<Folds> judge_folds(uint64_t seed) {
        const std::vector<std::vector<size_t>> folds =
            never_.empty() ? folds_of(seed) : std::vector<std::vector<size_t>>{never_};
        Folds done;
        for (const std::vector<size_t> &fold : folds) {
            const Result<Training> training = train_on(all_but(fold), seed);
            if (!training) return training.error();
            if (training->stop == TrainingStop::asked) break;
            for (Judged &judged : judge(training->network, only(fold), pool_)) {
                done.judged.push_back(std::move(judged));
            }
            ++done.number;
        }
        sort_by_name(done.judged);
        return done;
    }

    const Dataset &dataset_;
    const RetrainRequest &request_;
    const std::vector<size_t> never_;  // positions, ascending
    ThreadPool &pool_;
    const OnRetrainProgress &on_progress_;
    const std::vector<std::vector<size_t>> by_name_;  // as Dataset::by_name
    size_t folds_ = 0, trainings_ = 0, begun_ = 0;
};

}  // namespace

Result<Retrained> retrain(const Dataset &dataset, const RetrainRequest &request, ThreadPool &pool,
                          const OnRetrainProgress &on_progress) {
    const size_t pipelines = dataset.by_name().size();
    if (pipelines < 2) {
        return Error{"expected samples of two pipelines or more, found those of " +
                     std::to_string(pipelines) +
                     ": a network is judged on pipelines that it was not trained on"};
    }
    Result<std::vector<size_t>> never = held_out_positions(dataset, request.hold_out);
    if (!never) return never.error();
    return Retraining(dataset, request, *std::move(never), pool, on_progress).run();
}

Retrained put_together(const std::vector<Retrained> &begun, size_t applications) {
    Retrained all = begun.front();
    all.folds = applications;
    if (all.training.stop == TrainingStop::asked) {
        all.judged_folds = 0;
        all.held_out.clear();
        all.further_seeds.clear();
    }
    for (size_t i = 1; i < begun.size(); ++i) {
        const Retrained &one = begun[i];
        if (one.training.stop == TrainingStop::asked) continue;
        all.never_seen.insert(all.never_seen.end(), one.never_seen.begin(), one.never_seen.end());
        all.judged_folds += one.judged_folds;
        all.held_out.insert(all.held_out.end(), one.held_out.begin(), one.held_out.end());
        all.further_seeds.resize(std::min(all.further_seeds.size(), one.further_seeds.size()));
        for (size_t seed = 0; seed < all.further_seeds.size(); ++seed) {
            const std::vector<Judged> &more = one.further_seeds[seed];
            all.further_seeds[seed].insert(all.further_seeds[seed].end(), more.begin(), more.end());
        }
    }
    return all;
}

std::string protocol_of(const Retrained &retrained, size_t pipelines) {
    std::string text;
    if (!retrained.never_seen.empty()) {
        text = retrained.folds > 1
                   ? "leave-one-application-out"
                   : "pipelines held out of all trainings: " + list_text(retrained.never_seen);
    } else if (retrained.judged_folds == 0) {
        return "pipelines held out of a training that was stopped";
    } else {
        text = retrained.folds == pipelines
                   ? "leave-one-pipeline-out"
                   : std::to_string(retrained.folds) + " folds of pipelines";
    }
    if (retrained.judged_folds < retrained.folds) {
        text += ", stopped after " + std::to_string(retrained.judged_folds);
    }
    return text;
}

}  // namespace autoschedule_gpu
