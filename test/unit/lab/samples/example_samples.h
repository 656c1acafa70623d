// Small samples in which every value is another, to see that each comes back at its place.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/gpu_model.h"
#include "core/support/bytes.h"
#include "core/support/file.h"
#include "lab/samples/file_header.h"
#include "lab/samples/sample.h"

namespace autoschedule_gpu {

// Feature i of a list is `first` + i: whole numbers, which float32 holds exactly.
inline FeatureTable example_table(double first, size_t stages) {
    FeatureTable table;
    for (size_t i = 0; i < kernel_feature_list().size(); ++i) {
        set_kernel_feature(table.kernel, i, first + i);
    }
    for (size_t n = 0; n < stages; ++n) {
        StageFeatures &stage = table.stages.emplace_back();
        stage.stage = static_cast<int32_t>(n) + 3;
        for (size_t i = 0; i < stage_feature_list().size(); ++i) {
            set_stage_feature(stage, i, first + 1000 * (n + 1) + i);
        }
        for (size_t i = 0; i < algorithm_feature_list().size(); ++i) {
            set_algorithm_feature(stage.algorithm, i, first + 1000 * (n + 1) + 500 + i);
        }
    }
    return table;
}

// What a file of an earlier list of features begins with.
inline std::string earlier_header(const FileFormat &format, const FeatureCounts &counts) {
    std::string bytes(format.magic);
    append_value(bytes, format.version);
    append_value(bytes, feature_schema_hash(counts));
    return bytes;
}

// Tables in bytes as that release wrote them.
inline std::string earlier_tables(const std::vector<FeatureTable> &tables,
                                  const FeatureCounts &counts) {
    std::string bytes;
    append_value(bytes, static_cast<uint32_t>(tables.size()));
    const auto append = [&](double value) { append_value(bytes, static_cast<float>(value)); };
    for (const FeatureTable &table : tables) {
        for (size_t i = 0; i < counts.kernel; ++i) append(kernel_feature(table.kernel, i));
        append_value(bytes, static_cast<uint32_t>(table.stages.size()));
        for (const StageFeatures &stage : table.stages) {
            append_value(bytes, stage.stage);
            for (size_t i = 0; i < counts.stage; ++i) append(stage_feature(stage, i));
            for (size_t i = 0; i < counts.algorithm; ++i) {
                append(algorithm_feature(stage.algorithm, i));
            }
        }
    }
    return bytes;
}

// The same tables with zeros for the features that it did not know.
inline std::vector<FeatureTable> without_later_features(std::vector<FeatureTable> tables,
                                                        const FeatureCounts &counts) {
    for (FeatureTable &table : tables) {
        for (size_t i = counts.kernel; i < kernel_feature_list().size(); ++i) {
            set_kernel_feature(table.kernel, i, 0);
        }
        for (StageFeatures &stage : table.stages) {
            for (size_t i = counts.stage; i < stage_feature_list().size(); ++i) {
                set_stage_feature(stage, i, 0);
            }
            for (size_t i = counts.algorithm; i < algorithm_feature_list().size(); ++i) {
                set_algorithm_feature(stage.algorithm, i, 0);
            }
        }
    }
    return tables;
}

inline Sample example_sample(const std::string &schedule) {
    return {"random:17",
            schedule,
            0x0123456789abcdef,
            {example_table(10, 1), example_table(20, 2)},
            {0.25, 0.1}};
}

inline SampleOrigin example_origin() {
    return {.device = "NVIDIA H200",
            .driver = "550.1",
            .gpu = find_preset("H100").value(),
            .halide = "21.0.0",
            .plugin = "0.1.0",
            .date = "2026-11-22",
            .command = "collect --pipelines 10"};
}

inline void expect_same(const FeatureTable &found, const FeatureTable &expected) {
    for (size_t i = 0; i < kernel_feature_list().size(); ++i) {
        EXPECT_EQ(kernel_feature(found.kernel, i), kernel_feature(expected.kernel, i));
    }
    ASSERT_EQ(found.stages.size(), expected.stages.size());
    for (size_t n = 0; n < found.stages.size(); ++n) {
        const StageFeatures &stage = found.stages[n], &other = expected.stages[n];
        EXPECT_EQ(stage.stage, other.stage);
        for (size_t i = 0; i < stage_feature_list().size(); ++i) {
            EXPECT_EQ(stage_feature(stage, i), stage_feature(other, i));
        }
        for (size_t i = 0; i < algorithm_feature_list().size(); ++i) {
            EXPECT_EQ(algorithm_feature(stage.algorithm, i), algorithm_feature(other.algorithm, i));
        }
    }
}

inline void expect_same(const std::vector<FeatureTable> &found,
                        const std::vector<FeatureTable> &expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) expect_same(found[i], expected[i]);
}

inline void expect_same(const std::vector<Sample> &found, const std::vector<Sample> &expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].pipeline, expected[i].pipeline);
        EXPECT_EQ(found[i].schedule, expected[i].schedule);
        EXPECT_EQ(found[i].code_hash, expected[i].code_hash);
        EXPECT_EQ(found[i].times_ms, expected[i].times_ms);
        expect_same(found[i].kernels, expected[i].kernels);
    }
}

template <typename T>
std::string error_of(const Result<T> &result) {
    return result ? "accepted" : result.error().message;
}

}  // namespace autoschedule_gpu
