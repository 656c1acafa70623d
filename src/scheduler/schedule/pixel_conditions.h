// What a vectorize_pixels asks of buffers, one field of one buffer at a time, and of where they
// begin: the same for Halide, for C++ and for Python.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu {

struct PixelCondition {
    int func = -1;      // whose buffer it is, an output; -1: an input's
    std::string input;  // its name
    std::string field;  // as Halide names it behind the buffer's name: ".stride.1"
    // What the field must be, or a multiple of what; or else where the buffer itself must begin: on
    // the device at a multiple of 16 bytes. That has neither field nor number.
    enum class Is : uint8_t { equal, multiple, aligned } is = Is::equal;
    int64_t number = 0;
};

// Those of equality come first, and those of where buffers begin last.
std::vector<PixelCondition> pixel_conditions(const Directive &vectorize);

}  // namespace autoschedule_gpu
