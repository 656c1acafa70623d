#include "scheduler/schedule/cpp_factors.h"

#include <tuple>
#include <utility>

#include "scheduler/schedule/directive_targets.h"

namespace autoschedule_gpu {
namespace {

class FactorWriter {
public:
    FactorWriter(const Schedule &factors, const Dag &dag, const Dag &factored,
                 Identifiers &identifiers, std::map<int, std::string> &funcs)
        : factors_(factors),
          dag_(dag),
          factored_(factored),
          reductions_(factors, reductions_of(dag)),
          identifiers_(identifiers),
          funcs_(funcs) {}

    std::vector<std::string> write() {
        lines_ = {"", "// Partial results: what is left of these reductions puts them together."};
        declare_made_loops();
        declare_original_loops();
        for (const Directive &directive : factors_) write(directive);
        return std::move(lines_);
    }

private:
    using MadeKey = std::pair<bool, std::string>;   // is reduction, name
    using OriginalKey = std::tuple<int, int, int>;  // Func, stage, loop

    void declare_made_loops() {
        for (const Directive &directive : factors_) {
            for (const LoopRef &loop : directive.loops) {
                if (loop.is_original()) continue;
                made_.try_emplace(
                    {reductions_.contains(directive.func, directive.stage, loop), loop.name});
            }
        }
        for (auto &[key, identifier] : made_) {
            identifier = identifiers_.unique(key.second);
            lines_.push_back((key.first ? "RVar " : "Var ") + identifier + "(\"" + key.second +
                             "\");");
        }
    }

    // All before the first split, after which other loops have their places.
    void declare_original_loops() {
        for (const Directive &directive : factors_) {
            for (const LoopRef &loop : directive.loops) {
                if (!loop.is_original() || !is_rvar(directive, loop)) continue;
                const auto [at, is_new] = original_.try_emplace(key_of(directive, loop));
                if (!is_new) continue;
                at->second =
                    identifiers_.unique(loop_name(dag_, directive.func, directive.stage, loop));
                lines_.push_back("RVar " + at->second + "(" + variable(directive, loop) + ");");
            }
        }
    }

    static OriginalKey key_of(const Directive &directive, const LoopRef &loop) {
        return {directive.func, directive.stage, loop.original};
    }

    std::string variable(const Directive &directive, const LoopRef &loop) const {
        return loop_variable(describe_stage(funcs_.at(directive.func), directive.stage),
                             loop.original);
    }

    std::string spell(const Directive &directive, const LoopRef &loop) const {
        const bool reduction = reductions_.contains(directive.func, directive.stage, loop);
        if (!loop.is_original()) return made_.at({reduction, loop.name});
        if (is_rvar(directive, loop)) return original_.at(key_of(directive, loop));
        return "Var(" + variable(directive, loop) + ")";
    }

    // The dimensions of what is made are no loops of the pipeline before.
    bool is_rvar(const Directive &directive, const LoopRef &loop) const {
        return find_func(dag_, directive.func) != nullptr &&
               reductions_.contains(directive.func, directive.stage, loop);
    }

    void write(const Directive &directive) {
        const std::string call =
            describe_stage(funcs_.at(directive.func), directive.stage) + "." +
            call_text(
                directive, [&](const LoopRef &loop) { return spell(directive, loop); }, "", "");
        if (!shape(directive.op).factor) return lines_.push_back(call + ";");
        const Func *made = find_func(factored_, directive.made_func);
        const std::string identifier = identifiers_.unique(
            made != nullptr ? made->name : "func_" + std::to_string(directive.made_func));
        funcs_[directive.made_func] = identifier;
        lines_.push_back("Func " + identifier + " = " + call + ";");
    }

    const Schedule &factors_;
    const Dag &dag_, &factored_;
    ReductionLoops reductions_;
    Identifiers &identifiers_;
    std::map<int, std::string> &funcs_;
    std::map<MadeKey, std::string> made_;
    std::map<OriginalKey, std::string> original_;
    std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> cpp_factors(const Schedule &factors, const Dag &dag, const Dag &factored,
                                     Identifiers &identifiers, std::map<int, std::string> &funcs) {
    return FactorWriter(factors, dag, factored, identifiers, funcs).write();
}

}  // namespace autoschedule_gpu
