#include <HalideRuntime.h>
#include <gtest/gtest.h>

#include "lab/run/pipeline_run.h"

namespace autoschedule_gpu {
namespace {

TEST(ClassifyRunError, TellsALaunchFromHalidesChecks) {
    struct Case {
        int code;
        const char *text;
        FailureKind kind;
    };
    for (const Case &c :
         {Case{halide_error_code_access_out_of_bounds,
               "Output buffer f is accessed at -6, which is before the min (0) in dimension 0",
               FailureKind::halide},
          Case{halide_error_code_requirement_failed, "Requirement Failed", FailureKind::halide},
          Case{halide_error_code_generic_error, "", FailureKind::halide},
          Case{halide_error_code_gpu_device_error,
               "CUDA error: CUDA_ERROR_INVALID_VALUE cuLaunchKernel failed", FailureKind::launch},
          Case{halide_error_code_generic_error,
               "OpenCL error: CL_INVALID_WORK_GROUP_SIZE clEnqueueNDRangeKernel failed",
               FailureKind::launch},
          Case{halide_error_code_device_sync_failed, "CUDA_ERROR_ILLEGAL_ADDRESS",
               FailureKind::launch},
          Case{halide_error_code_copy_to_host_failed, "", FailureKind::launch},
          Case{halide_error_code_device_run_failed, "", FailureKind::launch},
          Case{halide_error_code_gpu_device_error,
               "CUDA: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES cuLaunchKernel", FailureKind::launch},
          Case{halide_error_code_gpu_device_error, "CUDA_ERROR_OUT_OF_MEMORY cuMemAlloc",
               FailureKind::resource},
          Case{halide_error_code_out_of_memory, "Out of memory", FailureKind::resource},
          Case{halide_error_code_device_malloc_failed, "", FailureKind::resource},
          Case{halide_error_code_generic_error, "CL_BUILD_PROGRAM_FAILURE Build Log: error",
               FailureKind::compile},
          Case{halide_error_code_generic_error, "CUDA: cuModuleLoadData failed",
               FailureKind::compile}}) {
        EXPECT_EQ(classify_run_error(c.code, c.text), c.kind) << c.text << c.code;
    }
}

}  // namespace
}  // namespace autoschedule_gpu
