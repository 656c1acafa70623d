// How much a candidate's output may differ from the reference's.
//
//     integers        not at all, unless `integer_steps` allows it
//     floats          |difference| <= limit x the greatest finite magnitude of the reference in
//                     that output, and x 1 where the reference is 0 all over
//     NaN, infinity   exactly where the reference has them, and nowhere else
//
// The order of sums and the fusing of multiply and add differ between schedules and compilers, so
// floats cannot be expected to agree to the bit. The limits leave room for many roundings:
//
//     float16  0.005    bfloat16  0.04    float32  1e-4    float64  1e-9
#pragma once

#include <cstdint>
#include <optional>

namespace autoschedule_gpu {

struct Tolerance {
    std::optional<double> relative = {};  // for floats of every width; none: the table above
    int64_t integer_steps = 0;

    friend bool operator==(const Tolerance &, const Tolerance &) = default;
};

// True if whatever is right within `one` is right within `other`, of whatever type outputs are.
bool is_at_most(const Tolerance &one, const Tolerance &other);

}  // namespace autoschedule_gpu
