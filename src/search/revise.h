// A last look at where things are computed: large neighbourhood search (Shaw 1998). A Func and what
// it reads are decided anew by a narrow pass, while all else stays as it is; Func by Func. The
// passes of the beam search draw few of the many ways to decide, and what a decision was worth may
// show only when others have been taken.
#pragma once

#include "search/pass.h"

namespace autoschedule_gpu {

// Never costs more than `state`. What is frozen stays so, and is not counted as a Func to revise.
// Stops early when the time is up.
State revise_decisions(SearchParts &parts, State state);

}  // namespace autoschedule_gpu
