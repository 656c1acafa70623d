// The arithmetic of the network (network.h), for many columns of numbers:
//
//     features ─► ln(1 + x)
//     inputs ─► embeddings, ReLU ─► hidden, ReLU ─► raw ─► coefficients, softplus
//
// Every number comes of the same operations in the same order on every processor, each rounded: in
// a layer its bias, and then the products with all inputs. So it is the same bit for bit, whatever
// stands beside it; a processor with AVX2 computes more of them at a time. Relative errors of
// logarithms and softplus are below 1e-6.
#pragma once

#include <cstddef>

namespace autoschedule_gpu {

// y = weights * x + bias; the weights are outputs x inputs, by columns.
struct LayerParameters {
    const float *weights, *bias;
};

struct NetworkParameters {
    LayerParameters algorithm, schedule, hidden, coefficients;
};

// Matrices by columns, all of as many.
struct NetworkColumns {
    const float *inputs;  // kInputs high, normalised
    float *embeddings;    // kEmbedding
    float *hidden;        // kHidden
    float *raw;           // kOutputs
    float *coefficients;  // kOutputs
    size_t columns;
};

// A coefficient changes with what is before softplus between these bounds only.
inline constexpr float kMostRaw = 1e6f, kLeastRaw = -10;

struct NetworkArithmetic {
    // ln(1 + x) in place of each x, which is from 0 to 1e37.
    void (*log_one_plus)(float *numbers, size_t count);
    // All of the layers.
    void (*compute_layers)(const NetworkParameters &parameters, const NetworkColumns &columns);
};

extern const NetworkArithmetic kArithmeticForAvx2;  // on a processor that has it
extern const NetworkArithmetic kArithmeticForAny;

// The fastest for this processor.
const NetworkArithmetic &network_arithmetic();

}  // namespace autoschedule_gpu
