#include "halide/apply/sized_copy.h"

#include <algorithm>
#include <map>
#include <set>

namespace autoschedule_gpu {
namespace {

namespace ir = Halide::Internal;
using Substitution = std::map<ir::FunctionPtr, ir::FunctionPtr>;

std::set<std::string> names_of_outputs(const Halide::Pipeline &pipeline) {
    std::set<std::string> names;
    for (const Halide::Func &output : pipeline.outputs()) names.insert(output.name());
    return names;
}

// In front of the names of copies. Funcs are ordered by their names, and so the copies are, too.
std::string prefix_for(const std::vector<Halide::Func> &funcs, size_t number) {
    std::string prefix = "s" + std::to_string(number) + "_";
    while (std::ranges::any_of(funcs, [&](const Halide::Func &func) {
        return func.defined() && func.name().starts_with(prefix);
    })) {
        prefix = "s" + prefix;
    }
    return prefix;
}

ir::FunctionPtr weak(const ir::Function &function) {
    ir::FunctionPtr pointer = function.get_contents();
    pointer.weaken();
    return pointer;
}

}  // namespace

SizedCopy copy_for_sizes(const std::vector<Halide::Func> &funcs, const Halide::Pipeline &pipeline,
                         size_t number) {
    const std::set<std::string> outputs = names_of_outputs(pipeline);
    const std::string prefix = prefix_for(funcs, number);
    SizedCopy result;
    Substitution copies;
    for (const Halide::Func &func : funcs) {  // producers first
        const ir::Function of = func.function();
        ir::Function copy(outputs.contains(of.name()) ? of.name() : prefix + of.name());
        // Halide asks it for the copies of what an extern stage takes, and adds to it.
        Substitution known = copies;
        of.deep_copy(copy.name(), copy.get_contents(), known);
        Substitution calls = copies;
        calls[of.get_contents()] = weak(copy);  // of itself
        copy.substitute_calls(calls);
        copies[of.get_contents()] = copy.get_contents();
        result.funcs.emplace_back(copy);
    }
    return result;
}

void compute_as_in(const SizedCopy &copy, const std::vector<Halide::Func> &funcs,
                   const Halide::Pipeline &pipeline, const Halide::Expr &condition) {
    const std::set<std::string> outputs = names_of_outputs(pipeline);
    for (size_t i = 0; i < funcs.size(); ++i) {
        ir::Function output = funcs[i].function();
        if (!outputs.contains(output.name())) continue;
        ir::Function other = copy.funcs[i].function();
        other.substitute_calls({{other.get_contents(), weak(output)}});
        const auto add = [&](ir::Definition &definition, const ir::Definition &branch) {
            std::vector<ir::Specialization> &branches = definition.specializations();
            branches.insert(branches.begin(), ir::Specialization{condition, branch, ""});
        };
        add(output.definition(), other.definition());
        for (size_t u = 0; u < output.updates().size(); ++u) {
            add(output.update(static_cast<int>(u)), other.update(static_cast<int>(u)));
        }
    }
}

}  // namespace autoschedule_gpu
