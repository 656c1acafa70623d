// Names of a pipeline in texts of C++ and of Python. Halide takes any text without a dot for a
// name.
#pragma once

#include <string>
#include <string_view>

namespace autoschedule_gpu {

// Returns a string literal of both languages.
std::string string_literal(std::string_view text);

// Returns the name as it is; as a literal, if it might end a comment's line, or not let it end.
std::string in_comment(const std::string &name);

}  // namespace autoschedule_gpu
