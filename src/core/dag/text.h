// The text form of a Dag: complete and deterministic, made to be read by people and compared with
// gold files. Numbers are at the estimates. There is no parser.
#pragma once

#include <string>

#include "core/dag/dag.h"

namespace autoschedule_gpu {

// Returns "float32", "uint8", "bool".
std::string to_text(const ScalarType &type);

// Returns "[1 0; 0 1/2; ? 0]": a row for each dimension, a column for each loop, ? where unknown.
std::string to_text(const AccessMatrix &matrix);

// Returns "add:single 4, mul:single 2".
std::string to_text(const OpHistogram &ops);

std::string to_text(const Dag &dag);

}  // namespace autoschedule_gpu
