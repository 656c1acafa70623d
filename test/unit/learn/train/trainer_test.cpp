// The trainer on samples whose truth is known (synthetic_samples.h).
#include "learn/train/trainer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "unit/learn/train/synthetic_samples.h"

namespace autoschedule_gpu {
namespace {

using Pipelines = std::vector<const PipelineSamples *>;

Dataset dataset_of(const synthetic::Settings &settings) {
    return make_dataset(std::vector<NamedSampleFile>{{"synthetic", synthetic::samples(settings)}})
        .value();
}

Pipelines pipelines_of(const Dataset &dataset) {
    Pipelines pipelines;
    for (const PipelineSamples &pipeline : dataset.pipelines) pipelines.push_back(&pipeline);
    return pipelines;
}

double baseline_accuracy(const Dataset &dataset, size_t baseline) {
    PairCount count;
    for (const PipelineSamples &pipeline : dataset.pipelines) {
        count += count_pairs(pipeline.baseline_ns[baseline], pipeline.times_ns);
    }
    return *count.accuracy();
}

bool go_on(const Epoch &) {
    return true;
}

class TrainerTest : public testing::Test {
protected:
    // Trains on `training` but for its last pipelines, which are watched.
    Training trained(const Dataset &training, const TrainingSettings &settings,
                     std::optional<Network> start = {}, int threads = 2) {
        const Pipelines all = pipelines_of(training);
        const size_t watched = all.size() / 7;
        const Pipelines seen(all.begin(), all.end() - static_cast<std::ptrdiff_t>(watched));
        const Pipelines unseen(all.end() - static_cast<std::ptrdiff_t>(watched), all.end());
        ThreadPool pool(threads);
        Network network = start ? *start : fresh_network(seen, settings.seed);
        return train(std::move(network), seen, unseen, settings, pool, go_on).value();
    }

    double accuracy(const Network &network, const Dataset &dataset) {
        ThreadPool pool(2);
        return *count_pairs(judge(network, pipelines_of(dataset), pool)).accuracy();
    }

    // What nothing was trained on.
    const Dataset test_ = dataset_of({.seed = 99, .pipelines = 10});
};

TEST_F(TrainerTest, RanksPipelinesThatItHasNotSeen) {
    const Training training = trained(dataset_of({.pipelines = 30}), {.epochs = 60});
    EXPECT_GE(accuracy(training.network, test_), 0.93);
    for (size_t i = 0; i < kBaselines.size(); ++i) EXPECT_LT(baseline_accuracy(test_, i), 0.85);
}

TEST_F(TrainerTest, EachLossRanks) {
    const Dataset dataset = dataset_of({.pipelines = 30});
    for (const Loss loss : {Loss::throughput, Loss::pairwise}) {
        EXPECT_GE(accuracy(trained(dataset, {.loss = loss, .epochs = 60}).network, test_), 0.9);
    }
}

// Of its measurements, every fifth is wrong by a factor up to 30.
TEST_F(TrainerTest, LearnsTheTruthFromSamplesOfWhichAFifthAreWrong) {
    const double clean =
        accuracy(trained(dataset_of({.pipelines = 30}), {.epochs = 60}).network, test_);
    const double corrupted = accuracy(
        trained(dataset_of({.pipelines = 30, .corrupted = 0.2}), {.epochs = 60}).network, test_);
    EXPECT_GE(corrupted, 0.9);
    EXPECT_GE(corrupted, clean - 0.03);
}

TEST_F(TrainerTest, PredictsTimesInNanoseconds) {
    const Training training = trained(dataset_of({.pipelines = 30}), {.epochs = 40});
    ThreadPool pool(1);
    const RankQuality quality = rank_quality(judge(training.network, pipelines_of(test_), pool));
    EXPECT_NEAR(quality.calibration.median, 1, 0.15);
}

TEST_F(TrainerTest, IsTheSameOnAnyNumberOfThreads) {
    const Dataset dataset = dataset_of({.pipelines = 8, .schedules = 40});
    const TrainingSettings settings{.epochs = 5, .seed = 3};
    const Training one = trained(dataset, settings, {}, 1), two = trained(dataset, settings, {}, 2),
                   five = trained(dataset, settings, {}, 5);
    const auto bytes = [](const Training &training) {
        const std::span<const float> numbers = training.network.parameters();
        return std::string(reinterpret_cast<const char *>(numbers.data()), numbers.size_bytes());
    };
    EXPECT_EQ(bytes(one), bytes(two));
    EXPECT_EQ(bytes(one), bytes(five));
    EXPECT_NE(bytes(one), bytes(trained(dataset, {.epochs = 5, .seed = 4})));
}

TEST_F(TrainerTest, StopsWhenNoEpochIsBetterAndKeepsTheBest) {
    const Dataset dataset = dataset_of({.pipelines = 8, .schedules = 20});
    const Training training = trained(dataset, {.epochs = 100000, .patience = 5});
    EXPECT_EQ(training.stop, TrainingStop::patience);
    EXPECT_EQ(training.epochs.back().number, training.best_epoch + 5);
    const auto best = std::max_element(  // of those in which it was trained at all
        training.epochs.begin() + 1, training.epochs.end(),
        [](const Epoch &a, const Epoch &b) { return a.held_out_accuracy < b.held_out_accuracy; });
    EXPECT_EQ(best->number, training.best_epoch);
    ThreadPool pool(1);
    const Pipelines watched = {&dataset.pipelines.back()};
    EXPECT_NEAR(*count_pairs(judge(training.network, watched, pool)).accuracy(),
                best->held_out_accuracy, 1e-3);  // but for the scale
}

TEST_F(TrainerTest, StopsAfterTheEpochAtHandWhenAsked) {
    const Dataset dataset = dataset_of({.pipelines = 4, .schedules = 20});
    ThreadPool pool(1);
    const Pipelines all = pipelines_of(dataset);
    const Training training =
        train(fresh_network(all, 0), all, {}, {.epochs = 50}, pool, [](const Epoch &epoch) {
            return epoch.number < 3;
        }).value();
    EXPECT_EQ(training.stop, TrainingStop::asked);
    EXPECT_EQ(training.epochs.size(), 4);  // 0 to 3
}

// Of an input that was the same in all earlier samples, as features are that an earlier list had
// not.
TEST_F(TrainerTest, GoesOnToLearnOfWhatWasConstantBefore) {
    const Dataset dataset = dataset_of({.pipelines = 8, .schedules = 20});
    const Pipelines pipelines = pipelines_of(dataset);
    Network earlier = fresh_network(pipelines, 1);
    const Normalisation fitted = earlier.normalisation();
    Normalisation blind = fitted;
    for (size_t i = 0; i < blind.scale.size(); ++i) {
        if (i % 4 != 0) blind.mean[i] = blind.scale[i] = 0;
    }
    earlier.set_normalisation(blind);
    ThreadPool pool(1);
    const Network continued = continued_network(earlier, pipelines);
    EXPECT_EQ(continued.normalisation().mean, fitted.mean);
    EXPECT_EQ(continued.normalisation().scale, fitted.scale);
    const std::vector<Judged> before = judge(earlier, pipelines, pool),
                              after = judge(continued, pipelines, pool);
    for (size_t i = 0; i < before.size(); ++i) {
        EXPECT_EQ(before[i].predicted_ns, after[i].predicted_ns) << "it counts nothing at first";
    }
    const double blind_accuracy =
        accuracy(trained(dataset, {.epochs = 20}, earlier).network, test_);
    EXPECT_GT(accuracy(trained(dataset, {.epochs = 20}, continued).network, test_), blind_accuracy);
}

TEST_F(TrainerTest, AdaptsNothingButTheHeads) {
    const Dataset dataset = dataset_of({.pipelines = 8, .schedules = 20});
    const Network start = trained(dataset, {.epochs = 2}).network;
    const Training adapted =
        trained(dataset_of({.device = synthetic::slow_memory_device(), .pipelines = 8}),
                {.part = TrainedPart::heads, .epochs = 5}, start);
    EXPECT_GT(adapted.best_epoch, 0);
    for (const ParameterBlock &block : Network::blocks()) {
        const auto part = [&](const Network &network) {
            const std::span<const float> own =
                network.parameters().subspan(block.offset, block.size);
            return std::vector<float>(own.begin(), own.end());
        };
        EXPECT_EQ(part(start) != part(adapted.network), block.head) << block.name;
    }
}

// 210 samples of the other device, of 7 pipelines.
TEST_F(TrainerTest, AdaptsToAnotherDeviceFromFewSamples) {
    const synthetic::HiddenDevice other = synthetic::slow_memory_device();
    const Dataset test = dataset_of({.device = other, .seed = 99, .pipelines = 10});
    const Dataset few = dataset_of({.device = other, .seed = 6, .pipelines = 7, .schedules = 30});
    const Network start = trained(dataset_of({.pipelines = 40}), {.epochs = 60}).network;
    const Training adapted = trained(few, {.part = TrainedPart::heads}, start);
    const double adapted_accuracy = accuracy(adapted.network, test);
    EXPECT_GT(adapted_accuracy, accuracy(start, test) + 0.05);
    EXPECT_GT(adapted_accuracy, accuracy(trained(few, {}).network, test));
}

TEST_F(TrainerTest, SaysThatItDiverges) {
    Dataset dataset = dataset_of({.pipelines = 4, .schedules = 20});
    dataset.pipelines[0].times_ns[0] = std::nan("");
    ThreadPool pool(1);
    const Pipelines all = pipelines_of(dataset);
    const auto training = train(fresh_network(all, 0), all, {}, {.epochs = 5}, pool, go_on);
    ASSERT_FALSE(training.ok());
    EXPECT_NE(training.error().message.find("finite loss in epoch 1"), std::string::npos);
}

// Of two schedules one of which is measured wrong by far, neither is trusted.
TEST_F(TrainerTest, LearnsFromPipelinesOfTwoSchedules) {
    Dataset dataset = dataset_of({.pipelines = 30, .schedules = 2});
    for (size_t i = 0; i < 3; ++i) dataset.pipelines[i].times_ns[0] *= 1000;
    const Training training = trained(dataset, {.epochs = 20});
    for (const Epoch &epoch : training.epochs) EXPECT_TRUE(std::isfinite(epoch.loss));
    EXPECT_GT(training.epochs.size(), 10);
}

}  // namespace
}  // namespace autoschedule_gpu
