#include "scheduler/space/listed_tilings.h"

#include <optional>

#include "scheduler/space/tilings.h"

namespace autoschedule_gpu {

ListedTilings::ListedTilings(const Dag &dag, const GpuModel &gpu, const RuleBook &rules,
                             StageId stage, RuleCounts &counts)
    : dag_(dag),
      gpu_(gpu),
      rules_(rules),
      id_(stage),
      counts_(counts),
      extents_(loop_extents(dag, stage)) {}

void ListedTilings::add(Tiling tiling) {
    if (blocks(tiling) >= gpu_.sm_count) add_of_few_blocks(std::move(tiling));
}

void ListedTilings::add_of_few_blocks(Tiling tiling) {
    TilingCandidate whole{.dag = dag_, .gpu = gpu_, .stage = id_, .tiling = tiling};
    whole.blocks = blocks(tiling);
    for (const LoopTile &tile : tiling) {
        whole.choose_serial(tile.serial);
        whole.choose_threads(tile.threads);
    }
    using Asked = TilingCandidate::Asked;
    for (const Asked asked : {Asked::early, Asked::complete}) {
        const std::optional<Rejection> no = rules_.rejection(whole, asked);
        if (no) return counts_.count(no->rule);
    }
    found_.push_back(std::move(tiling));
}

int64_t ListedTilings::blocks(const Tiling &tiling) const {
    int64_t blocks = 1;
    for (size_t i = 0; i < extents_.size(); ++i) {
        if (!dag_.stage(id_).loops[i].parallel || tiling[i].rest == Rest::threads) continue;
        blocks *= (extents_[i] + tiling[i].block_points() - 1) / tiling[i].block_points();
    }
    return blocks;
}

}  // namespace autoschedule_gpu
