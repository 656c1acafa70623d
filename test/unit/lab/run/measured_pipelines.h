// The pipelines of measured_generators.cpp for tests. Those that a test does not compile itself are
// compiled with it, as libraries named in CMakeLists.txt.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "lab/build/build_candidate.h"
#include "lab/run/runner.h"
#include "unit/scratch.h"

namespace autoschedule_gpu {

class MeasuredPipelines : public ::testing::Test {
protected:
    static std::string library(const std::string &name) {
        return std::string(MEASURED_LIBRARIES) + "/" + name + ".so";
    }

    static Candidate blur(const std::string &target, NamedValues params = {}) {
        return {.name = "blur_pipeline",
                .generator = MEASURED_GENERATORS,
                .generator_name = "blur",
                .target = target,
                .params = std::move(params)};
    }

    static Candidate blur_on_opencl(const std::string &behaviour) {
        return blur("host-opencl", {{"behaviour", behaviour}, {"gpu", "true"}});
    }

    // The folder of expected outputs of the generator "blur" or "mixed", by its CPU schedule.
    std::string expected(const std::string &generator, std::vector<ExtentsOf> extents = {},
                         InputRanges inputs = {}) const {
        const ReferenceJob job = {.library = library(generator),
                                  .name = generator + "_pipeline",
                                  .expected = scratch_.path("expected"),
                                  .extents = std::move(extents),
                                  .inputs = std::move(inputs)};
        const auto made = run_reference({.program = PIPELINE_RUNNER}, job);
        EXPECT_TRUE(made.ok()) << (made ? "" : made.error().reason);
        return job.expected;
    }

    static constexpr NoiseProtocol kQuick = {.warmup_runs = 1, .samples = 4, .time_budget_s = 20};

    Scratch scratch_;
};

}  // namespace autoschedule_gpu
