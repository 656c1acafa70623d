// What pipeline_runner says of one run: the JSON object on the last line of its standard output.
// The same struct on both ends; to_json and parse_run_report are each other's inverse.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/error.h"
#include "lab/build/failure.h"

namespace autoschedule_gpu {

// One output beside the reference's.
struct OutputDifference {
    std::string name = {};
    int64_t elements = 0;
    int64_t wrong_elements = 0;          // outside the tolerance
    double greatest_magnitude = 0;       // finite, of the reference
    double tolerance = 0;                // absolute: what a difference was held against
    double worst_difference = 0;         // infinite where only one of both is a number
    std::vector<int64_t> worst_at = {};  // its coordinates; empty if there is no difference at all
    double worst_expected = 0;
    double worst_found = 0;

    friend bool operator==(const OutputDifference &, const OutputDifference &) = default;
};

struct RunReport {
    std::optional<Failure> failure = {};  // without a command: the caller knows it
    bool verified = false;                // all outputs within the tolerance, first run and last
    std::vector<OutputDifference> outputs = {};
    std::string device_name = {};     // as the driver calls it, where it does
    std::string driver_version = {};  // likewise
    double first_run_ms = 0;          // with the driver's compilation of kernels, and copies
    std::vector<double> samples_ms = {};
    bool l2_flushed = false;  // before each sample

    friend bool operator==(const RunReport &, const RunReport &) = default;
};

std::string to_json(const RunReport &report);  // one line
Result<RunReport> parse_run_report(std::string_view json);

}  // namespace autoschedule_gpu
