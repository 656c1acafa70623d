// What became of a random draw: the code that it led to, or why it led to none. A tuner that draws
// the same again learns its outcome without compiling it.
#pragma once

#include <cstdint>
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

// Returns an error if a draw has no text, a device without a name, or a code_hash of 0.
Status check(const KnownDraw &draw);

}  // namespace autoschedule_gpu
