# Rooms as libraries, linked by the table src/house.txt: a room sees what the table lets it include.
#
#   autoschedule_gpu_room(WING/ROOM SOURCES ... [LIBRARIES ...])   the library autoschedule_gpu_WING_ROOM
#   autoschedule_gpu_wing(WING)                                    autoschedule_gpu_WING: all its rooms
file(STRINGS "${PROJECT_SOURCE_DIR}/src/house.txt" house_lines REGEX "^[a-z_/]+ *\\|")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/house.txt")
set(house_rooms "")
foreach (line IN LISTS house_lines)
    string(REPLACE "|" ";" columns "${line}")
    list(TRANSFORM columns STRIP)
    list(GET columns 0 room)
    list(GET columns 1 includes)
    list(GET columns 2 libraries)
    separate_arguments(includes)
    separate_arguments(libraries)
    list(APPEND house_rooms "${room}")
    # Of a single header the whole room is linked.
    list(TRANSFORM includes REPLACE "/[a-z_]+\\.h$" "")
    set("house_includes_${room}" "${includes}")
    set("house_libraries_${room}" "${libraries}")
endforeach ()

# Rooms that wait for compilers and devices: with less optimisation they are built sooner.
set(house_waiting_rooms
    present
    lab/bench lab/workloads
    learn/random_pipelines learn/collect
    compare/rows compare/schedulers compare/explain compare/ablation
    tune/session tune/executors tune/strategies tune/run)
set(house_waiting_options $<$<CONFIG:Release>:-O1>)

# GCC 12 warns of overlaps inside std::string that cannot be (its bug 105651).
set(house_options -Wall -Wextra -Wpedantic -Wno-restrict)

# Each with the warnings too, for -Wpedantic takes away a macro of GCC's.
foreach (kind IN ITEMS fast waiting)
    set(options ${house_options})
    if (kind STREQUAL waiting)
        list(APPEND options "${house_waiting_options}")
    endif ()
    autoschedule_gpu_precompiled(precompiled_${kind} library OPTIONS ${options})
    autoschedule_gpu_precompiled(precompiled_${kind}_halide library OPTIONS ${options}
        LIBRARIES Halide::Halide HEADERS <Halide.h>)
endforeach ()

set(house_library_Halide Halide::Halide)
set(house_library_HalideRuntime Halide::Runtime)
set(house_library_Eigen Eigen3::Eigen)
set(house_library_JSON nlohmann_json::nlohmann_json)
set(house_library_TBB TBB::tbb)
set(house_library_SQLite "${AUTOSCHEDULE_GPU_SQLITE}")
set(house_library_POSIX "${CMAKE_DL_LIBS}")

# The library of a room.
function(autoschedule_gpu_target_of OUT ROOM)
    string(REPLACE "/" "_" name "${ROOM}")
    set("${OUT}" "autoschedule_gpu_${name}" PARENT_SCOPE)
endfunction()

function(autoschedule_gpu_room ROOM)
    cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
    if (NOT ROOM IN_LIST house_rooms)
        message(FATAL_ERROR "src/house.txt has no room ${ROOM}")
    endif ()
    autoschedule_gpu_target_of(target "${ROOM}")
    list(TRANSFORM ARG_SOURCES PREPEND "${PROJECT_SOURCE_DIR}/src/${ROOM}/"
        REGEX "^[a-z0-9_]+(/[a-z0-9_]+)*\\.cpp$")
    # Of a build of the plugin alone, only the rooms that it stands on are made.
    add_library(${target} STATIC EXCLUDE_FROM_ALL ${ARG_SOURCES})
    target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}/src"
        "${PROJECT_SOURCE_DIR}/include")
    target_compile_options(${target} PRIVATE ${house_options})
    foreach (other IN LISTS "house_includes_${ROOM}")
        autoschedule_gpu_target_of(linked "${other}")
        target_link_libraries(${target} PUBLIC ${linked})
    endforeach ()
    foreach (library IN LISTS "house_libraries_${ROOM}")
        target_link_libraries(${target} PUBLIC ${house_library_${library}})
    endforeach ()
    target_link_libraries(${target} PRIVATE ${ARG_LIBRARIES})
    set(precompiled precompiled_fast)
    if (ROOM IN_LIST house_waiting_rooms)
        target_compile_options(${target} PRIVATE ${house_waiting_options})
        set(precompiled precompiled_waiting)
    endif ()
    if ("Halide" IN_LIST "house_libraries_${ROOM}")
        string(APPEND precompiled _halide)
    endif ()
    autoschedule_gpu_precompile(${target} ${precompiled})
endfunction()

function(autoschedule_gpu_wing WING)
    if (TARGET autoschedule_gpu_${WING})
        return()
    endif ()
    add_library(autoschedule_gpu_${WING} INTERFACE)
    foreach (room IN LISTS house_rooms)
        if (room MATCHES "^${WING}/")
            autoschedule_gpu_target_of(target "${room}")
            target_link_libraries(autoschedule_gpu_${WING} INTERFACE ${target})
        endif ()
    endforeach ()
endfunction()
