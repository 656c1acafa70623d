#include "halide/lower/alike_kernels.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>

#include "core/lowered/loop_names.h"

namespace autoschedule_gpu {
namespace {

namespace ir = Halide::Internal;

using Functions = std::map<std::string, ir::Function>;

// What the kernels of a Func at root are, but for the names of Funcs.
struct Form {
    std::string text = {};
    std::vector<Halide::Expr> exprs = {};
    bool is_comparable = true;
};

bool operator==(const Form &a, const Form &b) {
    return a.is_comparable && b.is_comparable && a.text == b.text &&
           std::ranges::equal(a.exprs, b.exprs, [](const Halide::Expr &x, const Halide::Expr &y) {
               return ir::graph_equal(x, y);
           });
}

// Funcs by the order in which a kernel comes to them.
class Numbers {
public:
    explicit Numbers(const Functions &functions) : functions_(functions) {}

    size_t of(const std::string &func) {
        const auto [at, is_new] = numbers_.emplace(func, order_.size());
        if (is_new) order_.push_back(func);
        return at->second;
    }
    std::string name(const std::string &func) { return "#" + std::to_string(of(func)); }
    bool has(const std::string &func) const { return numbers_.contains(func); }
    bool is_func(const std::string &name) const { return functions_.contains(name); }

    const std::vector<std::string> &order() const { return order_; }

private:
    const Functions &functions_;
    std::map<std::string, size_t> numbers_;
    std::vector<std::string> order_;
};

// With Funcs by their numbers: those that are called, and those whose ends conditions ask for.
class NumberFuncs : public ir::IRGraphMutator {
public:
    explicit NumberFuncs(Numbers &numbers) : numbers_(numbers) {}

protected:
    using IRGraphMutator::visit;

    Halide::Expr visit(const ir::Call *op) override {
        if (op->call_type != ir::Call::Halide) return IRGraphMutator::visit(op);
        const std::string name = numbers_.name(op->name);
        return ir::Call::make(op->type, name, ir::IRGraphMutator::mutate(op->args),
                              ir::Call::Halide, ir::FunctionPtr(), op->value_index);
    }

    Halide::Expr visit(const ir::Variable *op) override {
        const std::string func = func_of_loop(op->name);
        if (func == op->name || !numbers_.is_func(func)) return op;
        return ir::Variable::make(op->type, numbers_.name(func) + op->name.substr(func.size()));
    }

private:
    Numbers &numbers_;
};

// All expressions of a Func, in Halide's order. The Func stays as it is.
class Exprs : public ir::IRMutator {
public:
    explicit Exprs(std::vector<Halide::Expr> &found) : found_(found) {}

    using IRMutator::mutate;
    Halide::Expr mutate(const Halide::Expr &expr) override {
        found_.push_back(expr);
        return expr;
    }

private:
    std::vector<Halide::Expr> &found_;
};

class FormOf {
public:
    FormOf(const Functions &functions, const std::set<std::string> &outputs)
        : functions_(functions), outputs_(outputs), numbers_(functions), number_(numbers_) {}

    Form run(const std::string &root, const KeptRoot &kept) {
        numbers_.of(root);
        for (const KeptDimension &dim : kept.dims) {
            if (dim.constant) text_ << "constant " << dim.min << '+' << dim.extent;
            text_ << ';';
        }
        do {
            for (; described_ < numbers_.order().size(); ++described_) {
                const auto at = functions_.find(numbers_.order()[described_]);
                if (at == functions_.end()) {
                    form_.is_comparable = false;
                } else {
                    describe(at->second, described_ == 0);
                }
            }
        } while (number_wrappers());
        form_.text = text_.str();
        return std::move(form_);
    }

private:
    // What is computed elsewhere matters by how it is stored alone.
    void describe(ir::Function function, bool is_root) {
        const ir::FuncSchedule &schedule = function.schedule();
        if (outputs_.contains(function.name()) || function.has_extern_definition() ||
            schedule.async() || schedule.memoized()) {
            form_.is_comparable = false;
        }
        for (const Halide::Type &type : function.output_types()) text_ << type << ' ';
        text_ << function.dimensions() << " memory " << static_cast<int>(schedule.memory_type());
        for (const ir::StorageDim &dim : schedule.storage_dims()) {
            text_ << " stored " << dim.var << dim.fold_forward;
            for (const Halide::Expr &e : {dim.alignment, dim.bound, dim.fold_factor}) add(e);
        }
        for (const ir::Bound &bound : schedule.bounds()) {
            text_ << " bound " << bound.var;
            for (const Halide::Expr &e : {bound.min, bound.extent, bound.modulus, bound.remainder})
                add(e);
        }
        const bool at_root = describe_levels(schedule);
        if (!at_root || is_root) describe_computation(function);
        text_ << '\n';
    }

    void describe_computation(ir::Function &function) {
        std::vector<Halide::Expr> exprs;
        Exprs all(exprs);
        function.mutate(&all);
        for (const Halide::Expr &e : exprs) add(e);
        if (!function.has_pure_definition()) return;
        for (const std::string &arg : function.args()) text_ << ' ' << arg;
        describe(function.definition());
        for (const ir::Definition &update : function.updates()) describe(update);
    }

    void describe(const ir::Definition &definition) {
        const ir::StageSchedule &schedule = definition.schedule();
        if (!schedule.fused_pairs().empty() || !schedule.prefetches().empty()) {
            form_.is_comparable = false;
        }
        text_ << " stage " << schedule.allow_race_conditions() << schedule.atomic()
              << schedule.override_atomic_associativity_test();
        for (const ir::ReductionVariable &r : schedule.rvars()) text_ << " over " << r.var;
        for (const ir::Split &split : schedule.splits()) {
            text_ << " split " << split.old_var << ' ' << split.outer << ' ' << split.inner << ' '
                  << split.exact << static_cast<int>(split.tail) << ' '
                  << static_cast<int>(split.split_type);
        }
        for (const ir::Dim &dim : schedule.dims()) {
            text_ << " loop " << dim.var << ' ' << static_cast<int>(dim.for_type) << ' '
                  << static_cast<int>(dim.device_api) << ' ' << static_cast<int>(dim.dim_type)
                  << ' ' << static_cast<int>(dim.partition_policy);
        }
        for (const ir::Specialization &special : definition.specializations()) {
            text_ << " (" << special.failure_message;
            describe(special.definition);
            text_ << ')';
        }
    }

    // Returns whether the Func is at root.
    bool describe_levels(const ir::FuncSchedule &schedule) {
        bool at_root = false;
        for (Halide::LoopLevel level :
             {schedule.hoist_storage_level(), schedule.store_level(), schedule.compute_level()}) {
            level.lock();
            at_root = level.is_root();
            if (at_root || level.is_inlined()) {
                text_ << (at_root ? " root" : " inline");
            } else {
                text_ << " at " << numbers_.name(level.func()) << ' ' << level.get_stage_index()
                      << level.var().name();
            }
        }
        return at_root;
    }

    void add(const Halide::Expr &expr) {
        text_ << (expr.defined() ? 'e' : '-');
        if (expr.defined()) form_.exprs.push_back(number_.mutate(expr));
    }

    // Who is read instead of whom, by whom. False: that is all written down.
    bool number_wrappers() {
        constexpr size_t kAllReaders = std::numeric_limits<size_t>::max();
        std::set<std::tuple<size_t, size_t, std::string>> found;
        const std::vector<std::string> before = numbers_.order();
        for (const std::string &func : before) {
            const auto at = functions_.find(func);
            if (at == functions_.end()) continue;
            for (const auto &[reader, wrapper] : at->second.schedule().wrappers()) {
                if (!reader.empty() && !numbers_.has(reader)) continue;
                found.emplace(numbers_.of(func), reader.empty() ? kAllReaders : numbers_.of(reader),
                              ir::Function(wrapper).name());
            }
        }
        for (const auto &[func, reader, wrapper] : found) {
            text_ << func << " in " << reader << ' ' << numbers_.name(wrapper) << '\n';
        }
        return numbers_.order().size() > before.size();
    }

    const Functions &functions_;
    const std::set<std::string> &outputs_;
    Numbers numbers_;
    NumberFuncs number_;
    size_t described_ = 0;
    std::ostringstream text_;
    Form form_;
};

}  // namespace

std::vector<size_t> first_alike(const Halide::Pipeline &scheduled,
                                const std::vector<Halide::Func> &funcs,
                                std::span<const KeptRoot> roots) {
    Functions functions;
    std::set<std::string> outputs;
    for (const Halide::Func &func : funcs) {
        if (func.defined()) functions.emplace(func.name(), func.function());
    }
    for (const Halide::Func &output : scheduled.outputs()) outputs.insert(output.name());
    std::vector<Form> forms;
    std::vector<size_t> first;
    for (const KeptRoot &root : roots) {
        const auto func = static_cast<size_t>(root.func);
        const bool exists = root.func >= 0 && func < funcs.size() && funcs[func].defined();
        forms.push_back(exists ? FormOf(functions, outputs).run(funcs[func].name(), root)
                               : Form{.is_comparable = false});
        const auto same = std::ranges::find(forms, forms.back());
        first.push_back(same == forms.end() ? forms.size() - 1
                                            : static_cast<size_t>(same - forms.begin()));
    }
    return first;
}

}  // namespace autoschedule_gpu
