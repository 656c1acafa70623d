#include "scheduler/search/share_launches.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "scheduler/nest/launch.h"
#include "scheduler/search/launch_costs.h"

namespace autoschedule_gpu {

namespace {

// Of what the kernels cost apart: a launch in which several share is less well known.
constexpr double kLeastGain = 0.01;

// Kernels of one launch, by their positions in the nest, and as they are then.
struct Launch {
    std::vector<size_t> positions;
    std::vector<KernelPtr> kernels;
    double cost = 0;
};

// By consumer and producer, what a Func depends on, directly or not.
std::vector<std::vector<bool>> dependences(const Dag &dag) {
    const size_t count = dag.funcs.size();
    std::vector<std::vector<bool>> result(count, std::vector<bool>(count));
    for (size_t f = 0; f < count; ++f) {  // producers come first
        for (const StageId stage : dag.funcs[f].stages) {
            for (const EdgeId edge : dag.stage(stage).edges) {
                const size_t producer = dag.edge(edge).producer.index();
                result[f][producer] = true;
                for (size_t g = 0; g < count; ++g) {
                    if (result[producer][g]) result[f][g] = true;
                }
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
          depends_(dependences(dag_)),
          extractor_(dag_, space.gpu()) {
        for (size_t k = 0; k < state_.nest.kernels.size(); ++k) {
            const KernelPtr &kernel = state_.nest.kernels[k];
            if (!may_share(*kernel)) continue;
            launches_.push_back({{k}, {kernel}, state_.kernel_costs[k]});
        }
    }

    State run() {
        for (size_t i = 0; i < launches_.size(); ++i) compare_with_later(i);
        while (!pairs_.empty() && !clock_.is_up()) {
            const auto best = std::ranges::max_element(
                pairs_, {}, [](const auto &entry) { return entry.second.gain; });
            const auto [i, j] = best->first;
            Launch both = std::move(best->second.both);
            std::optional<State> next = with(both);
            if (!next) {
                pairs_.erase(best);
                continue;
            }
            state_ = *std::move(next);
            std::erase_if(pairs_, [&, i = i, j = j](const auto &entry) {
                const auto [a, b] = entry.first;
                return a == i || b == i || a == j || b == j;
            });
            launches_[i].kernels.clear();
            launches_[j].kernels.clear();
            launches_.push_back(std::move(both));
            compare_with_all(launches_.size() - 1);
        }
        return std::move(state_);
    }

private:
    struct Pair {
        Launch both;
        double gain = 0;
    };

    // As it is, or with one point per thread.
    bool may_share(const Kernel &kernel) const {
        if (!why_alone_in_launch(dag_, kernel)) return true;
        const bool in_threads_only = needs_full_tiles(kernel) && kernel.blocks->body.size() == 1;
        return in_threads_only && !dag_.func_of(kernel.stage).is_output();
    }

    void compare_with_later(size_t i) {
        for (size_t j = i + 1; j < launches_.size() && !clock_.is_up(); ++j) compare(i, j);
    }

    void compare_with_all(size_t last) {
        for (size_t i = 0; i < last && !clock_.is_up(); ++i) {
            if (!launches_[i].kernels.empty()) compare(i, last);
        }
    }

    void compare(size_t i, size_t j) {
        if (depend(launches_[i], launches_[j])) return;
        const double apart = launches_[i].cost + launches_[j].cost;
        std::optional<Launch> both = together(launches_[i], launches_[j]);
        if (!both || both->cost > (1 - kLeastGain) * apart) return;
        const double gain = apart - both->cost;
        pairs_.emplace(std::pair(i, j), Pair{*std::move(both), gain});
    }

    bool depend(const Launch &one, const Launch &other) const {
        for (const KernelPtr &a : one.kernels) {
            for (const KernelPtr &b : other.kernels) {
                const size_t f = dag_.stage(a->stage).func.index();
                const size_t g = dag_.stage(b->stage).func.index();
                if (f == g || depends_[f][g] || depends_[g][f]) return true;
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
        consider(one.kernels, tiled_as(other, one.kernels.front()->tiling));
        consider(tiled_as(one, other.kernels.front()->tiling), other.kernels);
        consider(a1, b1);
        if (!a1.empty()) consider(a1, tiled_as(other, a1.front()->tiling));
        if (!b1.empty()) consider(tiled_as(one, b1.front()->tiling), b1);
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
            both.kernels.push_back(in_launch_of(kernel.second, first));
            const Kernel &now = *both.kernels.back();
            if (stage != first && why_not_with(dag_, *both.kernels.front(), now)) {
                return std::nullopt;
            }
            clock_.spend(count_stages(now));
        }
        if (threads(both.kernels) > space_.gpu().max_threads_per_block) return std::nullopt;
        const FeatureTable table = extractor_.extract(both.kernels);
        const double most_shared = static_cast<double>(space_.gpu().shared_bytes_per_block);
        if (table.kernel.shared_bytes_per_block > most_shared) return std::nullopt;
        model_.estimate({&table, 1}, {&both.cost, 1});
        return both;
    }

    static int64_t threads(const std::vector<KernelPtr> &kernels) {
        ThreadExtents most;
        for (const KernelPtr &kernel : kernels) {
            const ThreadExtents size = block_size(*kernel);
            most = {std::max(most.x, size.x), std::max(most.y, size.y), std::max(most.z, size.z)};
        }
        return most.total();
    }

    // Empty where there is no such tiling; of a launch that is shared already.
    std::vector<KernelPtr> with_one_point(const Launch &launch) const {
        return retiled(launch, one_point_per_thread(launch.kernels.front()->tiling));
    }

    // Loops over points, in their order, as those are; a reduction stays as it is.
    std::vector<KernelPtr> tiled_as(const Launch &launch, const Tiling &like) const {
        Tiling tiling = launch.kernels.front()->tiling;
        if (tiling.size() != like.size()) return {};
        const Stage &stage = dag_.stage(launch.kernels.front()->stage);
        for (size_t i = 0; i < tiling.size(); ++i) {
            if (stage.loops[i].parallel) tiling[i] = like[i];
        }
        return retiled(launch, tiling);
    }

    std::vector<KernelPtr> retiled(const Launch &launch, const Tiling &tiling) const {
        const KernelPtr &kernel = launch.kernels.front();
        if (launch.kernels.size() > 1 || tiling == kernel->tiling) return {};
        if (has_whole_rows(tiling) || has_spread_points(tiling)) return {};
        const FuncId func = dag_.stage(kernel->stage).func;
        const auto after =
            space_.apply(state_, decide_tiling(func, launch.positions.front(), tiling));
        const auto *found = std::get_if<Successor>(&after);
        return found == nullptr ? std::vector<KernelPtr>()
                                : std::vector<KernelPtr>{found->changes.front().kernel};
    }

    // The state with that launch, if all launches can run one after the other.
    std::optional<State> with(const Launch &launch) const {
        State next = state_;
        for (size_t i = 0; i < launch.positions.size(); ++i) {
            next.nest.kernels[launch.positions[i]] = launch.kernels[i];
            next.kernel_costs[launch.positions[i]] = i == 0 ? launch.cost : 0;
        }
        if (why_out_of_order(dag_, next.nest)) return std::nullopt;
        next.id = next.nest.hash();
        next.cost = 0;
        for (const double cost : next.kernel_costs) next.cost += cost;
        return next;
    }

    const SearchSpace &space_;
    const Dag &dag_;
    const CostModel &model_;
    SearchClock &clock_;
    State state_;
    const std::vector<std::vector<bool>> depends_;
    FeatureExtractor extractor_;
    std::vector<Launch> launches_;                     // without kernels: it is part of a later one
    std::map<std::pair<size_t, size_t>, Pair> pairs_;  // that gain, by their positions there
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
