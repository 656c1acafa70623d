// Whether several machines may see a file.
#pragma once

#include <string>

namespace autoschedule_gpu {

// True if the path's folder is on NFS, CIFS, Lustre or the like. File systems of which it can't be
// said, such as FUSE's, count as shared; one that can't be asked does not.
bool is_on_shared_file_system(const std::string &path);

}  // namespace autoschedule_gpu
