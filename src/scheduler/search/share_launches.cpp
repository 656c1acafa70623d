#include "scheduler/search/share_launches.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "scheduler/features/launch_limits.h"
#include "scheduler/nest/edit.h"
#include "scheduler/nest/launch.h"
#include "scheduler/search/dependences.h"
#include "scheduler/search/each_kernel.h"
#include "scheduler/search/launch_costs.h"
#include "scheduler/space/tilings.h"

namespace autoschedule_gpu {

namespace {

// In the order of how long the way from the inputs is, a launch is compared with so many, the
// nearest that do not depend on it, which are looked for no farther than so; and it has no more
// than so many kernels. Else a search of many kernels would do nothing but this.
constexpr size_t kMostCompared = 16;
constexpr size_t kFarthest = 256;
constexpr size_t kMostInLaunch = 16;

// Kernels of one launch, by their positions in the nest, and as they are then.
struct Launch {
    std::vector<size_t> positions;
    std::vector<KernelPtr> kernels;
    double cost = 0;
};

// By Func, how many others have to be computed one after the other before it.
std::vector<int> depths(const Dag &dag) {
    std::vector<int> result(dag.funcs.size());
    for (size_t f = 0; f < dag.funcs.size(); ++f) {  // producers come first
        for (const StageId stage : dag.funcs[f].stages) {
            for (const EdgeId edge : dag.stage(stage).edges) {
                const size_t producer = dag.edge(edge).producer.index();
                if (producer != f) result[f] = std::max(result[f], result[producer] + 1);
            }
        }
    }
    return result;
}

Tiling one_point_per_thread(Tiling tiling) {
    for (LoopTile &tile : tiling) tile.serial = 1;
    return tiling;
}

class Sharing {
public:
    Sharing(const SearchSpace &space, const CostModel &model, SearchClock &clock, State state)
        : space_(space),
          dag_(space.dag()),
          model_(model),
          clock_(clock),
          state_(std::move(state)),
          dependences_(dag_),
          extractor_(dag_, space.gpu()) {
        for (size_t k = 0; k < state_.nest.kernels.size(); ++k) {
            const KernelPtr &kernel = state_.nest.kernels[k];
            if (!may_share(*along_stores(kernel))) continue;
            launches_.push_back({{k}, {kernel}, state_.kernel_costs[k]});
        }
        const std::vector<int> depth = depths(dag_);
        std::ranges::stable_sort(launches_, {}, [&](const Launch &launch) {
            return depth[func_of(*launch.kernels.front()).index()];
        });
        changes_.resize(launches_.size());
    }

    State run() {
        for (size_t i = 0; i < launches_.size(); ++i) compare_with_later(i);
        while (!pairs_.empty() && !clock_.is_up()) {
            Pair best = pairs_.extract(pairs_.begin()).mapped();
            const auto [i, j] = best.places;
            if (best.changes != std::pair(changes_[i], changes_[j])) continue;
            // What was compared may have come to depend on each other through other launches.
            if (depend(launches_[i], launches_[j])) continue;
            join(i, j, std::move(best.both));
            compare_with_earlier(i);
            compare_with_later(i);
        }
        return with_launches();
    }

private:
    // Two launches that gain by being one, by their places among all, and how often these had
    // changed when they were compared.
    struct Pair {
        std::pair<size_t, size_t> places;
        std::pair<int, int> changes;
        Launch both;
    };

    // In a launch that is shared, threads go along what kernels store.
    static KernelPtr along_stores(const KernelPtr &kernel) {
        return switched(kernel, &Kernel::along_stores, true);
    }

    // As it is, or with one point per thread.
    bool may_share(const Kernel &kernel) const {
        if (!why_alone_in_launch(dag_, kernel)) return true;
        const bool in_threads_only = needs_full_tiles(kernel) && kernel.blocks->body.size() == 1;
        return in_threads_only && !dag_.func_of(kernel.stage).is_output();
    }

    FuncId func_of(const Kernel &kernel) const { return dag_.stage(kernel.stage).func; }

    // The first takes the place of both.
    void join(size_t i, size_t j, Launch both) {
        for (const KernelPtr &kernel : launches_[j].kernels) {
            dependences_.join(func_of(*launches_[i].kernels.front()), func_of(*kernel));
        }
        launches_[i] = std::move(both);
        launches_[j].kernels.clear();
        ++changes_[i];
        ++changes_[j];
    }

    void compare_with_later(size_t i) {
        size_t compared = 0;
        const size_t end = std::min(launches_.size(), i + 1 + kFarthest);
        for (size_t j = i + 1; j < end && compared < kMostCompared; ++j) {
            if (compare(i, j)) ++compared;
        }
    }

    void compare_with_earlier(size_t j) {
        size_t compared = 0;
        const size_t end = j - std::min(j, kFarthest);
        for (size_t i = j; i-- > end && compared < kMostCompared;) {
            if (compare(i, j)) ++compared;
        }
    }

    // Returns whether there was anything to compare.
    bool compare(size_t i, size_t j) {
        const Launch &one = launches_[i], &other = launches_[j];
        const size_t count = one.kernels.size() + other.kernels.size();
        if (one.kernels.empty() || other.kernels.empty() || count > kMostInLaunch) return false;
        if (depend(one, other) || clock_.is_up()) return false;
        const double apart = one.cost + other.cost;
        std::optional<Launch> both = together(one, other);
        if (!both || both->cost > (1 - kLeastGain) * apart) return true;
        // Of what gains as much, the nearest: what is far apart would keep more from each other.
        const auto rank = std::tuple(both->cost - apart, j - i, i);
        pairs_.emplace(rank, Pair{{i, j}, {changes_[i], changes_[j]}, *std::move(both)});
        return true;
    }

    bool depend(const Launch &one, const Launch &other) const {
        for (const KernelPtr &a : one.kernels) {
            for (const KernelPtr &b : other.kernels) {
                if (dependences_.depend(func_of(*a), func_of(*b))) return true;
            }
        }
        return false;
    }

    // The cheapest way to compute all in one launch.
    std::optional<Launch> together(const Launch &one, const Launch &other) {
        std::optional<Launch> best;
        const auto consider = [&](const std::vector<KernelPtr> &a,
                                  const std::vector<KernelPtr> &b) {
            if (a.empty() || b.empty()) return;
            std::optional<Launch> found = in_one_launch(one, a, other, b);
            if (found && (!best || found->cost < best->cost)) best = std::move(found);
        };
        const std::vector<KernelPtr> a1 = with_one_point(one), b1 = with_one_point(other);
        consider(one.kernels, other.kernels);
        consider(one.kernels, tiled_as(other, *one.kernels.front()));
        consider(tiled_as(one, *other.kernels.front()), other.kernels);
        consider(a1, b1);
        if (!a1.empty()) consider(a1, tiled_as(other, *a1.front()));
        if (!b1.empty()) consider(tiled_as(one, *b1.front()), b1);
        return best;
    }

    std::optional<Launch> in_one_launch(const Launch &one, const std::vector<KernelPtr> &a,
                                        const Launch &other, const std::vector<KernelPtr> &b) {
        Launch both;
        std::map<StageId, std::pair<size_t, KernelPtr>> by_stage;
        for (size_t i = 0; i < a.size(); ++i) by_stage[a[i]->stage] = {one.positions[i], a[i]};
        for (size_t i = 0; i < b.size(); ++i) by_stage[b[i]->stage] = {other.positions[i], b[i]};
        const StageId first = by_stage.begin()->first;
        for (const auto &[stage, kernel] : by_stage) {
            both.positions.push_back(kernel.first);
            both.kernels.push_back(in_launch_of(along_stores(kernel.second), first));
            const Kernel &now = *both.kernels.back();
            if (stage != first && why_not_with(dag_, *both.kernels.front(), now)) {
                return std::nullopt;
            }
            clock_.spend(count_stages(now));
        }
        const FeatureTable table = extractor_.extract(both.kernels);
        if (why_too_large_together(space_.gpu(), both.kernels, table)) return std::nullopt;
        model_.estimate({&table, 1}, {&both.cost, 1});
        return both;
    }

    // Empty where there is no such tiling; of a launch that is shared already.
    std::vector<KernelPtr> with_one_point(const Launch &launch) const {
        return retiled(launch, one_point_per_thread(launch.kernels.front()->tiling));
    }

    // Loops over points as those of the same name are; a reduction stays as it is.
    std::vector<KernelPtr> tiled_as(const Launch &launch, const Kernel &like) const {
        Tiling tiling = launch.kernels.front()->tiling;
        const std::vector<Loop> &loops = dag_.stage(launch.kernels.front()->stage).loops;
        const std::vector<Loop> &others = dag_.stage(like.stage).loops;
        for (size_t i = 0; i < tiling.size(); ++i) {
            const auto same = std::ranges::find(others, loops[i].name, &Loop::name);
            if (!loops[i].parallel || same == others.end() || !same->parallel) continue;
            tiling[i] = like.tiling[static_cast<size_t>(same - others.begin())];
        }
        return retiled(launch, tiling);
    }

    std::vector<KernelPtr> retiled(const Launch &launch, const Tiling &tiling) const {
        const KernelPtr &kernel = launch.kernels.front();
        if (launch.kernels.size() > 1 || tiling == kernel->tiling) return {};
        if (has_whole_rows(tiling) || has_spread_points(tiling)) return {};
        if (!has_tiles(loop_extents(dag_, kernel->stage), tiling)) return {};
        const FuncId func = dag_.stage(kernel->stage).func;
        const auto after =
            space_.apply(state_, decide_tiling(func, launch.positions.front(), tiling));
        const auto *found = std::get_if<Successor>(&after);
        return found == nullptr ? std::vector<KernelPtr>()
                                : std::vector<KernelPtr>{found->changes.front().kernel};
    }

    State with_launches() {
        for (const Launch &launch : launches_) {
            if (launch.kernels.size() < 2) continue;
            for (size_t i = 0; i < launch.positions.size(); ++i) {
                state_.nest.kernels[launch.positions[i]] = launch.kernels[i];
                state_.kernel_costs[launch.positions[i]] = i == 0 ? launch.cost : 0;
            }
        }
        state_.id = state_.nest.hash();
        state_.cost = 0;
        for (const double cost : state_.kernel_costs) state_.cost += cost;
        return std::move(state_);
    }

    const SearchSpace &space_;
    const Dag &dag_;
    const CostModel &model_;
    SearchClock &clock_;
    State state_;  // each kernel with a launch of its own, until all is decided
    Dependences dependences_;
    FeatureExtractor extractor_;
    std::vector<Launch> launches_;  // by depth; without kernels: it is part of an earlier one
    std::vector<int> changes_;      // of each
    // That gain, by how little both cost beside what they cost apart, and by their places.
    std::map<std::tuple<double, size_t, size_t>, Pair> pairs_;
};

}  // namespace

State share_launches(const SearchSpace &space, const CostModel &model, SearchContext &context,
                     State state, SearchReport &report) {
    RunningPart part(report, "share_launches", state.cost);
    state = Sharing(space, model, context.clock, std::move(state)).run();
    part.done(state.cost);
    return state;
}

}  // namespace autoschedule_gpu
