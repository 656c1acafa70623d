// Takes directives of a Func away, so that they are as if they had never been made.
#pragma once

#include <Halide.h>

#include <cstdint>

namespace variants {

// What stays of a Func's directives.
enum class Kept : uint8_t {
    nothing,
    layout,  // reorder_storage, align_storage; not bound_storage, which holds only in its place
    place,   // compute_root and bounds
    loops,   // all but unrolling and vectors
    all
};

const char *to_string(Kept kept);

// Whether the loops of such a Func stay.
inline bool has_loops(Kept kept) {
    return kept == Kept::loops || kept == Kept::all;
}

// Bounds of outputs are what the pipeline promises, and stay.
void keep_only(Halide::Internal::Function &func, Kept kept, bool is_output);

}  // namespace variants
