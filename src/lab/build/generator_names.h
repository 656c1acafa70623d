// Which generators a program has, by asking it.
#pragma once

#include <string>
#include <vector>

#include "core/support/error.h"

namespace autoschedule_gpu {

// The names in what a program says that was called without arguments; none if it says none.
std::vector<std::string> parse_generator_names(const std::string &output);

// Returns the generator that is meant where nobody has named one: the program's only one, or the
// one of several that is called as the program is. The error lists the names that there are.
Result<std::string> generator_meant(const std::string &program);

}  // namespace autoschedule_gpu
