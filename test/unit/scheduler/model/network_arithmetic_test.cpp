#include "scheduler/model/network_arithmetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/support/random.h"
#include "scheduler/model/network_shape.h"

namespace autoschedule_gpu {
namespace {

constexpr size_t kColumns = 13;
constexpr double kMostRelativeError = 1e-6;

std::vector<const NetworkArithmetic *> all_arithmetics() {
    std::vector<const NetworkArithmetic *> all = {&kArithmeticForAny};
    if (&network_arithmetic() != all.front()) all.push_back(&network_arithmetic());
    return all;
}

std::vector<float> random_numbers(size_t count, uint64_t seed) {
    Random random(seed);
    std::vector<float> numbers(count);
    for (float &x : numbers) x = static_cast<float>(2 * random.unit() - 1);
    return numbers;
}

// 0, and from 1e-30 to 1e37.
std::vector<float> numbers_of_all_sizes() {
    std::vector<float> numbers = {0, 1, 3, 0.4142135f, 0.41421357f, 1e37f};
    for (double x = 1e-30; x < 1e37; x *= 1.37) numbers.push_back(static_cast<float>(x));
    return numbers;
}

TEST(NetworkArithmetic, TakesLogarithmsOfNumbersOfAllSizes) {
    const std::vector<float> numbers = numbers_of_all_sizes();
    for (const NetworkArithmetic *arithmetic : all_arithmetics()) {
        std::vector<float> logs = numbers;
        arithmetic->log_one_plus(logs.data(), logs.size());
        for (size_t i = 0; i < numbers.size(); ++i) {
            // What is added to 1 is rounded first.
            const double expected = std::log(double{1 + numbers[i]});
            EXPECT_NEAR(logs[i], expected, kMostRelativeError * expected) << numbers[i];
        }
    }
}

TEST(NetworkArithmetic, TakesALogarithmWhateverStandsBesideIt) {
    const std::vector<float> numbers = numbers_of_all_sizes();
    std::vector<float> together = numbers;
    kArithmeticForAny.log_one_plus(together.data(), together.size());
    for (const NetworkArithmetic *arithmetic : all_arithmetics()) {
        for (size_t i = 0; i < numbers.size(); ++i) {
            float alone = numbers[i];
            arithmetic->log_one_plus(&alone, 1);
            EXPECT_EQ(alone, together[i]) << numbers[i];
        }
    }
}

// A network whose layers but the last are all 0, so that the biases of the last are what softplus
// is taken of.
TEST(NetworkArithmetic, TakesSoftplusOfNumbersOfAllSizes) {
    const std::vector<float> zeros(size_t{kInputs} * kScheduleInputs), input(kInputs);
    std::vector<float> embeddings(kEmbedding), hidden(kHidden), raw(kOutputs), softplus(kOutputs);
    std::vector<float> bias;
    for (int i = 0; i < kOutputs; ++i) bias.push_back(0.43f * static_cast<float>(i) + kLeastRaw);
    bias[0] = -1e30f;
    bias[1] = 1e30f;
    bias[2] = 0;
    const LayerParameters nothing = {zeros.data(), zeros.data()};
    for (const NetworkArithmetic *arithmetic : all_arithmetics()) {
        arithmetic->compute_layers(
            {nothing, nothing, nothing, {zeros.data(), bias.data()}},
            {input.data(), embeddings.data(), hidden.data(), raw.data(), softplus.data(), 1});
        EXPECT_EQ(raw, bias);
        for (size_t i = 0; i < bias.size(); ++i) {
            const double x = std::clamp(bias[i], kLeastRaw, kMostRaw);
            const double expected = std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
            EXPECT_NEAR(softplus[i], expected, kMostRelativeError * expected) << bias[i];
        }
    }
}

struct Layers {
    explicit Layers(size_t columns)
        : embeddings(columns * kEmbedding),
          hidden(columns * kHidden),
          raw(columns * kOutputs),
          coefficients(columns * kOutputs) {}

    std::vector<float> embeddings, hidden, raw, coefficients;
    friend bool operator==(const Layers &, const Layers &) = default;
};

// The algorithm's layer reads the same numbers as the schedule's here, and so on: what they are
// does not matter.
Layers computed(const NetworkArithmetic &arithmetic, const std::vector<float> &parameters,
                const float *inputs, size_t columns) {
    Layers layers(columns);
    const LayerParameters layer = {parameters.data(), parameters.data() + 7};
    arithmetic.compute_layers({layer, layer, layer, layer},
                              {inputs, layers.embeddings.data(), layers.hidden.data(),
                               layers.raw.data(), layers.coefficients.data(), columns});
    return layers;
}

TEST(NetworkArithmetic, IsTheSameBitForBitOnEveryProcessor) {
    const std::vector<float> parameters = random_numbers(size_t{kInputs} * kInputs, 1);
    const std::vector<float> inputs = random_numbers(kColumns * kInputs, 2);
    const Layers expected = computed(kArithmeticForAny, parameters, inputs.data(), kColumns);
    for (const NetworkArithmetic *arithmetic : all_arithmetics()) {
        EXPECT_EQ(computed(*arithmetic, parameters, inputs.data(), kColumns), expected);
    }
}

TEST(NetworkArithmetic, AddsProductsToTheBiasInTheirOrder) {
    const std::vector<float> parameters = random_numbers(size_t{kInputs} * kInputs, 3);
    const std::vector<float> inputs = random_numbers(kColumns * kInputs, 4);
    const Layers layers = computed(network_arithmetic(), parameters, inputs.data(), kColumns);
    for (size_t c = 0; c < kColumns; ++c) {
        for (int o = 0; o < kOutputs; ++o) {
            float sum = parameters[static_cast<size_t>(7 + o)];
            for (int i = 0; i < kHidden; ++i) {
                // Stored between, so that no compiler multiplies and adds in one.
                const volatile float product = parameters[static_cast<size_t>(i * kOutputs + o)] *
                                               layers.hidden[c * kHidden + static_cast<size_t>(i)];
                sum += product;
            }
            ASSERT_EQ(layers.raw[c * kOutputs + static_cast<size_t>(o)], sum);
        }
    }
}

}  // namespace
}  // namespace autoschedule_gpu
