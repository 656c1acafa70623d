// What tells a program or a library from the one that was there before, without reading it.
#pragma once

#include <string>

#include "core/support/hash.h"

namespace autoschedule_gpu {

// Adds the path, the size and the time of the last change; for a file that is not there the path
// alone tells it.
void add_file_stamp(Hasher &hasher, const std::string &path);

}  // namespace autoschedule_gpu
