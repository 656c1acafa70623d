# What every test finds in its environment, however ctest was started: OpenCL means PoCL unless
# the caller says otherwise, so that results don't depend on the machine's GPU; and `ptxas` can be
# called by name. ctest itself runs the file written here, before it looks at the tests.
set(add_ptxas_to_path "")
if (AUTOSCHEDULE_GPU_PTXAS)
    cmake_path(GET AUTOSCHEDULE_GPU_PTXAS PARENT_PATH ptxas_folder)
    set(add_ptxas_to_path "set(ENV{PATH} \"\$ENV{PATH}:${ptxas_folder}\")")
endif ()
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/test_environment.cmake" @ONLY CONTENT [[
if (NOT DEFINED ENV{HL_OCL_DEVICE_TYPE})
    set(ENV{HL_OCL_DEVICE_TYPE} cpu)
endif ()
@add_ptxas_to_path@
]])
set_property(DIRECTORY APPEND PROPERTY
    TEST_INCLUDE_FILES "${PROJECT_BINARY_DIR}/test_environment.cmake")
