// A trained network as a file, and where it comes from. The layout, to the byte, is
// public (autoschedule_gpu/weights.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "autoschedule_gpu/weights.h"
#include "core/support/error.h"
#include "scheduler/model/network.h"

namespace autoschedule_gpu {

// For people, but for `gpu`: weights serve the device model of that name only.
struct WeightsOrigin {
    std::string device;        // on which times were measured, as its driver calls it
    std::string gpu;           // GpuModel::name for which terms were computed
    std::string trained_from;  // which samples
    std::string date;
    std::string command;
    uint64_t seed = 0;

    friend bool operator==(const WeightsOrigin &, const WeightsOrigin &) = default;
};

using CardSummary = api::WeightsCard;

struct Weights {
    WeightsOrigin origin;
    std::optional<CardSummary> card;  // none: nothing was held out
    Network network;
};

// An error if a number is not finite, a parameter's magnitude above Network::kMostParameter, or an
// accuracy outside 0 to 1: such weights could not be read.
Result<std::string> weights_bytes(const Weights &weights);

// Refused, with what was expected and what was found: bytes of another format, version, feature
// list or network, bytes that are cut short, damaged or go on after their end, and numbers that
// weights_bytes would not write.
Result<Weights> parse_weights(std::string_view bytes);

// The same with files; errors begin with the path. Written beside, then renamed.
Status write_weights(const std::string &path, const Weights &weights);
Result<Weights> read_weights(const std::string &path);

}  // namespace autoschedule_gpu
