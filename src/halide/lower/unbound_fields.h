// What a schedule asks of a buffer that the pipeline does not read after all: Halide removes reads
// whose values make no difference, and then has no such variable, which its code generator reports
// as a missing symbol.
#pragma once

#include <Halide.h>

#include <optional>
#include <string>

namespace autoschedule_gpu {

// The name of a field of a buffer ("input.min.0") that lowered code asks for and that has no value;
// nothing where all have one.
std::optional<std::string> unbound_field(const Halide::Internal::Stmt &lowered);

}  // namespace autoschedule_gpu
