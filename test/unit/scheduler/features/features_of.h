// Features of a kernel by name, for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "scheduler/features/feature_extractor.h"
#include "unit/example_dags.h"
#include "unit/scheduler/nest/parsed.h"

namespace autoschedule_gpu::example {

using Expected = std::vector<std::pair<std::string, double>>;

// Of an image of 512 x 256 floats.
inline constexpr double kImageBytes = 512 * 256 * 4;

// That a warp of neighbouring floats touches on average, wherever they begin: 4.875.
inline constexpr double kWarpSectors = (32 * 4 + 28) / 32.0;

class Features {
public:
    Features(const Dag &dag, const Kernel &kernel, const GpuModel &gpu)
        : dag_(dag), table_(FeatureExtractor(dag, gpu).extract(kernel)) {}

    const FeatureTable &table() const { return table_; }

    double kernel(const std::string &name) const {
        const auto list = kernel_feature_list();
        for (size_t i = 0; i < list.size(); ++i) {
            if (list[i].name == name) return kernel_feature(table_.kernel, i);
        }
        throw std::logic_error("no feature " + name);
    }

    double stage(const std::string &stage, const std::string &name) const {
        const auto list = stage_feature_list();
        for (const StageFeatures &row : table_.stages) {
            if (stage_name(dag_, StageId(row.stage)) != stage) continue;
            for (size_t i = 0; i < list.size(); ++i) {
                if (list[i].name == name) return stage_feature(row, i);
            }
        }
        throw std::logic_error("no feature " + name + " of " + stage);
    }

    void expect_kernel(const Expected &expected) const {
        for (const auto &[name, value] : expected) EXPECT_NEAR(kernel(name), value, 1e-9) << name;
    }
    void expect_stage(const std::string &stage, const Expected &expected) const {
        for (const auto &[name, value] : expected) {
            EXPECT_NEAR(this->stage(stage, name), value, 1e-9) << stage << " " << name;
        }
    }

private:
    Dag dag_;
    FeatureTable table_;
};

// Returns all values of a table, in the order of the lists.
inline std::vector<double> numbers(const FeatureTable &table) {
    std::vector<double> all;
    for (size_t i = 0; i < kernel_feature_list().size(); ++i) {
        all.push_back(kernel_feature(table.kernel, i));
    }
    for (const StageFeatures &row : table.stages) {
        for (size_t i = 0; i < stage_feature_list().size(); ++i) {
            all.push_back(stage_feature(row, i));
        }
        for (size_t i = 0; i < algorithm_feature_list().size(); ++i) {
            all.push_back(algorithm_feature(row.algorithm, i));
        }
    }
    return all;
}

// Returns those of kernel `index` of a nest written as text, on an A100: 32-byte sectors, warps
// of 32.
inline Features features_of(const Dag &dag, std::string_view text, size_t index = 0) {
    const Nest nest = parsed(dag, text);
    return Features(dag, *nest.kernels[index], find_preset("a100").value());
}

}  // namespace autoschedule_gpu::example
