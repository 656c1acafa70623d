#include "halide/read/read_choices.h"

#include <bit>
#include <numeric>
#include <optional>
#include <set>

namespace autoschedule_gpu::reading {
namespace {

using Halide::Expr;

// One bit for each combination of what the loops that choose may be.
using Cells = uint64_t;
constexpr size_t kMostCells = 64;

// What is asked of a loop whose iterations all differ has so many values at most.
constexpr int64_t kMostIterations = 8;

// The nodes that choose: what they ask, and between what.
struct ChoiceNode {
    Expr index;
    std::vector<Expr> arms;  // for a condition that of true first
};

std::optional<ChoiceNode> choice_node(const HI::Call *op) {
    if (op->is_intrinsic(HI::Call::mux)) {
        return ChoiceNode{op->args[0], {op->args.begin() + 1, op->args.end()}};
    }
    if (op->is_intrinsic(HI::Call::if_then_else) && op->args.size() == 3) {
        return ChoiceNode{op->args[0], {op->args[1], op->args[2]}};
    }
    return std::nullopt;
}

ChoiceNode choice_node(const HI::Select *op) {
    return {op->condition, {op->true_value, op->false_value}};
}

// What an index or condition depends on, if on loops alone: each by its remainder or by itself.
class LoopsOfIndex : public HI::IRGraphVisitor {
public:
    explicit LoopsOfIndex(const std::vector<Interval> &ranges) : ranges_(ranges) {}

    std::vector<LoopChoice> found;
    bool is_known = true;

private:
    using HI::IRGraphVisitor::visit;

    void add(const std::string &variable, int64_t period) {
        for (size_t i = 0; i < ranges_.size(); ++i) {
            if (variable != loop_variable(i)) continue;
            found.push_back({i, period});
            is_known &= period > 0 || ranges_[i].extent() <= kMostIterations;
            return;
        }
        is_known = false;
    }
    void visit(const HI::Variable *op) override { add(op->name, 0); }
    void visit(const HI::Call *) override { is_known = false; }
    void visit(const HI::Load *) override { is_known = false; }
    void visit(const HI::Mod *op) override {
        const auto divisor = HI::as_const_int(op->b);
        const Expr &of = op->a;
        const HI::Add *sum = of.as<HI::Add>();
        const HI::Sub *difference = of.as<HI::Sub>();
        const Expr loop = sum && HI::is_const(sum->b)                 ? sum->a
                          : difference && HI::is_const(difference->b) ? difference->a
                                                                      : of;
        const HI::Variable *variable = loop.as<HI::Variable>();
        if (!divisor || *divisor < 2 || *divisor > kMostIterations || !variable) {
            return HI::IRGraphVisitor::visit(op);
        }
        add(variable->name, *divisor);
    }

    const std::vector<Interval> &ranges_;
};

// Evaluates an expression at an iteration. Halide's own `simplify` and `substitute` visit what is
// shared once for each use: exponentially often where each step uses the one before it twice.
class Evaluation : public HI::IRMutator {
public:
    explicit Evaluation(std::map<std::string, Expr> values) : values_(std::move(values)) {}

    using HI::IRMutator::mutate;
    Expr mutate(const Expr &e) override {
        const auto known = known_.find(e);
        if (known != known_.end()) return known->second;
        return known_[e] = HI::simplify(HI::IRMutator::mutate(e));
    }

private:
    using HI::IRMutator::visit;
    Expr visit(const HI::Variable *op) override {
        const auto value = values_.find(op->name);
        return value == values_.end() ? Expr(op) : value->second;
    }

    const std::map<std::string, Expr> values_;
    std::map<Expr, Expr, Halide::ExprCompare> known_;
};

// All combinations of the remainders and iterations that decide.
class CellSpace {
public:
    explicit CellSpace(const std::vector<Interval> &ranges) : ranges_(ranges) {}

    // Adds what an index depends on; false, and nothing changes, if that is not known or too much.
    bool include(const Expr &index) {
        LoopsOfIndex loops(ranges_);
        index.accept(&loops);
        if (!loops.is_known || loops.found.empty()) return false;
        std::vector<LoopChoice> merged = choices_;
        for (const LoopChoice &one : loops.found) merge(one, merged);
        const size_t count = cells(merged);  // none of a loop without iterations
        if (count == 0 || count > kMostCells || merged.size() > kMostChoices) return false;
        choices_ = std::move(merged);
        return true;
    }

    const std::vector<LoopChoice> &choices() const { return choices_; }
    size_t size() const { return cells(choices_); }
    Cells all() const { return size() == kMostCells ? ~Cells{0} : (Cells{1} << size()) - 1; }

    // Returns the choices that an index depends on, as a set.
    size_t asked(const Expr &index) const {
        size_t result = 0;
        for (size_t i = 0; i < choices_.size(); ++i) {
            if (HI::expr_uses_var(index, loop_variable(choices_[i].loop))) result |= size_t{1} << i;
        }
        return result;
    }

    // Returns groups of cells that are the same in the known choices.
    std::vector<Cells> groups(size_t known) const {
        std::map<std::vector<int64_t>, Cells> by_digits;
        for (size_t cell = 0; cell < size(); ++cell) {
            std::vector<int64_t> digits;
            size_t rest = cell;
            for (size_t i = 0; i < choices_.size(); ++i) {
                const auto n = static_cast<size_t>(iterations(choices_[i]));
                if (known >> i & 1) digits.push_back(static_cast<int64_t>(rest % n));
                rest /= n;
            }
            by_digits[digits] |= Cells{1} << cell;
        }
        std::vector<Cells> result;
        for (const auto &[digits, cells] : by_digits) result.push_back(cells);
        return result;
    }

    // Returns the cells in which each of the arms is taken; nothing if an index is no constant
    // even then.
    std::optional<std::vector<Cells>> arms(const ChoiceNode &node) const {
        std::vector<Cells> result(node.arms.size());
        const bool is_condition = node.index.type().is_bool();
        for (size_t cell = 0; cell < size(); ++cell) {
            const Expr at = Evaluation(values(cell)).mutate(node.index);
            if (is_condition) {
                if (!HI::is_const_one(at) && !HI::is_const_zero(at)) return std::nullopt;
                result[HI::is_const_one(at) ? 0 : 1] |= Cells{1} << cell;
                continue;
            }
            const auto position = HI::as_const_int(at);
            if (!position) return std::nullopt;
            const bool inside = *position >= 0 && *position < static_cast<int64_t>(result.size());
            result[inside ? static_cast<size_t>(*position) : result.size() - 1] |= Cells{1} << cell;
        }
        return result;
    }

private:
    int64_t iterations(const LoopChoice &choice) const {
        return choice.period > 0 ? choice.period : ranges_[choice.loop].extent();
    }

    size_t cells(const std::vector<LoopChoice> &choices) const {
        size_t product = 1;
        for (const LoopChoice &one : choices) product *= static_cast<size_t>(iterations(one));
        return product;
    }

    // A loop of which all iterations differ has remainders, too.
    static void merge(const LoopChoice &one, std::vector<LoopChoice> &into) {
        for (LoopChoice &other : into) {
            if (other.loop != one.loop) continue;
            const bool whole = one.period == 0 || other.period == 0;
            other.period = whole ? 0 : std::lcm(one.period, other.period);
            return;
        }
        into.push_back(one);
    }

    std::map<std::string, Expr> values(size_t cell) const {
        std::map<std::string, Expr> result;
        for (const LoopChoice &one : choices_) {
            const auto n = static_cast<size_t>(iterations(one));
            const int64_t first = one.period > 0 ? 0 : ranges_[one.loop].min;
            result[loop_variable(one.loop)] = static_cast<int>(first + cell % n);
            cell /= n;
        }
        return result;
    }

    const std::vector<Interval> &ranges_;
    std::vector<LoopChoice> choices_;
};

// Visits each choice of a graph once.
template <typename Found>
class ChoiceFinder : public HI::IRGraphVisitor {
public:
    explicit ChoiceFinder(Found found) : found_(found) {}

private:
    using HI::IRGraphVisitor::visit;
    void visit(const HI::Select *op) override {
        found_(op, choice_node(op));
        HI::IRGraphVisitor::visit(op);
    }
    void visit(const HI::Call *op) override {
        if (const auto node = choice_node(op)) found_(op, *node);
        HI::IRGraphVisitor::visit(op);
    }

    Found found_;
};

using ArmsOfNodes = std::map<const HI::IRNode *, std::vector<Cells>>;

// Spreads the cells from the roots down: below a choice, of an arm those in which it is taken.
class CellSpread : public HI::IRGraphVisitor {
public:
    CellSpread(const ArmsOfNodes &arms, Cells all) : arms_(arms), now_(all) {}

    std::map<const HI::IRNode *, Cells> cells;

    void include(const Expr &e) override {
        Cells &known = cells[e.get()];
        if ((now_ & ~known) == 0) return;
        known |= now_;
        e.accept(this);
    }

private:
    using HI::IRGraphVisitor::visit;

    bool visit_arms(const HI::IRNode *op, const ChoiceNode &node) {
        const auto known = arms_.find(op);
        if (known == arms_.end()) return false;
        const Cells outside = now_;
        for (size_t i = 0; i < node.arms.size(); ++i) {
            now_ = outside & known->second[i];
            include(node.arms[i]);
        }
        now_ = outside;
        return true;
    }
    void visit(const HI::Select *op) override {
        if (!visit_arms(op, choice_node(op))) HI::IRGraphVisitor::visit(op);
    }
    void visit(const HI::Call *op) override {
        const auto node = choice_node(op);
        if (!node || !visit_arms(op, *node)) HI::IRGraphVisitor::visit(op);
    }

    const ArmsOfNodes &arms_;
    Cells now_;
};

// Those of an expression, itself among them.
std::set<const HI::IRNode *> nodes_of(const Expr &expr) {
    struct Collector : HI::IRGraphVisitor {
        std::set<const HI::IRNode *> nodes;
        void include(const Expr &e) override {
            if (nodes.insert(e.get()).second) e.accept(this);
        }
    } collector;
    collector.include(expr);
    return std::move(collector.nodes);
}

std::vector<Expr> roots(const StageGraph &graph) {
    std::vector<Expr> all = graph.values;
    all.insert(all.end(), graph.args.begin(), graph.args.end());
    if (graph.predicate.defined()) all.push_back(graph.predicate);
    return all;
}

}  // namespace

Choices::Choices(const StageGraph &graph, const std::vector<Interval> &ranges) {
    CellSpace space(ranges);
    std::vector<std::pair<const HI::IRNode *, ChoiceNode>> nodes;
    ChoiceFinder find([&](const HI::IRNode *op, const ChoiceNode &node) {
        if (space.include(node.index)) nodes.emplace_back(op, node);
    });
    for (const Expr &root : roots(graph)) root.accept(&find);
    ArmsOfNodes arms;
    for (const auto &[op, node] : nodes) {
        if (auto cells = space.arms(node)) arms.emplace(op, *std::move(cells));
    }
    if (arms.empty()) return;
    choices_ = space.choices();
    for (size_t known = 0; known < known_sets(); ++known) groups_.push_back(space.groups(known));
    CellSpread spread(arms, space.all());
    for (const Expr &root : roots(graph)) spread.include(root);
    for (const auto &[node, cells] : spread.cells) nodes_[node].cells = cells;
    for (const auto &[op, node] : nodes) {
        if (!arms.contains(op)) continue;
        const size_t asked = space.asked(node.index);
        nodes_[op].asks = asked;
        for (const HI::IRNode *asker : nodes_of(node.index)) {
            // What a value needs as well is computed with it.
            if (!spread.cells.contains(asker)) nodes_[asker] = {nodes_[op].cells, asked};
        }
    }
}

double Choices::share(const HI::IRNode *node, size_t known) const {
    const auto found = nodes_.find(node);
    if (found == nodes_.end()) return 1;
    const auto &[cells, asks] = found->second;
    if (asks != 0 && (asks & ~known) == 0) return 0;
    size_t computed = 0;
    for (const Cells group : groups_[known]) computed += (group & cells) != 0 ? 1 : 0;
    return static_cast<double>(computed) / static_cast<double>(groups_[known].size());
}

}  // namespace autoschedule_gpu::reading
