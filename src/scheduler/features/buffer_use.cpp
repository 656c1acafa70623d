#include "scheduler/features/buffer_use.h"

#include <algorithm>

#include "scheduler/features/extraction_scratch.h"
#include "scheduler/features/feature_groups.h"
#include "scheduler/features/flat_stage.h"
#include "scheduler/features/global_reads.h"
#include "scheduler/features/launch_features.h"

namespace autoschedule_gpu {

namespace {

double bytes_of(const Func &func, std::span<const Interval> box) {
    double bytes = static_cast<double>(func.bytes_per_point());
    for (const Interval &side : box) bytes *= static_cast<double>(side.extent());
    return bytes;
}

void include(std::vector<Interval> &box, std::span<const Interval> other) {
    for (size_t d = 0; d < box.size(); ++d) box[d].include(other[d]);
}

// What is read so far: a Func once, with the boxes of all kernels.
void add_reads(std::vector<GlobalRead> &reads, std::vector<GlobalRead> more) {
    for (GlobalRead &read : more) {
        const auto known = std::ranges::find(reads, read.func, &GlobalRead::func);
        if (known == reads.end()) {
            reads.push_back(std::move(read));
            continue;
        }
        include(known->grid, read.grid);
        include(known->block, read.block);
    }
}

// The arrays of blocks and threads; a Func once, at the greatest of its stages' arrays.
void add_kept(const KernelFacts &facts, std::vector<BufferUse> &uses) {
    for (const FuncId func : facts.inner_funcs) {
        BufferUse use{func, BufferAccess::kept, facts.memory_of(func)};
        if (use.memory == MemoryKind::shared) use.bytes = facts.shared_bytes(func);
        for (const StageFacts &stage : facts.stages) {
            if (use.memory == MemoryKind::shared || stage.func != func) continue;
            use.bytes = std::max(use.bytes, array_bytes(facts.dag, *stage.inner));
        }
        uses.push_back(use);
    }
}

}  // namespace

std::vector<BufferUse> buffer_uses(const Dag &dag, const GpuModel &gpu,
                                   std::span<const KernelPtr> launch) {
    FlatStages flats(dag);
    ExtractionScratch scratch(dag, gpu);
    std::vector<GlobalRead> reads;
    std::vector<BufferUse> added_to, written, kept;
    for (const KernelPtr &kernel : launch) {
        if (kernel->on_host) continue;
        const KernelFacts facts = facts_of(dag, gpu, *kernel, flats, scratch);
        add_reads(reads, launch_part(facts, {}).reads);
        add_kept(facts, kept);
        const FuncId own = dag.stage(kernel->stage).func;
        const double bytes = whole_bytes(dag.func(own));
        const bool dram = dag.func(own).is_output() || is_read_from_dram(gpu, dag.func(own));
        written.push_back({own, BufferAccess::written, MemoryKind::global, bytes, 0, dram});
        if (!adds_to_own(dag, kernel->stage)) continue;
        const double of_block = bytes / std::max(1.0, facts.blocks);
        added_to.push_back({own, BufferAccess::read, MemoryKind::global, bytes, of_block,
                            dram && !reads_back_what_it_stores(facts)});
    }
    std::vector<BufferUse> uses;
    for (const GlobalRead &read : reads) {
        if (std::ranges::find(written, read.func, &BufferUse::func) != written.end()) continue;
        const Func &func = dag.func(read.func);
        uses.push_back({read.func, BufferAccess::read, MemoryKind::global,
                        bytes_of(func, read.grid), bytes_of(func, read.block),
                        is_read_from_dram(gpu, func)});
    }
    uses.insert(uses.end(), added_to.begin(), added_to.end());
    uses.insert(uses.end(), written.begin(), written.end());
    uses.insert(uses.end(), kept.begin(), kept.end());
    return uses;
}

}  // namespace autoschedule_gpu
