// One decision of a schedule, as the space lists it, a search takes it, and a kernel records it:
//
//     place         where a Func is computed; inside a kernel, as which Member of it. With a
//     tiling,
//                   the kernel that it comes into is tiled anew, and keeps what is computed in it
//     tiling alone  how a stage at root is split into blocks, threads and points per thread
//     neither       nothing: the step leaves nothing to decide
//
// How far loops are unrolled is decided when all else is (decisions/kinds/unroll.h).
#pragma once

#include <cstdint>
#include <vector>

#include "scheduler/nest/member.h"
#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

struct Decision : Member {
    std::vector<int64_t> serial;  // in a block, MemberTile::given: points per thread, by dimension
    // What it comes to in the state for which it was listed.
    size_t kernel = 0;               // inside a kernel, or a tiling: its index in the nest
    const Tiling *tiling = nullptr;  // of the kernel's root stage, owned by the space or the caller
    std::vector<int64_t> extents;    // inside a kernel as it is tiled: points per dimension
};

// Inline or at root.
inline Decision decide_place(FuncId func, Place place) {
    Decision decision;
    decision.func = func;
    decision.place = place;
    return decision;
}

inline Decision decide_tiling(FuncId func, size_t kernel, const Tiling &tiling) {
    Decision decision;
    decision.func = func;
    decision.kernel = kernel;
    decision.tiling = &tiling;
    return decision;
}

// True if only a tiling is decided.
inline bool is_tiling(const Decision &decision) {
    return decision.place == Place::undecided && decision.tiling != nullptr;
}
inline bool is_nothing(const Decision &decision) {
    return decision.place == Place::undecided && decision.tiling == nullptr;
}

}  // namespace autoschedule_gpu
