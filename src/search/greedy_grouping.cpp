#include "search/greedy_grouping.h"

#include <algorithm>
#include <limits>

#include "search/group.h"
#include "search/memo.h"
#include "search/pass.h"

namespace autoschedule_gpu {

namespace {

// Sweeps over all Funcs, inlining what pays.
constexpr int kInlineSweeps = 4;
// A group presses on shared memory when a block takes more of it than this share of its limit.
constexpr double kPressing = 0.5;

struct Candidate {
    std::vector<GroupTile> tiles;
    MemberSites sites;
};

// A model's costs, remembered.
struct Costs {
    Costs(const SearchSpace &space, const CostModel &of, ThreadPool &pool, size_t bytes)
        : model(space.dag(), space.gpu(), of, pool), memo(model, bytes) {}
    ModelCosts model;
    MemoisedCosts memo;
};

class Grouping {
public:
    Grouping(const SearchSpace &space, const GroupingModels &models, const SearchOptions &options,
             Fusion fusion)
        : space_(space),
          dag_(space.dag()),
          options_(options),
          fusion_(fusion),
          pool_(options.limits.threads),
          merging_(space, models.merging, pool_, options.limits.memo_bytes),
          tiling_(space, models.tiling, pool_, options.limits.memo_bytes),
          builder_(space),
          sites_(builder_.plain_sites()),
          groups_(space.dag().funcs.size()) {}

    SearchResult run() {
        start();
        inline_what_pays();
        if (fusion_ != Fusion::none) merge_what_pays();
        cost_by(tiling_);
        if (fusion_ == Fusion::nested) nest_members();
        tile_finally();
        return result();
    }

private:
    const Group &group(FuncId output) const { return *groups_[output.index()]; }

    struct Placing {
        FuncId func;
        MemberSite site;
    };

    MemberSites sites_after(const std::vector<Placing> &moves) const {
        MemberSites sites = sites_;
        for (const Placing &move : moves) sites[move.func.index()] = move.site;
        return sites;
    }

    bool time_is_up() {
        if (watch_.seconds() <= options_.limits.time_limit_s) return false;
        report_.stop_reason = StopReason::time_limit;
        return true;
    }

    // Groups of the candidates, at their costs; nothing where a rule forbids one.
    std::vector<std::optional<Group>> built(FuncId output,
                                            const std::vector<Candidate> &candidates) {
        std::vector<std::optional<Group>> result(candidates.size());
        pool_.for_each(candidates.size(), [&](size_t i) {
            auto state = builder_.build(output, candidates[i].tiles, candidates[i].sites);
            if (state) result[i] = Group{output, candidates[i].tiles, *std::move(state)};
        });
        report_.states_enumerated += candidates.size();
        std::vector<KernelPtr> kernels;
        for (const auto &one : result) {
            if (one)
                kernels.insert(kernels.end(), one->state.nest.kernels.begin(),
                               one->state.nest.kernels.end());
            report_.states_rejected += !one;
            report_.states_scored += one.has_value();
        }
        std::vector<double> costs(kernels.size());
        now_->memo.compute(kernels, costs);
        size_t next = 0;
        for (auto &one : result) {
            if (!one) continue;
            one->state.cost = 0;
            for (double &cost : one->state.kernel_costs) {
                cost = costs[next++];
                one->state.cost += cost;
            }
        }
        return result;
    }

    std::optional<Group> built(FuncId output, std::vector<GroupTile> tiles,
                               const MemberSites &sites) {
        return std::move(built(output, {{std::move(tiles), sites}}).front());
    }

    // From here on.
    void cost_by(Costs &costs) {
        now_ = &costs;
        for (std::optional<Group> &one : groups_) {
            if (one) one = built(one->output, one->tiles, sites_);
        }
    }

    // The group with each kernel tiled as is best for it, of all tiles within the paper's bounds.
    std::optional<Group> tiled_best(FuncId output, const MemberSites &sites) {
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

    // Every Func that is not inline in any case is a group.
    void start() {
        for (size_t i = 0; i < sites_.size(); ++i) {
            const FuncId func(i);
            if (!builder_.is_decided(func) || sites_[i] != MemberSite::none) continue;
            groups_[i] = tiled_best(func, sites_);
        }
    }

    // What reads a Func, directly or through what is between: Funcs inline or computed in the
    // groups of these outputs.
    struct Readers {
        std::vector<FuncId> outputs, between;
    };
    Readers all_readers(FuncId func) const {
        Readers result;
        std::vector<FuncId> work{func};
        for (size_t next = 0; next < work.size(); ++next) {
            for (EdgeId edge : dag_.consumers[work[next].index()]) {
                const FuncId reader = dag_.stage(dag_.edge(edge).consumer).func;
                std::vector<FuncId> &seen = groups_[reader.index()] ? result.outputs : work;
                if (std::ranges::find(seen, reader) == seen.end()) seen.push_back(reader);
            }
        }
        std::ranges::sort(result.outputs);
        result.between.assign(work.begin() + 1, work.end());
        return result;
    }
    std::vector<FuncId> readers(FuncId func) const { return all_readers(func).outputs; }

    bool may_move(FuncId func) const {
        return groups_[func.index()] && !dag_.func(func).is_output() && !dag_.func(func).on_host();
    }

    // Producers first, so that a chain of cheap stages collapses into its end.
    void inline_what_pays() {
        bool changed = true;
        for (int sweep = 0; changed && sweep < kInlineSweeps; ++sweep) {
            changed = false;
            for (size_t i = 0; i < groups_.size() && !time_is_up(); ++i) {
                if (may_move(FuncId(i)) && dag_.funcs[i].can_inline) {
                    changed = try_inline(FuncId(i)) || changed;
                }
            }
        }
    }

    bool try_inline(FuncId func) {
        const std::vector<Placing> moves{{func, MemberSite::inlined}};
        const MemberSites sites = sites_after(moves);
        double before = group(func).state.cost, now = 0;
        std::vector<Group> changed;
        for (FuncId reader : readers(func)) {
            before += group(reader).state.cost;
            std::optional<Group> with = built(reader, group(reader).tiles, sites);
            if (!with) return false;
            now += with->state.cost;
            changed.push_back(*std::move(with));
        }
        if (changed.empty() || now >= before) return false;
        take(moves, std::move(changed));
        return true;
    }

    void take(const std::vector<Placing> &moves, std::vector<Group> changed) {
        sites_ = sites_after(moves);
        for (const Placing &move : moves) groups_[move.func.index()].reset();
        for (Group &one : changed) groups_[one.output.index()] = std::move(one);
    }

    // Of one group into another: what it brings, and what it changes.
    struct Merge {
        double benefit = 0;
        std::vector<Placing> moves;
        std::vector<Group> groups;
    };

    std::optional<Merge> merge_of(FuncId func) {
        std::optional<Merge> into_reader = merge_into_reader(func);
        std::optional<Merge> into_wrapper = merge_into_wrapper(func);
        if (!into_wrapper) return into_reader;
        if (into_reader && into_reader->benefit >= into_wrapper->benefit) return into_reader;
        return into_wrapper;
    }

    // The group of `func` computed in the block of the only group that reads it. With nested fusion
    // that may be in the loop of a reduction that is computed there: in each iteration what that
    // one needs.
    std::optional<Merge> merge_into_reader(FuncId func) {
        const Readers above = all_readers(func);
        if (above.outputs.size() != 1) return std::nullopt;
        const FuncId output = above.outputs[0];
        if (dag_.func(output).on_host()) return std::nullopt;
        if (consumer_kernels(dag_, group(output).state, func).size() != 1) return std::nullopt;
        std::vector<std::vector<Placing>> choices{{{func, MemberSite::block}}};
        for (FuncId reader : above.between) {
            const MemberSite site = sites_[reader.index()];
            const bool computed = site == MemberSite::block || site == MemberSite::thread;
            if (fusion_ != Fusion::nested || !computed) continue;
            if (!builder_.update_with_loop(reader).valid()) continue;
            choices.push_back({{func, MemberSite::block}, {reader, MemberSite::loop}});
        }
        std::optional<Merge> best;
        const double before = group(func).state.cost + group(output).state.cost;
        for (const std::vector<Placing> &moves : choices) {
            std::optional<Group> merged = tiled_best(output, sites_after(moves));
            if (!merged || (best && before - merged->state.cost <= best->benefit)) continue;
            best = Merge{before - merged->state.cost, moves, {*std::move(merged)}};
        }
        return best;
    }

    // All stages of a reduction in one kernel, that of its wrapper. With nested fusion each thread
    // keeps its own sums: what copies them shares none.
    std::optional<Merge> merge_into_wrapper(FuncId func) {
        const FuncId wrapper = inlined_wrapper(func);
        if (!wrapper.valid()) return std::nullopt;
        const bool nested = fusion_ == Fusion::nested;
        const std::vector<Placing> moves{{wrapper, MemberSite::none},
                                         {func, nested ? MemberSite::thread : MemberSite::block}};
        const MemberSites sites = sites_after(moves);
        std::optional<Group> merged = tiled_best(wrapper, sites);
        if (!merged) return std::nullopt;
        Merge merge{group(func).state.cost - merged->state.cost, moves, {*std::move(merged)}};
        for (FuncId reader : readers(func)) {
            std::optional<Group> with = built(reader, group(reader).tiles, sites);
            if (!with) return std::nullopt;
            merge.benefit += group(reader).state.cost - with->state.cost;
            merge.groups.push_back(*std::move(with));
        }
        return merge;
    }

    // Of all that read the Func; invalid if there is none, or it is computed somewhere.
    FuncId inlined_wrapper(FuncId func) const {
        for (EdgeId edge : dag_.consumers[func.index()]) {
            const FuncId reader = dag_.stage(dag_.edge(edge).consumer).func;
            const bool wraps = dag_.func(reader).wraps == func && !dag_.func(reader).reader.valid();
            if (wraps && sites_[reader.index()] == MemberSite::inlined) return reader;
        }
        return {};
    }

    // The most beneficial merge first, until none is beneficial.
    void merge_what_pays() {
        std::vector<std::optional<Merge>> merges(groups_.size());
        for (size_t i = 0; i < groups_.size() && !time_is_up(); ++i) {
            if (may_move(FuncId(i))) merges[i] = merge_of(FuncId(i));
        }
        const auto benefit = [](const std::optional<Merge> &merge) {
            return merge ? merge->benefit : 0.0;
        };
        while (!time_is_up()) {
            const auto best = std::ranges::max_element(merges, {}, benefit);
            if (best == merges.end() || benefit(*best) <= 0) break;
            std::vector<FuncId> outputs;
            for (const Group &one : (*best)->groups) outputs.push_back(one.output);
            take((*best)->moves, std::move((*best)->groups));
            look_again(outputs, merges);
        }
    }

    // At merges of the changed groups and of what they read.
    void look_again(const std::vector<FuncId> &outputs, std::vector<std::optional<Merge>> &merges) {
        const auto changed = [&](FuncId func) {
            return std::ranges::find(outputs, func) != outputs.end();
        };
        for (size_t i = 0; i < groups_.size(); ++i) {
            const FuncId func(i);
            if (!may_move(func)) {
                merges[i].reset();
            } else if (changed(func) || std::ranges::any_of(readers(func), changed)) {
                merges[i] = merge_of(func);
            }
        }
    }

    // A member goes down into the threads that read it, unless that costs more: where resources
    // press, and where its readers share none of it.
    void nest_members() {
        for (std::optional<Group> &one : groups_) {
            if (!one || time_is_up()) continue;
            for (size_t i = dag_.funcs.size(); i-- > 0;) {
                const FuncId func(i);
                if (sites_[i] != MemberSite::block) continue;
                if (one->state.home[dag_.func(func).stages[0].index()] < 0) continue;
                if (!is_read_at_own_points(func) && !presses(*one)) continue;
                const std::vector<Placing> moves{{func, MemberSite::thread}};
                std::optional<Group> nested = built(one->output, one->tiles, sites_after(moves));
                if (!nested || nested->state.cost > one->state.cost) continue;
                sites_ = sites_after(moves);
                one = std::move(nested);
            }
        }
    }

    // Whether nothing of it is read for several points, directly or through what is inlined.
    bool is_read_at_own_points(FuncId func) const {
        return std::ranges::all_of(dag_.consumers[func.index()], [&](EdgeId id) {
            const FuncId reader = dag_.stage(dag_.edge(id).consumer).func;
            const bool inlined = sites_[reader.index()] == MemberSite::inlined;
            return dag_.edge(id).pointwise && (!inlined || is_read_at_own_points(reader));
        });
    }

    bool presses(const Group &one) {
        const double limit = static_cast<double>(space_.gpu().shared_bytes_per_block);
        FeatureExtractor extractor(dag_, space_.gpu());
        return std::any_of(one.state.nest.kernels.begin(), one.state.nest.kernels.end(),
                           [&](const KernelPtr &kernel) {
                               const KernelFeatures row = extractor.extract(*kernel).kernel;
                               return row.shared_bytes_per_block > kPressing * limit;
                           });
    }

    // Tile sizes in steps of two within the bounds, from the powers of two that were found, and,
    // beyond the paper, several points per thread, which share what they read. A block of whole
    // warps stays one.
    void tile_finally() {
        for (std::optional<Group> &one : groups_) {
            if (!one || dag_.func(one->output).on_host()) continue;
            for (size_t k = 0; k < one->tiles.size(); ++k) {
                while (!time_is_up() && step_tile(*one, k)) {
                }
            }
        }
    }

    bool step_tile(Group &one, size_t kernel) {
        std::vector<Candidate> candidates;
        const StageId stage = dag_.func(one.output).stages[kernel];
        for (GroupTile &tile : builder_.tiles().steps(stage, one.tiles[kernel])) {
            candidates.push_back({one.tiles, sites_});
            candidates.back().tiles[kernel] = std::move(tile);
        }
        const auto whole_warps = [&](const Group &group) {
            const int64_t threads = block_size(*group.state.nest.kernels[kernel]).total();
            return threads % space_.gpu().warp_size == 0;
        };
        const bool must_be_whole = whole_warps(one);
        std::optional<Group> best;
        for (std::optional<Group> &other : built(one.output, candidates)) {
            if (!other || (must_be_whole && !whole_warps(*other))) continue;
            if (other->state.cost >= (best ? *best : one).state.cost * (1 - 1e-6)) continue;
            best = std::move(other);
        }
        if (best) one = *std::move(best);
        return best.has_value();
    }

    SearchResult result() {
        Nest nest = empty_nest(dag_);
        for (size_t i = 0; i < sites_.size(); ++i) {
            if (!dag_.funcs[i].is_input()) nest.placements[i] = placement(FuncId(i));
        }
        for (size_t i = groups_.size(); i-- > 0;) {
            if (!groups_[i]) continue;
            const Nest &own = groups_[i]->state.nest;
            nest.kernels.insert(nest.kernels.end(), own.kernels.begin(), own.kernels.end());
        }
        State state = with_costs(tiling_.memo, space_.adopt(nest));
        report_.passes = 1;
        report_.pass_costs = {state.cost};
        report_.memo = true;
        for (const Costs *costs : {&merging_, &tiling_}) {
            report_.kernels_asked += costs->memo.asked();
            report_.kernels_evaluated += costs->model.evaluated();
            report_.memo_hits += costs->memo.hits();
            report_.memo_evicted += costs->memo.evicted();
        }
        report_.times.total = watch_.seconds();
        return {{std::move(state)}, report_};
    }

    Placement placement(FuncId func) const {
        if (groups_[func.index()]) return Placement::root;
        return sites_[func.index()] == MemberSite::inlined ? Placement::inlined : Placement::fused;
    }

    const SearchSpace &space_;
    const Dag &dag_;
    const SearchOptions &options_;
    const Fusion fusion_;
    Stopwatch watch_;
    ThreadPool pool_;
    Costs merging_, tiling_;
    Costs *now_ = &merging_;
    const GroupBuilder builder_;
    MemberSites sites_;
    std::vector<std::optional<Group>> groups_;  // by the FuncId of their outputs
    SearchReport report_;
};

}  // namespace

SearchResult greedy_grouping(const SearchSpace &space, const GroupingModels &models,
                             const SearchOptions &options, Fusion fusion) {
    return Grouping(space, models, options, fusion).run();
}

}  // namespace autoschedule_gpu
