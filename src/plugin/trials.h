// Whether Halide accepts what a search found: its schedule is lowered on a copy of the pipeline,
// and what comes of it must fit the device.
#pragma once

#include <Halide.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bridge/apply.h"
#include "dag/dag.h"
#include "gpu/gpu_model.h"
#include "plugin/spill_check.h"
#include "schedule/directive.h"
#include "space/space.h"
#include "space/state.h"
#include "support/error.h"

namespace autoschedule_gpu {

// Which attempt a state comes from.
enum class Attempt : uint8_t {
    search,     // in the whole space
    no_fusion,  // in the smaller one that needs less of Halide
    plain,      // nothing searched: every stage at root, in a kernel of its own
    host,       // nothing on the device
    trace,      // nothing searched: a schedule that was given
    decisions   // nothing searched: what was to be decided was given
};

std::string_view to_string(Attempt attempt);

// A state and what it belongs to.
struct Found {
    std::shared_ptr<const Dag> dag;
    State state;
    Freedom freedom = Freedom::full;  // of the space
};

// A schedule that Halide has accepted on a copy of the pipeline.
struct Accepted {
    Attempt attempt = Attempt::search;
    Schedule schedule;
    TrialLowering lowered;
};

struct AcceptedState {
    Found found;
    Accepted accepted;  // its schedule
};

struct RefusedTrial {
    Attempt attempt = Attempt::search;
    std::string error;
    std::string nest;  // its text form
};

class Trials {
public:
    // All outlive the trials.
    Trials(const Halide::Pipeline &pipeline, const Halide::Target &target, const GpuModel &gpu,
           const SpillCheck &spill_check)
        : pipeline_(pipeline), target_(target), gpu_(gpu), spill_check_(spill_check) {}

    // Nothing if the nest is not legal, Halide refuses its schedule, or what Halide makes of it
    // does not fit the device (but then a plain schedule and one on the host are accepted: there
    // are no others).
    std::optional<AcceptedState> accept(const Found &found, Attempt attempt);

    // The same of a schedule that was given, with the reason why it is not accepted.
    Result<Accepted> accept(Schedule schedule) const;

    const std::vector<RefusedTrial> &refused() const { return refused_; }

private:
    Result<TrialLowering> lower(const Schedule &schedule) const;
    std::nullopt_t refuse(const Found &found, Attempt attempt, const std::string &why);

    const Halide::Pipeline &pipeline_;
    const Halide::Target &target_;
    const GpuModel &gpu_;
    const SpillCheck &spill_check_;
    std::vector<RefusedTrial> refused_;
};

}  // namespace autoschedule_gpu
