#include "scheduler/search/greedy_grouping.h"

#include <algorithm>

#include "scheduler/features/feature_extractor.h"
#include "scheduler/search/merge_groups.h"
#include "scheduler/search/partition.h"

namespace autoschedule_gpu {

namespace {

// Sweeps over all Funcs, inlining what pays.
constexpr int kInlineSweeps = 4;
// A group presses on shared memory when a block takes more of it than this share of its limit.
constexpr double kPressing = 0.5;

class Grouping {
public:
    explicit Grouping(Partition &partition)
        : partition_(partition),
          dag_(partition.space().dag()),
          gpu_(partition.space().gpu()),
          extractor_(dag_, gpu_) {}

    // Producers first, so that a chain of cheap stages collapses into its end.
    void inline_what_pays() {
        bool changed = true;
        for (int sweep = 0; changed && sweep < kInlineSweeps; ++sweep) {
            changed = false;
            for (size_t i = 0; i < partition_.funcs() && !partition_.time_is_up(); ++i) {
                if (partition_.may_move(FuncId(i)) && dag_.funcs[i].can_inline) {
                    changed = try_inline(FuncId(i)) || changed;
                }
            }
        }
    }

    // A member goes down into the threads that read it, unless that costs more: where resources
    // press, and where its readers share none of it.
    void nest_members() {
        for (size_t i = 0; i < partition_.funcs(); ++i) {
            const FuncId output(i);
            if (partition_.group(output) == nullptr || partition_.time_is_up()) continue;
            for (size_t m = dag_.funcs.size(); m-- > 0;) try_nesting(output, FuncId(m));
        }
    }

    // Tile sizes in steps of two within the bounds, from the powers of two that were found, and,
    // beyond the paper, several points per thread, which share what they read. A block of whole
    // warps stays one.
    void tile_finally() {
        for (size_t i = 0; i < partition_.funcs(); ++i) {
            const Group *group = partition_.group(FuncId(i));
            if (group == nullptr || dag_.funcs[i].on_host()) continue;
            for (size_t k = 0; k < group->tiles.size(); ++k) {
                while (!partition_.time_is_up() && step_tile(FuncId(i), k)) {
                }
            }
        }
    }

private:
    bool try_inline(FuncId func) {
        const std::vector<Partition::Placing> moves{{func, Place::inlined}};
        const Places sites = partition_.sites_after(moves);
        double before = partition_.group(func)->state.cost, now = 0;
        std::vector<Group> changed;
        for (FuncId reader : partition_.readers(func).outputs) {
            const Group &reading = *partition_.group(reader);
            before += reading.state.cost;
            std::optional<Group> with = partition_.built(reader, reading.tiles, sites);
            if (!with) return false;
            now += with->state.cost;
            changed.push_back(*std::move(with));
        }
        if (changed.empty() || now >= before) return false;
        partition_.take(moves, std::move(changed));
        return true;
    }

    void try_nesting(FuncId output, FuncId member) {
        const Group &group = *partition_.group(output);
        if (partition_.site(member) != Place::block) return;
        if (group.state.home[dag_.func(member).stages[0].index()] < 0) return;
        if (!is_read_at_own_points(member) && !presses(group)) return;
        const std::vector<Partition::Placing> moves{{member, Place::threads}};
        std::optional<Group> nested =
            partition_.built(output, group.tiles, partition_.sites_after(moves));
        if (!nested || nested->state.cost > group.state.cost) return;
        partition_.take(moves, {*std::move(nested)});
    }

    // Whether nothing of it is read for several points, directly or through what is inlined.
    bool is_read_at_own_points(FuncId func) const {
        return std::ranges::all_of(dag_.consumers[func.index()], [&](EdgeId id) {
            const FuncId reader = dag_.stage(dag_.edge(id).consumer).func;
            const bool inlined = partition_.site(reader) == Place::inlined;
            return dag_.edge(id).pointwise && (!inlined || is_read_at_own_points(reader));
        });
    }

    bool presses(const Group &group) {
        const double limit = static_cast<double>(gpu_.shared_bytes_per_block);
        return std::ranges::any_of(group.state.nest.kernels, [&](const KernelPtr &kernel) {
            const KernelFeatures row = extractor_.extract(*kernel).kernel;
            return row.shared_bytes_per_block > kPressing * limit;
        });
    }

    bool is_of_whole_warps(const Group &group, size_t kernel) const {
        const int64_t threads = block_size(*group.state.nest.kernels[kernel]).total();
        return threads % gpu_.warp_size == 0;
    }

    bool step_tile(FuncId output, size_t kernel) {
        const Group &now = *partition_.group(output);
        std::vector<Partition::Candidate> candidates;
        const StageId stage = dag_.func(output).stages[kernel];
        for (GroupTile &tile : partition_.builder().tiles().steps(stage, now.tiles[kernel])) {
            candidates.push_back({now.tiles, partition_.sites_after({})});
            candidates.back().tiles[kernel] = std::move(tile);
        }
        const bool must_be_whole = is_of_whole_warps(now, kernel);
        std::optional<Group> best;
        for (std::optional<Group> &other : partition_.built(output, candidates)) {
            if (!other || (must_be_whole && !is_of_whole_warps(*other, kernel))) continue;
            if (other->state.cost >= (best ? *best : now).state.cost * (1 - 1e-6)) continue;
            best = std::move(other);
        }
        if (!best) return false;
        partition_.replace(*std::move(best));
        return true;
    }

    Partition &partition_;
    const Dag &dag_;
    const GpuModel &gpu_;
    FeatureExtractor extractor_;
};

}  // namespace

SearchResult greedy_grouping(const SearchSpace &space, const GroupingModels &models,
                             SearchContext &context, Fusion fusion) {
    Partition partition(space, models, context);
    Grouping grouping(partition);
    grouping.inline_what_pays();
    if (fusion != Fusion::none) merge_groups(partition, fusion);
    partition.begin_tiling();
    if (fusion == Fusion::nested) grouping.nest_members();
    grouping.tile_finally();
    return partition.result();
}

}  // namespace autoschedule_gpu
