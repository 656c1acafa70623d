# What every application of this folder is made of; see README.md. It serves this repository's own
# build and that of an application alone, against the installed package:
#
#   cmake_minimum_required(VERSION 3.28)
#   project(NAME LANGUAGES CXX)
#   include(../support/application.cmake)
#   autoschedule_gpu_application(NAME)
set(CMAKE_CXX_STANDARD 20)
if (NOT TARGET AutoscheduleGPU::GPU)
    find_package(AutoscheduleGPU REQUIRED)  # knows where its Halide is
endif ()
find_package(Halide REQUIRED COMPONENTS shared)
enable_testing()

set(application_support_folder "${CMAKE_CURRENT_LIST_DIR}")

# autoschedule_gpu_application(NAME [LABELS label...] [TIMEOUT seconds]
#     [VARIANT_OF application] [PARAMS name=value...] [OPTIMISED_KERNELS]): from NAME_generator.cpp
# and NAME_process.cpp the generator, three builds of the pipeline, the program that runs them, and
# its tests. LABELS and TIMEOUT are of the tests. PARAMS are the generator's in all builds; a variant
# has no generator of its own but that of an application of the same folder. OPTIMISED_KERNELS is
# for few kernels with much arithmetic: PoCL then takes longer to run them than to optimise them.
function(autoschedule_gpu_application NAME)
    cmake_parse_arguments(ARG "OPTIMISED_KERNELS" "TIMEOUT;VARIANT_OF" "LABELS;PARAMS" ${ARGN})
    if (NOT ARG_TIMEOUT)
        set(ARG_TIMEOUT 600)
    endif ()

    # The generator: the algorithm, which any schedule leaves alone.
    if (ARG_VARIANT_OF)
        set(generator ${ARG_VARIANT_OF})
    else ()
        set(generator ${NAME})
        add_halide_generator(${NAME}.generator SOURCES ${NAME}_generator.cpp)
        target_include_directories(${NAME}.generator PRIVATE "${application_support_folder}")
    endif ()

    # The reference, with the generator's own CPU schedule; the candidate, scheduled for a GPU by
    # the plugin (`SCHEDULE` names a variable that receives the path of the schedule as C++); and
    # the expert's schedule for a GPU.
    add_halide_library(${NAME}_reference FROM ${generator}.generator
        GENERATOR ${generator}
        PARAMS ${ARG_PARAMS}
        TARGETS host)
    add_halide_library(${NAME}_candidate FROM ${generator}.generator
        GENERATOR ${generator}
        PARAMS ${ARG_PARAMS}
        AUTOSCHEDULER AutoscheduleGPU::GPU
        TARGETS host-opencl
        SCHEDULE ${NAME}_schedule
        USE_RUNTIME ${NAME}_reference.runtime)
    add_halide_library(${NAME}_manual FROM ${generator}.generator
        GENERATOR ${generator}
        PARAMS ${ARG_PARAMS} manual=true
        TARGETS host-opencl
        USE_RUNTIME ${NAME}_reference.runtime)

    # Runs all three on a photograph and compares what they compute.
    if (NOT TARGET app_support)
        add_subdirectory("${application_support_folder}" support)
    endif ()
    add_executable(${NAME}.process ${NAME}_process.cpp)
    target_link_libraries(${NAME}.process PRIVATE
        ${NAME}_reference ${NAME}_candidate ${NAME}_manual app_support)

    # Its sizes, where compare_autoschedulers looks for them.
    configure_file(app.json "${CMAKE_CURRENT_BINARY_DIR}/app.json" COPYONLY)

    # PoCL compiles for speed by default; most of these runs take less than that would.
    set(environment "HL_OCL_DEVICE_TYPE=cpu")
    if (NOT ARG_OPTIMISED_KERNELS)
        list(APPEND environment "HL_OCL_BUILD_OPTIONS=-cl-opt-disable")
    endif ()
    set(photograph "${application_support_folder}/../images/astronaut.png")
    add_test(NAME apps.${NAME}.agrees_at_an_odd_size
        COMMAND ${NAME}.process "${photograph}" ${NAME}_odd.png --timing-iterations 0
            --size 333x257)
    set_tests_properties(apps.${NAME}.agrees_at_an_odd_size PROPERTIES
        ENVIRONMENT "${environment}"
        LABELS "apps;${ARG_LABELS}"
        TIMEOUT ${ARG_TIMEOUT})
    add_test(NAME apps.${NAME}.agrees_on_the_whole_photograph
        COMMAND ${NAME}.process "${photograph}" ${NAME}.png --timing-iterations 0)
    set_tests_properties(apps.${NAME}.agrees_on_the_whole_photograph PROPERTIES
        ENVIRONMENT "${environment}"
        LABELS "apps;slow"
        TIMEOUT 1800)
endfunction()
