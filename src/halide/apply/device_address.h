// A condition of schedules for vectors: that of where a buffer begins on the device.
#pragma once

#include <Halide.h>

#include <string>

namespace autoschedule_gpu {

inline constexpr int kAddressBytes = 16;  // of the widest load or store that there is

// Whether a buffer begins there at a multiple of 16 bytes, or has no memory there yet: what Halide
// allocates does. For CUDA alone, for what other APIs have of a buffer is no address.
//
// The call is said to be pure. Else Halide would take what both schedules touch for what each of
// them does, and leave the call in the kernel. It may see an address of Halide's before there is
// one, and after: the condition is true of both.
inline Halide::Expr has_aligned_address(const std::string &buffer) {
    namespace ir = Halide::Internal;
    const Halide::Expr described =
        ir::Variable::make(Halide::type_of<halide_buffer_t *>(), buffer + ".buffer");
    const Halide::Expr address = ir::Call::make(Halide::UInt(64), ir::Call::buffer_get_device,
                                                {described}, ir::Call::PureExtern);
    return !Halide::target_has_feature(Halide::Target::CUDA) || address % kAddressBytes == 0;
}

}  // namespace autoschedule_gpu
