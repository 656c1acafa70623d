// What rules are asked about: a tiling of a stage, a Func that is to be computed inside a kernel, a
// kernel as an edit leaves it.
//
// Views: what they refer to must outlive the question. Values that take time to find are functions,
// which a rule calls when it needs them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/dag/dag.h"
#include "core/gpu/gpu_model.h"
#include "scheduler/nest/nest.h"

namespace autoschedule_gpu {

// A tiling of a stage, whose loops are chosen one after the other.
struct TilingCandidate {
    // When a rule is asked.
    //
    //     complete  of every tiling that is complete
    //     early     after each choice as well, of its serial tile first: what breaks the rule stays
    //               broken, whatever the loops that follow are given
    //     sharing   once for a stage, before tilings are listed in which blocks or threads share
    //               its reduction loops
    //     wish      of all that are left when the others have been asked. Such a rule must accept
    //               the best of them.
    enum class Asked : uint8_t { complete, early, sharing, wish };
    const Dag &dag;
    const GpuModel &gpu;
    StageId stage;
    // One per loop; one point where none is chosen yet. Of a Func in a block only serial tiles are
    // chosen. `sharing`: loops that would be shared are atomic; empty for a Func in a block.
    std::span<const LoopTile> tiling;
    int64_t serial_points = 1;  // per thread
    int64_t threads = 1;        // per block
    int thread_loops = 0;       // with more than one thread
    int64_t blocks = 1;         // `complete` and `wish` only
    int64_t most_threads = 1;   // of all tilings that are left; `wish` only, as below
    int64_t most_blocks = 1;

    // The next loop's serial tile is chosen, and then its threads.
    void choose_serial(int64_t points) { serial_points *= points; }
    void choose_threads(int64_t along_loop) {
        threads *= along_loop;
        thread_loops += along_loop > 1;
    }
};

// A Func that is to be computed in a block of a kernel, or in a thread.
struct FusionCandidate {
    enum class Asked : uint8_t { complete };

    const Dag &dag;
    const GpuModel &gpu;
    const Kernel &kernel;  // that does not compute it yet
    FuncId func;
    const Band *site;  // in whose threads; null: in the block
    BlockLoop loop;    // in the block: as compute_in_block (scheduler/nest/edit.h) is given it
    std::span<const int64_t> extents;  // points per dimension, of one block or thread
    bool is_copy;                      // core/dag/dag.h

    int64_t points() const;  // of one block or thread
    // In the whole kernel.
    double evaluations() const;
};

// What a block needs of the Funcs that are computed in it.
class BlockNeeds {
public:
    virtual ~BlockNeeds() = default;
    // Extents of `func`, which is computed there, in that loop if it is valid.
    virtual std::vector<int64_t> needed_in_block(const Kernel &kernel, FuncId func,
                                                 BlockLoop loop) = 0;
};

// A kernel as an edit leaves it.
struct KernelCandidate {
    // When a rule is asked.
    //
    //     complete  of the kernel when the edit is done
    //     early     of a kernel that is tiled anew, after each Func that comes into its block as
    //               well: what breaks the rule stays broken, whatever else comes into it
    enum class Asked : uint8_t { complete, early };

    const Dag &dag;
    const GpuModel &gpu;
    const Kernel &kernel;
    const std::vector<bool> &copies;          // by FuncId
    const std::vector<bool> &always_inlined;  // by FuncId: nothing was decided there
    BlockNeeds &needs;
};

}  // namespace autoschedule_gpu
