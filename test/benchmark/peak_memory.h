// The most memory that this process held at once.
#pragma once

#include <optional>

namespace autoschedule_gpu {

// Starts anew from what is held now, after memory that is free was given back to the system. Does
// nothing where the kernel can't (it must be a Linux).
void reset_peak_memory();

// Peak resident set since then, in MiB; nullopt where the system doesn't say.
std::optional<double> peak_memory_mib();

}  // namespace autoschedule_gpu
