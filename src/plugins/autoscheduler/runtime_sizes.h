// Which sizes of launches may be known at run time only, kernel by kernel.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "halide/lower/trial_lower.h"
#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// Of shared memory. A size that Halide finds only at run time is fine where the nest knows how
// large it gets, and where there is none to ask. `bounded`: where parameters decide, lowered code
// has the last word, for there is no launch if the greatest does not fit.
enum class RuntimeSizes : uint8_t { none, bounded, any };

class AllowedSizes {
public:
    // The same of all kernels: where there is no nest to ask.
    explicit AllowedSizes(RuntimeSizes all) : most_(all) {}
    // As the kernels of a nest, which is of that pipeline, have them.
    AllowedSizes(const Dag &dag, const Nest &nest);

    // Of a kernel that is none of the nest's: what any of those may have.
    RuntimeSizes of(const KernelLaunch &kernel) const;

    // Whether of some kernel parameters decide how large it gets.
    bool has_bounded() const { return has_bounded_; }

private:
    RuntimeSizes most_ = RuntimeSizes::none;
    bool has_bounded_ = false;
    // By the numbers of a Func and of its stage. Kernels that share a launch share what they may.
    std::map<std::pair<int, int>, RuntimeSizes> of_stages_;
};

}  // namespace autoschedule_gpu
