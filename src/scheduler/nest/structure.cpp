#include "scheduler/nest/structure.h"

#include <bit>

#include "core/support/hash.h"

namespace autoschedule_gpu {

uint64_t structural_hash(const Tiling &tiling, int depth) {
    if (depth < 3) return 0;
    uint64_t threads = 1;
    for (const LoopTile &tile : tiling) threads *= static_cast<uint64_t>(tile.threads);
    return static_cast<uint64_t>(std::bit_width(threads));
}

Hasher structure_without_tiling(const Kernel &kernel, int depth) {
    Hasher hasher;
    hasher.add(kernel.stage.index()).add(kernel.on_host);
    if (depth < 1) return hasher;
    for (FuncId func : kernel.inlined) hasher.add(func.index());
    if (kernel.blocks) {
        for (const BandPtr &threads : kernel.blocks->body) {
            hasher.add(threads->stage.index());
            const BlockLoop loop = threads->loop;
            if (loop.valid()) hasher.add(loop.update.index());
            if (loop.outside != Outside::all) hasher.add(static_cast<uint64_t>(loop.outside));
            if (depth < 2) continue;
            hasher.add(threads->body.size());
            for (const BandPtr &inner : threads->body) hasher.add(inner->stage.index());
        }
    }
    return hasher;
}

uint64_t structural_hash(Hasher without_tiling, const Tiling &tiling, int depth) {
    if (depth >= 3) without_tiling.add(structural_hash(tiling, depth));
    return without_tiling.value();
}

uint64_t structural_hash(const Kernel &kernel, int depth) {
    return structural_hash(structure_without_tiling(kernel, depth), kernel.tiling, depth);
}

uint64_t structural_hash(const Nest &nest, int depth) {
    uint64_t sum = 0;
    for (const KernelPtr &kernel : nest.kernels) sum += structural_hash(*kernel, depth);
    return sum;
}

}  // namespace autoschedule_gpu
