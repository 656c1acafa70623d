#include "scheduler/space/walking_tilings.h"

#include <algorithm>
#include <optional>

#include "scheduler/nest/edit.h"
#include "scheduler/space/listed_tilings.h"

namespace autoschedule_gpu {

namespace {

// Of the loop along which blocks walk: less is one tile.
constexpr int64_t kLeastExtent = 64;
constexpr int64_t kMostWalkingThreads = 512;

class WalkingTilings {
public:
    WalkingTilings(const Dag &dag, const GpuModel &gpu, const RuleBook &rules, StageId id,
                   RuleCounts &counts)
        : dag_(dag), id_(id), tilings_(dag, gpu, rules, id, counts), extents_(tilings_.extents()) {}

    std::vector<Tiling> list() && {
        const std::vector<int> axes = choose_root_axes(dag_, id_, extents_);
        if (axes.size() < 2 || stage().predicate_reads || !reads_stages()) return {};
        if (dag_.func(stage().func).stages.size() > 1) return {};
        if (std::ranges::any_of(stage().loops, [](const Loop &l) { return l.dim < 0; })) return {};
        row_ = static_cast<size_t>(axes[0]);
        walked_ = static_cast<size_t>(axes.back());
        if (axes.size() > 2) between_ = static_cast<size_t>(axes[1]);
        if (extents_[walked_] < kLeastExtent) return {};
        for (const int64_t row_threads : {32, 64, 128}) {
            if (row_threads > extents_[row_]) continue;
            Tiling tiling(extents_.size());
            tiling[row_] = {.threads = row_threads};
            between_ ? list_tiles_between(tiling) : list_walks(tiling);
        }
        return std::move(tilings_).take();
    }

private:
    const Stage &stage() const { return dag_.stage(id_); }

    // Else there is nothing to compute in its blocks.
    bool reads_stages() const {
        return std::ranges::any_of(stage().edges, [&](EdgeId edge) {
            return !dag_.func(dag_.edge(edge).producer).is_input();
        });
    }

    void list_tiles_between(Tiling tiling) {
        for (const int64_t threads : {4, 8, 16}) {
            for (const int64_t serial : {1, 2, 4}) {
                tiling[*between_] = {.serial = serial, .threads = threads};
                if (threads * serial <= extents_[*between_]) list_walks(tiling);
            }
        }
    }

    void list_walks(Tiling tiling) {
        int64_t threads = 1;
        for (const LoopTile &tile : tiling) threads *= tile.threads;
        for (const int64_t along : {1, 2, 4}) {
            if (threads * along > kMostWalkingThreads || (between_ && along > 1)) continue;
            for (const int64_t serial : {1, 2, 4, 8}) {
                for (const int64_t walk : {4, 8, 16, 32}) {
                    tiling[walked_] = {.serial = serial, .threads = along, .walk = walk};
                    if (2 * tiling[walked_].block_points() > extents_[walked_]) continue;
                    tilings_.add(tiling);
                }
            }
        }
    }

    const Dag &dag_;
    const StageId id_;
    ListedTilings tilings_;
    std::vector<int64_t> extents_;
    size_t row_ = 0, walked_ = 0;
    std::optional<size_t> between_;
};

}  // namespace

std::vector<Tiling> walking_tilings(const Dag &dag, const GpuModel &gpu, const RuleBook &rules,
                                    StageId stage, RuleCounts &counts) {
    return WalkingTilings(dag, gpu, rules, stage, counts).list();
}

}  // namespace autoschedule_gpu
