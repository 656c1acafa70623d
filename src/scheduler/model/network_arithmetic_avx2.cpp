// Compiled for processors with AVX2.
#include "scheduler/model/network_arithmetic_loops.h"

namespace autoschedule_gpu {

const NetworkArithmetic kArithmeticForAvx2 = {log_one_plus, compute_all_layers};

}  // namespace autoschedule_gpu
