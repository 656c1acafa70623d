// Whether kernels of a schedule spill: what no estimate from a loop nest can tell. Those that keep
// many values at once are judged by NVIDIA's assembler, those that keep very many without it.
#pragma once

#include <optional>
#include <string>

#include "core/gpu/gpu_model.h"
#include "halide/lower/trial_lower.h"

namespace autoschedule_gpu {

class SpillCheck {
public:
    // `wanted`: "auto", "off", or the path of a ptxas, which must then be one. "auto" looks beside
    // nvcc, on PATH, in CUDA_HOME and CUDA_PATH, and in the Python packages beside Halide's own.
    // Nothing is checked if it is off or the device is not CUDA's.
    static Result<SpillCheck> create(const std::string &wanted, const GpuModel &gpu);

    const std::string &ptxas() const { return ptxas_; }
    const std::string &why_no_ptxas() const { return why_no_ptxas_; }  // a sentence

    // Whether kernels are judged without an assembler, which finds few of those that spill.
    bool guesses() const { return architecture_.has_value() && ptxas_.empty(); }

    CodeCheck code_check() const;

    // Per thread. Of a kernel that was not assembled, what it keeps beyond the registers, stored
    // and loaded once, if that is very much; else nothing.
    int64_t spill_bytes(const KernelLaunch &kernel) const;

private:
    explicit SpillCheck(int64_t max_registers) : max_registers_(max_registers) {}

    int64_t hopeless_words() const;

    int64_t max_registers_;
    std::optional<int> architecture_;  // none: nothing is checked
    std::string ptxas_, why_no_ptxas_;
};

}  // namespace autoschedule_gpu
