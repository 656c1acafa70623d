#include "variants/unschedule.h"

#include <algorithm>

namespace variants {
namespace {

namespace ir = Halide::Internal;

// Calls `each` for all stages; an extern stage's definition has no loops that could be scheduled.
template <typename Each>
void for_stages(ir::Function &func, const Each &each) {
    if (func.has_extern_definition()) return;
    each(func.definition());
    for (size_t u = 0; u < func.updates().size(); ++u) each(func.update(static_cast<int>(u)));
}

ir::Dim plain_loop(const std::string &var, ir::DimType type) {
    return {var, ir::ForType::Serial, Halide::DeviceAPI::None, type, Halide::Partition::Auto};
}

// Those that Halide gives a definition, innermost first.
std::vector<ir::Dim> plain_loops(const ir::Function &func, const ir::Definition &stage) {
    std::vector<ir::Dim> loops;
    for (const ir::ReductionVariable &rvar : stage.schedule().rvars()) {
        const bool is_pure = ir::can_parallelize_rvar(rvar.var, func.name(), stage);
        loops.push_back(
            plain_loop(rvar.var, is_pure ? ir::DimType::PureRVar : ir::DimType::ImpureRVar));
    }
    for (size_t d = 0; d < func.args().size(); ++d) {
        const auto *var = stage.args()[d].as<ir::Variable>();
        if (var == nullptr || var->name != func.args()[d]) continue;
        loops.push_back(plain_loop(var->name, ir::DimType::PureVar));
    }
    loops.push_back(plain_loop(Halide::Var::outermost().name(), ir::DimType::PureVar));
    return loops;
}

void reset_loops(const ir::Function &func, ir::Definition &stage) {
    ir::StageSchedule &schedule = stage.schedule();
    stage.specializations().clear();
    schedule.dims() = plain_loops(func, stage);
    schedule.splits().clear();
    schedule.prefetches().clear();
    schedule.fuse_level() = Halide::FuseLoopLevel();
    schedule.atomic() = false;
    schedule.override_atomic_associativity_test() = false;
    schedule.allow_race_conditions() = false;
    schedule.touched() = false;
}

void reset_marks(ir::Definition &stage) {
    for (ir::Dim &dim : stage.schedule().dims()) {
        if (dim.for_type == ir::ForType::Unrolled || dim.for_type == ir::ForType::Vectorized) {
            dim.for_type = ir::ForType::Serial;
        }
    }
    for (ir::Specialization &special : stage.specializations()) reset_marks(special.definition);
}

void reset_layout(ir::Function &func) {
    std::vector<ir::StorageDim> dims;
    for (const std::string &arg : func.args()) {
        dims.push_back({arg, Halide::Expr(), Halide::Expr(), Halide::Expr(), false});
    }
    func.schedule().storage_dims() = dims;
}

void reset_place(ir::Function &func, bool is_output) {
    ir::FuncSchedule &schedule = func.schedule();
    schedule.compute_level() = Halide::LoopLevel::inlined();
    schedule.store_level() = Halide::LoopLevel::inlined();
    schedule.hoist_storage_level() = Halide::LoopLevel::inlined();
    if (!is_output) schedule.bounds().clear();
}

}  // namespace

const char *to_string(Kept kept) {
    constexpr const char *kNames[] = {"nothing", "layout", "place", "loops", "all"};
    return kNames[static_cast<int>(kept)];
}

void keep_only(ir::Function &func, Kept kept, bool is_output) {
    if (kept == Kept::all) return;
    if (kept == Kept::loops) return for_stages(func, reset_marks);
    for_stages(func, [&](ir::Definition &stage) { reset_loops(func, stage); });
    func.schedule().memory_type() = Halide::MemoryType::Auto;
    func.schedule().ring_buffer() = Halide::Expr();
    if (kept != Kept::place) reset_place(func, is_output);
    if (kept != Kept::layout) reset_layout(func);
    for (ir::StorageDim &dim : func.schedule().storage_dims()) {
        dim.bound = dim.fold_factor = Halide::Expr();
    }
}

}  // namespace variants
