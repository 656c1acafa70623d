// Records which pipelines a network was trained from, and how well each was ranked while it was
// held out: the text WeightsOrigin::trained_from. A model's accuracy on what it has seen in
// training proves nothing, so weights carry what was found before they had seen it. The accuracy is
// that over all sizes of a pipeline.
//
//     400 schedules of 3 pipelines, each with its pairwise accuracy when it was held out:
//     0.9432 app:blur
//     0.9127 app:harris
//     - app:unsharp                   it was not judged, or training began with what had seen it
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "learn/train/dataset.h"
#include "learn/train/rank_quality.h"

namespace autoschedule_gpu {

struct TrainedPipeline {
    std::string name;
    std::optional<double> held_out_accuracy;
};

// Returns the text, with the accuracy of every pipeline that is in `held_out`, and without the
// pipelines `never_seen`. `before`: those that the weights had seen with which training began, and
// so every network that was judged.
std::string trained_from_text(const Dataset &dataset, std::span<const Judged> held_out,
                              std::span<const std::string> never_seen,
                              std::span<const TrainedPipeline> before = {});

// Parses the text. Returns an empty list if it has another form, as that of weights made in another
// way.
std::vector<TrainedPipeline> trained_pipelines(std::string_view trained_from);

}  // namespace autoschedule_gpu
