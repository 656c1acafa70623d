#include "halide/apply/settle.h"

#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "halide/apply/apply.h"
#include "halide/apply/device_address.h"
#include "halide/apply/whole_fours.h"
#include "halide/apply/whole_steps.h"

namespace autoschedule_gpu {
namespace {

namespace ir = Halide::Internal;

constexpr std::string_view kPrefix = "autoschedule_gpu:";
constexpr std::string_view kFours = "fours:";
constexpr std::string_view kSteps = "steps:";  // a number, a colon and the loop
constexpr std::string_view kAddress = "address:";

// `definition`: of the stage, whose reduction the condition may be about.
class Settle : public ir::IRMutator {
public:
    explicit Settle(const ir::Definition &definition) : definition_(definition) {}
    using IRMutator::mutate;

protected:
    using IRMutator::visit;

    Halide::Expr visit(const ir::Variable *op) override {
        if (!op->param.defined() || !op->name.starts_with(kPrefix)) return op;
        const std::string name = op->name.substr(kPrefix.size());
        if (name.starts_with(kFours)) return has_fours(definition_, name.substr(kFours.size()));
        if (name.starts_with(kAddress)) return has_aligned_address(name.substr(kAddress.size()));
        if (name.starts_with(kSteps)) return has_steps(name.substr(kSteps.size()), op);
        return ir::Variable::make(op->type, name);
    }

    // What is true anyway is left out, as where the condition is made in C++.
    Halide::Expr visit(const ir::And *op) override {
        const Halide::Expr a = mutate(op->a), b = mutate(op->b);
        if (ir::is_const_one(a)) return b;
        return ir::is_const_one(b) ? a : a && b;
    }

private:
    // What is no number of steps stays as it is, for Halide to refuse.
    Halide::Expr has_steps(const std::string &text, const ir::Variable *op) const {
        const size_t colon = text.find(':');
        const int steps = std::atoi(text.c_str());
        if (colon == std::string::npos || steps < 1) return op;
        return has_whole_steps(definition_, text.substr(colon + 1), steps);
    }

    const ir::Definition &definition_;
};

void settle(ir::Definition &definition) {
    for (ir::Specialization &branch : definition.specializations()) {
        branch.condition = Settle(branch.definition).mutate(branch.condition);
        settle(branch.definition);
    }
}

// Wrappers are called by nobody before Halide lowers the pipeline: they hang on what they wrap.
void settle(ir::Function function, std::set<std::string> &done) {
    if (!done.insert(function.name()).second) return;
    if (function.has_pure_definition()) settle(function.definition());
    for (size_t i = 0; i < function.updates().size(); ++i) {
        settle(function.update(static_cast<int>(i)));
    }
    for (const auto &[reader, wrapper] : function.wrappers()) {
        settle(ir::Function(wrapper), done);
    }
}

}  // namespace

void settle_conditions(const Halide::Pipeline &pipeline) {
    std::set<std::string> done;
    for (const Halide::Func &func : all_funcs(pipeline)) settle(func.function(), done);
    Halide::Pipeline(pipeline).invalidate_cache();
}

}  // namespace autoschedule_gpu
