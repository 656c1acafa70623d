// From a kernel to its feature table.
//
//     Kernel ─► regions (grid, block, thread, unrolled tile) ─► StageFeatures per stage ─► table
//
// A kernel's features depend on the kernel, the pipeline and the device alone: what other kernels
// do does not matter, so a table may be kept under the kernel's hash. Not thread-safe: it owns
// scratch memory; make one per thread. Same kernel, same table, whichever extractor made it.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "features/feature_list.h"
#include "features/flat_stage.h"
#include "features/gather.h"
#include "gpu/gpu_model.h"
#include "nest/nest.h"
#include "nest/regions.h"

namespace autoschedule_gpu {

class FeatureExtractor {
public:
    // Both must outlive the extractor.
    FeatureExtractor(const Dag &dag, const GpuModel &gpu);

    FeatureTable extract(const Kernel &kernel);

private:
    // `local`: an array of a thread that some loop indexes, and so no set of registers.
    enum class Home : uint8_t { global, shared, registers, local };

    struct ThreadView;  // one thread band while its stages are being featurised
    struct TileCounts;  // evaluations of a stage and its inlined Funcs in one unrolled tile

    const FlatStage &flat(StageId stage, const std::vector<FuncId> &inlined);

    void place_members(const Kernel &kernel);
    void find_local_arrays(const Kernel &kernel);
    void walk_grid_and_block(const Kernel &kernel);
    void walk_iteration(const Kernel &kernel, StageId loop);
    void stages_of_threads(const Kernel &kernel, const Band &threads, FeatureTable &table);
    void add_parallelism(const Kernel &kernel, FeatureTable &table) const;
    void add_parallelism(const ThreadView &view, const Band &inner, double passes,
                         StageFeatures &row) const;
    double realizations(const ThreadView &view, const Band &inner) const;
    double reduction_split(const ThreadView &view, const Band &inner) const;
    void add_occupancy(KernelFeatures &row) const;
    void fill_stage_row(const ThreadView &view, const Band &inner, StageFeatures &row);
    TileCounts count_tile(const ThreadView &view, const Band &inner, const FlatStage &flat);
    void add_arithmetic(const FlatStage &flat, const TileCounts &counts, double passes,
                        StageFeatures &row) const;
    void add_loads(const ThreadView &view, const Band &inner, const FlatStage &flat,
                   const TileCounts &counts, double passes, StageFeatures &row);
    void add_stores(const ThreadView &view, const Band &inner, double passes, StageFeatures &row);
    void add_atomics(const Band &inner, StageFeatures &row) const;
    void add_access(const ThreadView &view, const Band &inner, FuncId func,
                    const AccessMatrix &access, int64_t bytes, double accesses, bool store,
                    StageFeatures &row) const;
    double tile_points(const Band &inner, const AccessMatrix &access) const;
    std::optional<double> loop_step(const ThreadView &view, const Band &inner, size_t loop,
                                    size_t axis) const;
    // An access by the lanes of a warp; `warp` is where data leads all lanes to the same.
    struct LaneAccess {
        WarpAccess warp;
        Gather gather;
    };
    LaneAccess lane_access(const ThreadView &view, const Band &inner, FuncId func,
                           const AccessMatrix &access, int64_t bytes) const;
    void add_shared_access(const LaneAccess &lanes, double accesses, bool store, bool atomic,
                           StageFeatures &row) const;
    void add_global_access(const LaneAccess &lanes, double accesses, bool store,
                           StageFeatures &row) const;
    // Where a Func's array is; that of a thread in registers or in local memory.
    enum class Memory : uint8_t { global, shared, thread };
    Memory memory_of(FuncId func) const;
    struct Extent {
        double bytes = 0, lines = 0;
    };
    struct Footprint {
        Extent global, shared, thread;
        double all_bytes() const { return global.bytes + shared.bytes + thread.bytes; }
        double all_lines() const { return global.lines + shared.lines + thread.lines; }
        Extent &in(Memory memory) {
            return memory == Memory::global ? global : memory == Memory::shared ? shared : thread;
        }
    };
    Footprint footprint(const FlatStage &flat, const RegionSet &reads) const;
    Footprint footprint_over(const FlatStage &flat, std::span<const Interval> ranges);
    void add_footprints(const ThreadView &view, const Band &inner, const FlatStage &flat,
                        StageFeatures &row);
    void footprints_in_thread(const ThreadView &view, const Band &inner, const FlatStage &flat,
                              const Footprint *pass, StageFeatures &row);
    void footprints_of_threads(const ThreadView &view, const Band &inner, const FlatStage &flat,
                               const Footprint *pass, StageFeatures &row);
    static void set_read(const Footprint &realization, const Footprint &thread,
                         const Footprint &task, StageFeatures &row);
    void add_allocations(const FlatStage &flat, StageFeatures &row) const;
    void add_written(const ThreadView &view, const Band &inner, std::span<const Interval> ranges,
                     StageFeatures &row) const;
    double vector_width(const Band &inner) const;
    double stride(FuncId func, size_t dim) const;
    bool in_registers(const Band &inner, const AccessMatrix &access) const;
    void kernel_row(const Kernel &kernel, FeatureTable &table);
    void global_footprint(const Kernel &kernel, FeatureTable &table);
    static double whole_bytes(const Func &func);
    void add_shared_arrays(KernelFeatures &row) const;
    double shared_bytes(FuncId func) const;
    void add_local_arrays(const Kernel &kernel, KernelFeatures &row) const;
    double array_bytes(const Band &inner) const;
    double working_set(const Band &threads) const;
    double array_registers(const Band &threads) const;
    double tile_registers(const Band &threads, const Band &inner,
                          const StageFeatures &features) const;
    void add_registers(const Kernel &kernel, FeatureTable &table) const;

    const Dag &dag_;
    const GpuModel &gpu_;
    std::unordered_map<uint64_t, FlatStage> flats_;  // by hash of the stage and what is inlined
    uint64_t inlined_hash_ = 0;                      // of the kernel at hand
    std::vector<Home> homes_;                        // by FuncId, for the kernel at hand
    std::vector<FuncId> fused_;                      // Funcs whose home is not global
    RegionSet grid_, block_, thread_, tile_, moved_, iteration_, reads_;
    std::vector<Interval> ranges_, grid_ranges_, block_ranges_, footprint_ranges_;
    std::vector<double> evaluations_;   // by FuncId, of inlined Funcs in one unrolled tile
    std::vector<double> shared_sites_;  // by FuncId, loads in one unrolled tile but for gathers
};

}  // namespace autoschedule_gpu
