#include "scheduler/features/launch_features.h"

#include <algorithm>
#include <utility>

#include "scheduler/features/feature_groups.h"
#include "scheduler/features/global_reads.h"

namespace autoschedule_gpu {

namespace {

using Box = std::vector<Interval>;

double points(std::span<const Interval> box) {
    double product = 1;
    for (const Interval &side : box) product *= static_cast<double>(side.extent());
    return product;
}

// The smallest box with both.
Box around(const Box &a, const Box &b) {
    Box both = a;
    for (size_t d = 0; d < both.size(); ++d) both[d].include(b[d]);
    return both;
}

// What one kernel reads that another of the launch has read already, in the end or in each block.
struct ReadTwice {
    double bytes = 0, dram_bytes = 0, sectors = 0;
};

// What a stage does in a block.
constexpr double StageFeatures::*kSumsOfABlock[] = {
    &StageFeatures::num_threads_per_block,
    &StageFeatures::num_active_warps_per_block,
    &StageFeatures::num_global_mem_loads_per_block,
    &StageFeatures::num_global_mem_stores_per_block,
    &StageFeatures::num_global_atomics_per_block,
    &StageFeatures::global_load_wavefronts_per_block,
    &StageFeatures::global_store_wavefronts_per_block,
    &StageFeatures::num_shared_mem_loads_per_block,
    &StageFeatures::num_shared_mem_stores_per_block};

// Puts parts together, one after the other.
class Merge {
public:
    Merge(const Dag &dag, const GpuModel &gpu) : dag_(dag), gpu_(gpu) {}

    void add(LaunchPart part) {
        const bool same_blocks = blocks_.empty() || blocks_ == part.blocks;
        const ReadTwice twice = read_again(part.reads, same_blocks);
        KernelFeatures &row = merged_.kernel;
        const KernelFeatures &more = part.table.kernel;
        const double blocks = std::max(row.num_blocks, more.num_blocks);
        spread_over(blocks, row.num_blocks, row, merged_.stages);
        spread_over(blocks, more.num_blocks, part.table.kernel, part.table.stages);
        row.num_blocks = blocks;
        row.barriers_per_block += more.barriers_per_block;
        row.shared_bytes_per_block += more.shared_bytes_per_block;
        row.staged_bytes_per_block += more.staged_bytes_per_block;
        row.registers_per_thread = std::max(row.registers_per_thread, more.registers_per_thread);
        row.spills_per_thread += more.spills_per_thread;
        row.local_bytes_per_thread += more.local_bytes_per_thread;
        const auto add_read = [](double &sum, double read, double again) {
            sum += std::max(0.0, read - again);
        };
        add_read(row.block_global_read_sectors, more.block_global_read_sectors, twice.sectors);
        add_read(row.global_bytes_read, more.global_bytes_read, twice.bytes);
        add_read(row.dram_bytes_read, more.dram_bytes_read, twice.dram_bytes);
        row.dram_bytes_written += more.dram_bytes_written;
        threads_ = {std::max(threads_.x, part.block_size.x),
                    std::max(threads_.y, part.block_size.y),
                    std::max(threads_.z, part.block_size.z)};
        std::ranges::move(part.table.stages, std::back_inserter(merged_.stages));
        blocks_ = std::move(part.blocks);
    }

    FeatureTable take() && {
        KernelFeatures &row = merged_.kernel;
        set_grid(gpu_, row.num_blocks, static_cast<double>(threads_.total()), row);
        set_occupancy(gpu_, row.threads_per_block, row.registers_per_thread,
                      row.shared_bytes_per_block, row);
        return std::move(merged_);
    }

private:
    // From what is done in each of some blocks to the average over more.
    static void spread_over(double blocks, double of_blocks, KernelFeatures &row,
                            std::vector<StageFeatures> &stages) {
        const double share = blocks > 0 ? of_blocks / blocks : 1;
        row.barriers_per_block *= share;
        row.block_global_read_sectors *= share;
        for (StageFeatures &stage : stages) {
            for (double StageFeatures::*const sum : kSumsOfABlock) stage.*sum *= share;
        }
    }

    // Blocks of equal grids read neighbouring data at the same time; of others it is not known. No
    // more than all of what is read now is read again.
    ReadTwice read_again(const std::vector<GlobalRead> &reads, bool same_blocks) {
        ReadTwice twice;
        for (const GlobalRead &read : reads) {
            const auto before = std::ranges::find(reads_, read.func, &GlobalRead::func);
            if (before == reads_.end()) {
                reads_.push_back(read);
                continue;
            }
            const Func &func = dag_.func(read.func);
            const Box grid = around(before->grid, read.grid);
            const double bytes = static_cast<double>(func.bytes_per_point()) *
                                 spared(points(before->grid), points(read.grid), points(grid));
            twice.bytes += bytes;
            if (is_read_from_dram(gpu_, func)) twice.dram_bytes += bytes;
            const Box block = around(before->block, read.block);
            if (same_blocks) {
                twice.sectors += spared(sectors(func, before->block), sectors(func, read.block),
                                        sectors(func, block));
            }
            before->grid = grid;
            before->block = block;
        }
        return twice;
    }

    static double spared(double one, double other, double both) {
        return std::clamp(one + other - both, 0.0, other);
    }

    double sectors(const Func &func, const Box &box) const {
        return distinct_sectors(func, box, static_cast<double>(gpu_.l1_sector_bytes));
    }

    const Dag &dag_;
    const GpuModel &gpu_;
    FeatureTable merged_;
    ThreadExtents threads_;
    std::vector<int64_t> blocks_;    // of the last part
    std::vector<GlobalRead> reads_;  // of all parts so far, a Func once
};

}  // namespace

LaunchPart launch_part(const KernelFacts &facts, FeatureTable table) {
    LaunchPart part{std::move(table), facts.block_size, facts.kernel.blocks->trips, {}};
    for (const FuncId func : facts.block->funcs()) {
        if (facts.memory_of(func) != MemoryKind::global || is_inlined(facts.kernel, func)) continue;
        if (!facts.grid->touched(func)) continue;
        const std::span<const Interval> grid = facts.grid->box(func),
                                        block = facts.block->box(func);
        part.reads.push_back({func, {grid.begin(), grid.end()}, {block.begin(), block.end()}});
    }
    return part;
}

FeatureTable table_of_launch(const Dag &dag, const GpuModel &gpu, std::vector<LaunchPart> parts) {
    Merge merge(dag, gpu);
    for (LaunchPart &part : parts) merge.add(std::move(part));
    return std::move(merge).take();
}

}  // namespace autoschedule_gpu
