#include "scheduler/model/network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <thread>

#include "core/support/random.h"
#include "scheduler/model/host_cost.h"
#include "scheduler/model/network_model.h"
#include "scheduler/model/roofline.h"
#include "unit/scheduler/model/example_tables.h"
#include "unit/scheduler/model/network_reference.h"

namespace autoschedule_gpu {
namespace {

using example::NetworkReference;
using example::random_table;

// Kernels of one to four stages.
std::vector<FeatureTable> random_tables(size_t count, double most) {
    std::vector<FeatureTable> tables;
    for (size_t i = 0; i < count; ++i) tables.push_back(random_table(i, 1 + i % 4, most));
    return tables;
}

NetworkInputs inputs_of(std::span<const FeatureTable> tables) {
    NetworkInputs inputs(example::gpu());
    for (const FeatureTable &table : tables) inputs.append(table);
    return inputs;
}

std::vector<float> row_costs(const Network &network, const NetworkInputs &inputs) {
    std::vector<float> costs(inputs.rows());
    network.forward(inputs, costs, nullptr);
    return costs;
}

// As after training on these inputs: normalised, and no parameter is 0.
Network busy_network(const NetworkInputs &inputs) {
    Network network = Network::initial(7);
    const NetworkInputs *batch = &inputs;
    network.set_normalisation(fit_normalisation({&batch, 1}));
    Random random(8);
    for (float &p : network.parameters()) p += static_cast<float>(0.2 * random.unit() - 0.1);
    return network;
}

TEST(Network, AgreesWithPlainLoopsInDoubles) {
    const std::vector<FeatureTable> tables = random_tables(50, 1000);
    const NetworkInputs inputs = inputs_of(tables);
    const Network network = busy_network(inputs);
    const NetworkReference reference(network);
    const std::vector<float> costs = row_costs(network, inputs);
    size_t row = 0;
    for (const FeatureTable &table : tables) {
        for (const double expected : reference.row_costs(example::gpu(), table)) {
            EXPECT_NEAR(costs[row], expected, 2e-5 * expected) << "row " << row;
            ++row;
        }
    }
    EXPECT_EQ(row, inputs.rows());
}

// Central differences of the reference, in doubles.
double numeric_derivative(NetworkReference &reference, std::span<const FeatureTable> tables,
                          std::span<const float> weights, size_t parameter) {
    constexpr double kStep = 1e-6;
    const double at = reference.parameters[parameter];
    double difference = 0;
    for (const double sign : {1.0, -1.0}) {
        reference.parameters[parameter] = at + sign * kStep;
        size_t row = 0;
        for (const FeatureTable &table : tables) {
            for (const double cost : reference.row_costs(example::gpu(), table)) {
                difference += sign * weights[row++] * cost;
            }
        }
    }
    reference.parameters[parameter] = at;
    return difference / (2 * kStep);
}

TEST(Network, HasTheGradientOfEveryParameterBlock) {
    const std::vector<FeatureTable> tables = random_tables(9, 100);
    const NetworkInputs inputs = inputs_of(tables);
    const Network network = busy_network(inputs);
    Activations activations;
    std::vector<float> costs(inputs.rows());
    network.forward(inputs, costs, &activations);
    // A loss that is the sum over rows of weight * cost, weights such that rows count alike.
    std::vector<float> weights(inputs.rows());
    for (size_t i = 0; i < weights.size(); ++i) weights[i] = (i % 2 == 0 ? 1 : -2) / costs[i];
    std::vector<float> gradient(network.parameters().size());
    network.backward(inputs, activations, weights, gradient);

    NetworkReference reference(network);
    Random random(1);
    for (const ParameterBlock &block : Network::blocks()) {
        double most = 0;
        for (size_t i = 0; i < block.size; ++i) {
            most = std::max<double>(most, std::abs(gradient[block.offset + i]));
        }
        EXPECT_GT(most, 0) << block.name;
        for (int tries = 0; tries < 60; ++tries) {
            const size_t i = block.offset + random.below(block.size);
            EXPECT_NEAR(gradient[i], numeric_derivative(reference, tables, weights, i), 1e-4 * most)
                << block.name << ", number " << i - block.offset;
        }
    }
}

TEST(Network, AddsToTheGradient) {
    const std::vector<FeatureTable> tables = random_tables(3, 100);
    const NetworkInputs inputs = inputs_of(tables);
    const Network network = busy_network(inputs);
    Activations activations;
    std::vector<float> costs(inputs.rows());
    network.forward(inputs, costs, &activations);
    std::vector<float> once(network.parameters().size()), after(once.size(), 5);
    const std::vector<float> ones(inputs.rows(), 1);
    network.backward(inputs, activations, ones, once);
    network.backward(inputs, activations, ones, after);
    for (size_t i = 0; i < once.size(); ++i) EXPECT_EQ(after[i], 5 + once[i]);
}

TEST(Network, CostsOfARowDependOnThatRowAloneBitForBit) {
    const std::vector<FeatureTable> tables = random_tables(80, 1000);
    const NetworkInputs inputs = inputs_of(tables);
    const Network network = busy_network(inputs);
    const std::vector<float> together = row_costs(network, inputs);
    Activations activations;
    std::vector<float> kept(inputs.rows());
    network.forward(inputs, kept, &activations);
    EXPECT_EQ(kept, together);
    for (const size_t width : {1, 3, 7, 8, 65}) {
        for (size_t first = 0; first < inputs.rows(); first += width) {
            const size_t count = std::min(width, inputs.rows() - first);
            NetworkInputs some(example::gpu());
            some.append_rows(inputs, first, count);
            const std::vector<float> costs = row_costs(network, some);
            for (size_t i = 0; i < count; ++i) {
                ASSERT_EQ(costs[i], together[first + i]) << "row " << first + i << " of " << width;
            }
        }
    }
}

TEST(Network, HasPositiveCoefficientsHoweverNegativeTheLastLayer) {
    const std::vector<FeatureTable> tables = random_tables(4, 1000);
    const NetworkInputs inputs = inputs_of(tables);
    Network network = Network::initial(1);
    for (const float bias : {-Network::kMostParameter, Network::kMostParameter}) {
        for (const ParameterBlock &block : Network::blocks()) {
            if (block.name != "coefficient_bias") continue;
            std::ranges::fill(network.parameters().subspan(block.offset, block.size), bias);
        }
        Activations activations;
        std::vector<float> costs(inputs.rows());
        network.forward(inputs, costs, &activations);
        EXPECT_GT(activations.coefficients.minCoeff(), 0);
        EXPECT_TRUE(std::isfinite(activations.coefficients.maxCoeff()));
    }
}

TEST(Network, CostsArePositiveAndFiniteForAnyFeaturesAndParameters) {
    std::vector<FeatureTable> tables = {random_table(0, 3, 0)};
    for (const double most : {1.0, 1e12, 1e300, std::numeric_limits<double>::max()}) {
        for (uint64_t seed = 0; seed < 20; ++seed) tables.push_back(random_table(seed, 2, most));
    }
    const NetworkInputs inputs = inputs_of(tables);
    Network extreme = Network::initial(3);
    Random random(4);
    for (float &p : extreme.parameters()) {
        p = random.below(2) == 0 ? Network::kMostParameter : -Network::kMostParameter;
    }
    Network largest = Network::initial(3);
    std::ranges::fill(largest.parameters(), Network::kMostParameter);
    for (const Network &network : {Network::initial(1), extreme, largest}) {
        for (const float cost : row_costs(network, inputs)) {
            EXPECT_GT(cost, 0);
            EXPECT_TRUE(std::isfinite(cost));
        }
    }
}

TEST(Network, TakesWhatIsFarFromTheTrainingDataForTheLastThatWasThere) {
    const NetworkInputs inputs = inputs_of(random_tables(10, 1000));
    Network network = busy_network(inputs);
    // Logarithms from 0 to 7: all more than kMostDeviation below the mean, or above it.
    const auto costs_about = [&](float mean) {
        Normalisation normalisation;
        normalisation.mean.fill(mean);
        normalisation.scale.fill(1);
        network.set_normalisation(normalisation);
        return row_costs(network, inputs);
    };
    EXPECT_EQ(costs_about(20), costs_about(30));
    EXPECT_EQ(costs_about(-20), costs_about(-30));
    EXPECT_NE(costs_about(20), costs_about(-20));
}

TEST(Network, IsMadeFromItsSeed) {
    const Network one = Network::initial(1), again = Network::initial(1);
    EXPECT_TRUE(std::ranges::equal(one.parameters(), again.parameters()));
    EXPECT_FALSE(std::ranges::equal(one.parameters(), Network::initial(2).parameters()));
}

TEST(Network, BlocksCoverAllParametersOnce) {
    size_t next = 0;
    std::set<std::string_view> heads;
    for (const ParameterBlock &block : Network::blocks()) {
        EXPECT_EQ(block.offset, next) << block.name;
        next += block.size;
        if (block.head) heads.insert(block.name);
    }
    EXPECT_EQ(next, Network::initial(0).parameters().size());
    EXPECT_EQ(heads,
              (std::set<std::string_view>{"coefficient_weights", "coefficient_bias", "log_scale"}));
}

// Before any training it is a sum of what the roofline takes the greatest of, and some; it has no
// term for stages that wait for each other.
TEST(Network, IsSensibleBeforeTraining) {
    const NetworkModel model(Network::initial(1), example::gpu());
    for (const FeatureTable &table : example::tables_of_all_kinds()) {
        const double roofline = Roofline(example::gpu()).explain(table).total;
        double cost = 0;
        model.estimate({&table, 1}, {&cost, 1});
        EXPECT_GT(cost, roofline / 5);
        EXPECT_LT(cost, roofline * 5);
    }
}

TEST(FitNormalisation, GivesMeanZeroAndDeviationOneOverAllBatches) {
    const std::vector<FeatureTable> tables = random_tables(40, 1000);
    const NetworkInputs first = inputs_of(std::span(tables).first(15));
    const NetworkInputs second = inputs_of(std::span(tables).subspan(15));
    const NetworkInputs *batches[] = {&first, &second};
    const Normalisation fitted = fit_normalisation(batches);
    const double rows = static_cast<double>(first.rows() + second.rows());
    for (int i = 0; i < kInputs; ++i) {
        double sum = 0, squares = 0;
        for (const NetworkInputs *batch : batches) {
            for (Eigen::Index row = 0; row < batch->log_features().cols(); ++row) {
                const double value =
                    (batch->log_features()(i, row) - fitted.mean[i]) * fitted.scale[i];
                sum += value;
                squares += value * value;
            }
        }
        EXPECT_NEAR(sum / rows, 0, 1e-5);
        // on_host is the same everywhere: it says nothing and is 0.
        EXPECT_NEAR(squares / rows, fitted.scale[i] == 0 ? 0 : 1, 1e-4);
    }
    EXPECT_EQ(std::ranges::count(fitted.scale, 0.0f), 1);
}

TEST(FitNormalisation, OfNothingLetsNothingThrough) {
    const Normalisation none = fit_normalisation({});
    EXPECT_EQ(std::ranges::count(none.scale, 0.0f), kInputs);
}

TEST(NetworkModel, CostsOfAKernelAreTheSumOverItsStages) {
    const std::vector<FeatureTable> tables = random_tables(20, 1000);
    const NetworkInputs inputs = inputs_of(tables);
    const Network network = busy_network(inputs);
    const std::vector<float> rows = row_costs(network, inputs);
    std::vector<double> costs(tables.size());
    NetworkModel(network, example::gpu()).estimate(tables, costs);
    size_t row = 0;
    for (size_t i = 0; i < tables.size(); ++i) {
        double sum = 0;
        for (size_t s = 0; s < tables[i].stages.size(); ++s) sum += rows[row++];
        EXPECT_EQ(costs[i], sum);
    }
}

TEST(NetworkModel, GivesTheSameOnAnyThreadAndInAnyCompany) {
    const std::vector<FeatureTable> tables = random_tables(64, 1000);
    const NetworkModel model(busy_network(inputs_of(tables)), example::gpu());
    std::vector<double> alone(tables.size()), expected(tables.size());
    model.estimate(tables, expected);
    std::vector<std::thread> threads;
    for (size_t t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            for (size_t i = t; i < tables.size(); i += 4) {
                model.estimate({&tables[i], 1}, {&alone[i], 1});
            }
        });
    }
    for (std::thread &thread : threads) thread.join();
    EXPECT_EQ(alone, expected);
}

TEST(NetworkModel, PricesAHostStageAsTheOtherModelsDo) {
    FeatureTable table = random_table(1, 1, 1000);
    table.kernel.on_host = 1;
    table.stages[0].num_scalars = 5e6;
    double cost = 0;
    NetworkModel(Network::initial(1), example::gpu()).estimate({&table, 1}, {&cost, 1});
    EXPECT_NEAR(cost, kHostCopyNs + kHostPointNs * 5e6, 1e-6 * cost);
    double roofline = 0;
    Roofline(example::gpu()).estimate({&table, 1}, {&roofline, 1});
    EXPECT_NEAR(cost, roofline, 1e-6 * cost);
}

TEST(NetworkModel, PricesNothingThatIsNeverLaunched) {
    FeatureTable table = random_table(1, 1, 1000);
    table.kernel.num_blocks = 0;
    double cost = -1;
    NetworkModel(Network::initial(1), example::gpu()).estimate({&table, 1}, {&cost, 1});
    EXPECT_EQ(cost, kLeastRowNs);
}

TEST(NetworkModel, TakesAnEmptyBatch) {
    NetworkModel(Network::initial(1), example::gpu()).estimate({}, {});
}

}  // namespace
}  // namespace autoschedule_gpu
