// Where a tool that runs many kernels once keeps them compiled: not in the user's cache, which they
// would fill.
#pragma once

#include <string>

namespace autoschedule_gpu {

class KernelCache {
public:
    // A cache that this process was given (POCL_CACHE_DIR) stays.
    KernelCache();

    // From now on, in this folder.
    void keep_in(const std::string &folder) const;

private:
    bool is_given_;
};

}  // namespace autoschedule_gpu
