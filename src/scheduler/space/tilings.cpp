#include "scheduler/space/tilings.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "scheduler/nest/edit.h"
#include "scheduler/rules/register_rules.h"
#include "scheduler/space/atomics.h"

namespace autoschedule_gpu {

namespace {

// The most threads that cover a whole loop of constant extent: what is computed in the block then
// has a constant extent as well.
constexpr int64_t kMostWhole = 256;

// Iterations of a loop that a thread may have to itself.
constexpr int64_t kMostBrief = 8;

// Iterations of a loop along which one warp or two would reach.
constexpr int64_t kShort = 64;

std::vector<int64_t> thread_candidates(int64_t extent, bool innermost, bool constant) {
    std::vector<int64_t> result;
    if (innermost) {
        if (extent < 16) return {extent};
        for (int64_t t : {16, 32, 64}) {
            if (t <= extent) result.push_back(t);
        }
        if (constant && extent > 64 && extent <= kMostWhole) result.push_back(extent);
        return result;
    }
    for (int64_t t = 1; t <= std::min<int64_t>(16, extent); t *= 2) result.push_back(t);
    // Three channels on two threads would compute the fourth of three.
    if (extent < 16 && result.back() != extent) result.push_back(extent);
    return result;
}

// `atomic`: only tilings in which blocks or threads share some reduction loop.
enum class Reductions : uint8_t { serial, atomic };

// Those of a stage are many, and few of them are left in the end.
class RootTilings {
public:
    RootTilings(const Dag &dag, const GpuModel &gpu, const RuleBook &rules, StageId id,
                Reductions reductions, RuleCounts &counts)
        : dag_(dag),
          gpu_(gpu),
          rules_(rules),
          id_(id),
          stage_(dag.stage(id)),
          counts_(counts),
          extents_(loop_extents(dag, id)),
          reductions_(reductions) {
        std::vector<int64_t> parallel_extents = extents_;
        for (size_t i = 0; i < extents_.size(); ++i) {
            const Loop &loop = stage_.loops[i];
            if (loop.parallel || (reductions == Reductions::atomic && may_be_shared(loop))) {
                parallel_.push_back(i);
            } else {
                parallel_extents[i] = 1;
            }
        }
        const std::vector<int> axes = choose_axes(dag, id, parallel_extents);
        innermost_ = axes.empty() ? (parallel_.empty() ? 0 : parallel_[0]) : axes[0];
        for (size_t loop : parallel_) tiles_.push_back(tiles_of(loop));
    }

    std::vector<Tiling> enumerate() {
        tiling_.assign(extents_.size(), LoopTile{});
        visit(0, {.dag = dag_, .gpu = gpu_, .stage = id_, .tiling = tiling_});
        for (RuleId wish : rules_.tiling_rules(Asked::wish)) keep_wished(wish);
        std::vector<Tiling> result;
        result.reserve(found_.size());
        for (const Found &found : found_) {
            const std::span<const LoopTile> tiles = tiling_of(found);
            result.emplace_back(tiles.begin(), tiles.end());
        }
        return result;
    }

private:
    using Asked = TilingCandidate::Asked;
    // The feature maps of networks are 7 * 2^n long.
    static constexpr int64_t kLeastShareOfWarp = 8;

    // What threads do along a loop that have so many points of it each.
    struct Tiles {
        int64_t serial;
        std::vector<int64_t> threads;
    };
    struct Found {
        size_t number;  // of those that were found at first
        int64_t serial_points, threads, blocks;
        int thread_loops;
    };

    bool is_constant(size_t loop) const {
        const int dim = stage_.loops[loop].dim;
        return dim >= 0 && dag_.func(stage_.func).dims[static_cast<size_t>(dim)].constant;
    }

    std::vector<Tiles> tiles_of(size_t loop) const {
        const int64_t extent = extents_[loop];
        std::vector<Tiles> result;
        for (int64_t s : serial_candidates(gpu_, extent, kLeastShareOfWarp)) {
            std::vector<int64_t> threads =
                thread_candidates((extent + s - 1) / s, loop == innermost_, is_constant(loop));
            // What a short loop reads may lie far apart: others may have its place as thread x.
            if (loop == innermost_ && extent >= 16 && extent < kShort) threads.push_back(1);
            std::erase_if(threads, [&](int64_t t) {
                return !has_tile(extent, {s, t}) || splits_brief(loop, s * t);
            });
            result.push_back({s, std::move(threads)});
        }
        return result;
    }

    // With very many loops, the tilings of one fill the memory if each loop has a dozen tiles. Of a
    // brief one a tile has a point, or all.
    bool splits_brief(size_t loop, int64_t points) const {
        constexpr size_t kManyLoops = 6;
        constexpr int64_t kBriefLoop = 16;
        const bool is_brief = is_constant(loop) && extents_[loop] <= kBriefLoop;
        return parallel_.size() >= kManyLoops && is_brief && points > 1 && points < extents_[loop];
    }

    bool allowed(const TilingCandidate &candidate, Asked asked) {
        const std::optional<Rejection> no = rules_.rejection(candidate, asked);
        if (no) counts_.count(no->rule);
        return !no;
    }

    void visit(size_t next, const TilingCandidate &chosen) {
        if (next == parallel_.size()) return add(chosen);
        const size_t loop = parallel_[next];
        const int64_t extent = extents_[loop];
        const bool reduction = !stage_.loops[loop].parallel;
        LoopTile &tile = tiling_[loop];
        if (reduction) visit(next + 1, chosen);
        for (const Tiles &tiles : tiles_[next]) {
            tile = {tiles.serial, 1, reduction};
            TilingCandidate serial = chosen;
            serial.choose_serial(tiles.serial);
            if (!allowed(serial, Asked::early)) continue;
            for (int64_t threads : tiles.threads) {
                tile.threads = threads;
                // Of a reduction that one thread has to itself no other adds to the sum.
                if (reduction && threads == 1 && tiles.serial >= extent) continue;
                TilingCandidate both = serial;
                both.choose_threads(threads);
                if (!allowed(both, Asked::early)) continue;
                both.blocks *= (extent + tile.points() - 1) / tile.points();
                visit(next + 1, both);
            }
        }
        tile = LoopTile{};
    }

    void add(const TilingCandidate &complete) {
        const bool is_atomic = std::ranges::any_of(tiling_, &LoopTile::atomic);
        if (reductions_ == Reductions::atomic && !is_atomic) return;
        if (!allowed(complete, Asked::complete)) return;
        found_.push_back({.number = found_.size(),
                          .serial_points = complete.serial_points,
                          .threads = complete.threads,
                          .blocks = complete.blocks,
                          .thread_loops = complete.thread_loops});
        all_tiles_.insert(all_tiles_.end(), tiling_.begin(), tiling_.end());
    }

    std::span<const LoopTile> tiling_of(const Found &found) const {
        return std::span(all_tiles_).subspan(found.number * extents_.size(), extents_.size());
    }

    void keep_wished(RuleId wish) {
        TilingCandidate candidate{.dag = dag_, .gpu = gpu_, .stage = id_, .tiling = {}};
        for (const Found &found : found_) {
            candidate.most_threads = std::max(candidate.most_threads, found.threads);
            candidate.most_blocks = std::max(candidate.most_blocks, found.blocks);
        }
        const size_t erased = std::erase_if(found_, [&](const Found &found) {
            candidate.tiling = tiling_of(found);
            candidate.serial_points = found.serial_points;
            candidate.threads = found.threads;
            candidate.thread_loops = found.thread_loops;
            candidate.blocks = found.blocks;
            return rules_.wish(wish, candidate).has_value();
        });
        counts_.count(wish, erased);
    }

    const Dag &dag_;
    const GpuModel &gpu_;
    const RuleBook &rules_;
    StageId id_;
    const Stage &stage_;
    RuleCounts &counts_;
    std::vector<int64_t> extents_;
    Reductions reductions_;
    std::vector<size_t> parallel_;
    std::vector<std::vector<Tiles>> tiles_;  // of those
    size_t innermost_ = 0;
    Tiling tiling_;
    std::vector<Found> found_;
    std::vector<LoopTile> all_tiles_;  // of found tilings, one after the other
};

}  // namespace

std::vector<int64_t> serial_candidates(const GpuModel &gpu, int64_t extent, int64_t least_threads) {
    std::vector<int64_t> result;
    for (int64_t s : {1, 2, 4, 8}) {
        if (s <= extent) result.push_back(s);
    }
    for (int64_t s : {3, 5, 7}) {
        const int64_t threads = extent / s;
        const bool fits_warps =
            threads % gpu.warp_size == 0 ||
            (threads >= least_threads && std::has_single_bit(static_cast<uint64_t>(threads)));
        const bool is_apt = extent % s == 0 && fits_warps;
        if (extent == s || (s < extent && is_apt)) result.push_back(s);
    }
    return result;
}

std::vector<int64_t> loop_extents(const Dag &dag, StageId id) {
    const Stage &stage = dag.stage(id);
    std::vector<int64_t> extents;
    for (const Loop &loop : stage.loops) {
        extents.push_back(std::max<int64_t>(1, estimated_range(dag, stage, loop).extent()));
    }
    return extents;
}

std::vector<Tiling> root_tilings(const Dag &dag, const GpuModel &gpu, const RuleBook &rules,
                                 StageId stage, RuleCounts &counts) {
    if (dag.stage(stage).predicate_reads) return {default_tiling(dag, gpu, stage)};
    std::vector<Tiling> tilings =
        RootTilings(dag, gpu, rules, stage, Reductions::serial, counts).enumerate();
    if (allows_atomics_at_root(dag, gpu, rules, stage, counts)) {
        const std::vector<Tiling> atomic =
            RootTilings(dag, gpu, rules, stage, Reductions::atomic, counts).enumerate();
        tilings.insert(tilings.end(), atomic.begin(), atomic.end());
    }
    return tilings;
}

Tiling default_tiling(const Dag &dag, const GpuModel &gpu, StageId id) {
    const Stage &stage = dag.stage(id);
    std::vector<int64_t> extents = loop_extents(dag, id);
    for (size_t i = 0; i < extents.size(); ++i) {
        if (!stage.loops[i].parallel) extents[i] = 1;
    }
    Tiling tiling(extents.size());
    if (stage.predicate_reads) return tiling;  // its loops must stay whole
    int64_t left = std::min<int64_t>(256, gpu.max_threads_per_block);
    int64_t wanted = gpu.warp_size;
    for (int axis : choose_axes(dag, id, extents)) {
        const int64_t threads = std::min({extents[axis], wanted, left});
        tiling[axis].threads = threads;
        left /= threads;
        wanted = 8;
    }
    return tiling;
}

namespace {

// So many threads or a few more, as far as there are iterations.
Tiling with_threads(Tiling tiling, const std::vector<int> &axes,
                    const std::vector<int64_t> &extents, int64_t wanted) {
    for (int axis : axes) {
        int64_t &threads = tiling[axis].threads;
        while (threads < wanted && threads < extents[axis]) threads *= 2;
        threads = std::min(threads, extents[axis]);
        wanted = (wanted + threads - 1) / threads;
    }
    return tiling;
}

}  // namespace

std::vector<Tiling> whole_loop_tilings(const Dag &dag, const GpuModel &gpu, StageId id) {
    const Stage &stage = dag.stage(id);
    std::vector<Tiling> result;
    if (stage.predicate_reads) return result;
    std::vector<int64_t> extents = loop_extents(dag, id);
    std::vector<size_t> brief;
    for (size_t i = 0; i < extents.size(); ++i) {
        if (!stage.loops[i].parallel) extents[i] = 1;
        if (extents[i] > 1 && extents[i] <= kMostBrief) brief.push_back(i);
    }
    for (size_t chosen = 1; chosen < size_t{1} << std::min<size_t>(brief.size(), 4); ++chosen) {
        Tiling whole(extents.size());
        std::vector<int64_t> rest = extents;
        int64_t points = 1;
        for (size_t b = 0; b < brief.size(); ++b) {
            if ((chosen >> b & 1) == 0) continue;
            whole[brief[b]].serial = extents[brief[b]];
            points *= extents[brief[b]];
            rest[brief[b]] = 1;
        }
        if (points > kMaxSerialPoints) continue;
        const std::vector<int> axes = choose_axes(dag, id, rest);
        for (int64_t warps : {1, 4}) {
            result.push_back(with_threads(whole, axes, rest, warps * gpu.warp_size));
        }
    }
    return result;
}

namespace {

// Whether an update walks along a dimension in a loop of its reduction, as a scan does.
bool is_scanned(const Dag &dag, FuncId func, size_t dim) {
    return std::ranges::any_of(dag.func(func).stages, [&](StageId id) {
        const Stage &stage = dag.stage(id);
        for (size_t l = 0; l < stage.loops.size(); ++l) {
            if (stage.loops[l].parallel || !stage.store.at(dim, l).known) continue;
            if (stage.store.moves(dim, l)) return true;
        }
        return false;
    });
}

}  // namespace

std::vector<int64_t> member_serial_candidates(const Dag &dag, const GpuModel &gpu, FuncId func,
                                              size_t dim, int64_t extent) {
    if (dag.func(func).dims[dim].is_set_by_parameters(extent)) return {extent};
    std::vector<int64_t> result = serial_candidates(gpu, extent, gpu.warp_size);
    const bool listed = std::ranges::find(result, extent) != result.end();
    if (!listed && extent <= kMaxSerialPoints && is_scanned(dag, func, dim)) {
        result.push_back(extent);
    }
    return result;
}

std::vector<std::vector<int64_t>> block_level_serials(const Dag &dag, const GpuModel &gpu,
                                                      const RuleBook &rules, FuncId func,
                                                      const std::vector<int64_t> &extents,
                                                      RuleCounts &counts) {
    const StageId pure = dag.func(func).stages[0];
    const std::vector<Loop> &loops = dag.stage(pure).loops;
    std::vector<size_t> loop_of(extents.size());  // by dimension
    for (size_t l = 0; l < loops.size(); ++l) loop_of[static_cast<size_t>(loops[l].dim)] = l;
    std::vector<std::vector<int64_t>> result;
    std::vector<int64_t> tile(extents.size(), 1);
    Tiling tiling(loops.size());
    const std::function<void(size_t, const TilingCandidate &)> visit =
        [&](size_t d, const TilingCandidate &chosen) {
            if (d == extents.size()) {
                result.push_back(tile);
                return;
            }
            for (int64_t s : member_serial_candidates(dag, gpu, func, d, extents[d])) {
                tile[d] = tiling[loop_of[d]].serial = s;
                TilingCandidate next = chosen;
                next.choose_serial(s);
                const auto no = rules.rejection(next, TilingCandidate::Asked::early);
                no ? counts.count(no->rule) : visit(d + 1, next);
            }
            tile[d] = tiling[loop_of[d]].serial = 1;
        };
    visit(0, {.dag = dag, .gpu = gpu, .stage = pure, .tiling = tiling});
    return result;
}

}  // namespace autoschedule_gpu
