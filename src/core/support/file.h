// Whole files, in and out. Errors begin with the path.
#pragma once

#include <string>
#include <string_view>

#include "core/support/error.h"

namespace autoschedule_gpu {

// A folder is no file, though it opens.
Result<std::string> read_file(const std::string &path);

// Writes beside `path`, then renames: there is never half a file. A link stays, and the file where
// it leads is replaced. What is no file, such as a device or a pipe, is written to and stays, too.
// Threads may write at the same time, but not the same path.
Status write_file(const std::string &path, std::string_view text);

// Whether write_file and read_file would succeed as things are. If not, the error has the system's
// reason: no such folder, no permission, a folder of that name. `path` stays as it is.
Status can_write_file(const std::string &path);
Status can_read_file(const std::string &path);

// Whether there is something at `path`, and whether that is a folder or a file, as far as this
// process may look; a link is what it leads to. What may not be looked at is not there, and whoever
// opens it is told why. A device or a pipe is there, but is no regular file.
bool is_there(const std::string &path);
bool is_folder(const std::string &path);
bool is_regular_file(const std::string &path);

// `path` from the root on. Where the current folder is gone, `path` as it is, which names nothing.
std::string absolute_path(const std::string &path);
// The one name of what `path` leads to, or would: from the root on, without links, dots and a slash
// at its end. An error where links lead in a circle, or what is on the way may not be looked at.
Result<std::string> canonical_path(const std::string &path);
// Whether both are paths of one file or folder, which need not be there.
bool is_same_file(const std::string &a, const std::string &b);

// What write_file would replace; nothing else. What can't be removed stays.
void remove_file(const std::string &path);

// With all that is in it. What can't be removed stays.
void remove_folder(const std::string &path);

}  // namespace autoschedule_gpu
