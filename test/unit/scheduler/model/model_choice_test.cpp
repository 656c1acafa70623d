#include "scheduler/model/model_choice.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/support/file.h"
#include "scheduler/model/make_cost_model.h"
#include "scheduler/model/weights_file.h"
#include "unit/scheduler/model/example_tables.h"

namespace autoschedule_gpu {
namespace {

const GpuModel &kA100 = example::gpu();

Weights weights_for(const std::string &gpu, std::optional<CardSummary> card) {
    return {{"some " + gpu, gpu, "", "", "", 0}, card, Network::initial(1)};
}

// Weights files as the plugin has them built in.
class Shipped {
public:
    Shipped &add(const std::string &name, const Weights &weights) {
        return add(name, weights_bytes(weights).value());
    }
    Shipped &add(const std::string &name, const std::string &bytes) {
        names_.push_back(name);
        bytes_.push_back(bytes);
        return *this;
    }
    std::vector<ShippedFile> files() const {
        std::vector<ShippedFile> files;
        for (size_t i = 0; i < names_.size(); ++i) files.push_back({names_[i], bytes_[i]});
        return files;
    }

private:
    std::vector<std::string> names_, bytes_;
};

ModelKind kind_by_card(const CardSummary &card) {
    const Shipped shipped = Shipped().add("a.weights", weights_for("A100", card));
    return default_model(kA100, shipped.files()).value().kind;
}

std::string error_of(std::string_view name, const std::string &path,
                     const std::vector<ShippedFile> &shipped = {}) {
    const Result<ModelChoice> choice = choose_model(name, path, kA100, shipped);
    return choice ? "no error" : choice.error().message;
}

// A file that is there as long as the object.
class WeightsOnDisk {
public:
    explicit WeightsOnDisk(const std::string &gpu)
        : path_(testing::TempDir() + "model_choice_" + gpu + ".weights") {
        EXPECT_TRUE(write_weights(path_, weights_for(gpu, std::nullopt)).ok());
    }
    ~WeightsOnDisk() { std::filesystem::remove(path_); }
    const std::string &path() const { return path_; }

private:
    std::string path_;
};

TEST(DefaultModel, IsTheRooflineWhereNothingIsShippedForTheDevice) {
    EXPECT_EQ(default_model(kA100, {}).value().kind, ModelKind::roofline);
    const Shipped others =
        Shipped().add("h.weights", weights_for("H100", CardSummary{0.9, 0.8, 0.7, 10, 100}));
    EXPECT_EQ(default_model(kA100, others.files()).value().kind, ModelKind::roofline);
}

TEST(DefaultModel, IsTheWinnerOfTheReportCard) {
    EXPECT_EQ(kind_by_card({0.9, 0.8, 0.7, 10, 100}), ModelKind::network);
    EXPECT_EQ(kind_by_card({0.8, 0.9, 0.7, 10, 100}), ModelKind::roofline);
    EXPECT_EQ(kind_by_card({0.7, 0.8, 0.9, 10, 100}), ModelKind::analytical);
    EXPECT_EQ(kind_by_card({0.9, 0.9, 0.9, 10, 100}), ModelKind::roofline);
    EXPECT_EQ(kind_by_card({0.9, 0.8, 0.9, 10, 100}), ModelKind::analytical);
}

TEST(DefaultModel, IsTheRooflineWhereNothingWasHeldOut) {
    const Shipped shipped = Shipped().add("a.weights", weights_for("A100", std::nullopt));
    EXPECT_EQ(default_model(kA100, shipped.files()).value().kind, ModelKind::roofline);
}

TEST(DefaultModel, TakesTheFirstWeightsThatServeTheDevice) {
    const CardSummary card{0.9, 0.8, 0.7, 10, 100};
    const Shipped shipped = Shipped()
                                .add("0.weights", weights_for("H100", card))
                                .add("1.weights", weights_for("NVIDIA A100-SXM4-40GB", card))
                                .add("2.weights", weights_for("A100", card));
    const ModelChoice choice = default_model(kA100, shipped.files()).value();
    EXPECT_EQ(choice.kind, ModelKind::network);
    ASSERT_NE(choice.weights, nullptr);
    EXPECT_EQ(choice.weights->origin.gpu, "NVIDIA A100-SXM4-40GB");
}

TEST(DefaultModel, RefusesShippedWeightsThatCannotBeRead) {
    const Shipped shipped = Shipped().add("a.weights", "ASG");
    EXPECT_EQ(default_model(kA100, shipped.files()).error().message,
              "the plugin's own a.weights: expected weights, which begin with 'ASGW', found "
              "something else");
}

TEST(ChooseModel, GivesWhatIsNamed) {
    const Shipped shipped =
        Shipped().add("a.weights", weights_for("A100", CardSummary{0.1, 0.8, 0.7, 10, 100}));
    const auto kind = [&](std::string_view name) {
        return choose_model(name, "", kA100, shipped.files()).value().kind;
    };
    EXPECT_EQ(kind("auto"), ModelKind::roofline);
    EXPECT_EQ(kind("roofline"), ModelKind::roofline);
    EXPECT_EQ(kind("analytical"), ModelKind::analytical);
    EXPECT_EQ(kind("network"), ModelKind::network);
}

TEST(ChooseModel, TakesAPathToMeanTheNetwork) {
    const WeightsOnDisk weights("A100");
    for (const char *name : {"auto", "network"}) {
        const ModelChoice choice = choose_model(name, weights.path(), kA100, {}).value();
        EXPECT_EQ(choice.kind, ModelKind::network);
        EXPECT_EQ(choice.weights->origin.device, "some A100");
    }
}

TEST(ChooseModel, RefusesAPathForAModelWithoutWeights) {
    for (const std::string name : {"roofline", "analytical"}) {
        EXPECT_EQ(error_of(name, "w.weights"),
                  "autoscheduler.weights_path is set to \"w.weights\", but autoscheduler.model=" +
                      name + " has no weights. Leave one of them out.");
    }
}

TEST(ChooseModel, SaysWhereWeightsComeFromIfThereAreNone) {
    EXPECT_EQ(
        error_of("network", ""),
        "autoscheduler.model=network expected weights, found none for A100 in the plugin. "
        "Train some with retrain_cost_model and name the file in autoscheduler.weights_path.");
}

TEST(ChooseModel, RefusesWeightsOfAnotherDevice) {
    const WeightsOnDisk weights("H100");
    EXPECT_EQ(error_of("auto", weights.path()),
              "autoscheduler.weights_path: " + weights.path() +
                  ": expected weights for A100, found some for H100. Name a file for this device, "
                  "or that device in autoscheduler.gpu.");
}

TEST(ChooseModel, RefusesAFileThatIsNotThere) {
    EXPECT_EQ(error_of("auto", "none.weights"),
              "autoscheduler.weights_path: none.weights: cannot be read");
}

TEST(MakeCostModel, MakesWhatWasChosen) {
    const auto weights = std::make_shared<const Weights>(weights_for("A100", std::nullopt));
    const std::pair<ModelChoice, std::string_view> cases[] = {
        {{ModelKind::roofline, nullptr}, "roofline"},
        {{ModelKind::analytical, nullptr}, "analytical"},
        {{ModelKind::network, weights}, "network"}};
    for (const auto &[choice, name] : cases) {
        EXPECT_EQ(make_cost_model(choice, kA100)->name(), name);
        EXPECT_EQ(make_merging_model(choice, kA100)->name(), name);
    }
}

// What users get must be readable by the plugin that has it.
TEST(ShippedWeights, AreReadableAndHaveAReportCard) {
    for (const ShippedFile &file : shipped_weights()) {
        const Result<Weights> weights = parse_weights(file.bytes);
        ASSERT_TRUE(weights.ok()) << file.name << ": " << weights.error().message;
        EXPECT_TRUE(weights->card.has_value()) << file.name;
    }
}

}  // namespace
}  // namespace autoschedule_gpu
