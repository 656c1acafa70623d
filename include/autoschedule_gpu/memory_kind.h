// Where values lie while a schedule runs: one word for what directives ask for and for what stages
// of a kernel are stored in. Needs C++17 and the standard library.
#pragma once

#include <cstdint>

namespace autoschedule_gpu::api {

enum class MemoryKind : uint8_t {
    automatic,  // nobody has decided
    shared,     // a block's
    registers,  // a thread's, at indices that the compiler knows
    global,     // the device's; Halide's word is heap
    local,      // a thread's, wherever the compiler puts it: in memory if loops index it
    host,       // the processor's that launches kernels
};

// A directive may ask for the first of these.
inline constexpr int kStorableMemoryKinds = 4;

}  // namespace autoschedule_gpu::api
