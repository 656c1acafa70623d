// Whether kernels of a schedule spill, by NVIDIA's assembler: what no estimate from a loop nest can
// tell. Only kernels that keep many values at once are asked about.
#pragma once

#include <Halide.h>

#include <optional>
#include <string>
#include <vector>

#include "bridge/apply.h"
#include "gpu/gpu_model.h"

namespace autoschedule_gpu {

class SpillCheck {
public:
    // `wanted`: "auto", "off", or the path of a ptxas, which must then be one. Nothing is checked
    // if it is off, if the device is not CUDA's, or if there is no ptxas where "auto" looks: beside
    // nvcc, on PATH, in CUDA_HOME and CUDA_PATH, and in the Python packages beside Halide's own.
    static Result<SpillCheck> create(const std::string &wanted, const GpuModel &gpu);

    bool on() const { return !ptxas_.empty(); }
    const std::string &ptxas() const { return ptxas_; }
    const std::string &why_off() const { return why_off_; }  // a sentence

    CodeCheck code_check() const;

private:
    explicit SpillCheck(const GpuModel &gpu) : gpu_(gpu) {}

    GpuModel gpu_;
    int architecture_ = 0;
    std::string ptxas_, why_off_;
};

// Bytes per thread, of all kernels.
int64_t spill_bytes(const TrialLowering &lowered);

}  // namespace autoschedule_gpu
