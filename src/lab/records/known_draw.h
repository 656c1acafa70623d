// What became of a random draw: the code that it led to, or why it led to none. A tuner that draws
// the same again learns its outcome without compiling it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "lab/build/failure.h"
#include "lab/records/tuning_record.h"

namespace autoschedule_gpu {

// Does not include the environment's feature_schema, on which the code does not depend.
struct DrawKey {
    uint64_t pipeline_hash = 0;
    Environment environment = {};
    std::string draw = {};  // what the schedule is made from: "strategy=beam dropout=40 seed=5"
};

struct KnownDraw {
    DrawKey key = {};
    Outcome<uint64_t> code_hash;  // a failure: there is no code
};

// A draw of a tuning run that led to no code. The pipeline has no name or size where there is no
// record of it.
struct FailedDraw {
    PipelineKey pipeline = {};
    Environment environment = {};
    std::string draw = {};
    Failure failure = {};
};
using FailedDrawVisitor = std::function<Status(const FailedDraw &)>;

// Returns an error if a draw has no text, a device without a name, or a code_hash of 0.
Status check(const KnownDraw &draw);

}  // namespace autoschedule_gpu
