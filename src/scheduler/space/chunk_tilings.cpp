#include "scheduler/space/chunk_tilings.h"

#include <cmath>
#include <set>

#include "scheduler/space/listed_tilings.h"
#include "scheduler/space/tilings.h"

namespace autoschedule_gpu {

namespace {

// The largest tile along a loop that root_tilings lists: 8 points of each of 64 threads.
constexpr int64_t kLargestTile = 512;

// How many iterations of a loop in turn read the same of some Func, where they are more than that.
std::set<int64_t> large_chunks(const Stage &stage, size_t loop) {
    std::set<int64_t> chunks;
    for (const Load &load : stage.loads) {
        for (size_t d = 0; d < load.access.dims(); ++d) {
            const Coefficient &moves = load.access.at(d, loop);
            if (!moves.known || moves.value <= 0) continue;
            const double chunk = std::round(1 / moves.value);
            if (chunk > kLargestTile && chunk * moves.value == 1) {
                chunks.insert(static_cast<int64_t>(chunk));
            }
        }
    }
    return chunks;
}

class ChunkTilings {
public:
    ChunkTilings(const Dag &dag, const GpuModel &gpu, const RuleBook &rules, StageId id,
                 RuleCounts &counts)
        : stage_(dag.stage(id)), tilings_(dag, gpu, rules, id, counts) {}

    std::vector<Tiling> list() && {
        if (stage_.predicate_reads) return {};  // its loops must stay whole
        for (size_t loop = 0; loop < stage_.loops.size(); ++loop) {
            if (!stage_.loops[loop].parallel) continue;
            for (const int64_t chunk : large_chunks(stage_, loop)) {
                for (const int64_t threads : {256, 512, 1024}) {
                    if (chunk % threads != 0) continue;
                    add(loop, {.serial = chunk / threads, .threads = threads});
                    add(loop,
                        {.serial = chunk / threads, .threads = threads, .rest = Rest::spread});
                }
            }
        }
        return std::move(tilings_).take();
    }

private:
    void add(size_t loop, const LoopTile &tile) {
        if (!has_tile(tilings_.extents()[loop], tile)) return;
        Tiling tiling(tilings_.extents().size());
        tiling[loop] = tile;
        tilings_.add(std::move(tiling));
    }

    const Stage &stage_;
    ListedTilings tilings_;
};

}  // namespace

std::vector<Tiling> whole_chunk_tilings(const Dag &dag, const GpuModel &gpu, const RuleBook &rules,
                                        StageId stage, RuleCounts &counts) {
    return ChunkTilings(dag, gpu, rules, stage, counts).list();
}

}  // namespace autoschedule_gpu
