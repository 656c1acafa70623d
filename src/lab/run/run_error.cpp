#include <HalideRuntime.h>

#include <initializer_list>
#include <string_view>

#include "lab/run/pipeline_run.h"

namespace autoschedule_gpu {

namespace {

bool contains_any(const std::string &text, std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words) {
        if (text.find(word) != std::string::npos) return true;
    }
    return false;
}

}  // namespace

FailureKind classify_run_error(int code, const std::string &text) {
    if (contains_any(text, {"CUDA_ERROR_OUT_OF_MEMORY", "CL_MEM_OBJECT_ALLOCATION_FAILURE"})) {
        return FailureKind::resource;
    }
    if (contains_any(text, {"CL_BUILD_PROGRAM_FAILURE", "clBuildProgram", "cuModuleLoad",
                            "CUDA_ERROR_INVALID_PTX", "cuLinkAddData"})) {
        return FailureKind::compile;
    }
    if (contains_any(text, {"cuLaunchKernel", "clEnqueueNDRangeKernel", "CUDA_ERROR_ILLEGAL",
                            "CUDA_ERROR_LAUNCH", "CUDA_ERROR_MISALIGNED"})) {
        return FailureKind::launch;
    }
    switch (code) {
        case halide_error_code_out_of_memory:
        case halide_error_code_device_malloc_failed:
            return FailureKind::resource;
        case halide_error_code_copy_to_host_failed:
        case halide_error_code_copy_to_device_failed:
        case halide_error_code_device_sync_failed:
        case halide_error_code_device_run_failed:
        case halide_error_code_gpu_device_error:
            return FailureKind::launch;
        default:
            return FailureKind::halide;
    }
}

}  // namespace autoschedule_gpu
