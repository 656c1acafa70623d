#include "common/kernel_cache.h"

#include <cstdlib>

namespace autoschedule_gpu {

namespace {

constexpr const char *kVariable = "POCL_CACHE_DIR";

}  // namespace

KernelCache::KernelCache() : is_given_(std::getenv(kVariable) != nullptr) {}

void KernelCache::keep_in(const std::string &folder) const {
    if (!is_given_) setenv(kVariable, folder.c_str(), 1);
}

}  // namespace autoschedule_gpu
