#include "halide/read/read_atomics.h"

#include <algorithm>

#include "halide/read/target_api.h"

namespace autoschedule_gpu::reading {
namespace {

bool has_atomics(const Halide::Type &type, const Halide::Target &target) {
    const std::optional<GpuApi> api = gpu_api(target);
    if (!api) return false;
    const ApiCapabilities &able = capabilities(*api);
    if (type.is_float() && type.bits() == 32) return has(target, able.atomic_floats);
    if (type.is_float() && type.bits() == 64) return has(target, able.atomic_doubles);
    if (!type.is_int_or_uint()) return false;
    if (type.bits() == 32) return has(target, able.atomic_integers_32);
    return type.bits() == 64 && has(target, able.atomic_integers_64);
}

// Finds Funcs whose values are known to take part of their type's range only.
class NarrowIndexFinder : public HI::IRGraphVisitor {
public:
    explicit NarrowIndexFinder(const HI::FuncValueBounds &values) : values_(values) {}
    bool found = false;

private:
    using HI::IRGraphVisitor::visit;
    void visit(const HI::Call *op) override {
        HI::IRGraphVisitor::visit(op);
        const auto known = values_.find({op->name, op->value_index});
        if (op->call_type != HI::Call::Halide || known == values_.end()) return;
        const HI::Interval &range = known->second;
        found |= range.is_bounded() &&
                 !(HI::equal(range.min, op->type.min()) && HI::equal(range.max, op->type.max()));
    }

    const HI::FuncValueBounds &values_;
};

// Where an index is made of a Func, Halide clamps it to the bounds of the Func's values, in what it
// reads but not in what it writes. It then doesn't recognise a sum any more and makes a loop around
// compare-and-swap. In OpenCL C, that loop takes the address of another element in shared memory,
// and never ends.
bool sums_in_opencl(const StageSource &stage, const HI::FuncValueBounds &values) {
    NarrowIndexFinder finder(values);
    for (const Halide::Expr &arg : stage.definition().args()) arg.accept(&finder);
    return !finder.found;
}

}  // namespace

Atomics atomics_of(const StageSource &stage, const Halide::Target &target,
                   const HI::FuncValueBounds &values) {
    if (stage.index == 0 || stage.values.size() != 1) return Atomics::no;
    const Halide::Type type = stage.values[0].type();
    const bool reduces = std::any_of(stage.dims.begin(), stage.dims.end(), [](const HI::Dim &dim) {
        return dim.is_rvar() && !dim.is_pure();
    });
    if (!reduces || !has_atomics(type, target)) return Atomics::no;
    // Asks what Halide will ask when it lowers the stage.
    const HI::Definition &definition = stage.definition();
    const HI::AssociativeOp op =
        HI::prove_associativity(stage.func.name(), definition.args(), definition.values());
    if (!op.associative() || !op.commutative()) return Atomics::no;
    // Any update but a sum would become a loop around compare-and-swap. On PoCL that loop never
    // ends for a maximum in shared memory.
    if (op.pattern.ops[0].as<HI::Add>() == nullptr) return Atomics::no;
    if (gpu_api(target) == GpuApi::opencl && !sums_in_opencl(stage, values)) return Atomics::no;
    return type.is_float() ? Atomics::rounding : Atomics::exact;
}

}  // namespace autoschedule_gpu::reading
