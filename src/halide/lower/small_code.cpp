#include "halide/lower/small_code.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace autoschedule_gpu {
namespace {

namespace ir = Halide::Internal;

bool has_constant_extent(const ir::StageSchedule &schedule, const std::string &var) {
    return std::ranges::any_of(schedule.rvars(),
                               [&](const ir::ReductionVariable &r) {
                                   return r.var == var && ir::is_const(r.min) &&
                                          ir::is_const(r.extent);
                               }) ||
           std::ranges::any_of(schedule.splits(), [&](const ir::Split &split) {
               return split.split_type == ir::Split::SplitVar && split.inner == var &&
                      ir::is_const(split.factor);
           });
}

void keep_small(ir::Definition &definition) {
    ir::StageSchedule &schedule = definition.schedule();
    for (ir::Dim &dim : schedule.dims()) {
        const bool unrolled = dim.for_type == ir::ForType::Unrolled;
        if (unrolled && has_constant_extent(schedule, dim.var)) {
            dim.for_type = ir::ForType::Serial;
        }
        dim.partition_policy = Halide::Partition::Never;
    }
    for (ir::Specialization &branch : definition.specializations()) keep_small(branch.definition);
}

bool are_same(const std::vector<Halide::Expr> &ones, const std::vector<Halide::Expr> &others) {
    return std::ranges::equal(ones, others, [](const Halide::Expr &a, const Halide::Expr &b) {
        return ir::graph_equal(a, b);
    });
}

bool compute_the_same(const ir::Definition &one, const ir::Definition &other) {
    return are_same(one.values(), other.values()) && are_same(one.args(), other.args());
}

void forget_same_branches(ir::Definition &definition) {
    std::erase_if(definition.specializations(), [&](const ir::Specialization &branch) {
        return compute_the_same(branch.definition, definition);
    });
}

void for_each_definition(std::span<const Halide::Func> funcs,
                         const std::function<void(ir::Definition &)> &change) {
    for (const Halide::Func &func : funcs) {
        if (!func.defined() || !func.function().has_pure_definition()) continue;
        ir::Function function = func.function();
        change(function.definition());
        for (int i = 0; i < func.num_update_definitions(); ++i) change(function.update(i));
    }
}

}  // namespace

void keep_code_small(std::span<const Halide::Func> funcs) {
    for_each_definition(funcs, keep_small);
}

void forget_branches(std::span<const Halide::Func> funcs) {
    for_each_definition(funcs, forget_same_branches);
}

}  // namespace autoschedule_gpu
