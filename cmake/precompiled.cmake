# Headers of others, read once and not once in each source: in most sources they take longer than
# what is written there. Sources include what they use all the same, and compile without this
# (AUTOSCHEDULE_GPU_PCH=OFF; the preset `debug` does).
#
#   autoschedule_gpu_precompiled(NAME KIND OPTIONS ... LIBRARIES ... HEADERS ...)
#   autoschedule_gpu_precompile(TARGET NAME)    TARGET begins with the headers of NAME
#
# A precompiled header serves only what is compiled like itself. KIND is therefore `library` or
# `program`, whose code is placed in memory differently, and OPTIONS are those that define macros or
# say how to optimise.
option(AUTOSCHEDULE_GPU_PCH "Precompile the headers of other libraries" ON)

set(precompiled_standard
    <algorithm> <array> <bit> <bitset> <charconv> <chrono> <cmath> <compare> <cstddef> <cstdint>
    <cstdio> <cstdlib> <cstring> <filesystem> <fstream> <functional> <initializer_list> <iostream>
    <iterator> <limits> <map> <memory> <mutex> <numeric> <optional> <ranges> <set> <span> <sstream>
    <stdexcept> <string> <string_view> <system_error> <tuple> <type_traits> <unordered_map>
    <unordered_set> <utility> <variant> <vector>)

function(autoschedule_gpu_precompiled NAME KIND)
    cmake_parse_arguments(ARG "" "" "OPTIONS;LIBRARIES;HEADERS" ${ARGN})
    if (NOT AUTOSCHEDULE_GPU_PCH)
        return()
    endif ()
    # CMake precompiles for a target with a source.
    set(source "${PROJECT_BINARY_DIR}/precompiled/${NAME}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "int main() {}\n")
    if (KIND STREQUAL library)
        add_library(${NAME} OBJECT EXCLUDE_FROM_ALL "${source}")
    else ()
        add_executable(${NAME} EXCLUDE_FROM_ALL "${source}")
    endif ()
    target_compile_options(${NAME} PRIVATE ${ARG_OPTIONS})
    target_link_libraries(${NAME} PRIVATE ${ARG_LIBRARIES})
    target_precompile_headers(${NAME} PRIVATE ${precompiled_standard} ${ARG_HEADERS})
endfunction()

function(autoschedule_gpu_precompile TARGET NAME)
    if (AUTOSCHEDULE_GPU_PCH)
        target_precompile_headers(${TARGET} REUSE_FROM ${NAME})
        if (CCACHE_PROGRAM AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
            # So that ccache sees the precompiled header in what the preprocessor gives it.
            target_compile_options(${TARGET} PRIVATE -fpch-preprocess)
        endif ()
    endif ()
endfunction()
