#include "halide/read/read_stage.h"

#include <algorithm>
#include <cstdlib>

#include "halide/version/version.h"

namespace autoschedule_gpu::reading {
namespace {

using Halide::Expr;

constexpr char kImagePrefix[] = "image:";
constexpr char kRegisterPrefix[] = "reg.";

class Prepare : public HI::IRGraphMutator {
public:
    explicit Prepare(std::map<std::string, std::string> names) : names_(std::move(names)) {}

private:
    using HI::IRGraphMutator::visit;

    Expr visit(const HI::Variable *op) override {
        if (op->param.defined() || op->image.defined()) return op;
        const auto it = names_.find(op->name);
        return it == names_.end() ? Expr(op) : HI::Variable::make(op->type, it->second);
    }

    Expr visit(const HI::Call *op) override {
        if (halide_version::is_strict_float(*op)) {
            return mutate(halide_version::without_strict_float(*op));
        }
        if (is_clamped_loop(op)) return mutate(op->args[0]);
        if (op->call_type != HI::Call::Image) return HI::IRGraphMutator::visit(op);
        return HI::Call::make(op->type, image_key(op->name), mutate(op->args), op->call_type,
                              op->func, op->value_index, op->image, op->param);
    }

    // An rfactor promises for each loop of the RDom that it stays within it. Where the range is
    // constant, Halide's simplifier knows that and drops the promise when the loop is there.
    bool is_clamped_loop(const HI::Call *op) const {
        if (!op->is_intrinsic(HI::Call::promise_clamped)) return false;
        const auto *variable = op->args[0].as<HI::Variable>();
        return variable != nullptr && names_.contains(variable->name) &&
               HI::is_const(HI::simplify(op->args[1])) && HI::is_const(HI::simplify(op->args[2]));
    }

    std::map<std::string, std::string> names_;
};

}  // namespace

std::string loop_variable(size_t loop) {
    return "loop." + std::to_string(loop);
}

std::string register_variable(size_t reg) {
    return kRegisterPrefix + std::to_string(reg);
}

int register_of(const std::string &variable) {
    constexpr size_t length = sizeof(kRegisterPrefix) - 1;
    if (variable.compare(0, length, kRegisterPrefix) != 0) return -1;
    return std::atoi(variable.c_str() + length);
}

std::string image_key(const std::string &image) {
    return kImagePrefix + image;
}

std::string image_of(const std::string &key) {
    constexpr size_t length = sizeof(kImagePrefix) - 1;
    return key.compare(0, length, kImagePrefix) == 0 ? key.substr(length) : "";
}

StageSource stage_source(const HI::Function &func, int index, const std::vector<HI::Dim> *loops) {
    StageSource stage;
    stage.func = func;
    stage.index = index;
    const HI::Definition &definition = stage.definition();
    std::map<std::string, std::string> names;
    for (const HI::Dim &dim : loops ? *loops : definition.schedule().dims()) {
        if (dim.var == Halide::Var::outermost().name()) continue;
        names[dim.var] = loop_variable(stage.dims.size());
        stage.dims.push_back(dim);
    }
    stage.rvars = definition.schedule().rvars();
    Prepare prepare(std::move(names));
    for (const Expr &arg : definition.args()) stage.args.push_back(prepare.mutate(arg));
    for (const Expr &value : definition.values()) stage.values.push_back(prepare.mutate(value));
    const Expr &predicate = definition.predicate();
    if (predicate.defined() && !HI::is_const_one(predicate)) {
        stage.predicate = prepare.mutate(predicate);
        for (const Expr &condition : definition.split_predicate()) {
            stage.conditions.push_back(prepare.mutate(condition));
        }
    }
    return stage;
}

bool is_undefined(const StageSource &stage) {
    const auto is_undef = [](const Expr &value) {
        const auto *call = value.as<HI::Call>();
        return call != nullptr && call->is_intrinsic(HI::Call::undef);
    };
    return !stage.values.empty() && std::ranges::all_of(stage.values, is_undef);
}

Expr prepared(const Expr &expr) {
    return Prepare({}).mutate(expr);
}

}  // namespace autoschedule_gpu::reading
