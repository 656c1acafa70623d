// The strategies of this library; each is a file of this room.
#pragma once

#include <memory>
#include <vector>

#include "scheduler/strategies/strategy.h"

namespace autoschedule_gpu {

// "beam": greedy grouping gives a draft, a beam search starts from it, and inputs are staged at the
// end (Anderson et al. 2021, and beyond).
std::shared_ptr<const SearchStrategy> make_beam();

// "greedy_grouping": one guess that is improved (Sioutas et al. 2020).
std::shared_ptr<const SearchStrategy> make_greedy_grouping();

// "sampled": the beam search by itself, whose choices its seed and its dropout make at random.
std::shared_ptr<const SearchStrategy> make_sampled();

// "plain": every stage in a kernel of its own, nothing searched.
std::shared_ptr<const SearchStrategy> make_plain();

// "host": nothing on the device.
std::shared_ptr<const SearchStrategy> make_host();

inline std::vector<std::shared_ptr<const SearchStrategy>> shipped_strategies() {
    return {make_beam(), make_greedy_grouping(), make_sampled(), make_plain(), make_host()};
}

}  // namespace autoschedule_gpu
