#include "space/block_extents.h"

#include <algorithm>

#include "nest/edit.h"
#include "support/hash.h"

namespace autoschedule_gpu {

namespace {

// Of all shards; each takes about half a kilobyte.
constexpr size_t kMostRemembered = size_t{1} << 16;

// Whether all loops whose extents are known only at run time are threads: a loop in a thread would
// be unrolled.
bool varying_are_threads(const Dag &dag, FuncId func, const KnownExtents &known,
                         const std::vector<int64_t> &most) {
    const StageId id = dag.func(func).stages[0];
    const std::vector<Loop> &loops = dag.stage(id).loops;
    std::vector<int64_t> trips;
    for (const Loop &loop : loops) trips.push_back(most[loop.dim]);
    const std::vector<int> axes = choose_axes(dag, id, trips);
    for (size_t i = 0; i < loops.size(); ++i) {
        const bool thread = std::find(axes.begin(), axes.end(), static_cast<int>(i)) != axes.end();
        if (!known[loops[i].dim] && trips[i] > 1 && !thread) return false;
    }
    return true;
}

uint64_t question(const Kernel &kernel, const Tiling &tiling, std::span<const FuncId> funcs) {
    Hasher hasher(kernel.stage.index());
    for (const LoopTile &tile : tiling) {
        hasher.add(static_cast<uint64_t>(tile.points())).add(tile.atomic);
    }
    hasher.add(kernel.inlined.size());
    for (FuncId func : kernel.inlined) hasher.add(func.index());
    for (const BandPtr &threads : kernel.blocks->body) {
        for (const BandPtr &inner : threads->body) hasher.add(inner->stage.index());
    }
    hasher.add(funcs.size());
    for (FuncId func : funcs) hasher.add(func.index());
    return hasher.value();
}

}  // namespace

void ExtentsOfFuncs::add(const ConstantExtents &extents) {
    if (!extents) {
        ranges_.push_back({-1, 0});
        return;
    }
    ranges_.push_back(
        {static_cast<int32_t>(points_.size()), static_cast<int32_t>(extents->size())});
    points_.insert(points_.end(), extents->begin(), extents->end());
}

std::optional<std::span<const int64_t>> ExtentsOfFuncs::of(size_t place) const {
    const Range range = ranges_[place];
    if (range.first < 0) return std::nullopt;
    return std::span(points_).subspan(static_cast<size_t>(range.first),
                                      static_cast<size_t>(range.count));
}

BlockExtents::Shard::Shard() : known(kMostRemembered / std::tuple_size_v<decltype(shards_)>) {}

BlockExtents::BlockExtents(const Dag &dag) : dag_(dag) {}

std::shared_ptr<const ExtentsOfFuncs> BlockExtents::find(const Kernel &kernel, const Tiling &tiling,
                                                         std::span<const FuncId> funcs) {
    const uint64_t key = question(kernel, tiling, funcs);
    Shard &shard = shards_[(key >> 32) % shards_.size()];
    {
        const std::lock_guard lock(shard.mutex);
        if (const auto *known = shard.known.find(key)) return *known;
    }
    std::shared_ptr<const ExtentsOfFuncs> found = compute(kernel, tiling, funcs);
    const std::lock_guard lock(shard.mutex);
    return shard.known.insert(key, std::move(found));
}

std::shared_ptr<const ExtentsOfFuncs> BlockExtents::compute(const Kernel &kernel,
                                                            const Tiling &tiling,
                                                            std::span<const FuncId> funcs) const {
    const std::vector<KnownExtents> known = extents_in_block(dag_, kernel, tiling, funcs);
    std::vector<ConstantExtents> extents;
    for (const KnownExtents &of_func : known) extents.push_back(if_all_known(of_func));
    if (!std::all_of(extents.begin(), extents.end(), [](const auto &e) { return e.has_value(); })) {
        const std::vector<ConstantExtents> most =
            most_extents_in_block(dag_, kernel, tiling, funcs, known);
        for (size_t i = 0; i < funcs.size(); ++i) {
            if (extents[i] || !most[i] || dag_.func(funcs[i]).stages.size() > 1) continue;
            if (varying_are_threads(dag_, funcs[i], known[i], *most[i])) extents[i] = most[i];
        }
    }
    auto result = std::make_shared<ExtentsOfFuncs>();
    for (const ConstantExtents &of_func : extents) result->add(of_func);
    return result;
}

}  // namespace autoschedule_gpu
