// What a compiler found a thread of a kernel to need, where features are to tell that and not what
// is estimated from the loop nest.
#pragma once

#include <cstdint>
#include <optional>

namespace autoschedule_gpu {

struct RegisterUse {
    std::optional<int64_t> registers = {};   // none: the compiler was not asked
    int64_t spill_bytes = 0;                 // stored and loaded
    int64_t spill_bytes_at_other_sizes = 0;  // by the kernels that it has for these

    bool operator==(const RegisterUse &) const = default;
};

}  // namespace autoschedule_gpu
