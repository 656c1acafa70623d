#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "scheduler/schedule/loop_tree.h"

namespace autoschedule_gpu {

namespace {

// What the directives of one stage say of its loops. A loop is known by its name, the algorithm's
// own as well: those of a stage differ.
struct LoopsOfStage {
    std::vector<std::string> order, blocks, threads, unrolled;  // innermost first
    std::map<std::string, int64_t> extents;                     // as far as they are known
    bool single_thread = false;

    bool is_kernel() const { return !blocks.empty() || single_thread; }

    TreeLoop loop(const std::string &name) const {
        const auto known = extents.find(name);
        TreeLoop result{name, std::nullopt, 1};
        if (known == extents.end()) return result;
        result.extent = known->second;
        if (std::ranges::count(unrolled, name) > 0) result.written_out = known->second;
        return result;
    }

    void add(const Directive &directive) {
        const std::vector<LoopRef> &loops = directive.loops;
        switch (directive.op) {
            case DirectiveOp::split:
                if (const auto whole = extents.find(loops[0].name); whole != extents.end()) {
                    extents[loops[1].name] =
                        (whole->second + directive.factor - 1) / directive.factor;
                }
                extents[loops[2].name] = directive.factor;
                split_in_order(loops);
                return;
            case DirectiveOp::fuse:
                if (extents.contains(loops[0].name) && extents.contains(loops[1].name)) {
                    extents[loops[2].name] = extents[loops[0].name] * extents[loops[1].name];
                }
                return;
            case DirectiveOp::reorder:
                order = names(loops);
                return;
            case DirectiveOp::unroll:
            case DirectiveOp::vectorize:
                unrolled.push_back(loops.front().name);
                return;
            case DirectiveOp::gpu_blocks:
                blocks = names(loops);
                return;
            case DirectiveOp::gpu_threads:
                threads = names(loops);
                return;
            case DirectiveOp::gpu_single_thread:
                single_thread = true;
                return;
            default:
                return;
        }
    }

    std::vector<TreeLoop> in_thread() const {
        std::vector<TreeLoop> result;
        for (const std::string &name : order) {
            const bool is_outside =
                std::ranges::count(blocks, name) + std::ranges::count(threads, name) > 0;
            if (!is_outside && !(loop(name).extent == 1)) result.push_back(loop(name));
        }
        return result;
    }

    std::vector<TreeLoop> all(const std::vector<std::string> &some) const {
        std::vector<TreeLoop> result;
        for (const std::string &name : some) {
            if (!(loop(name).extent == 1)) result.push_back(loop(name));
        }
        return result;
    }

private:
    // A loop that has its place already: what is made of it takes that.
    void split_in_order(const std::vector<LoopRef> &loops) {
        const auto at = std::ranges::find(order, loops[0].name);
        if (at == order.end()) return;
        *at = loops[1].name;
        order.insert(at, loops[2].name);
    }

    static std::vector<std::string> names(const std::vector<LoopRef> &loops) {
        std::vector<std::string> result;
        for (const LoopRef &loop : loops) result.push_back(loop.name);
        return result;
    }
};

// What the directives say of a Func as a whole.
struct FuncPlace {
    std::string name;
    int site = -1;  // compute_at: the Func and the loop
    std::string site_loop;
    std::optional<MemoryKind> memory;
    std::map<int, LoopsOfStage> stages;
};

class Trees {
public:
    explicit Trees(std::span<const Directive> schedule) {
        std::set<std::pair<int, int>> with_full_tiles;
        for (const Directive &directive : schedule) {
            if (directive.branch != Branch::full_tiles) continue;
            with_full_tiles.insert({directive.func, directive.stage});
        }
        std::set<std::pair<int, int>> with_aligned;  // what comes after is said in that branch
        for (const Directive &directive : schedule) {
            const std::pair key(directive.func, directive.stage);
            const bool is_aligned = directive.branch == Branch::aligned;
            const bool is_full = directive.branch == Branch::full_tiles;
            const bool is_meant = is_aligned || (!with_aligned.contains(key) &&
                                                 (is_full || !with_full_tiles.contains(key)));
            if (begins_aligned(directive.op)) with_aligned.insert(key);
            if (is_func_level(directive.op) || is_meant) add(directive);
        }
    }

    std::vector<LoopTree> make() const {
        std::vector<LoopTree> trees;
        for (const int func : order_) {
            for (const auto &[stage, loops] : funcs_.at(func).stages) {
                if (loops.is_kernel()) trees.push_back(kernel(func, stage));
            }
        }
        return trees;
    }

private:
    void add(const Directive &directive) {
        const auto [at, is_new] = funcs_.try_emplace(directive.func);
        FuncPlace &place = at->second;
        if (is_new) order_.push_back(directive.func);
        place.name = directive.func_name;
        if (directive.op == DirectiveOp::compute_at) {
            place.site = directive.site_func;
            place.site_loop = directive.site_loop.name;
        }
        if (directive.op == DirectiveOp::store_in) place.memory = directive.memory;
        if (!is_func_level(directive.op)) place.stages[directive.stage].add(directive);
    }

    LoopTree kernel(int func, int stage) const {
        const FuncPlace &place = funcs_.at(func);
        const LoopsOfStage &loops = place.stages.at(stage);
        LoopTree tree{.stage = describe_stage(place.name, stage),
                      .level = Level::block,
                      .loops = loops.all(loops.blocks)};
        for (const int other : order_) add_computed_in_block(other, func, loops, tree);
        tree.body.push_back(threads(func, stage, MemoryKind::global));
        return tree;
    }

    // Of what is computed in the block: at one of its loops, or at a loop of something there.
    void add_computed_in_block(int func, int site, const LoopsOfStage &loops,
                               LoopTree &tree) const {
        const FuncPlace &place = funcs_.at(func);
        if (place.site != site || is_in_thread(loops, place.site_loop)) return;
        const bool in_block = std::ranges::count(loops.blocks, place.site_loop) > 0;
        for (const auto &[stage, own] : place.stages) {
            tree.body.push_back(threads(func, stage, place.memory.value_or(MemoryKind::shared)));
            if (!in_block) tree.body.back().in_loop_of = funcs_.at(site).name;
            for (const int other : order_) {
                if (other != func) add_computed_in_block(other, func, own, tree);
            }
        }
    }

    static bool is_in_thread(const LoopsOfStage &loops, const std::string &loop) {
        if (std::ranges::count(loops.blocks, loop) > 0) return false;
        const auto place_of = [&](const std::string &name) {
            return std::ranges::find(loops.order, name) - loops.order.begin();
        };
        for (const std::string &thread : loops.threads) {
            if (place_of(loop) <= place_of(thread)) return true;
        }
        return false;
    }

    LoopTree threads(int func, int stage, MemoryKind memory) const {
        const FuncPlace &place = funcs_.at(func);
        const LoopsOfStage &loops = place.stages.at(stage);
        const std::string name = describe_stage(place.name, stage);
        LoopTree tree{.stage = name,
                      .level = Level::thread,
                      .loops = loops.all(loops.threads),
                      .memory = memory};
        for (const int other : order_) {
            const FuncPlace &inner = funcs_.at(other);
            if (inner.site != func || !is_in_thread(loops, inner.site_loop)) continue;
            for (const auto &[inner_stage, own] : inner.stages) {
                tree.body.push_back({.stage = describe_stage(inner.name, inner_stage),
                                     .loops = own.in_thread(),
                                     .memory = inner.memory.value_or(MemoryKind::registers)});
            }
        }
        tree.body.push_back({.stage = name, .loops = loops.in_thread(), .memory = memory});
        return tree;
    }

    std::map<int, FuncPlace> funcs_;
    std::vector<int> order_;  // of their first directives
};

// A schedule for several sizes begins anew for each of them; the last is for all other sizes.
std::span<const Directive> schedule_of_other_sizes(std::span<const Directive> schedule) {
    const auto last = std::ranges::find(schedule.rbegin(), schedule.rend(), DirectiveOp::for_sizes,
                                        &Directive::op);
    return schedule.last(static_cast<size_t>(last - schedule.rbegin()));
}

}  // namespace

std::vector<LoopTree> loop_trees(const Schedule &schedule) {
    return Trees(schedule_of_other_sizes(schedule)).make();
}

}  // namespace autoschedule_gpu
