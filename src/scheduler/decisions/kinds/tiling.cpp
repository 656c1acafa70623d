#include "scheduler/decisions/kinds/tiling.h"

#include <algorithm>

#include "scheduler/nest/sliding.h"
#include "scheduler/space/atomics.h"
#include "scheduler/space/tilings.h"
#include "scheduler/space/walking_tilings.h"

namespace autoschedule_gpu {
namespace {

// The tile of a reduction loop before sizes are looked at; nothing where it stays whole.
std::variant<std::optional<LoopTile>, RefusedStep> listed_reduction(const ListedSteps &steps,
                                                                    StageId id, size_t loop,
                                                                    LoopTile plain) {
    const SearchSpace &space = steps.space;
    const ResolvedList::Index reduction = steps.resolved.loop(id, loop).reduction;
    const std::string *shared = steps.text(reduction);
    if (!is_one_of(shared, reduction_values())) {
        return RefusedStep{reduction, "there is no such way to share a reduction"};
    }
    if (shared == nullptr || *shared != "atomic") return std::optional<LoopTile>();
    RuleCounts unused{};
    if (!may_be_shared(steps.dag().stage(id).loops[loop]) ||
        !allows_atomics_at_root(steps.dag(), space.gpu(), space.rules(), id, unused)) {
        return RefusedStep{reduction, "blocks and threads can't share this reduction"};
    }
    plain.atomic = true;
    plain.threads = space.gpu().warp_size;
    return std::optional<LoopTile>(plain);
}

std::variant<LoopTile, RefusedStep> listed_tile(const ListedSteps &steps, StageId id, size_t loop,
                                                LoopTile plain) {
    const Stage &stage = steps.dag().stage(id);
    const auto &[reduction, rows, serial, threads, sliding] = steps.resolved.loop(id, loop);
    LoopTile tile = plain;
    if (!stage.loops[loop].parallel) {
        const auto shared = listed_reduction(steps, id, loop, plain);
        if (const auto *refused = std::get_if<RefusedStep>(&shared)) return *refused;
        if (!std::get<0>(shared)) return LoopTile{};
        tile = *std::get<0>(shared);
    }
    const int64_t extent = loop_extents(steps.dag(), id)[loop];
    tile.serial = steps.size(serial, 1);
    tile.threads =
        steps.size(threads, std::min(tile.threads, std::max<int64_t>(1, extent / tile.serial)));
    tile.walk = steps.size(sliding, 1);
    const bool by_threads = threads && (!serial || tile.threads > tile.serial);
    const ResolvedList::Index larger = tile.walk > 1 ? sliding : by_threads ? threads : serial;
    if (!has_tile(extent, tile)) {
        return RefusedStep{larger, "with it the loop's tile has " +
                                       std::to_string(tile.block_points()) +
                                       " points, but the loop " + std::to_string(extent)};
    }
    if (stage.predicate_reads && tile.points() > 1) {
        return RefusedStep{larger, "its condition reads data, so the loop must stay whole"};
    }
    const std::string *how = steps.text(rows);
    if (!is_one_of(how, rows_values())) {
        return RefusedStep{rows, "there is no such way through rows"};
    }
    if (how == nullptr || *how == "split") return tile;
    tile.rest = *how == "whole" ? Rest::threads : Rest::spread;
    const std::vector<Tiling> &walks = steps.space.row_tilings(id);
    const bool exists =
        std::ranges::any_of(walks, [&](const Tiling &t) { return t[loop] == tile; });
    if (exists) return tile;
    return RefusedStep{rows, "there is no block through which such threads stride"};
}

const char *name_of(Rest rest) {
    return rest == Rest::threads ? "whole" : rest == Rest::spread ? "spread" : "split";
}

bool may_be_walked(const SearchSpace &space, StageId stage, size_t loop) {
    return std::ranges::any_of(space.row_tilings(stage), [&](const Tiling &tiling) {
        return tiling[loop].rest != Rest::blocks;
    });
}

std::vector<Tiling> walks(const SearchSpace &space, StageId stage) {
    RuleCounts unused{};
    return walking_tilings(space.dag(), space.gpu(), space.rules(), stage, unused);
}

// The loops along which blocks of the kernel might walk, as something is computed in them.
std::vector<bool> may_slide_along(const SearchSpace &space, const Kernel &kernel) {
    std::vector<bool> loops(kernel.tiling.size(), false);
    if (kernel.blocks->body.size() == 1) return loops;
    for (const Tiling &tiling : walks(space, kernel.stage)) {
        if (const std::optional<size_t> loop = walked_loop(tiling)) loops[*loop] = true;
    }
    return loops;
}

}  // namespace

void read_tiling(const StepReader &reader, StageId id, std::vector<Coordinate> &list) {
    const Dag &dag = reader.dag();
    const Stage &stage = dag.stage(id);
    const Kernel &kernel = *reader.kernel_of(id);
    if (kernel.on_host || stage.predicate_reads) return;
    RuleCounts unused{};
    const bool atomics =
        allows_atomics_at_root(dag, reader.space.gpu(), reader.space.rules(), id, unused);
    const std::vector<int64_t> extents = loop_extents(dag, id);
    const std::vector<bool> slides = may_slide_along(reader.space, kernel);
    for (size_t l = 0; l < stage.loops.size(); ++l) {
        const LoopTile &tile = kernel.tiling[l];
        const std::string name = reader.names.loop(id, l);
        if (!stage.loops[l].parallel && atomics && may_be_shared(stage.loops[l])) {
            list.push_back({name,
                            decision_kind::reduction,
                            std::string(tile.atomic ? "atomic" : "serial"),
                            {}});
        }
        if (!is_split(stage.loops[l], tile) || extents[l] == 1) continue;
        if (tile.rest != Rest::blocks || may_be_walked(reader.space, id, l)) {
            list.push_back({name, decision_kind::rows, std::string(name_of(tile.rest)), {}});
        }
        list.push_back({name, decision_kind::serial, tile.serial, {}});
        list.push_back({name, decision_kind::threads, tile.threads, {}});
        if (tile.walk > 1 || slides[l]) {
            list.push_back({name, decision_kind::sliding, tile.walk, {}});
        }
    }
}

std::variant<Tiling, RefusedStep> listed_tiling(const ListedSteps &steps, StageId stage,
                                                const Tiling &plain) {
    Tiling tiling = plain;
    using Asked = TilingCandidate::Asked;
    const RuleBook &rules = steps.space.rules();
    TilingCandidate chosen{
        .dag = steps.dag(), .gpu = steps.space.gpu(), .stage = stage, .tiling = tiling};
    for (size_t l = 0; l < tiling.size(); ++l) {
        const std::variant<LoopTile, RefusedStep> tile = listed_tile(steps, stage, l, plain[l]);
        if (const auto *refused = std::get_if<RefusedStep>(&tile)) return *refused;
        tiling[l] = std::get<LoopTile>(tile);
        if (!is_split(steps.dag().stage(stage).loops[l], tiling[l])) continue;
        const ResolvedList::OfLoop &decided = steps.resolved.loop(stage, l);
        chosen.choose_serial(tiling[l].serial);
        if (const auto no = rules.rejection(chosen, Asked::early)) {
            return RefusedStep{decided.serial, steps.text(*no)};
        }
        chosen.choose_threads(tiling[l].threads);
        if (const auto no = rules.rejection(chosen, Asked::early)) {
            return RefusedStep{decided.threads, steps.text(*no)};
        }
    }
    if (const auto no = rules.rejection(chosen, Asked::complete)) {
        return RefusedStep{steps.resolved.first_of(stage), steps.text(*no)};
    }
    for (size_t l = 0; l < tiling.size(); ++l) {
        if (!has_points_beside_rows(steps.dag().stage(stage), tiling, l)) continue;
        return RefusedStep{steps.resolved.loop(stage, l).serial,
                           "threads that go on along whole rows have one point at a time"};
    }
    return tiling;
}

std::vector<DecisionValue> reduction_values() {
    return {std::string("serial"), std::string("atomic")};
}

std::vector<DecisionValue> rows_values() {
    return {std::string("split"), std::string("whole"), std::string("spread")};
}

std::vector<DecisionValue> loop_sizes(const SearchSpace &space, StageId stage, size_t loop,
                                      int64_t LoopTile::*member, const DecisionValue &own) {
    std::set<int64_t> sizes{std::get<int64_t>(own)};
    for (const Tiling &tiling : space.tilings(stage)) sizes.insert(tiling[loop].*member);
    for (const Tiling &tiling : space.row_tilings(stage)) sizes.insert(tiling[loop].*member);
    if (member == &LoopTile::walk) {
        for (const Tiling &tiling : walks(space, stage)) sizes.insert(tiling[loop].walk);
    }
    return values_of(sizes);
}

}  // namespace autoschedule_gpu
