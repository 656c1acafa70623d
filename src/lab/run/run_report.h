// What pipeline_runner reports about one run: the JSON object on the last line of its standard
// output. Both ends use this struct; to_json and parse_run_report are each other's inverse.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/error.h"
#include "lab/build/failure.h"
#include "lab/run/assumed_scalar.h"

namespace autoschedule_gpu {

// How one output differs from the reference's.
struct OutputDifference {
    std::string name = {};
    int64_t elements = 0;
    int64_t wrong_elements = 0;          // outside the tolerance
    double greatest_magnitude = 0;       // greatest finite magnitude in the reference
    double tolerance = 0;                // absolute limit on differences
    double worst_difference = 0;         // infinite if only one of the two is a number
    std::vector<int64_t> worst_at = {};  // coordinates; empty if there is no difference at all
    double worst_expected = 0;
    double worst_found = 0;

    friend bool operator==(const OutputDifference &, const OutputDifference &) = default;
};

struct RunReport {
    std::optional<Failure> failure = {};  // without a command: the caller knows it
    // all outputs are within the tolerance, after the first run and the last
    bool verified = false;
    std::vector<OutputDifference> outputs = {};
    std::string device_name = {};     // the driver's name for it, if it has one
    std::string driver_version = {};  // the driver's own, if it has one
    double first_run_ms = 0;          // includes copies and the driver's compilation of kernels
    std::vector<double> samples_ms = {};
    // How long threads of the run waited for a core during each sample, added up over the threads
    // (core_waits.h); empty where the system does not tell.
    std::vector<double> waited_ms = {};
    bool l2_flushed = false;  // before each sample
    // Of a reference: outputs of several elements that are all the same, which hide errors.
    std::vector<std::string> constant_outputs = {};
    // Of a reference: what it runs with for want of an estimate, as all candidates do.
    std::vector<AssumedScalar> assumed_scalars = {};

    friend bool operator==(const RunReport &, const RunReport &) = default;
};

std::string to_json(const RunReport &report);  // one line
Result<RunReport> parse_run_report(std::string_view json);

}  // namespace autoschedule_gpu
