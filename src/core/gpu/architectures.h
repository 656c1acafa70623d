// What all chips of an architecture share, as a GpuModel without a name, in which what a product
// has of it is still to be said (presets.cpp): how many SMs, their clock, memory and L2.
#pragma once

#include "core/gpu/gpu_model.h"

namespace autoschedule_gpu {

GpuModel volta();
GpuModel turing();
GpuModel ampere_datacenter();
GpuModel ampere_desktop();
GpuModel ada();
GpuModel hopper();
GpuModel blackwell_desktop();
GpuModel orin();
GpuModel cdna2();
GpuModel rdna3();
GpuModel apple();

// A whole device, with a name: a modest one with a driver of unknown quality.
GpuModel generic_device(GpuApi of);

}  // namespace autoschedule_gpu
