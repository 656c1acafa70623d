// The mutation of MetaSchedule's evolutionary search (Shao et al. 2022, section 4; its released
// mutators): one random variable of a trace gets another value. Here that is a decision of a list,
// of any kind that there is, and another of its choices.
//
// Which decision: first what it is about, then one of these, all with the same chance.
//
//     sizes    60 %   serial, threads, sliding and whatever else has numbers: MutateTileSize
//     places   25 %   where Funcs are computed: MutateComputeLocation
//     others   15 %   unrolling, staging, storage, vectors, rfactor and so on: MutateUnroll and
//     others
//
// TVM gives tile sizes 90 % on a GPU, and none to compute locations. In an image pipeline, places
// decide more; their shares are our own.
#pragma once

#include <optional>

#include "core/support/random.h"
#include "tune/strategies/listed_decisions.h"

namespace autoschedule_gpu {

// Nothing where no decision has another choice. Whether the result is a schedule is not known.
std::optional<ListedDecisions> mutated(const ListedDecisions &list, Random &random);

}  // namespace autoschedule_gpu
