// The file of a trained network (model=network), to the byte, and where it comes from.
//
//     WeightsHeader
//     texts                device, gpu, trained_from, date, command: length uint32, UTF-8
//     seed                 uint64
//     cards                uint32: 1 if a WeightsCard follows, else 0
//     WeightsCard          if so
//     means, scales        float32 each, one per input of the network
//     parameters           float32 each, in the order of weights/README.md
//     checksum             uint64: checksum(all bytes before, kWeightsVersion)
//
// Numbers are little-endian, without padding; floating-point numbers are IEEE 754. Inputs are
// ln(1 + feature): of what the stage computes, of the stage, of its kernel, each in the order of
// feature_list.h; the network gets (input - mean) * scale. Refused: another schema or shape, a file
// that is cut short, goes on after its end or is damaged, an accuracy outside 0 to 1, and numbers
// that are not finite or, among parameters, beyond kMostParameter either way.
//
// Needs C++17 and the standard library.
#pragma once

#include <cstddef>
#include <cstdint>

namespace autoschedule_gpu::api {

inline constexpr char kWeightsMagic[] = "ASGW";
inline constexpr uint32_t kWeightsVersion = 1;
inline constexpr float kMostParameter = 1000;

struct WeightsHeader {
    char magic[4];
    uint32_t version;
    uint64_t schema;  // feature_schema_hash()
    uint64_t shape;   // of the schema, of names and sizes of parameter blocks, of cost terms
    uint64_t bytes;   // of the whole file
};
inline constexpr size_t kWeightsHeaderBytes = 32;
static_assert(sizeof(WeightsHeader) == kWeightsHeaderBytes);

// How well models rank schedules of pipelines that the network was not trained on: the share of
// pairs of schedules of a pipeline that are in the order of their measured times, 0 to 1.
struct WeightsCard {
    double network = 0, roofline = 0, analytical = 0;
    uint64_t pipelines = 0, samples = 0;  // that were held out

    friend bool operator==(const WeightsCard &a, const WeightsCard &b) {
        return a.network == b.network && a.roofline == b.roofline && a.analytical == b.analytical &&
               a.pipelines == b.pipelines && a.samples == b.samples;
    }
};
static_assert(sizeof(WeightsCard) == 40);

}  // namespace autoschedule_gpu::api
