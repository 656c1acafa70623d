// The loop nest of a kernel, to read: what rules and decision kinds are asked about.
//
//     Kernel ── stages    in the order of execution, the stage that the kernel is named after last
//                └ loops  innermost first, as the algorithm has them; each split over four levels
//
//     for blocks                      every stage of the kernel
//         for rounds                  where a reduction runs outside the threads
//             for threads             of a stage whose `inside` is -1
//                 for serial          ... and of the stages that are computed in its threads
//
// The product of a loop's trips over the levels is at least its extent: tiles end beyond it. Shared
// memory is counted in whole tiles, too. Plain values that the
// library is lent for the time of a call. Extents are those at the estimated sizes. Needs C++17 and
// the standard library.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "autoschedule_gpu/memory_kind.h"

namespace autoschedule_gpu::api {

struct Loop {
    std::string name;
    int64_t extent = 1;      // over all of the Func, or the part that a block or thread computes
    bool reduction = false;  // and not over a dimension of the Func
    // Trips at each level; 1 where the loop has no part.
    int64_t blocks = 1;
    int64_t rounds = 1;
    int64_t threads = 1;
    int64_t serial = 1;
};

struct Stage {
    std::string name;                        // "blur_y", "hist.update(0)"
    std::string func;                        // "hist"
    int func_index = 0;                      // as directives name the Func (trace.h)
    int update = 0;                          // as directives name the stage; 0: the pure definition
    bool is_output = false;                  // of the pipeline: its storage is the caller's
    MemoryKind memory = MemoryKind::global;  // where it is stored
    int inside = -1;  // the position of the stage in whose threads this is computed; -1: none
    std::vector<Loop> loops;
    std::vector<int64_t> extents;  // of the Func, by dimension, as far as the pipeline needs it
    int64_t element_bytes = 0;     // of a point of the Func, all values of a tuple together
};

struct Kernel {
    std::string name;      // of the stage that is computed at root
    bool on_host = false;  // then there is this one stage and nothing of it is split
    std::vector<Stage> stages;
    std::vector<std::string> inlined;  // Funcs that are evaluated where they are read
    int64_t blocks = 1;                // of the launch
    int64_t threads_x = 1, threads_y = 1, threads_z = 1;  // of a block
    int64_t shared_bytes = 0;                             // of a block

    int64_t threads() const { return threads_x * threads_y * threads_z; }
};

}  // namespace autoschedule_gpu::api
