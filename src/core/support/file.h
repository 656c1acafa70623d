// Whole files, in and out. Errors begin with the path.
#pragma once

#include <string>
#include <string_view>

#include "core/support/error.h"

namespace autoschedule_gpu {

// A folder is no file, though it opens.
Result<std::string> read_file(const std::string &path);

// Writes beside `path`, then renames: there is never half a file. Threads may write at the same
// time, but not the same path.
Status write_file(const std::string &path, std::string_view text);

// With all that is in it. What can't be removed stays.
void remove_folder(const std::string &path);

}  // namespace autoschedule_gpu
