// A last look at where things are computed: large neighbourhood search (Shaw 1998). A Func, what it
// reads and what reads it are decided anew by a narrow pass, while all else stays as it is; Func by
// Func. The passes of the beam search draw few of the many ways to decide, and what a decision was
// worth may show only when others have been taken.
#pragma once

#include <span>
#include <vector>

#include "scheduler/search/pass.h"

namespace autoschedule_gpu {

// Kernels whose Funcs are decided anew although they are frozen.
inline constexpr size_t kExpensiveKernels = 64;

// So many at most, by their indices in the nest, the most expensive first.
std::vector<size_t> most_expensive_kernels(const State &state);

// Never costs more than `state`. Of what is frozen, only the Funcs of the most expensive kernels
// and their neighbours are decided anew. Stops early when the time is up.
State reconsider_places(SearchParts &parts, State state);

// The last step of it: epilogues (epilogues.h) are computed in the kernels before them.
State join_epilogues(SearchParts &parts, State state);

// Of a space whose blocks walk: windows (windows.h) are computed in the kernels that read them, one
// after the other, where each gains enough.
State join_windows(SearchParts &parts, State state);

// What kernels compute that have the same elsewhere (repeats.h) is computed as there, where that
// gains.
State repeat_kernels(SearchParts &parts, State state);

// As reconsider_places, once for each of these Funcs. Wrappers of single readers
// (scheduler/space/wrappers.h) beside them are decided as well, and the Funcs on both of their
// sides.
State reconsider_once(SearchParts &parts, State state, std::span<const FuncId> funcs);

// With one of the Funcs that are inlined in that kernel computed in a thread's registers or in the
// block instead, and all else as it is: the cheapest first. They may cost more than `state`.
std::vector<State> with_less_inlined_in(SearchParts &parts, const State &state, size_t kernel);

}  // namespace autoschedule_gpu
