#include "scheduler/rules/register_rules.h"

#include <algorithm>

#include "core/gpu/occupancy.h"
#include "scheduler/rules/families.h"

namespace autoschedule_gpu {

namespace {

// Points of one array per thread; beyond, it can't stay in registers.
constexpr int64_t kMaxThreadPoints = 64;
constexpr int64_t kRegisterBytes = 4;

Verdict too_large_tile(const TilingCandidate &c) {
    if (c.serial_points <= kMaxSerialPoints) return std::nullopt;
    return Finding{double(c.serial_points), double(kMaxSerialPoints), "points per thread"};
}

Verdict too_large_array(const FusionCandidate &c) {
    if (c.site == nullptr) return std::nullopt;
    const int64_t points = c.points();
    if (points <= kMaxThreadPoints) return std::nullopt;
    return Finding{double(points), double(kMaxThreadPoints), "points of an array per thread"};
}

// Arrays of a thread together, beside the registers that any code needs.
Verdict too_large_arrays(const KernelCandidate &c) {
    const int64_t allowed = kRegisterBytes * (c.gpu.max_registers_per_thread - kBusyRegisters);
    for (const BandPtr &threads : c.kernel.blocks->body) {
        int64_t bytes = 0;
        for (const BandPtr &inner : threads->body) {
            const Stage &stage = c.dag.stage(inner->stage);
            if (inner->stage == threads->stage || stage.index > 0) continue;
            const int64_t point = c.dag.func(stage.func).bytes_per_point();
            bytes += iterations(*inner) * std::max(kRegisterBytes, point);
        }
        if (bytes > allowed) {
            return Finding{double(bytes), double(allowed), "bytes of arrays per thread"};
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<AnyRule> register_rules() {
    const RuleInfo arrays = {"large_thread_allocation",
                             "arrays of a thread too large for registers"};
    return {
        TilingRule{{"serial_too_large", "a serial tile too large to unroll"},
                   TilingCandidate::Asked::early,
                   too_large_tile},
        FusionRule{arrays, FusionCandidate::Asked::complete, too_large_array},
        KernelRule{arrays, KernelCandidate::Asked::complete, too_large_arrays},
    };
}

}  // namespace autoschedule_gpu
