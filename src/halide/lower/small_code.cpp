#include "halide/lower/small_code.h"

#include <algorithm>
#include <string>

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

void roll_up(ir::StageSchedule &schedule) {
    for (ir::Dim &dim : schedule.dims()) {
        const bool unrolled = dim.for_type == ir::ForType::Unrolled;
        if (unrolled && has_constant_extent(schedule, dim.var)) {
            dim.for_type = ir::ForType::Serial;
        }
    }
}

}  // namespace

void keep_code_small(std::span<const Halide::Func> funcs) {
    for (Halide::Func func : funcs) {
        ir::Function function = func.function();
        if (!function.has_pure_definition()) continue;
        func.never_partition_all();
        roll_up(function.definition().schedule());
        for (int i = 0; i < func.num_update_definitions(); ++i) {
            func.update(i).never_partition_all();
            roll_up(function.update_schedule(i));
        }
    }
}

}  // namespace autoschedule_gpu
