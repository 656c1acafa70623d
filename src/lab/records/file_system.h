// Tells whether several machines may see a file.
#pragma once

#include <string>

namespace autoschedule_gpu {

// Returns true if the path's folder is on NFS, CIFS, Lustre or the like. A file system that may be
// either, such as FUSE's, counts as shared; one that cannot be queried does not.
bool is_on_shared_file_system(const std::string &path);

}  // namespace autoschedule_gpu
