// Facts about one kernel that several groups of features need, or that follow from one walk.
//
//     Kernel ─► memory of Funcs ─► regions of grid and block ─► threads ─► stages ─► sums
//
// `facts_of` computes all of them, in this order; no group of features changes them. They are
// views: what they show is owned by the extractor's scratch memory and ends with its next reset;
// the pipeline, the device, the kernel and the flat stages must live as long. Safe to read from any
// thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "core/dag/dag.h"
#include "core/gpu/gpu_model.h"
#include "core/support/memory_kind.h"
#include "scheduler/features/extraction_scratch.h"
#include "scheduler/features/flat_stage.h"
#include "scheduler/features/register_use.h"
#include "scheduler/nest/nest.h"
#include "scheduler/nest/regions.h"
#include "scheduler/nest/sliding.h"

namespace autoschedule_gpu {

enum class Direction : uint8_t { load, store };

// Loads or stores of one Func by a stage's innermost loops that follow the same law.
struct AccessFacts {
    FuncId func;
    Direction direction = Direction::load;
    MemoryKind memory = MemoryKind::global;
    int64_t bytes = 4;                     // of an element
    double count = 0;                      // by one thread, in all of its passes
    bool by_point = false;                 // by each point of a pass anew, whatever others load
    int64_t vector = 1;                    // elements that one instruction moves
    const AccessMatrix *matrix = nullptr;  // dimensions of the Func x loops of the stage
};

// A band of threads. Regions are those of the first thread of a block in the middle of the grid.
struct ThreadFacts {
    const Band *band = nullptr;
    double threads = 1;          // of a block that take part (active_threads.h)
    double warps = 1;            // of a block, with at least one such thread
    double loop_iterations = 1;  // of the loop around the band
    bool atomic = false;         // what the band's own stage adds up is added by atomic operations
    std::span<const Interval> ranges;    // of the loops of the band's own stage
    const RegionSet *regions = nullptr;  // what the thread touches
};

// A stage that the kernel executes. A pass is one iteration of the loops that are not unrolled, or
// as many as are written out (Band::steps).
struct StageFacts {
    StageId stage;
    FuncId func;
    const Band *inner = nullptr;
    const ThreadFacts *threads = nullptr;
    const FlatStage *flat = nullptr;
    std::span<const int64_t> unrolled;  // by loop: iterations that are written out
    std::optional<size_t> vector_loop;  // (scheduler/nest/vectors.h)
    // The loop of which all iterations are a vector (scheduler/nest/channel_vectors.h), and what is
    // loaded by such.
    std::optional<size_t> channel_loop;
    std::span<const FuncId> read_by_channels;
    // The points of a vector along pixels (scheduler/nest/pixel_vectors.h), 1 where there is none,
    // and what is loaded by such.
    int64_t pixels_at_once = 1;
    std::span<const FuncId> read_by_pixels;
    // Inputs of which four steps of a reduction read a vector (scheduler/nest/step_vectors.h).
    std::span<const FuncId> read_by_steps;
    // The loop of a scan whose steps load ahead of what they store, and how many values they have
    // of what they read (scheduler/nest/loads_ahead.h).
    std::optional<size_t> loop_ahead;
    double values_ahead = 0;
    double passes = 1;           // of a thread
    double waiting_steps = 1;    // of a pass, that wait for each other's loads
    double steps_ahead = 0;      // of a pass of a scan, that load before the first of them stores
    double points_per_pass = 1;  // evaluations of the stage
    double points_per_thread = 1;
    double points = 1;                         // in the whole launch
    std::span<const double> inlined_per_pass;  // evaluations, by position in flat->inlined
    // The choices of the stage that are known, as a set (Stage::untaken_ops); and of what is
    // inlined, by position.
    size_t known_choices = 0;
    std::span<const size_t> inlined_known_choices;
    const RegionSet *pass_regions = nullptr;  // what one pass touches
    // What one evaluation touches, where a pass stores to shared memory between its evaluations:
    // compilers, to whom all shared memory of a kernel is one array, then load again what the next
    // one shares with it (read off the PTX of stencils; AccessFacts::by_point). Else null.
    const RegionSet *point_regions = nullptr;
    // What one row of a pass touches: one iteration of the loops that move some load of global
    // memory from row to row, of which several are written out. Compilers do not see that points
    // of different rows load the same, because the distance of rows is known at run time only (read
    // off the PTX of stencils). Null where no such loops are.
    const RegionSet *row_regions = nullptr;
    std::span<const AccessFacts> accesses;  // loads first
    double registers = 0;                   // estimated need of a thread
    // How far the region of a Func computed in the threads moves from one thread to its neighbour,
    // by axis of the threads and dimension. Empty where that is not known.
    std::array<std::span<const double>, 3> steps;

    // True if the threads are the stage's: it is computed per block, or it is the kernel's own.
    bool owns_threads() const { return stage == threads->band->stage; }
    bool reads_by_steps(FuncId input) const {
        return std::ranges::find(read_by_steps, input) != read_by_steps.end();
    }
    bool reads_by_channels(FuncId func) const {
        return std::ranges::find(read_by_channels, func) != read_by_channels.end();
    }
    bool reads_by_pixels(FuncId func) const {
        return std::ranges::find(read_by_pixels, func) != read_by_pixels.end();
    }
    // True if the stage adds by atomic operations.
    bool is_atomic() const { return threads->atomic && owns_threads(); }
};

// How a Func goes along in a block that walks.
struct SlideFacts {
    FuncId func;
    Slide slide;
    double ring = 1;  // points along it for which there is room
};

// A Func in the block of which a dimension other than the first may be innermost in shared memory
// (nest/channel_vectors.h).
struct SharedChannels {
    FuncId func;
    size_t dim = 0;
};

struct KernelFacts {
    const Dag &dag;
    const GpuModel &gpu;
    const Kernel &kernel;

    ThreadExtents block_size = {};
    double blocks = 1;
    std::span<const MemoryKind> memory = {};   // by FuncId: where the kernel finds or puts the Func
    std::span<const FuncId> inner_funcs = {};  // computed in its blocks or threads, each once
    const RegionSet *grid = nullptr;           // what the whole launch touches
    // What a block in the middle touches; where it walks, its first tile of what is computed there.
    const RegionSet *block = nullptr;
    std::span<const SlideFacts> slides = {};  // where it walks
    std::span<const SharedChannels> channels = {};
    std::span<const Interval> grid_ranges = {};   // of the loops of the kernel's own stage
    std::span<const Interval> block_ranges = {};  // the same in that block
    std::span<const ThreadFacts> threads = {};    // in order of execution
    std::span<const StageFacts> stages = {};      // in order of execution, the kernel's own last
    int64_t widest_shared_element = 1;            // or vector; bytes (nest/shared_storage.h)
    double shared_bytes_per_block = 0;
    bool ends_at_multiples = false;   // for the outputs that are expected (nest/multiples.h)
    double registers_per_thread = 0;  // estimated need of the most demanding stage
    double spills_per_thread = 0;     // values that do not fit, in every pass

    MemoryKind memory_of(FuncId func) const { return memory[func.index()]; }
    bool is_root(const StageFacts &stage) const { return stage.stage == kernel.stage; }
    // Whether Halide knows which iterations of a pattern, so many long, a thread writes out: whole
    // patterns, which begin where the tiles do.
    bool knows_pattern(const StageFacts &stage, size_t loop, int64_t period) const;
    // Returns the distance of neighbours along a dimension of a Func's storage, in elements.
    double stride(FuncId func, size_t dim) const {
        if (memory_of(func) != MemoryKind::global) return dense_stride(func, dim);
        return static_cast<double>(dag.func(func).dims[dim].stride);
    }
    // Of the part that a block needs.
    double dense_stride(FuncId func, size_t dim) const;
    // Whether an access moves along a loop by other than neighbouring elements.
    bool strides_along(FuncId func, const AccessMatrix &access, size_t loop) const;
    // Returns the dimension of a Func that is innermost in shared memory so that threads load all
    // of it at once; null if there is none.
    const size_t *shared_channels(FuncId func) const;
    // Returns the elements from one row of that part to the next, along the dimension that is
    // innermost there; the Func must have dimensions.
    int64_t row_in_block(FuncId func) const;
    // Returns how a Func goes along; null if it doesn't.
    const SlideFacts *slide(FuncId func) const;
    // Returns the shared memory that a block has for a Func computed in it.
    double shared_bytes(FuncId func) const;
};

// Requires a kernel on the device. What `scratch` handed out before stays valid.
KernelFacts facts_of(const Dag &dag, const GpuModel &gpu, const Kernel &kernel, FlatStages &flats,
                     ExtractionScratch &scratch);

// Puts what a compiler found in place of what is estimated. Where a thread spills is not known: few
// values are mostly what loops need and do not change, so that each is counted once.
void set_register_use(const RegisterUse &found, KernelFacts &facts);

// Returns bytes of a Func's array at its estimated size, and of an array that a thread has for a
// stage.
double whole_bytes(const Func &func);
double array_bytes(const Dag &dag, const Band &inner);

// Whether a stage reads its own Func.
bool adds_to_own(const Dag &dag, StageId stage);

}  // namespace autoschedule_gpu
