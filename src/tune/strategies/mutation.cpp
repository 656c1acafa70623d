#include "tune/strategies/mutation.h"

#include <array>
#include <vector>

namespace autoschedule_gpu {
namespace {

constexpr size_t kSizes = 0, kPlaces = 1, kOthers = 2;
constexpr std::array<double, 3> kWeights = {0.60, 0.25, 0.15};

size_t group_of(const ListedDecision &decision) {
    if (decision.is_size) return kSizes;
    return decision.kind == "place" ? kPlaces : kOthers;
}

using Groups = std::array<std::vector<size_t>, kWeights.size()>;  // of open decisions

// One of those that are not empty, by weight. There is one.
const std::vector<size_t> &drawn_group(const Groups &groups, Random &random) {
    double sum = 0;
    for (size_t g = 0; g < groups.size(); ++g) sum += groups[g].empty() ? 0 : kWeights[g];
    double at = random.unit() * sum;
    size_t last = 0;
    for (size_t g = 0; g < groups.size(); ++g) {
        if (groups[g].empty()) continue;
        last = g;
        if (at < kWeights[g]) break;
        at -= kWeights[g];
    }
    return groups[last];
}

}  // namespace

std::optional<ListedDecisions> mutated(const ListedDecisions &list, Random &random) {
    Groups groups;
    bool is_any_open = false;
    for (size_t i = 0; i < list.decisions().size(); ++i) {
        if (!list.decisions()[i].is_open()) continue;
        groups[group_of(list.decisions()[i])].push_back(i);
        is_any_open = true;
    }
    if (!is_any_open) return std::nullopt;
    const std::vector<size_t> &group = drawn_group(groups, random);
    const size_t decision = group[random.below(group.size())];
    const ListedDecision &drawn = list.decisions()[decision];
    const size_t other = random.below(drawn.choices.size() - 1);
    ListedDecisions result = list;
    result.choose(decision, other < drawn.chosen ? other : other + 1);
    return result;
}

}  // namespace autoschedule_gpu
