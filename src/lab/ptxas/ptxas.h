// NVIDIA's assembler as a judge of kernels before anything is run: registers, spills, stack.
//
//     PTX of Halide ─► split_ptx ─► Ptxas::assemble ─► one PtxasKernel per kernel
//
// No GPU and no driver is needed. A Ptxas is immutable and may be used from several threads; every
// call works in a temporary folder of its own, which is removed.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/gpu_model.h"
#include "core/support/error.h"
#include "lab/build/failure.h"

namespace autoschedule_gpu {

// Where to look, in this order. The library reads no environment variable: the tools pass them.
struct PtxasSearch {
    std::string explicit_path = {};  // if given, the only place
    std::string path_variable = {};  // folders apart by ':'. Beside nvcc first, then all
    std::vector<std::string> toolkit_folders = {};  // bin/ptxas in each: CUDA_HOME, CUDA_PATH
    std::string virtual_environment = {};           // the wheel nvidia-cuda-nvcc installed there
};

// The error lists the places where it is not.
Result<std::string> find_ptxas(const PtxasSearch &search);

// The Python environment that the library with this symbol was installed in by a wheel:
// ENVIRONMENT/lib/python3.X/site-packages/PACKAGE/FOLDER/LIBRARY. Any folder for others.
std::string environment_of_library(const void *symbol);

// 90 for a device of compute capability 9.0; an error for one without CUDA.
Result<int> architecture_of(const GpuModel &model);

struct PtxasKernel {
    std::string name = {};
    int64_t registers = 0;          // per thread
    int64_t spill_store_bytes = 0;  // per thread, as is the next
    int64_t spill_load_bytes = 0;
    int64_t stack_bytes = 0;  // per thread: spills and local arrays
    // Static only. Halide passes shared memory as an argument of the launch, which ptxas never
    // sees.
    int64_t static_shared_bytes = 0;
    int64_t constant_bytes = 0;  // of all banks; newer versions of ptxas no longer say
};

struct PtxasReport {
    int requested_architecture = 0;
    // Differs if this ptxas does not know the one requested: the nearest newer one that it knows.
    int used_architecture = 0;
    std::vector<PtxasKernel> kernels;   // in the order of the PTX
    std::vector<std::string> warnings;  // ptxas's own
};

struct PtxasOptions {
    int architecture = 80;
    int max_registers = 64;  // what Halide's runtime asks of the driver's compiler
    std::chrono::milliseconds timeout{120000};  // per module
};

// What `ptxas -v` prints, in its order. For Ptxas and its tests.
struct PtxasOutput {
    std::vector<PtxasKernel> kernels;
    std::vector<std::string> warnings;
};
PtxasOutput parse_ptxas_output(std::string_view text);

class Ptxas {
public:
    // Asks the program which architectures it knows. An error if it is no ptxas.
    static Result<Ptxas> open(const std::string &path);

    const std::string &path() const { return path_; }
    const std::vector<int> &architectures() const { return architectures_; }  // ascending

    // `wanted` if known, else the nearest newer one; an error if there is none.
    Result<int> nearest_architecture(int wanted) const;

    // Assembles all modules of `ptx`. Kinds of failure: ptxas, with its own text, where it refuses
    // them; setup where it cannot be asked, or knows no such architecture; else as run_step's.
    Outcome<PtxasReport> assemble(std::string_view ptx, const PtxasOptions &options = {}) const;

private:
    Ptxas(std::string path, std::vector<int> architectures)
        : path_(std::move(path)), architectures_(std::move(architectures)) {}

    std::string path_;
    std::vector<int> architectures_;
};

}  // namespace autoschedule_gpu
