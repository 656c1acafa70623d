#include "bridge/read_atomics.h"

#include <algorithm>

namespace autoschedule_gpu::reading {
namespace {

bool has_atomics(const Halide::Type &type, const Halide::Target &target) {
    const bool cuda = target.has_feature(Halide::Target::CUDA);
    if (!cuda && !target.has_feature(Halide::Target::OpenCL)) return false;
    if (type.bits() == 32) return type.is_int() || type.is_uint() || type.is_float();
    if (type.bits() != 64) return false;
    if (type.is_float()) return cuda;
    return type.is_int_or_uint() && (cuda || target.has_feature(Halide::Target::CLAtomics64));
}

}  // namespace

Atomics atomics_of(const StageSource &stage, const Halide::Target &target) {
    if (stage.index == 0 || stage.values.size() != 1) return Atomics::no;
    const Halide::Type type = stage.values[0].type();
    const bool reduces = std::any_of(stage.dims.begin(), stage.dims.end(), [](const HI::Dim &dim) {
        return dim.is_rvar() && !dim.is_pure();
    });
    if (!reduces || !has_atomics(type, target)) return Atomics::no;
    // As Halide will ask when it lowers the stage.
    const HI::Definition &definition = stage.definition();
    const HI::AssociativeOp op =
        HI::prove_associativity(stage.func.name(), definition.args(), definition.values());
    if (!op.associative() || !op.commutative()) return Atomics::no;
    // Anything but a sum would be a loop around compare-and-swap. On PoCL that loop never ends for
    // a maximum in shared memory.
    if (op.pattern.ops[0].as<HI::Add>() == nullptr) return Atomics::no;
    return type.is_float() ? Atomics::rounding : Atomics::exact;
}

}  // namespace autoschedule_gpu::reading
