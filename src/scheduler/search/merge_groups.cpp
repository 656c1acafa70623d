#include "scheduler/search/merge_groups.h"

#include <algorithm>

namespace autoschedule_gpu {

namespace {

// Of one group into another: what it brings, and what it changes.
struct Merge {
    double benefit = 0;
    std::vector<Partition::Placing> moves;
    std::vector<Group> groups;
};

class Merging {
public:
    Merging(Partition &partition, Fusion fusion)
        : partition_(partition),
          dag_(partition.space().dag()),
          fusion_(fusion),
          merges_(partition.funcs()) {}

    void run() {
        for (size_t i = 0; i < merges_.size() && !partition_.time_is_up(); ++i) {
            if (may_merge(FuncId(i))) merges_[i] = merge_of(FuncId(i));
        }
        const auto benefit = [](const std::optional<Merge> &merge) {
            return merge ? merge->benefit : 0.0;
        };
        while (!partition_.time_is_up()) {
            const auto best = std::ranges::max_element(merges_, {}, benefit);
            if (best == merges_.end() || benefit(*best) <= 0) break;
            std::vector<FuncId> outputs;
            for (const Group &one : (*best)->groups) outputs.push_back(one.output);
            partition_.take((*best)->moves, std::move((*best)->groups));
            look_again(outputs);
        }
    }

private:
    bool may_merge(FuncId func) const {
        return partition_.may_move(func) && dag_.func(func).may_be_in_kernel();
    }

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
        const Partition::Readers above = partition_.readers(func);
        if (above.outputs.size() != 1) return std::nullopt;
        const FuncId output = above.outputs[0];
        const Group &reading = *partition_.group(output);
        if (dag_.func(output).on_host()) return std::nullopt;
        if (consumer_kernels(dag_, reading.state, func).size() != 1) return std::nullopt;
        std::vector<std::vector<Partition::Placing>> choices{{{func, Place::block}}};
        for (FuncId reader : above.between) {
            const Place site = partition_.site(reader);
            const bool computed = site == Place::block || site == Place::threads;
            if (fusion_ != Fusion::nested || !computed) continue;
            for (const Place looped : {Place::block_loop, Place::block_outer_loop}) {
                if (!own_loop(dag_, reader, looped).valid()) continue;
                choices.push_back({{func, Place::block}, {reader, looped}});
            }
        }
        std::optional<Merge> best;
        const double before = partition_.group(func)->state.cost + reading.state.cost;
        for (const std::vector<Partition::Placing> &moves : choices) {
            std::optional<Group> merged =
                partition_.tiled_best(output, partition_.sites_after(moves));
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
        const std::vector<Partition::Placing> moves{{wrapper, Place::root},
                                                    {func, nested ? Place::threads : Place::block}};
        const Places sites = partition_.sites_after(moves);
        std::optional<Group> merged = partition_.tiled_best(wrapper, sites);
        if (!merged) return std::nullopt;
        const double before = partition_.group(func)->state.cost;
        Merge merge{before - merged->state.cost, moves, {*std::move(merged)}};
        for (FuncId reader : partition_.readers(func).outputs) {
            const Group &reading = *partition_.group(reader);
            std::optional<Group> with = partition_.built(reader, reading.tiles, sites);
            if (!with) return std::nullopt;
            merge.benefit += reading.state.cost - with->state.cost;
            merge.groups.push_back(*std::move(with));
        }
        return merge;
    }

    // Of all that read the Func; invalid if there is none, or it is computed somewhere.
    FuncId inlined_wrapper(FuncId func) const {
        for (EdgeId edge : dag_.consumers[func.index()]) {
            const FuncId reader = dag_.stage(dag_.edge(edge).consumer).func;
            const bool wraps = dag_.func(reader).wraps == func && !dag_.func(reader).reader.valid();
            if (wraps && partition_.site(reader) == Place::inlined) return reader;
        }
        return {};
    }

    // At merges of the changed groups and of what they read.
    void look_again(const std::vector<FuncId> &outputs) {
        const auto changed = [&](FuncId func) {
            return std::ranges::find(outputs, func) != outputs.end();
        };
        for (size_t i = 0; i < merges_.size(); ++i) {
            const FuncId func(i);
            if (!may_merge(func)) {
                merges_[i].reset();
            } else if (changed(func) ||
                       std::ranges::any_of(partition_.readers(func).outputs, changed)) {
                merges_[i] = merge_of(func);
            }
        }
    }

    Partition &partition_;
    const Dag &dag_;
    const Fusion fusion_;
    std::vector<std::optional<Merge>> merges_;  // of each group into another
};

}  // namespace

void merge_groups(Partition &partition, Fusion fusion) {
    Merging(partition, fusion).run();
}

}  // namespace autoschedule_gpu
