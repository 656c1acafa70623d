#include "learn/train/retrain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "core/json/json.h"
#include "learn/train/provenance.h"
#include "learn/train/replacement.h"
#include "learn/train/shuffle.h"
#include "unit/learn/train/synthetic_samples.h"

namespace autoschedule_gpu {
namespace {

class RetrainTest : public testing::Test {
protected:
    explicit RetrainTest(size_t pipelines = 6)
        : dataset_(make_dataset(std::vector<NamedSampleFile>{
                                    {"synthetic", synthetic::samples(
                                                      {.pipelines = pipelines, .schedules = 20})}})
                       .value()) {}

    Retrained retrained(
        const RetrainRequest &request,
        const OnRetrainProgress &on_progress = [](const auto &) { return true; }) {
        return retrain(dataset_, request, pool_, on_progress).value();
    }

    // Weights as the tool makes them.
    Weights weights_of(const Retrained &retrained) const {
        WeightsOrigin origin;
        origin.device = dataset_.origin.device;
        origin.trained_from = trained_from_text(dataset_, retrained.held_out, retrained.never_seen);
        return {origin, std::nullopt, retrained.training.network};
    }

    ThreadPool pool_{2};
    Dataset dataset_;
};

TEST_F(RetrainTest, JudgesEachPipelineOnce) {
    for (const std::optional<size_t> folds : {std::optional<size_t>(), std::optional<size_t>(2)}) {
        const Retrained result = retrained({.training = {.epochs = 2}, .folds = folds});
        EXPECT_EQ(result.folds, folds.value_or(6));
        EXPECT_EQ(result.judged_folds, result.folds);
        ASSERT_EQ(result.held_out.size(), 6);
        for (size_t i = 0; i < 6; ++i) {
            EXPECT_EQ(result.held_out[i].pipeline, dataset_.pipelines[i].name);
            EXPECT_EQ(result.held_out[i].measured_ns, dataset_.pipelines[i].times_ns);
        }
    }
}

// A pipeline's own times change nothing in what is predicted of it while it is held out.
TEST_F(RetrainTest, JudgesByNetworksThatHaveNotSeenThePipeline) {
    const RetrainRequest request{.training = {.epochs = 3}, .folds = 6};
    const std::vector<double> before = retrained(request).held_out[2].predicted_ns;
    std::vector<double> &times = dataset_.pipelines[2].times_ns;
    std::reverse(times.begin(), times.end());
    EXPECT_EQ(retrained(request).held_out[2].predicted_ns, before);
    std::vector<double> &others = dataset_.pipelines[3].times_ns;
    std::reverse(others.begin(), others.end());
    EXPECT_NE(retrained(request).held_out[2].predicted_ns, before);
}

// No training may see them, that of the network to keep included.
TEST_F(RetrainTest, NeverSeesWhatIsHeldOut) {
    const std::string &name = dataset_.pipelines[2].name;
    const RetrainRequest request{.training = {.epochs = 3}, .hold_out = {name}, .seeds = 2};
    const Retrained before = retrained(request);
    ASSERT_EQ(before.held_out.size(), 1);
    EXPECT_EQ(before.held_out[0].pipeline, name);
    EXPECT_EQ(before.never_seen, std::vector<std::string>{name});
    std::vector<double> &times = dataset_.pipelines[2].times_ns;
    std::reverse(times.begin(), times.end());
    const Retrained after = retrained(request);
    EXPECT_TRUE(std::ranges::equal(after.training.network.parameters(),
                                   before.training.network.parameters()));
    EXPECT_EQ(after.held_out[0].predicted_ns, before.held_out[0].predicted_ns);
    EXPECT_EQ(after.further_seeds[0][0].predicted_ns, before.further_seeds[0][0].predicted_ns);
    std::reverse(dataset_.pipelines[3].times_ns.begin(), dataset_.pipelines[3].times_ns.end());
    EXPECT_NE(retrained(request).held_out[0].predicted_ns, before.held_out[0].predicted_ns);
}

TEST_F(RetrainTest, JudgesAgainWithOtherSeeds) {
    RetrainRequest request{.training = {.epochs = 2, .seed = 7}, .folds = 3, .seeds = 2};
    const Retrained both = retrained(request);
    ASSERT_EQ(both.further_seeds.size(), 1);
    ASSERT_EQ(both.further_seeds[0].size(), 6);
    EXPECT_NE(both.further_seeds[0][0].predicted_ns, both.held_out[0].predicted_ns);
    for (size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(both.further_seeds[0][i].pipeline, both.held_out[i].pipeline);
    }
}

TEST_F(RetrainTest, PutsApplicationsTogether) {
    std::vector<Retrained> each;
    for (const size_t i : {0, 3}) {
        each.push_back(retrained(
            {.training = {.epochs = 1}, .hold_out = {dataset_.pipelines[i].name}, .seeds = 3}));
    }
    const Retrained all = put_together(each, 2);
    ASSERT_EQ(all.held_out.size(), 2);
    EXPECT_EQ(all.held_out[1].pipeline, dataset_.pipelines[3].name);
    ASSERT_EQ(all.further_seeds.size(), 2);
    EXPECT_EQ(all.further_seeds[1][1].predicted_ns, each[1].further_seeds[1][0].predicted_ns);
    EXPECT_EQ(protocol_of(all, 6), "leave-one-application-out");
}

TEST_F(RetrainTest, JudgesNoApplicationWhoseTrainingWasStopped) {
    const auto stop = [](const RetrainProgress &) { return false; };
    const auto without = [&](size_t i, const OnRetrainProgress &on_progress) {
        return retrained({.training = {.epochs = 5}, .hold_out = {dataset_.pipelines[i].name}},
                         on_progress);
    };
    const Retrained whole = without(0, [](const auto &) { return true; });
    const Retrained stopped = without(3, stop);
    ASSERT_EQ(stopped.training.stop, TrainingStop::asked);
    const Retrained one_of_three = put_together({whole, stopped}, 3);
    EXPECT_EQ(one_of_three.folds, 3);
    EXPECT_EQ(one_of_three.judged_folds, 1);
    ASSERT_EQ(one_of_three.held_out.size(), 1);
    EXPECT_EQ(one_of_three.held_out[0].pipeline, dataset_.pipelines[0].name);
    EXPECT_EQ(protocol_of(one_of_three, 6), "leave-one-application-out, stopped after 1");
    const Retrained none_of_three = put_together({stopped}, 3);
    EXPECT_FALSE(none_of_three.is_judged());
    EXPECT_TRUE(none_of_three.held_out.empty());
    EXPECT_EQ(protocol_of(none_of_three, 6), "leave-one-application-out, stopped after 0");
}

TEST_F(RetrainTest, SaysHowItJudged) {
    EXPECT_EQ(protocol_of(
                  {.training = {.network = Network::initial(0)}, .folds = 6, .judged_folds = 6}, 6),
              "leave-one-pipeline-out");
    EXPECT_EQ(protocol_of({.training = {.network = Network::initial(0)},
                           .never_seen = {"app:a", "app:b", "app:c", "app:d"},
                           .folds = 1,
                           .judged_folds = 1},
                          6),
              "pipelines held out of all trainings: app:a, app:b, app:c and 1 more");
    EXPECT_EQ(protocol_of(
                  {.training = {.network = Network::initial(0)}, .folds = 5, .judged_folds = 2}, 6),
              "5 folds of pipelines, stopped after 2");
}

TEST_F(RetrainTest, KeepsWhatItHasWhenItIsStopped) {
    const auto stop_in = [](size_t training) {
        return [=](const RetrainProgress &p) { return p.training < training; };
    };
    const RetrainRequest request{.training = {.epochs = 5}};
    const Retrained first = retrained(request, stop_in(0));
    EXPECT_EQ(first.training.stop, TrainingStop::asked);
    EXPECT_EQ(first.training.epochs.size(), 2);
    EXPECT_EQ(first.judged_folds, 0);
    EXPECT_EQ(first.held_out.size(), 1);  // by which it was watched
    const Retrained third = retrained(request, stop_in(3));
    EXPECT_EQ(third.training.stop, TrainingStop::all_epochs);
    EXPECT_EQ(third.judged_folds, 2);
    EXPECT_EQ(third.held_out.size(), 2);
}

class OnePipeline : public RetrainTest {
protected:
    OnePipeline() : RetrainTest(1) {}
};

TEST_F(OnePipeline, IsNotEnough) {
    const auto result = retrain(dataset_, {}, pool_, [](const auto &) { return true; });
    ASSERT_FALSE(result.ok());
    EXPECT_NE(result.error().message.find("two pipelines or more, found those of 1"),
              std::string::npos);
}

TEST_F(RetrainTest, RemembersWhatPipelinesWereWorthWhenTheyWereHeldOut) {
    std::vector<Judged> held_out = retrained({.training = {.epochs = 2}}).held_out;
    held_out.pop_back();
    const std::vector<TrainedPipeline> known =
        trained_pipelines(trained_from_text(dataset_, held_out, {}));
    ASSERT_EQ(known.size(), 6);
    EXPECT_EQ(known[0].name, dataset_.pipelines[0].name);
    EXPECT_NEAR(*known[0].held_out_accuracy,
                *count_pairs(held_out[0].predicted_ns, held_out[0].measured_ns).accuracy(), 5e-5);
    EXPECT_EQ(known[5].held_out_accuracy, std::nullopt);
    // What training began with had seen the first, and one that is not here.
    const std::vector<TrainedPipeline> before = {{"app:elsewhere", 0.5},
                                                 {dataset_.pipelines[0].name, 0.9}};
    const std::vector<TrainedPipeline> all =
        trained_pipelines(trained_from_text(dataset_, held_out, {}, before));
    ASSERT_EQ(all.size(), 7);
    EXPECT_EQ(all[0].name, "app:elsewhere");
    EXPECT_EQ(all[1].name, dataset_.pipelines[0].name);
    EXPECT_EQ(all[0].held_out_accuracy, std::nullopt);
    EXPECT_EQ(all[1].held_out_accuracy, std::nullopt);
    EXPECT_EQ(all[2].held_out_accuracy, known[1].held_out_accuracy);
    EXPECT_TRUE(trained_pipelines("many samples").empty());
    EXPECT_TRUE(trained_pipelines("of:\nhigh app:harris\n").empty());
}

// Trained weights know their own pipelines by heart; that must not keep out weights that are as
// good on pipelines which they have not seen.
TEST_F(RetrainTest, ComparesWithWhatEarlierWeightsWereWorthOnUnseenPipelines) {
    const Retrained now = retrained({.training = {.epochs = 30}});
    const Comparison same = compare(now, dataset_, weights_of(now), {}, pool_);
    EXPECT_NEAR(*same.earlier.accuracy(), *same.now.accuracy(), 1e-4);
    EXPECT_FALSE(same.worse_now());

    const EarlierWeights init{"init", weights_of(now)};
    EXPECT_EQ(compare(now, dataset_, weights_of(now), init, pool_).now.pairs, 0)
        << "the new network has begun with what had seen them all";

    Weights unknown = weights_of(now);
    unknown.origin.trained_from = "other samples";
    const Comparison by_heart = compare(now, dataset_, unknown, {}, pool_);
    EXPECT_EQ(by_heart.earlier.ordered,
              count_pairs(
                  judge(now.training.network,
                        std::vector<const PipelineSamples *>{
                            &dataset_.pipelines[0], &dataset_.pipelines[1], &dataset_.pipelines[2],
                            &dataset_.pipelines[3], &dataset_.pipelines[4], &dataset_.pipelines[5]},
                        pool_))
                  .ordered);
}

TEST_F(RetrainTest, WritesACardOfAllModels) {
    const RetrainRequest request{.training = {.epochs = 3, .seed = 9}};
    const Retrained result = retrained(request);
    const Weights earlier = weights_of(result);
    const ReportCard card =
        make_report_card(dataset_, result, request.training, {{"old.weights", earlier}}, pool_);
    const Json json = Json::parse(report_card_json(card));
    EXPECT_EQ(json["protocol"], "leave-one-pipeline-out");
    EXPECT_EQ(json["training"]["history"].size(), 4);
    std::vector<std::string> names;
    for (const Json &model : json["models"]) {
        names.push_back(model["model"]);
        EXPECT_EQ(model["pipelines"].size(), 6);
        EXPECT_EQ(model["total"]["schedules"], 120);
    }
    EXPECT_EQ(names,
              std::vector<std::string>({"network", "old.weights", "roofline", "analytical"}));
    EXPECT_EQ(json["models"][1]["pipelines_seen_in_training"], 6);
    const RankQuality quality = rank_quality(result.held_out);
    const Json &total = json["models"][0]["total"];
    EXPECT_EQ(total["pairwise_accuracy"], *quality.pairs.accuracy());
    EXPECT_EQ(total["regret_at_5"], quality.regret[1].value());
    EXPECT_TRUE(total["regret_at_32"].is_null()) << "of 20 schedules";
    EXPECT_EQ(total["predicted_over_measured"]["median"], quality.calibration.median);
    const CardSummary summed = summary(card).value();
    EXPECT_EQ(summed.network, *quality.pairs.accuracy());
    EXPECT_EQ(summed.roofline, json["models"][2]["total"]["pairwise_accuracy"]);
    EXPECT_EQ(summed.pipelines, 6);
    EXPECT_EQ(summed.samples, 120);
}

class TwoSizes : public RetrainTest {
protected:
    TwoSizes() {
        SampleFile file = synthetic::samples({.pipelines = 6, .schedules = 20});
        for (size_t i = 0; i < file.samples.size(); ++i) {
            file.samples[i].schedule = i % 2 > 0 ? "size=full" : "size=small";
        }
        dataset_ = make_dataset(std::vector<NamedSampleFile>{{"sizes", file}}).value();
    }
};

TEST_F(TwoSizes, AreJudgedEachAndHeldOutTogether) {
    const RetrainRequest request{.training = {.epochs = 2}, .seeds = 2};
    const Retrained before = retrained(request);
    EXPECT_EQ(before.folds, 6);
    EXPECT_EQ(protocol_of(before, dataset_.by_name().size()), "leave-one-pipeline-out");
    ASSERT_EQ(before.held_out.size(), 12);
    EXPECT_EQ(before.held_out[5].pipeline, dataset_.pipelines[5].name);
    EXPECT_EQ(before.held_out[4].size, "full");
    EXPECT_EQ(before.held_out[5].size, "small");
    EXPECT_EQ(trained_pipelines(trained_from_text(dataset_, before.held_out, {})).size(), 6);
    EXPECT_EQ(verdict_of(before, dataset_, {}, {}, pool_).difference.pipelines, 6);
    // The times of the other size change nothing, because no judging network has seen them.
    std::ranges::reverse(dataset_.pipelines[4].times_ns);
    EXPECT_EQ(retrained(request).held_out[5].predicted_ns, before.held_out[5].predicted_ns);
}

TEST_F(TwoSizes, AreOnTheCardAsOnePipelineEach) {
    const RetrainRequest request{.training = {.epochs = 2}, .folds = 2};
    const Retrained result = retrained(request);
    const EarlierWeights earlier{"old.weights", weights_of(result)};
    const ReportCard card = make_report_card(dataset_, result, request.training, {earlier}, pool_);
    const Json json = Json::parse(report_card_json(card));
    EXPECT_EQ(json["samples"]["pipelines"], 6);
    const Json &old = json["models"][1];
    EXPECT_EQ(old["pipelines_seen_in_training"], 6);
    ASSERT_EQ(old["pipelines"].size(), 12);
    EXPECT_EQ(old["pipelines"][1]["size"], "small");
    EXPECT_EQ(summary(card).value().pipelines, 6);
}

class VerdictOfTraining : public RetrainTest {
protected:
    VerdictOfTraining() : RetrainTest(12) {}

    // Trains for so long, and judges all pipelines in folds.
    CardVerdict verdict(int epochs, const std::optional<EarlierWeights> &in_place = {},
                        const std::optional<EarlierWeights> &init = {}) {
        const Retrained result =
            retrained({.training = {.epochs = epochs}, .folds = 3, .seeds = 2});
        return verdict_of(result, dataset_, in_place, init, pool_);
    }
};

TEST_F(VerdictOfTraining, IsBetterWhereThereIsSomethingToLearn) {
    const CardVerdict found = verdict(80);
    EXPECT_EQ(found.difference.verdict, Verdict::better)
        << verdict_text(found.difference, found.in_use);
    EXPECT_EQ(found.in_use, "the roofline");
    EXPECT_EQ(found.difference.pipelines, 12);
}

// Times that no feature tells: any schedule of a pipeline may have any of its times.
TEST_F(VerdictOfTraining, IsUndecidedWhereNothingCanBeLearned) {
    Random random(3);
    for (PipelineSamples &pipeline : dataset_.pipelines) shuffle(pipeline.times_ns, random);
    const CardVerdict found = verdict(5);
    EXPECT_EQ(found.difference.verdict, Verdict::undecided)
        << verdict_text(found.difference, found.in_use);
}

TEST_F(VerdictOfTraining, IsWorseWhereTheRooflineIsRight) {
    for (PipelineSamples &pipeline : dataset_.pipelines) {
        pipeline.times_ns = pipeline.baseline_ns[0];
    }
    const CardVerdict found = verdict(1);
    EXPECT_EQ(found.difference.verdict, Verdict::worse)
        << verdict_text(found.difference, found.in_use);
    EXPECT_EQ(found.difference.in_use, 1);
}

TEST_F(VerdictOfTraining, IsAboutTheWeightsInPlaceIfThereAreAny) {
    const Retrained good = retrained({.training = {.epochs = 20}, .folds = 3});
    const CardVerdict found = verdict(1, EarlierWeights{"good.weights", weights_of(good)});
    EXPECT_EQ(found.in_use, "good.weights");
    EXPECT_EQ(found.difference.verdict, Verdict::worse)
        << verdict_text(found.difference, found.in_use);
}

// A network that began with weights knows what these were trained on.
TEST_F(VerdictOfTraining, LeavesOutWhatTheInitialWeightsHaveSeen) {
    const Retrained seen = retrained({.training = {.epochs = 1}, .folds = 3});
    const CardVerdict found = verdict(1, {}, EarlierWeights{"init.weights", weights_of(seen)});
    EXPECT_EQ(found.difference.pipelines, 0);
    EXPECT_EQ(found.difference.verdict, Verdict::undecided);
}

class ReplacementTest : public testing::Test {
protected:
    ReplacementTest()
        : path_((std::filesystem::temp_directory_path() /
                 (std::string("replacement_test.") +
                  testing::UnitTest::GetInstance()->current_test_info()->name()))
                    .string()) {
        old_.origin.device = "d";
        new_.origin.device = "d";
        new_.origin.seed = 2;
        EXPECT_TRUE(write_weights(path_, old_).ok());
    }
    ~ReplacementTest() override { std::filesystem::remove(path_); }

    // Whether new weights that order `now` of 100 pairs were written, where the old order 80.
    bool written(double now, Replace replace) {
        ReportCard card;
        card.comparison = {.earlier = {.pairs = 100, .ordered = 80},
                           .now = {.pairs = 100, .ordered = now}};
        const bool put = put_in_place(path_, new_, replace, card).value();
        EXPECT_FALSE(card.decision.empty());
        EXPECT_EQ(put, read_weights(path_)->origin == new_.origin);
        return put;
    }

    std::string path_;
    Weights old_{{}, std::nullopt, Network::initial(1)};
    Weights new_{{}, std::nullopt, Network::initial(2)};
};

TEST_F(ReplacementTest, KeepsBetterWeights) {
    EXPECT_FALSE(written(79, Replace::unless_better));
}

TEST_F(ReplacementTest, TakesWeightsThatAreAsGood) {
    EXPECT_TRUE(written(80, Replace::unless_better));
}

TEST_F(ReplacementTest, KeepsWhatCanNotBeComparedUnlessItIsForced) {
    ReportCard card;
    card.comparison = Comparison();
    EXPECT_FALSE(put_in_place(path_, new_, Replace::unless_better, card).value());
    EXPECT_EQ(read_weights(path_)->origin, old_.origin);
    EXPECT_NE(card.decision.find("--force"), std::string::npos);
    EXPECT_TRUE(put_in_place(path_, new_, Replace::always, card).value());
    EXPECT_EQ(read_weights(path_)->origin, new_.origin);
}

TEST_F(ReplacementTest, TakesWorseOnesByForce) {
    EXPECT_TRUE(written(79, Replace::always));
}

TEST_F(ReplacementTest, SaysOnTheCardThatNothingCouldBeWritten) {
    for (const bool compares : {false, true}) {
        ReportCard card;
        if (compares) card.comparison = Comparison();
        const auto put = put_in_place(path_ + ".none/weights", new_, Replace::always, card);
        ASSERT_FALSE(put.ok());
        EXPECT_EQ(card.decision, "not written: " + put.error().message);
    }
}

TEST_F(ReplacementTest, RefusesToCompareWithAnotherDevice) {
    EXPECT_TRUE(weights_in_place(path_, "d", Replace::unless_better)->has_value());
    const auto other = weights_in_place(path_, "e", Replace::unless_better);
    ASSERT_FALSE(other.ok());
    EXPECT_NE(other.error().message.find("--force"), std::string::npos);
    EXPECT_FALSE(weights_in_place(path_, "e", Replace::always)->has_value());
    EXPECT_FALSE(weights_in_place(path_ + ".none", "d", Replace::unless_better)->has_value());
    // Nothing is read of what may have no end.
    EXPECT_FALSE(weights_in_place("/dev/zero", "d", Replace::unless_better)->has_value());
}

}  // namespace
}  // namespace autoschedule_gpu
