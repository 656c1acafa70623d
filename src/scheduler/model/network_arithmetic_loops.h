// The loops of network_arithmetic.h, for files that are compiled for different processors. All of
// it is a file's own, so that none runs what was compiled for another.
#pragma once

#include <cstddef>
#include <cstring>

#include "scheduler/model/network_arithmetic.h"
#include "scheduler/model/network_shape.h"

namespace autoschedule_gpu {
namespace {

// As many numbers as a register of the processor holds.
#if defined(__AVX2__)
constexpr int kLanes = 8;
#else
constexpr int kLanes = 4;
#endif
typedef float Vector __attribute__((vector_size(kLanes * sizeof(float)), aligned(4), may_alias));
typedef unsigned Bits __attribute__((vector_size(sizeof(Vector))));
typedef int Integers __attribute__((vector_size(sizeof(Vector))));

constexpr int kMantissaBits = 23, kExponentOfOne = 127;
constexpr float kLn2High = 0.693359375f, kLn2Low = -2.12194440e-4f;

Vector load(const float *from) {
    return *reinterpret_cast<const Vector *>(from);
}

void store(Vector numbers, float *to) {
    *reinterpret_cast<Vector *>(to) = numbers;
}

// 2 artanh(s), by its series as far as s^last.
template <int last>
Vector twice_artanh(Vector s) {
    const Vector squared = s * s;
    Vector sum = Vector{} + 1.0f / last;
    for (int i = last - 2; i > 0; i -= 2) sum = sum * squared + 1.0f / static_cast<float>(i);
    return 2 * s * sum;
}

// ---- logarithms

// ln(1 + x) for x from 0 to 1e37: 1 + x = 2^n m with m between sqrt(1/2) and sqrt(2), and
// ln(m) = 2 artanh((m - 1) / (m + 1)).
Vector log_of_one_plus_any(Vector x) {
    constexpr unsigned kExponentBias = unsigned{kExponentOfOne} << kMantissaBits;
    constexpr unsigned kMantissa = (1u << kMantissaBits) - 1;
    constexpr unsigned kRootOfHalf = 0x3f3504f3;  // as a float
    const Bits bits = reinterpret_cast<Bits>(x + 1) + (kExponentBias - kRootOfHalf);
    const Bits exponent = (bits >> kMantissaBits) - kExponentOfOne;  // from 0 on
    const Vector m = reinterpret_cast<Vector>((bits & kMantissa) + kRootOfHalf);
    const Vector n = __builtin_convertvector(reinterpret_cast<Integers>(exponent), Vector);
    return n * kLn2High + (n * kLn2Low + twice_artanh<9>((m - 1) / (m + 1)));
}

void log_one_plus(float *numbers, size_t count) {
    size_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        store(log_of_one_plus_any(load(numbers + i)), numbers + i);
    }
    if (i == count) return;
    float rest[kLanes] = {};
    std::memcpy(rest, numbers + i, (count - i) * sizeof(float));
    store(log_of_one_plus_any(load(rest)), rest);
    std::memcpy(numbers + i, rest, (count - i) * sizeof(float));
}

// ---- layers

// Outputs that are computed at once, of each of the columns at hand: they and what they are
// computed from stay in registers.
constexpr int kVectors = 8 / kLanes;
constexpr int kColumns = 4;

// What a layer reads and writes may be parts of columns, which are as far apart as they are high.
template <int inputs, int outputs, int from_height, int to_height, int columns>
void compute_part(const LayerParameters &layer, const float *from, float *to) {
    static_assert(outputs % (kVectors * kLanes) == 0);
    for (int first = 0; first < outputs; first += kVectors * kLanes) {
        Vector sums[columns][kVectors];
        for (int c = 0; c < columns; ++c) {
            for (int v = 0; v < kVectors; ++v) sums[c][v] = load(layer.bias + first + v * kLanes);
        }
        for (int i = 0; i < inputs; ++i) {
            const float *weights = layer.weights + i * outputs + first;
            for (int c = 0; c < columns; ++c) {
                const float input = from[c * from_height + i];
                for (int v = 0; v < kVectors; ++v) sums[c][v] += load(weights + v * kLanes) * input;
            }
        }
        for (int c = 0; c < columns; ++c) {
            for (int v = 0; v < kVectors; ++v) {
                store(sums[c][v], to + c * to_height + first + v * kLanes);
            }
        }
    }
}

template <int inputs, int outputs, int from_height, int to_height>
void compute_layer(const LayerParameters &layer, const float *from, float *to, size_t columns) {
    size_t c = 0;
    for (; c + kColumns <= columns; c += kColumns) {
        compute_part<inputs, outputs, from_height, to_height, kColumns>(
            layer, from + c * from_height, to + c * to_height);
    }
    for (; c < columns; ++c) {
        compute_part<inputs, outputs, from_height, to_height, 1>(layer, from + c * from_height,
                                                                 to + c * to_height);
    }
}

void rectify(float *numbers, size_t count) {
    for (size_t i = 0; i < count; ++i) numbers[i] = numbers[i] > 0 ? numbers[i] : 0;
}

// e^x for x up to 0, nearly 0 for all below -80: 2^n e^r, where |r| is at most ln(2) / 2.
Vector exp_of_negative(Vector x) {
    constexpr float kLog2E = 1.44269504f;
    // Added to a float of at most 2^22, its last bits are the nearest integer.
    constexpr float kRound = 1.5f * (1 << 23);
    x = x > -80.0f ? x : Vector{} - 80.0f;
    const Vector rounded = x * kLog2E + kRound;
    const Vector n = rounded - kRound;
    const Vector r = x - n * kLn2High - n * kLn2Low;
    Vector sum = Vector{} + 1;
    for (int i = 6; i > 0; --i) sum = 1 + sum * r * (1.0f / static_cast<float>(i));
    const Bits scale = (reinterpret_cast<Bits>(rounded) + kExponentOfOne) << kMantissaBits;
    return sum * reinterpret_cast<Vector>(scale);
}

// ln(1 + x) for x from 0 to 1, exact relative to it however small it is.
Vector log_of_one_plus_small(Vector x) {
    return twice_artanh<13>(x / (x + 2));
}

// ln(1 + e^x) = max(x, 0) + ln(1 + e^-|x|), which overflows nowhere.
void softplus(const float *from, float *to, size_t count) {
    static_assert(kOutputs % kLanes == 0);
    for (size_t i = 0; i < count; i += kLanes) {
        Vector x = load(from + i);
        x = x > kLeastRaw ? x : Vector{} + kLeastRaw;
        x = x < kMostRaw ? x : Vector{} + kMostRaw;
        const Vector above = x > 0 ? x : Vector{};
        const Vector below = x > 0 ? -x : x;
        store(above + log_of_one_plus_small(exp_of_negative(below)), to + i);
    }
}

void compute_all_layers(const NetworkParameters &p, const NetworkColumns &all) {
    const size_t n = all.columns;
    compute_layer<kAlgorithmInputs, kAlgorithmEmbedding, kInputs, kEmbedding>(
        p.algorithm, all.inputs, all.embeddings, n);
    compute_layer<kScheduleInputs, kScheduleEmbedding, kInputs, kEmbedding>(
        p.schedule, all.inputs + kAlgorithmInputs, all.embeddings + kAlgorithmEmbedding, n);
    rectify(all.embeddings, n * kEmbedding);
    compute_layer<kEmbedding, kHidden, kEmbedding, kHidden>(p.hidden, all.embeddings, all.hidden,
                                                            n);
    rectify(all.hidden, n * kHidden);
    compute_layer<kHidden, kOutputs, kHidden, kOutputs>(p.coefficients, all.hidden, all.raw, n);
    softplus(all.raw, all.coefficients, n * kOutputs);
}

}  // namespace
}  // namespace autoschedule_gpu
