#include "lab/run/tolerance.h"

#include <algorithm>

#include "lab/run/compare_output.h"
#include "lab/run/element_type.h"

namespace autoschedule_gpu {

bool is_at_most(const Tolerance &one, const Tolerance &other) {
    constexpr ElementType kFloats[] = {{ElementKind::ieee_float, 16},
                                       {ElementKind::bfloat, 16},
                                       {ElementKind::ieee_float, 32},
                                       {ElementKind::ieee_float, 64}};
    const bool floats = std::ranges::all_of(kFloats, [&](ElementType type) {
        return relative_limit(type, one) <= relative_limit(type, other);
    });
    return floats && one.integer_steps <= other.integer_steps;
}

}  // namespace autoschedule_gpu
