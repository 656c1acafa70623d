#include "scheduler/model/network_arithmetic.h"

#include "scheduler/model/network_arithmetic_loops.h"

namespace autoschedule_gpu {

const NetworkArithmetic kArithmeticForAny = {log_one_plus, compute_all_layers};

const NetworkArithmetic &network_arithmetic() {
#if defined(__x86_64__)
    static const bool has_avx2 = __builtin_cpu_supports("avx2");
    if (has_avx2) return kArithmeticForAvx2;
#endif
    return kArithmeticForAny;
}

}  // namespace autoschedule_gpu
