#include "halide/lower/home_kernel.h"

#include <algorithm>

namespace autoschedule_gpu {

std::string home_kernel(const Halide::Func &func, const std::vector<Halide::Func> &funcs) {
    Halide::LoopLevel level = func.function().schedule().compute_level();
    level.lock();
    if (level.is_root() || level.is_inlined()) return func.name();
    const auto around = std::ranges::find_if(funcs, [&](const Halide::Func &other) {
        return other.defined() && other.name() == level.func_name();
    });
    return around == funcs.end() ? level.func_name() : home_kernel(*around, funcs);
}

}  // namespace autoschedule_gpu
