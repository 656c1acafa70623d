#include "scheduler/search/partition.h"

#include <algorithm>
#include <limits>

namespace autoschedule_gpu {

Partition::Partition(const SearchSpace &space, const GroupingModels &models, SearchContext &context)
    : space_(space),
      dag_(space.dag()),
      clock_(context.clock),
      threads_(context),
      merging_(space, models.merging, threads_.pool(), context.clock, Switch::on,
               context.options.limits.memo_bytes),
      tiling_(space, models.tiling, threads_.pool(), context.clock, Switch::on,
              context.options.limits.memo_bytes),
      builder_(space),
      sites_(builder_.plain_sites()),
      groups_(space.dag().funcs.size()) {
    for (size_t i = 0; i < sites_.size(); ++i) {
        const FuncId func(i);
        if (!builder_.is_decided(func) || sites_[i] != Place::root) continue;
        groups_[i] = tiled_best(func, sites_);
        if (!groups_[i]) groups_[i] = plainly(func);
    }
}

// A state that lacks the kernels of a Func would seem the cheapest of all.
std::optional<Group> Partition::plainly(FuncId output) {
    std::optional<State> state = builder_.build_plainly(output);
    if (!state) return std::nullopt;
    std::vector<GroupTile> tiles;
    for (StageId stage : dag_.func(output).stages) {
        tiles.push_back(builder_.tiles().point(stage));
    }
    std::vector<std::optional<Group>> one{Group{output, std::move(tiles), *std::move(state)}};
    set_costs(one);
    return std::move(one.front());
}

Partition::Readers Partition::readers(FuncId func) const {
    Readers result;
    std::vector<FuncId> work{func};
    for (size_t next = 0; next < work.size(); ++next) {
        for (EdgeId edge : dag_.consumers[work[next].index()]) {
            const FuncId reader = dag_.stage(dag_.edge(edge).consumer).func;
            std::vector<FuncId> &seen = group(reader) != nullptr ? result.outputs : work;
            if (std::ranges::find(seen, reader) == seen.end()) seen.push_back(reader);
        }
    }
    std::ranges::sort(result.outputs);
    result.between.assign(work.begin() + 1, work.end());
    return result;
}

bool Partition::may_move(FuncId func) const {
    const Func &moved = dag_.func(func);
    return group(func) != nullptr && !moved.is_output() && !moved.on_host() &&
           moved.ours == Func::Ours::all;
}

Places Partition::sites_after(const std::vector<Placing> &moves) const {
    Places sites = sites_;
    for (const Placing &move : moves) sites[move.func.index()] = move.site;
    return sites;
}

std::vector<std::optional<Group>> Partition::built(FuncId output,
                                                   const std::vector<Candidate> &candidates) {
    std::vector<std::optional<Group>> result(candidates.size());
    threads_.pool().for_each(candidates.size(), [&](size_t i) {
        auto state = builder_.build(output, candidates[i].tiles, candidates[i].sites);
        if (state) result[i] = Group{output, candidates[i].tiles, *std::move(state)};
    });
    for (const auto &one : result) {
        report_.states_enumerated += 1;
        (one ? report_.states_scored : report_.states_rejected) += 1;
    }
    set_costs(result);
    return result;
}

std::optional<Group> Partition::built(FuncId output, std::vector<GroupTile> tiles, Places sites) {
    return std::move(built(output, {{std::move(tiles), std::move(sites)}}).front());
}

void Partition::set_costs(std::vector<std::optional<Group>> &groups) {
    std::vector<KernelPtr> kernels;
    for (const auto &one : groups) {
        if (!one) continue;
        const std::vector<KernelPtr> &own = one->state.nest.kernels;
        kernels.insert(kernels.end(), own.begin(), own.end());
    }
    std::vector<double> costs(kernels.size());
    now_->compute(kernels, costs);
    size_t next = 0;
    for (auto &one : groups) {
        if (!one) continue;
        one->state.cost = 0;
        for (double &cost : one->state.kernel_costs) {
            cost = costs[next++];
            one->state.cost += cost;
        }
    }
}

std::optional<Group> Partition::tiled_best(FuncId output, const Places &sites) {
    const std::vector<StageId> &stages = dag_.func(output).stages;
    std::vector<std::vector<GroupTile>> choices;
    std::vector<GroupTile> tiles;
    for (StageId stage : stages) {
        choices.push_back(dag_.func(output).on_host() ? std::vector<GroupTile>{{}}
                                                      : builder_.tiles().all(stage));
        tiles.push_back(choices.back().front());
    }
    std::optional<Group> best;
    for (size_t k = 0; k < stages.size(); ++k) {
        std::vector<Candidate> candidates;
        for (const GroupTile &tile : choices[k]) {
            candidates.push_back({tiles, sites});
            candidates.back().tiles[k] = tile;
        }
        double least = std::numeric_limits<double>::infinity();
        for (std::optional<Group> &one : built(output, candidates)) {
            if (!one || one->state.kernel_costs[k] >= least) continue;
            least = one->state.kernel_costs[k];
            best = std::move(one);
        }
        if (!best) return std::nullopt;
        tiles = best->tiles;
    }
    return best;
}

void Partition::take(const std::vector<Placing> &moves, std::vector<Group> changed) {
    sites_ = sites_after(moves);
    for (const Placing &move : moves) groups_[move.func.index()].reset();
    for (Group &one : changed) replace(std::move(one));
}

void Partition::replace(Group group) {
    const size_t output = group.output.index();
    groups_[output] = std::move(group);
}

void Partition::begin_tiling() {
    now_ = &tiling_;
    for (std::optional<Group> &one : groups_) {
        if (!one) continue;
        const FuncId output = one->output;
        one = built(output, one->tiles, sites_);
        if (!one) one = plainly(output);
    }
}

SearchResult Partition::result() {
    Nest nest = empty_nest(dag_);
    for (size_t i = 0; i < sites_.size(); ++i) {
        if (!dag_.funcs[i].is_input()) nest.places[i] = sites_[i];
    }
    for (size_t i = groups_.size(); i-- > 0;) {
        if (!groups_[i]) continue;
        const Nest &own = groups_[i]->state.nest;
        for (const KernelPtr &kernel : own.kernels) {
            for (const Member &member : kernel->members) {
                nest.places[member.func.index()] = member.place;
            }
        }
        nest.kernels.insert(nest.kernels.end(), own.kernels.begin(), own.kernels.end());
    }
    State state = with_costs(tiling_, space_.adopt(nest));
    report_.passes = 1;
    report_.pass_costs = {state.cost};
    report_.memo = true;
    merging_.add_counts(report_);
    tiling_.add_counts(report_);
    report_.stop_reason = clock_.stop_reason();
    part_.done(state.cost);
    report_.times.total = report_.parts.back().seconds;
    return {{std::move(state)}, report_};
}

}  // namespace autoschedule_gpu
