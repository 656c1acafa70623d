#include "lab/samples/feature_bytes.h"

#include <cstdio>
#include <limits>
#include <optional>

namespace autoschedule_gpu {

namespace {

static_assert(sizeof(float) == 4 && std::numeric_limits<float>::is_iec559);

// Features are counts, sizes and ratios of these, so none is negative.
bool can_be_stored(double value) {
    return value >= 0 && value <= std::numeric_limits<float>::max();
}

Error wrong_feature(const FeatureInfo &feature, double found) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", found);
    return Error{"feature " + std::string(feature.name) +
                 ": expected a number from 0 to 3.4e38, found " + text};
}

Error too_short(std::string_view what, uint64_t expected, uint64_t found) {
    return Error{"expected " + std::to_string(expected) + " bytes of " + std::string(what) +
                 ", found " + std::to_string(found)};
}

Error in(std::string_view what, size_t index, const Error &error) {
    return Error{std::string(what) + " " + std::to_string(index) + ", " + error.message};
}

template <typename Features>
Status append_features(std::string &bytes, const Features &features,
                       std::span<const FeatureInfo> list, double (*get)(const Features &, size_t)) {
    for (size_t i = 0; i < list.size(); ++i) {
        const double value = get(features, i);
        if (!can_be_stored(value)) return wrong_feature(list[i], value);
        append_value(bytes, static_cast<float>(value));
    }
    return Ok{};
}

// The caller has checked that the reader holds enough bytes.
template <typename Features>
Status take_features(ByteReader &reader, Features &features, std::span<const FeatureInfo> list,
                     void (*set)(Features &, size_t, double)) {
    for (size_t i = 0; i < list.size(); ++i) {
        const double value = *reader.take_value<float>();
        if (!can_be_stored(value)) return wrong_feature(list[i], value);
        set(features, i, value);
    }
    return Ok{};
}

Status append_stage(std::string &bytes, const StageFeatures &stage) {
    append_value(bytes, stage.stage);
    if (Status done = append_features(bytes, stage, stage_feature_list(), stage_feature); !done) {
        return done;
    }
    return append_features(bytes, stage.algorithm, algorithm_feature_list(), algorithm_feature);
}

Status take_stage(ByteReader &reader, StageFeatures &stage, const FeatureCounts &counts) {
    stage.stage = *reader.take_value<int32_t>();
    if (stage.stage < -1) {
        return Error{"expected a stage's id, found " + std::to_string(stage.stage)};
    }
    if (Status done = take_features(reader, stage, stage_feature_list().first(counts.stage),
                                    set_stage_feature);
        !done) {
        return done;
    }
    return take_features(reader, stage.algorithm, algorithm_feature_list().first(counts.algorithm),
                         set_algorithm_feature);
}

Status append_kernel(std::string &bytes, const FeatureTable &table) {
    if (Status done = append_features(bytes, table.kernel, kernel_feature_list(), kernel_feature);
        !done) {
        return done;
    }
    append_value(bytes, static_cast<uint32_t>(table.stages.size()));
    for (size_t i = 0; i < table.stages.size(); ++i) {
        if (Status done = append_stage(bytes, table.stages[i]); !done) {
            return in("stage", i, done.error());
        }
    }
    return Ok{};
}

Status take_kernel(ByteReader &reader, FeatureTable &table, const FeatureCounts &counts) {
    const uint64_t kernel_bytes = api::kernel_bytes(counts), stage_bytes = api::stage_bytes(counts);
    if (reader.left() < kernel_bytes) return too_short("a kernel", kernel_bytes, reader.left());
    if (Status done = take_features(reader, table.kernel,
                                    kernel_feature_list().first(counts.kernel), set_kernel_feature);
        !done) {
        return done;
    }
    const uint64_t stages = *reader.take_value<uint32_t>();
    if (reader.left() < stages * stage_bytes) {
        return too_short(std::to_string(stages) + " stages", stages * stage_bytes, reader.left());
    }
    table.stages.resize(stages);
    for (size_t i = 0; i < stages; ++i) {
        if (Status done = take_stage(reader, table.stages[i], counts); !done) {
            return in("stage", i, done.error());
        }
    }
    return Ok{};
}

}  // namespace

Status append_tables(std::string &bytes, std::span<const FeatureTable> kernels) {
    append_value(bytes, static_cast<uint32_t>(kernels.size()));
    for (size_t i = 0; i < kernels.size(); ++i) {
        if (Status done = append_kernel(bytes, kernels[i]); !done) {
            return in("kernel", i, done.error());
        }
    }
    return Ok{};
}

Result<std::vector<FeatureTable>> take_tables(ByteReader &reader, const FeatureCounts &counts) {
    const std::optional<uint32_t> count = reader.take_value<uint32_t>();
    if (!count) return too_short("the number of kernels", sizeof(uint32_t), reader.left());
    const uint64_t least_bytes = *count * api::kernel_bytes(counts);
    if (reader.left() < least_bytes) {
        return too_short(std::to_string(*count) + " kernels", least_bytes, reader.left());
    }
    std::vector<FeatureTable> kernels(*count);
    for (size_t i = 0; i < kernels.size(); ++i) {
        if (Status done = take_kernel(reader, kernels[i], counts); !done) {
            return in("kernel", i, done.error());
        }
    }
    return kernels;
}

}  // namespace autoschedule_gpu
