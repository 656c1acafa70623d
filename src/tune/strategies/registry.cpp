#include "tune/strategies/registry.h"

#include <algorithm>
#include <string>
#include <utility>

#include "tune/strategies/shipped.h"

namespace autoschedule_gpu {
namespace {

// "batch or coordinate_descent"
std::string names_of(const std::vector<TuneStrategyMaker> &makers) {
    std::string names;
    for (const TuneStrategyMaker &maker : makers) {
        if (!names.empty()) names += &maker == &makers.back() ? " or " : ", ";
        names += maker.name;
    }
    return names;
}

}  // namespace

TuneStrategyRegistry::TuneStrategyRegistry() : makers_(shipped_tune_strategies()) {}

Status TuneStrategyRegistry::add(TuneStrategyMaker maker) {
    if (find(maker.name)) {
        return Error{"there is a strategy '" + std::string(maker.name) + "' already"};
    }
    makers_.push_back(std::move(maker));
    return Ok{};
}

Result<TuneStrategyMaker> TuneStrategyRegistry::find(std::string_view name) const {
    const auto found = std::ranges::find(makers_, name, &TuneStrategyMaker::name);
    if (found != makers_.end()) return *found;
    return Error{"expected " + names_of(makers_) + ", found '" + std::string(name) + "'"};
}

}  // namespace autoschedule_gpu
