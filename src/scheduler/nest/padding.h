// Rows of a Func in shared memory that are longer than it needs.
//
// Words that are as far apart as there are banks are in the same bank, and lanes that touch
// different ones of those wait for each other: lanes in the same column of rows of 32 words do, all
// of them. An odd number of words from one row to the next puts each 32 rows into different banks.
#pragma once

#include <cstdint>
#include <optional>

#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// The most elements that a block stores in a row of the Func in it of which `stage` is the first.
// Nothing where Halide will know that only at run time, or the stage is no such one.
std::optional<int64_t> stored_row(const Dag &dag, const Kernel &kernel, StageId stage);

// The least row of an odd number of words that holds one of that Func, in elements; an element
// wider than a word counts as one. Nothing where that is the row that it has anyway, or there is
// one row only.
std::optional<int64_t> padded_row(const Dag &dag, const Kernel &kernel, StageId stage);

}  // namespace autoschedule_gpu
