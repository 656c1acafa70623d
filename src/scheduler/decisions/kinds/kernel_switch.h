// Whether a kernel has vectors (scheduler/nest/vectors.h), those of steps
// (scheduler/nest/step_vectors.h), of channels (scheduler/nest/channel_vectors.h) or of pixels
// (scheduler/nest/pixel_vectors.h), a schedule for outputs of certain extents
// (scheduler/nest/multiples.h), loads ahead of what a scan stores (scheduler/nest/loads_ahead.h),
// or threads along what it stores (scheduler/nest/thread_order.h), as the kinds vectors,
// step_vectors, channel_vectors, pixel_vectors, multiples, loads_ahead and along_stores of
// autoschedule_gpu/decision.h: on or off, a decision about the kernel's own stage.
#pragma once

#include <string_view>

#include "scheduler/schedule/stage_kind.h"

namespace autoschedule_gpu {

class KernelSwitch : public StageKind {
public:
    using Exists = bool (*)(const Dag &, const Kernel &);

    // `exists`: whether it makes a difference to a kernel.
    KernelSwitch(std::string_view name, bool Kernel::*is_on, Exists exists)
        : name_(name), is_on_(is_on), exists_(exists) {}

    std::string_view name() const override { return name_; }
    std::vector<DecisionValue> choices(const Dag &dag, const GpuModel &gpu, const KernelPtr &kernel,
                                       StageId stage) const override;
    std::optional<DecisionValue> value(const Kernel &kernel, StageId stage) const override;
    Result<KernelPtr> decide(const Dag &dag, const KernelPtr &kernel, StageId stage,
                             const DecisionValue &value) const override;

private:
    std::string_view name_;
    bool Kernel::*is_on_;
    Exists exists_;
};

}  // namespace autoschedule_gpu
