# Finds what the build and the tests use beside the compiler:
#   AUTOSCHEDULE_GPU_PYTHON  the Python whose Halide wheel is built against (tests run it too)
#   AUTOSCHEDULE_GPU_PTXAS   NVIDIA's assembler; may be NOTFOUND, then checks of PTX are skipped
#   Halide::Halide etc.      of that wheel, unless CMAKE_PREFIX_PATH or Halide_DIR names another
find_program(AUTOSCHEDULE_GPU_PYTHON NAMES python python3
    HINTS "${PROJECT_SOURCE_DIR}/.venv/bin"
    DOC "The Python whose halide wheel is used")
find_program(AUTOSCHEDULE_GPU_PTXAS ptxas
    HINTS ENV CUDA_HOME ENV CUDA_PATH "${PROJECT_SOURCE_DIR}/.venv"
    PATHS /usr/local/cuda
    PATH_SUFFIXES bin
    DOC "NVIDIA's PTX assembler")

set(halide_wheel "")
if (AUTOSCHEDULE_GPU_PYTHON AND NOT Halide_DIR)
    # find_spec and not import: it doesn't load the library, so it takes no time.
    execute_process(
        COMMAND "${AUTOSCHEDULE_GPU_PYTHON}" -c
            "import importlib.util as u; print(u.find_spec('halide').submodule_search_locations[0])"
        OUTPUT_VARIABLE halide_wheel OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif ()
# Halide looks for Python's headers, for extensions that we don't build, and warns if there are none.
set(CMAKE_DISABLE_FIND_PACKAGE_Halide_Python ON)
# The wheel keeps its package in lib64, where CMake doesn't look on a Debian.
find_package(Halide QUIET COMPONENTS shared
    HINTS "${halide_wheel}"
    PATH_SUFFIXES lib64/cmake/Halide)
set(halide_advice "Run tools/bootstrap [--halide 19.0.0], which puts one into a virtual environment, "
    "or `pip install halide==21.0.0` and pass -DAUTOSCHEDULE_GPU_PYTHON=<that Python>.")
if (NOT Halide_FOUND)
    message(FATAL_ERROR "Halide 21 or 19 was not found. " ${halide_advice})
elseif (NOT Halide_VERSION_MAJOR MATCHES "^(19|21)$")
    message(FATAL_ERROR "Halide 21 or 19 is needed, and ${Halide_DIR} is ${Halide_VERSION}. "
        ${halide_advice})
endif ()
message(STATUS "Halide ${Halide_VERSION}: ${Halide_DIR}")
message(STATUS "ptxas: ${AUTOSCHEDULE_GPU_PTXAS}")
