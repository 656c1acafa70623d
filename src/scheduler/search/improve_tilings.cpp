#include "scheduler/search/improve_tilings.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "scheduler/nest/regions.h"
#include "scheduler/nest/sliding.h"
#include "scheduler/nest/thread_code.h"
#include "scheduler/search/best_move.h"
#include "scheduler/search/fitted_tilings.h"
#include "scheduler/space/fitted_members.h"
#include "scheduler/space/tilings.h"

namespace autoschedule_gpu {

namespace {

// So many tilings are tried all at once.
constexpr size_t kFewTilings = 64;

// All tilings of a kernel are looked at, however many, if these are no more stages than so many:
// some milliseconds.
constexpr size_t kMostStagesForAll = 10'000;

Decision retiling(const SearchSpace &space, const State &state, size_t kernel,
                  const Tiling &tiling) {
    const FuncId func = space.dag().stage(state.nest.kernels[kernel]->stage).func;
    return decide_tiling(func, kernel, tiling);
}

// Which refer to the tilings.
std::vector<Decision> to_each(const SearchSpace &space, const State &state, size_t kernel,
                              std::span<const Tiling> tilings) {
    std::vector<Decision> moves;
    for (const Tiling &tiling : tilings) moves.push_back(retiling(space, state, kernel, tiling));
    return moves;
}

std::vector<Decision> retilings(const SearchSpace &space, const State &state, size_t kernel) {
    const Kernel &now = *state.nest.kernels[kernel];
    std::vector<Decision> moves;
    const Tiling own = widened(space.dag(), now, space.gpu().warp_size);
    const std::vector<Tiling> &all = space.tilings(now.stage);
    for (const Tiling &tiling : all) {
        if (tiling == own) continue;
        if (all.size() > kFewTilings && !are_neighbours(tiling, own)) continue;
        moves.push_back(retiling(space, state, kernel, tiling));
    }
    for (const Tiling &tiling : space.row_tilings(now.stage)) {
        if (tiling != now.tiling) moves.push_back(retiling(space, state, kernel, tiling));
    }
    if (now.blocks->body.size() == 1) return moves;
    const bool walks = walked_loop(now.tiling).has_value();
    for (const Tiling &tiling : space.walks(now.stage)) {
        if (walks && !are_neighbours(tiling, now.tiling)) continue;
        if (tiling != now.tiling) moves.push_back(retiling(space, state, kernel, tiling));
    }
    return moves;
}

std::vector<int64_t> shape_in_thread(const Tiling &tiling) {
    std::vector<int64_t> shape;
    for (const LoopTile &tile : tiling) shape.push_back(tile.serial);
    return shape;
}

int64_t points_per_thread(const Tiling &tiling) {
    int64_t points = 1;
    for (const LoopTile &tile : tiling) points *= tile.serial;
    return points;
}

// Of the tilings of the kernel that a group has, the cheapest; the cheapest group first. `group_of`
// returns numbers by which groups are told apart, or nothing where a tiling is not wanted.
template <typename GroupOf>
std::vector<State> cheapest_of_each_group(SearchParts &parts, const State &state, size_t kernel,
                                          const GroupOf &group_of) {
    std::map<std::vector<int64_t>, std::vector<Decision>> groups;  // which refer to the tilings
    for (const Tiling &tiling : parts.space.tilings(state.nest.kernels[kernel]->stage)) {
        if (const std::optional<std::vector<int64_t>> group = group_of(tiling)) {
            groups[*group].push_back(retiling(parts.space, state, kernel, tiling));
        }
    }
    std::vector<State> result;
    for (const auto &[group, moves] : groups) {
        if (auto cheapest = cheapest_of(parts, state, moves))
            result.push_back(*std::move(cheapest));
    }
    std::ranges::stable_sort(result, {}, &State::cost);
    return result;
}

int64_t threads_of(const Tiling &tiling) {
    int64_t threads = 1;
    for (const LoopTile &tile : tiling) threads *= tile.threads;
    return threads;
}

// Takes the best of other tilings of the kernel, if that is better.
bool take_best(SearchParts &parts, State &state, size_t kernel, std::span<const Tiling> tilings) {
    std::optional<State> better =
        best_of(parts, state, to_each(parts.space, state, kernel, tilings));
    if (better) state = std::move(*better);
    return better.has_value();
}

// The kernel's own tiling with the tile that one loop has in another tiling of the space.
std::vector<Tiling> with_one_other_tile(const SearchSpace &space, const Kernel &kernel) {
    const Stage &stage = space.dag().stage(kernel.stage);
    std::vector<Tiling> result;
    for (const Tiling &other : space.tilings(kernel.stage)) {
        for (size_t i = 0; i < other.size(); ++i) {
            Tiling tiling = kernel.tiling;
            if (std::exchange(tiling[i], other[i]) == other[i] || !has_axes(tiling)) continue;
            if (has_points_beside_rows(stage, tiling)) continue;
            if (std::ranges::find(result, tiling) == result.end()) result.push_back(tiling);
        }
    }
    return result;
}

// With one other tile, and the neighbours in the space, which trade between two loops.
std::vector<Tiling> other_tilings(const SearchSpace &space, const Kernel &kernel) {
    std::vector<Tiling> result = with_one_other_tile(space, kernel);
    for (const Tiling &tiling : space.tilings(kernel.stage)) {
        if (tiling == kernel.tiling || !are_neighbours(tiling, kernel.tiling)) continue;
        if (std::ranges::find(result, tiling) == result.end()) result.push_back(tiling);
    }
    return result;
}

int64_t greatest_divisor(int64_t of, int64_t most) {
    int64_t divisor = std::min(of, most);
    while (divisor > 1 && of % divisor != 0) --divisor;
    return divisor;
}

// Of a kernel whose threads have one point each: with fewer threads along its loops, so many that
// tiles are whole, and the same with others along one more loop for those. Threads that go on along
// rows need no whole tiles.
std::vector<Tiling> whole_tilings(const Dag &dag, const Kernel &kernel) {
    const Stage &stage = dag.stage(kernel.stage);
    const std::vector<int64_t> extents = loop_extents(dag, kernel.stage);
    Tiling whole = kernel.tiling;
    const auto is_cut = [&](size_t i) {
        return stage.loops[i].parallel && whole[i].rest == Rest::blocks;
    };
    int64_t fewer = 1;
    for (size_t i = 0; i < whole.size(); ++i) {
        if (!is_cut(i)) continue;
        const int64_t threads = greatest_divisor(extents[i], whole[i].threads);
        fewer *= whole[i].threads / threads;
        whole[i].threads = threads;
    }
    std::vector<Tiling> result{whole};
    for (size_t i = 0; i < whole.size(); ++i) {
        if (!is_cut(i)) continue;
        Tiling wider = whole;
        wider[i].threads *= fewer;
        if (extents[i] % wider[i].threads == 0) result.push_back(std::move(wider));
    }
    return result;
}

}  // namespace

bool are_neighbours(const Tiling &a, const Tiling &b) {
    int different = 0;
    int64_t serial[] = {1, 1}, threads[] = {1, 1};
    for (size_t i = 0; i < a.size(); ++i) {
        if (a[i] == b[i]) continue;
        if (++different > 2) return false;
        serial[0] *= a[i].serial;
        serial[1] *= b[i].serial;
        threads[0] *= a[i].threads;
        threads[1] *= b[i].threads;
    }
    if (different == 2) return serial[0] == serial[1] && threads[0] == threads[1];
    return different == 1;
}

State improve_tiling(SearchParts &parts, State state, size_t kernel) {
    const PhaseTimer timer(parts.report.times.refine);
    for (int round = 0; round < kMostRounds && !parts.time_is_up(); ++round) {
        const std::vector<Decision> moves = retilings(parts.space, state, kernel);
        std::optional<State> better = best_of(parts, state, moves);
        if (!better) break;
        state = std::move(*better);
    }
    if (!parts.options.decides("fitted_blocks")) return state;
    const int64_t warp_size = parts.space.gpu().warp_size;
    const auto now = [&]() -> const Kernel & { return *state.nest.kernels[kernel]; };
    const bool fits =
        take_best(parts, state, kernel, fitted_tilings(parts.space.dag(), now(), warp_size));
    // No tiling of the space is a neighbour of one that was fitted.
    if (!fits) return state;
    for (int round = 0; round < kMostRounds && !parts.time_is_up(); ++round) {
        if (!take_best(parts, state, kernel, with_one_other_tile(parts.space, now()))) break;
    }
    return state;
}

State improve_tiling_from_all(SearchParts &parts, const State &state, size_t kernel) {
    State near = improve_tiling(parts, state, kernel);
    const Kernel &now = *state.nest.kernels[kernel];
    const std::vector<Tiling> &all = parts.space.tilings(now.stage);
    if (all.size() * count_stages(now) > kMostStagesForAll) return near;
    std::optional<State> far = cheapest_of(parts, state, to_each(parts.space, state, kernel, all));
    if (!far) return near;
    far = improve_tiling(parts, *std::move(far), kernel);
    return far->cost < near.cost ? *std::move(far) : near;
}

State improve_tilings(SearchParts &parts, State state) {
    for (size_t kernel = 0; kernel < state.nest.kernels.size(); ++kernel) {
        if (state.nest.kernels[kernel]->on_host) continue;
        state = improve_tiling(parts, std::move(state), kernel);
    }
    return state;
}

std::vector<State> with_fewer_points(SearchParts &parts, const State &state, size_t kernel) {
    const int64_t now = points_per_thread(state.nest.kernels[kernel]->tiling);
    return cheapest_of_each_group(parts, state, kernel, [&](const Tiling &tiling) {
        return points_per_thread(tiling) < now ? std::optional(shape_in_thread(tiling))
                                               : std::nullopt;
    });
}

std::vector<State> with_other_tiles(SearchParts &parts, const State &state, size_t kernel) {
    const Kernel &now = *state.nest.kernels[kernel];
    const size_t tilings = parts.space.tilings(now.stage).size();
    if (tilings * count_stages(now) > kMostStagesForAll) return {};
    return cheapest_of_each_group(parts, state, kernel, [&](const Tiling &tiling) {
        std::optional<std::vector<int64_t>> group;
        if (tiling == now.tiling) return group;
        group = shape_in_thread(tiling);
        group->push_back(threads_of(tiling));
        return group;
    });
}

State with_half_the_points(SearchParts &parts, State state, size_t kernel) {
    const int64_t now = points_per_thread(state.nest.kernels[kernel]->tiling);
    std::vector<State> fewer = with_fewer_points(parts, state, kernel);
    const auto half = std::ranges::find_if(fewer, [&](const State &other) {
        return 2 * points_per_thread(other.nest.kernels[kernel]->tiling) <= now;
    });
    return half == fewer.end() ? state : std::move(*half);
}

std::vector<State> with_whole_tiles(SearchParts &parts, const State &state, size_t kernel) {
    const Kernel &now = *state.nest.kernels[kernel];
    const bool has_tiles = std::ranges::any_of(
        now.tiling, [](const LoopTile &tile) { return tile.serial > 1 || tile.walk > 1; });
    if (has_tiles) return {};
    const std::vector<Tiling> tilings = whole_tilings(parts.space.dag(), now);
    return cheapest_first(parts, state, to_each(parts.space, state, kernel, tilings),
                          tilings.size());
}

bool holds_tile_of(const Tiling &tiling, const Tiling &other) {
    return std::ranges::equal(tiling, other, [](const LoopTile &one, const LoopTile &another) {
        return one.serial >= another.serial;
    });
}

std::vector<State> neighbours(SearchParts &parts, const State &state, size_t kernel, size_t most) {
    const Dag &dag = parts.space.dag();
    std::set<uint64_t> codes{thread_code_hash(dag, *state.nest.kernels[kernel])};
    // Of these moves, the cheapest that make a thread execute what none before did.
    const auto others_of = [&](const std::vector<Decision> &moves, size_t at_most) {
        std::vector<State> result;
        for (State &other : cheapest_first(parts, state, moves, moves.size())) {
            if (result.size() == at_most) break;
            const uint64_t code = thread_code_hash(dag, *other.nest.kernels[kernel]);
            if (codes.insert(code).second) result.push_back(std::move(other));
        }
        return result;
    };
    const std::vector<State> members =
        others_of(parts.space.other_tiles(state, kernel, parts.report.rejections), most / 3);
    const std::vector<Tiling> others = other_tilings(parts.space, *state.nest.kernels[kernel]);
    std::vector<State> result =
        others_of(to_each(parts.space, state, kernel, others), most - members.size());
    std::ranges::copy(members, std::back_inserter(result));
    return result;
}

}  // namespace autoschedule_gpu
