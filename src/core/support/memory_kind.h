// Where values lie while a schedule runs: one word for what directives ask for, what features count
// and what is found in lowered loops.
#pragma once

#include "autoschedule_gpu/memory_kind.h"

namespace autoschedule_gpu {

using api::kStorableMemoryKinds;
using api::MemoryKind;
inline constexpr int kMemoryKinds = 6;

inline bool is_storable(MemoryKind kind) {
    return static_cast<int>(kind) < kStorableMemoryKinds;
}

// True if each thread has values of its own there.
inline bool is_per_thread(MemoryKind kind) {
    return kind == MemoryKind::registers || kind == MemoryKind::local;
}

}  // namespace autoschedule_gpu
