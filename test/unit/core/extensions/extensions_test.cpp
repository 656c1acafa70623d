#include "core/extensions/extensions.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>

// What a library of a user says in one of its sources; this program is one, too.
AUTOSCHEDULE_GPU_LIBRARY(this_program) {
    using namespace autoschedule_gpu::api;
    library.kernel_rules.push_back(
        {.name = "no_kernels", .sentence = "any kernel", .check = [](const KernelCandidate &) {
             return std::optional<Finding>(Finding{});
         }});
}

namespace autoschedule_gpu {
namespace {

// A model whose costs are all the same.
class Constant final : public api::CostModel {
public:
    explicit Constant(double cost) : cost_(cost) {}
    std::string_view name() const override { return "constant"; }
    void estimate(api::ArrayView<const api::FeatureTable>,
                  api::ArrayView<double> costs) const override {
        for (double &cost : costs) cost = cost_;
    }

private:
    double cost_;
};

api::CostModelMaker maker_of(const std::string &name, double cost) {
    return {name, [=](const api::GpuModel &) { return std::make_unique<Constant>(cost); }};
}

class Strategy final : public api::SearchStrategy {
public:
    std::string_view name() const override { return "mine"; }
    api::SearchStatePtr search(const api::SearchProblem &, const api::SearchStatePtr &start,
                               const api::SearchLimits &) const override {
        return start;
    }
};

// A library as its symbol describes it.
api::LibraryEntry entry(void (*fill)(api::Library &)) {
    return {api::kApiVersion, "some", api::layout_number(), fill};
}

Result<Extensions> extensions(const std::vector<LoadedLibrary> &libraries,
                              const TakenNames &taken = {}) {
    return Extensions::of(libraries, taken);
}

std::string error_of(const Result<Extensions> &result) {
    return result ? "no error" : result.error().message;
}

void add_nothing(api::Library &) {}
void add_model(api::Library &library) {
    library.models.push_back(maker_of("mine", 5));
}
void add_bad_models(api::Library &library) {
    library.models.push_back(maker_of("negative", -1));
    library.models.push_back(maker_of("endless", std::numeric_limits<double>::infinity()));
    library.models.push_back(maker_of("unknown", std::numeric_limits<double>::quiet_NaN()));
    library.models.push_back({"none", nullptr});
}
void add_strategy(api::Library &library) {
    library.strategies.push_back(std::make_shared<Strategy>());
}
void add_no_kind(api::Library &library) {
    library.decision_kinds.push_back(nullptr);
}
void add_bad_name(api::Library &library) {
    library.tiling_rules.push_back(
        {.name = "two,names", .sentence = "anything", .check = [](const api::TilingCandidate &) {
             return std::optional<api::Finding>();
         }});
}
void add_empty_rule(api::Library &library) {
    library.tiling_rules.push_back({.name = "empty", .sentence = "anything", .check = {}});
}

TEST(LoadedLibraries, AreThoseThatExportTheSymbol) {
    const std::vector<LoadedLibrary> libraries = loaded_libraries();
    ASSERT_EQ(libraries.size(), 1u);
    EXPECT_EQ(libraries[0].entry, &autoschedule_gpu_library);
    EXPECT_NE(libraries[0].path.find("extensions_test"), std::string::npos) << libraries[0].path;

    const Extensions found = extensions(libraries).value();
    ASSERT_EQ(found.all().size(), 1u);
    EXPECT_EQ(found.all()[0].library, "this_program");
    EXPECT_EQ(found.all()[0].version, api::kApiVersion);
    ASSERT_EQ(found.all()[0].added.kernel_rules.size(), 1u);
    EXPECT_EQ(found.all()[0].added.kernel_rules[0].name, "no_kernels");
}

TEST(LoadLibrary, NamesWhatCannotBeLoadedOrRegistersNothing) {
    EXPECT_EQ(load_library("/nowhere/libnone.so")
                  .error()
                  .message.find("can't load /nowhere/libnone.so: "),
              0u);
    Dl_info c_library;
    ASSERT_NE(dladdr(reinterpret_cast<void *>(&std::fputs), &c_library), 0);
    const std::string error = load_library(c_library.dli_fname).error().message;
    EXPECT_NE(error.find("registers nothing"), std::string::npos) << error;
}

TEST(Extensions, RefuseALibraryOfAnotherVersionByItsPath) {
    api::LibraryEntry other = entry(add_nothing);
    other.api_version = 99;
    EXPECT_EQ(error_of(extensions({{"/lib/libold.so", &other}})),
              "/lib/libold.so was built against version 99 of the headers autoschedule_gpu/, and "
              "the autoscheduler expects version " +
                  std::to_string(api::kApiVersion) +
                  ". Build it anew with the headers of this release.");
}

TEST(Extensions, RefuseALibraryWhoseTypesDiffer) {
    api::LibraryEntry other = entry(add_nothing);
    ++other.layout;
    const std::string error = error_of(extensions({{"/lib/libodd.so", &other}}));
    EXPECT_EQ(error.find("/lib/libodd.so was built against headers autoschedule_gpu/ of another "
                         "release"),
              0u)
        << error;
}

TEST(Extensions, AskNothingOfALibraryThatDoesNotFit) {
    api::LibraryEntry other = entry(nullptr);  // to ask it would be to crash
    other.api_version = api::kApiVersion + 1;
    EXPECT_FALSE(extensions({{"/lib/libnew.so", &other}}));
}

TEST(Extensions, RefuseNamesThatAreTaken) {
    const api::LibraryEntry some = entry(add_model), same = entry(add_model);
    EXPECT_EQ(
        error_of(extensions({{"/a.so", &some}}, {.models = {"mine"}})),
        "/a.so has a cost model with the name \"mine\", which the autoscheduler itself has, too. "
        "Give it another name.");
    EXPECT_EQ(error_of(extensions({{"/a.so", &some}, {"/b.so", &same}})),
              "/b.so has a cost model with the name \"mine\", which /a.so has, too. Give it "
              "another name.");
    // Models and strategies have nothing to do with each other.
    const api::LibraryEntry strategy = entry(add_strategy);
    EXPECT_TRUE(extensions({{"/a.so", &some}, {"/b.so", &strategy}}));
}

TEST(Extensions, RefuseNamesThatAreNoWords) {
    const api::LibraryEntry rule = entry(add_bad_name), none = entry(add_no_kind);
    EXPECT_EQ(error_of(extensions({{"/a.so", &rule}})),
              "/a.so has a rule with the name \"two,names\". Expected is a word of small letters, "
              "digits and _.");
    EXPECT_EQ(error_of(extensions({{"/a.so", &none}})),
              "/a.so has a kind of decisions with the name \"\". Expected is a word of small "
              "letters, digits and _.");
}

TEST(Extensions, RefuseARuleWithoutAFunction) {
    const api::LibraryEntry rule = entry(add_empty_rule);
    EXPECT_EQ(error_of(extensions({{"/a.so", &rule}})),
              "/a.so has a rule with the name \"empty\" and without a function to check "
              "candidates by.");
}

TEST(Extensions, GiveTheModelsOfAllLibraries) {
    const api::LibraryEntry some = entry(add_model);
    const Extensions found = extensions({{"/a.so", &some}}).value();
    const std::vector<api::CostModelMaker> models = found.models();
    ASSERT_EQ(models.size(), 1u);
    const auto model = models[0].make({});
    EXPECT_EQ(model->name(), "mine");
    const api::FeatureTable tables[2] = {};
    double costs[2] = {};
    model->estimate(tables, costs);
    EXPECT_EQ(costs[0], 5);
    EXPECT_EQ(costs[1], 5);
    EXPECT_EQ(found.complaint(), std::nullopt);
}

// Its first table is a natural thing for a model to look at.
class OfFirstTable final : public api::CostModel {
public:
    std::string_view name() const override { return "of_first_table"; }
    void estimate(api::ArrayView<const api::FeatureTable> tables,
                  api::ArrayView<double> costs) const override {
        if (tables.empty()) throw std::logic_error("asked about nothing");
        for (double &cost : costs) cost = tables[0].kernel.num_blocks + 1;
    }
};

TEST(Extensions, AskNoModelAboutNothing) {
    const api::LibraryEntry library = entry([](api::Library &mine) {
        mine.models.push_back({"of_first_table", [](const api::GpuModel &) {
                                   return std::make_unique<const OfFirstTable>();
                               }});
    });
    const Extensions found = extensions({{"/a.so", &library}}).value();
    std::vector<api::FeatureTable> tables;
    std::vector<double> costs;
    EXPECT_NO_THROW(found.models()[0].make({})->estimate(tables, costs));
}

TEST(Extensions, ComplainOfCostsThatNoSearchCanUse) {
    const api::LibraryEntry bad = entry(add_bad_models);
    const std::string expected[] = {"\"negative\" of /a.so gave a kernel the cost -1;",
                                    "\"endless\" of /a.so gave a kernel the cost inf;",
                                    "\"unknown\" of /a.so gave a kernel the cost nan;",
                                    "\"none\" of /a.so is none: its maker returned nothing."};
    for (size_t i = 0; i < 4; ++i) {
        const Extensions found = extensions({{"/a.so", &bad}}).value();
        const auto model = found.models()[i].make({});
        const api::FeatureTable table;
        double cost = 0;
        model->estimate({&table, 1}, {&cost, 1});
        EXPECT_GT(cost, 0);
        EXPECT_TRUE(std::isfinite(cost));
        ASSERT_TRUE(found.complaint());
        EXPECT_NE(found.complaint()->find("the cost model " + expected[i]), std::string::npos)
            << *found.complaint();
    }
}

}  // namespace
}  // namespace autoschedule_gpu
