// Strategies by name. A value: a caller may add its own for one call, and nobody else sees them.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/support/error.h"
#include "scheduler/strategies/strategy.h"

namespace autoschedule_gpu {

class StrategyRegistry {
public:
    // Has the strategies of this library (shipped.h).
    StrategyRegistry();

    // An error if there is one of that name already.
    Status add(std::shared_ptr<const SearchStrategy> strategy);

    // An error that lists the known names if there is none.
    Result<std::shared_ptr<const SearchStrategy>> find(std::string_view name) const;

private:
    std::vector<std::shared_ptr<const SearchStrategy>> strategies_;
};

}  // namespace autoschedule_gpu
