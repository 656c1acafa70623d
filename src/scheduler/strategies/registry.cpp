#include "scheduler/strategies/registry.h"

#include <algorithm>
#include <string>
#include <utility>

#include "scheduler/strategies/shipped.h"

namespace autoschedule_gpu {

StrategyRegistry::StrategyRegistry() : strategies_(shipped_strategies()) {}

Status StrategyRegistry::add(std::shared_ptr<const SearchStrategy> strategy) {
    const std::string name(strategy->info().name);
    if (find(name)) return Error{"there is a strategy \"" + name + "\" already."};
    strategies_.push_back(std::move(strategy));
    return Ok{};
}

Result<std::shared_ptr<const SearchStrategy>> StrategyRegistry::find(std::string_view name) const {
    const auto found = std::ranges::find_if(
        strategies_, [&](const auto &strategy) { return strategy->info().name == name; });
    if (found != strategies_.end()) return *found;
    std::string message = "there is no strategy \"" + std::string(name) + "\". Known are:";
    for (const auto &strategy : strategies_) {
        message += (strategy == strategies_.front() ? " " : ", ");
        message += strategy->info().name;
    }
    return Error{message + "."};
}

}  // namespace autoschedule_gpu
