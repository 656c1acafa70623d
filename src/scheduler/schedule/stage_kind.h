// A kind of decision about one stage of a kernel, beside where its Func is computed and how it is
// tiled: how far its loops are unrolled, and whatever users' libraries add. A kind is one object:
// its name, what can be chosen, what a choice makes of a kernel, and which directives come of it.
// Immutable; may be asked from any thread.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/dag/dag.h"
#include "core/gpu/gpu_model.h"
#include "core/support/error.h"
#include "scheduler/nest/nest.h"
#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu {

class StageKind {
public:
    virtual ~StageKind() = default;

    // A word, as lists of decisions and reports have it: "unroll".
    virtual std::string_view name() const = 0;

    // What can be chosen for a stage that is computed in the kernel while all else stays,
    // ascending, neighbours in the list being neighbours in meaning. With less than two there is
    // nothing to decide. `value` is among them; where it is nothing, the first is what the kernel
    // has.
    virtual std::vector<DecisionValue> choices(const Dag &dag, const GpuModel &gpu,
                                               const KernelPtr &kernel, StageId stage) const = 0;

    // What the kernel has; nothing where nothing was chosen.
    virtual std::optional<DecisionValue> value(const Kernel &kernel, StageId stage) const = 0;

    // The kernel with that choice. An Error says what was expected.
    virtual Result<KernelPtr> decide(const Dag &dag, const KernelPtr &kernel, StageId stage,
                                     const DecisionValue &value) const = 0;

    // What comes behind the other directives of the stage. Nothing where the kernel's bands tell all,
    // as they do of the scheduler's own kinds.
    virtual Schedule directives(const Dag & /*dag*/, const Kernel & /*kernel*/,
                                StageId /*stage*/) const {
        return {};
    }
};

using StageKinds = std::vector<std::shared_ptr<const StageKind>>;

}  // namespace autoschedule_gpu
