#include "scheduler/search/repeats.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "core/support/hash.h"

namespace autoschedule_gpu {

namespace {

// Of Funcs that count as the same, one has at most so many times the points of the other along a
// dimension.
constexpr double kMostPoints = 1.25;
// What costs as much to within this is no reason to change a kernel.
constexpr double kLess = 0.999;
constexpr double kNever = std::numeric_limits<double>::infinity();

bool is_wrapper(const Func &func) {
    return func.wraps.valid();
}

double points_of(const Func &func) {
    double points = 1;
    for (const Dimension &dim : func.dims) points *= static_cast<double>(dim.estimate.extent());
    return points;
}

// Of all that decides what a Func's own loops cost, but for names, places, and how many points
// there are.
uint64_t signature_of(const Dag &dag, const Func &func) {
    Hasher hasher;
    hasher.add(static_cast<uint64_t>(func.kind)).add(func.dims.size()).add(func.stages.size());
    hasher.add(func.on_host() ? 1 : 0).add(func.can_inline ? 1 : 0).add(is_wrapper(func) ? 1 : 0);
    hasher.add(static_cast<uint64_t>(int64_t{func.stored_first}));
    for (const ScalarType &type : func.values) {
        hasher.add(static_cast<uint64_t>(type.code)).add(type.bits);
    }
    for (const StageId id : func.stages) hasher.add(signature(dag.stage(id)));
    return hasher.value();
}

// The Funcs that a Func reads, as its stages name them.
std::vector<FuncId> producers_of(const Dag &dag, const Func &func) {
    std::vector<FuncId> producers;
    for (const StageId stage : func.stages) {
        for (const EdgeId edge : dag.stage(stage).edges) {
            producers.push_back(dag.edge(edge).producer);
        }
    }
    return producers;
}

// A Func at root, and what is computed in its kernels.
struct Pattern {
    FuncId root;
    std::set<FuncId> inside;  // members and what is inlined
    double cost = 0;
    size_t computed = 1;  // Funcs that are no wrappers
};

std::vector<std::optional<Pattern>> patterns_of(const Dag &dag, const State &state) {
    std::vector<std::optional<Pattern>> patterns(dag.funcs.size());
    for (size_t k = 0; k < state.nest.kernels.size(); ++k) {
        const Kernel &kernel = *state.nest.kernels[k];
        const FuncId root = dag.stage(kernel.stage).func;
        std::optional<Pattern> &pattern = patterns[root.index()];
        if (!pattern) pattern = Pattern{root, {}, 0};
        pattern->cost += state.kernel_costs[k];
        for (const Member &member : kernel.members) pattern->inside.insert(member.func);
        pattern->inside.insert(kernel.inlined.begin(), kernel.inlined.end());
    }
    for (std::optional<Pattern> &pattern : patterns) {
        if (!pattern) continue;
        pattern->inside.erase(pattern->root);  // a member by its own reduction
        pattern->computed += std::ranges::count_if(
            pattern->inside, [&](FuncId func) { return !is_wrapper(dag.func(func)); });
    }
    return patterns;
}

bool have_like_extents(const Dimension &a, const Dimension &b) {
    const auto points = [](const Dimension &dim) {
        return static_cast<double>(dim.estimate.extent());
    };
    if (a.constant || b.constant) return a.constant == b.constant && points(a) == points(b);
    return points(a) <= kMostPoints * points(b) && points(b) <= kMostPoints * points(a);
}

class Repeating {
public:
    Repeating(const Dag &dag, const State &state)
        : dag_(dag), state_(state), own_(patterns_of(dag, state)) {
        for (const Func &func : dag.funcs) signatures_.push_back(signature_of(dag, func));
        for (const auto &pattern : own_) {
            if (pattern && dag.func(pattern->root).ours == Func::Ours::all) offer(*pattern);
        }
    }

    std::vector<Counterparts> find() {
        if (!is_there_a_choice()) return {};
        for (size_t i = 0; i < dag_.funcs.size(); ++i) best_.push_back(best_of(FuncId(i)));
        return chosen();
    }

private:
    struct Choice {
        double cost = kNever;  // of the kernels, and of those before them that they alone read
        FuncId as;             // the root of the pattern
        std::optional<Counterparts> where;
    };

    // Of those that compute as many Funcs and end in the same, the cheapest stands for all.
    void offer(const Pattern &pattern) {
        auto &offered = offered_[signatures_[pattern.root.index()]][pattern.computed];
        if (offered == nullptr || pattern.cost < offered->cost) offered = &pattern;
    }

    bool is_there_a_choice() const {
        std::map<uint64_t, int> at_root;
        for (const auto &pattern : own_) {
            if (pattern && ++at_root[signatures_[pattern->root.index()]] > 1) return true;
        }
        return false;
    }

    Choice best_of(FuncId func) const {
        Choice best;
        const auto take = [&](const Pattern &pattern) {
            std::optional<Counterparts> where = placed(pattern, func);
            if (!where) return;
            const double cost =
                pattern.cost * points_of(dag_.func(func)) / points_of(dag_.func(pattern.root)) +
                cost_before(*where);
            if (cost < kLess * best.cost) best = {cost, pattern.root, std::move(where)};
        };
        if (const auto &own = own_[func.index()]) take(*own);
        const auto offered = offered_.find(signatures_[func.index()]);
        if (offered != offered_.end()) {
            for (const auto &[computed, pattern] : offered->second) take(*pattern);
        }
        return best;
    }

    // The pattern with `func` at root, if all that it computes has a counterpart there which
    // nothing else reads.
    std::optional<Counterparts> placed(const Pattern &pattern, FuncId func) const {
        Counterparts where(dag_);
        std::vector<std::pair<FuncId, FuncId>> open{{pattern.root, func}};
        while (!open.empty()) {
            const auto [from, to] = open.back();
            open.pop_back();
            if (where.func(from) == to) continue;
            if (where.func(from).valid() || !are_alike(from, to)) return std::nullopt;
            where.add(from, to);
            const std::vector<FuncId> reads = producers_of(dag_, dag_.func(from));
            const std::vector<FuncId> others = producers_of(dag_, dag_.func(to));
            if (reads.size() != others.size()) return std::nullopt;
            for (size_t i = 0; i < reads.size(); ++i) {
                if (pattern.inside.contains(reads[i])) open.emplace_back(reads[i], others[i]);
            }
        }
        return is_closed(where, func) ? std::optional(std::move(where)) : std::nullopt;
    }

    bool are_alike(FuncId a, FuncId b) const {
        const Func &one = dag_.func(a), &other = dag_.func(b);
        return signatures_[a.index()] == signatures_[b.index()] && other.may_be_in_kernel() &&
               is_copy(dag_, a) == is_copy(dag_, b) &&
               std::ranges::equal(one.dims, other.dims, have_like_extents);
    }

    bool is_closed(const Counterparts &where, FuncId root) const {
        const std::set<FuncId> inside = targets(where);
        if (inside.size() != where.funcs().size()) return false;
        return std::ranges::all_of(inside, [&](FuncId func) {
            return func == root || state_.nest.place(func) == Place::inlined ||
                   is_read_only_by(func, inside);
        });
    }

    static std::set<FuncId> targets(const Counterparts &where) {
        std::set<FuncId> result;
        for (const auto &[from, to] : where.funcs()) result.insert(to);
        return result;
    }

    bool is_read_only_by(FuncId func, const std::set<FuncId> &readers) const {
        return std::ranges::all_of(dag_.consumers[func.index()], [&](EdgeId edge) {
            return readers.contains(dag_.stage(dag_.edge(edge).consumer).func);
        });
    }

    // What kernels read that compute those Funcs.
    std::set<FuncId> read_by(const std::set<FuncId> &inside) const {
        std::set<FuncId> result;
        for (const FuncId func : inside) {
            for (const FuncId producer : producers_of(dag_, dag_.func(func))) {
                if (!inside.contains(producer) && !dag_.func(producer).is_input()) {
                    result.insert(producer);
                }
            }
        }
        return result;
    }

    double cost_before(const Counterparts &where) const {
        const std::set<FuncId> inside = targets(where);
        double cost = 0;
        for (const FuncId func : read_by(inside)) {
            if (is_read_only_by(func, inside)) cost += best_[func.index()].cost;
        }
        return cost;
    }

    // From the outputs on. Empty where what is read of a Func decides against what is best for it.
    std::vector<Counterparts> chosen() const {
        std::vector<Counterparts> result;
        std::set<FuncId> at_root, inside;
        for (size_t i = dag_.funcs.size(); i-- > 0;) {
            const FuncId id(i);
            if (!dag_.func(id).is_output() && !at_root.contains(id)) continue;
            const Choice &choice = best_[i];
            if (!choice.where || inside.contains(id)) return {};
            for (const FuncId func : targets(*choice.where)) {
                if (func != id) inside.insert(func);
            }
            at_root.merge(read_by(targets(*choice.where)));
            if (choice.as != id) result.push_back(*choice.where);
        }
        return result;
    }

    const Dag &dag_;
    const State &state_;
    const std::vector<std::optional<Pattern>> own_;  // by FuncId, of those at root
    std::vector<uint64_t> signatures_;               // by FuncId
    // By the signature of the root, and the number of Funcs.
    std::map<uint64_t, std::map<size_t, const Pattern *>> offered_;
    std::vector<Choice> best_;  // by FuncId, as if it were at root
};

}  // namespace

FuncId Counterparts::func(FuncId from) const {
    const auto at = of_.find(from);
    return at == of_.end() ? FuncId() : at->second;
}

StageId Counterparts::stage(StageId from) const {
    const Stage &stage = dag_->stage(from);
    const FuncId to = func(stage.func);
    return to.valid() ? dag_->func(to).stages[static_cast<size_t>(stage.index)] : StageId();
}

std::vector<std::pair<StageId, StageId>> Counterparts::stages() const {
    std::vector<std::pair<StageId, StageId>> result;
    for (const auto &[from, to] : of_) {
        for (const StageId id : dag_->func(from).stages) result.emplace_back(id, stage(id));
    }
    return result;
}

std::vector<Counterparts> repeats(const Dag &dag, const State &state) {
    return Repeating(dag, state).find();
}

}  // namespace autoschedule_gpu
