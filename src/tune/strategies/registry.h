// A tuner's strategies by name. A value: a caller may add its own for one run.
#pragma once

#include <string_view>
#include <vector>

#include "core/support/error.h"
#include "tune/strategies/tune_strategy.h"

namespace autoschedule_gpu {

class TuneStrategyRegistry {
public:
    // Has the strategies of this library (shipped.h).
    TuneStrategyRegistry();

    // An error if there is one of that name already.
    Status add(TuneStrategyMaker maker);

    // An error that lists the known names if there is none.
    Result<TuneStrategyMaker> find(std::string_view name) const;

    // Of a registry that stays: those of a temporary one would be gone.
    const std::vector<TuneStrategyMaker> &makers() const & { return makers_; }
    const std::vector<TuneStrategyMaker> &makers() && = delete;

private:
    std::vector<TuneStrategyMaker> makers_;
};

}  // namespace autoschedule_gpu
