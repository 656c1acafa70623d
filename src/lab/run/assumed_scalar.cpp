#include "lab/run/assumed_scalar.h"

#include <algorithm>
#include <initializer_list>

namespace autoschedule_gpu {

namespace {

constexpr ElementType kBool{.kind = ElementKind::unsigned_integer, .bits = 1};

}  // namespace

double assumed_value(ElementType type, const ScalarRange &range) {
    if (type.kind == ElementKind::handle) return 0;
    if (type == kBool) return 1;
    const double usual = type.is_float() ? 0.75 : 2;
    double nearest = usual;
    if (range.greatest) nearest = std::min(nearest, *range.greatest);
    if (range.least) nearest = std::max(nearest, *range.least);
    for (const double value :
         {nearest, range.greatest.value_or(nearest), range.least.value_or(nearest)}) {
        if (value != 0 && value != 1) return value;
    }
    return nearest;
}

std::string describe(const AssumedScalar &scalar) {
    return scalar.name + " has no estimate, " + scalar.value +
           " is assumed in all runs: " + scalar.name + ".set_estimate(value) says what to run with";
}

}  // namespace autoschedule_gpu
