# Rooms as libraries, linked by the table src/house.txt: a room sees what the table lets it include.
#
# The sources of a room are those in its folder.
#
#   autoschedule_gpu_wing(WING [EXCEPT FILE...])   for each room of the table autoschedule_gpu_WING_ROOM,
#                                                  and for all of them autoschedule_gpu_WING; files
#                                                  that are no room's are named from src/
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

# Where the time of a search, of counting and of training goes. All other rooms wait for compilers,
# files and devices: with less optimisation they are built sooner.
set(house_busy_rooms "^(core|scheduler|plugins/extensions|learn/train|lab/traffic)(/|$)")
set(house_waiting_options $<$<CONFIG:Release>:-O1>)

# The linker can leave out what nobody calls if each function has a section of its own. GCC 12 warns
# of overlaps and overflows inside std::string that cannot be (its bug 105651 and others of its
# kind).
set(house_options -ffunction-sections -fdata-sections
    -Wall -Wextra -Wpedantic -Wno-restrict -Wno-array-bounds
    -Wno-stringop-overflow -Wno-stringop-overread)

# With the warnings too, for -Wpedantic takes away a macro of GCC's.
autoschedule_gpu_precompiled(precompiled_busy library OPTIONS ${house_options})
autoschedule_gpu_precompiled(precompiled_waiting library
    OPTIONS ${house_options} "${house_waiting_options}")
autoschedule_gpu_precompiled(precompiled_waiting_halide library
    OPTIONS ${house_options} "${house_waiting_options}"
    LIBRARIES Halide::Halide HEADERS <Halide.h>)

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

function(autoschedule_gpu_room ROOM EXCEPT)
    autoschedule_gpu_target_of(target "${ROOM}")
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${ROOM}/*.cpp")
    list(REMOVE_ITEM sources ${EXCEPT})
    if (NOT sources)
        return()  # a room of headers or of programs
    endif ()
    # Of a build of the plugin alone, only the rooms that it stands on are made.
    add_library(${target} STATIC EXCLUDE_FROM_ALL ${sources})
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
    set(precompiled precompiled_busy)
    if (NOT ROOM MATCHES "${house_busy_rooms}")
        target_compile_options(${target} PRIVATE ${house_waiting_options})
        set(precompiled precompiled_waiting)
    endif ()
    if ("Halide" IN_LIST "house_libraries_${ROOM}")
        string(APPEND precompiled _halide)
    endif ()
    autoschedule_gpu_precompile(${target} ${precompiled})
endfunction()

function(autoschedule_gpu_wing WING)
    cmake_parse_arguments(ARG "" "" "EXCEPT" ${ARGN})
    list(TRANSFORM ARG_EXCEPT PREPEND "${PROJECT_SOURCE_DIR}/src/")
    set(rooms ${house_rooms})
    list(FILTER rooms INCLUDE REGEX "^${WING}(/|$)")
    set(libraries "")
    foreach (room IN LISTS rooms)
        autoschedule_gpu_room("${room}" "${ARG_EXCEPT}")
        autoschedule_gpu_target_of(target "${room}")
        list(APPEND libraries $<TARGET_NAME_IF_EXISTS:${target}>)
    endforeach ()
    # A wing of a single room is that room.
    if (NOT TARGET autoschedule_gpu_${WING})
        add_library(autoschedule_gpu_${WING} INTERFACE)
        target_link_libraries(autoschedule_gpu_${WING} INTERFACE ${libraries})
    endif ()
endfunction()
