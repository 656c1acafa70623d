// What became of a random draw: the code that it led to, or why it led to none. Whoever draws the
// same again need not compile it to know.
#pragma once

#include <cstdint>
#include <string>

#include "lab/build/failure.h"
#include "lab/records/tuning_record.h"

namespace autoschedule_gpu {

// The environment without its feature_schema, for which the code is the same.
struct DrawKey {
    uint64_t pipeline_hash = 0;
    Environment environment = {};
    std::string draw = {};  // what the schedule is made from: "strategy=beam dropout=40 seed=5"
};

struct KnownDraw {
    DrawKey key = {};
    Outcome<uint64_t> code_hash;  // a failure: there is no code
};

// What is wrong with a draw, if something is: no text, a device without a name, a code_hash of 0.
Status check(const KnownDraw &draw);

}  // namespace autoschedule_gpu
