#include "scheduler/space/chunk_tilings.h"

#include <cmath>
#include <optional>
#include <set>

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
        : dag_(dag),
          gpu_(gpu),
          rules_(rules),
          id_(id),
          counts_(counts),
          extents_(loop_extents(dag, id)) {}

    std::vector<Tiling> list() && {
        const Stage &stage = dag_.stage(id_);
        if (stage.predicate_reads) return {};  // its loops must stay whole
        for (size_t loop = 0; loop < extents_.size(); ++loop) {
            if (!stage.loops[loop].parallel) continue;
            for (const int64_t chunk : large_chunks(stage, loop)) {
                for (const int64_t threads : {256, 512, 1024}) {
                    if (chunk % threads != 0) continue;
                    add(loop, {.serial = chunk / threads, .threads = threads});
                    add(loop,
                        {.serial = chunk / threads, .threads = threads, .rest = Rest::spread});
                }
            }
        }
        return std::move(found_);
    }

private:
    void add(size_t loop, const LoopTile &tile) {
        if (!has_tile(extents_[loop], tile)) return;
        Tiling tiling(extents_.size());
        tiling[loop] = tile;
        if (blocks(tiling) < gpu_.sm_count) return;
        TilingCandidate whole{.dag = dag_, .gpu = gpu_, .stage = id_, .tiling = tiling};
        whole.choose_serial(tile.serial);
        whole.choose_threads(tile.threads);
        using Asked = TilingCandidate::Asked;
        for (const Asked asked : {Asked::early, Asked::complete}) {
            const std::optional<Rejection> no = rules_.rejection(whole, asked);
            if (no) return counts_.count(no->rule);
        }
        found_.push_back(std::move(tiling));
    }

    int64_t blocks(const Tiling &tiling) const {
        int64_t blocks = 1;
        for (size_t i = 0; i < extents_.size(); ++i) {
            if (!dag_.stage(id_).loops[i].parallel) continue;
            blocks *= (extents_[i] + tiling[i].points() - 1) / tiling[i].points();
        }
        return blocks;
    }

    const Dag &dag_;
    const GpuModel &gpu_;
    const RuleBook &rules_;
    const StageId id_;
    RuleCounts &counts_;
    const std::vector<int64_t> extents_;
    std::vector<Tiling> found_;
};

}  // namespace

std::vector<Tiling> whole_chunk_tilings(const Dag &dag, const GpuModel &gpu, const RuleBook &rules,
                                        StageId stage, RuleCounts &counts) {
    return ChunkTilings(dag, gpu, rules, stage, counts).list();
}

}  // namespace autoschedule_gpu
