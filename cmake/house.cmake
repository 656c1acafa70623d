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

# What the plugin stands on and is the same for any Halide: a build against another version can take
# these rooms from a first build, whose target `rooms_of_any_halide` makes them.
set(AUTOSCHEDULE_GPU_ROOMS_OF "" CACHE PATH "Build folder from which rooms are taken that see no Halide")
add_custom_target(rooms_of_any_halide)
set(house_plugin_plugins/autoscheduler TRUE)
foreach (room IN LISTS house_rooms)
    if (house_plugin_${room})
        foreach (other IN LISTS "house_includes_${room}")
            set("house_plugin_${other}" TRUE)
        endforeach ()
    endif ()
endforeach ()
set(house_from_the_ground ${house_rooms})
list(REVERSE house_from_the_ground)
set(house_rooms_of_any_halide "")
set(house_rooms_that_see_halide "")
foreach (room IN LISTS house_from_the_ground)
    set(sees_halide FALSE)
    if ("${house_libraries_${room}}" MATCHES "Halide")
        set(sees_halide TRUE)
    endif ()
    foreach (other IN LISTS "house_includes_${room}")
        if (other IN_LIST house_rooms_that_see_halide)
            set(sees_halide TRUE)
        endif ()
    endforeach ()
    if (sees_halide)
        list(APPEND house_rooms_that_see_halide "${room}")
    elseif (house_plugin_${room})
        list(APPEND house_rooms_of_any_halide "${room}")
    endif ()
endforeach ()

# Where the time of a search, of counting and of training goes. All other rooms wait for compilers,
# files and devices: with less optimisation they are built sooner.
set(house_busy_rooms "^(core|scheduler|plugins/extensions|learn/train|lab/traffic)(/|$)")
set(house_waiting_options $<$<CONFIG:Release>:-O1>)

# So many sources of a room are compiled as one: no two files of a room have helpers of one name.
set(AUTOSCHEDULE_GPU_SOURCES_TOGETHER 8 CACHE STRING "Sources of a room that are compiled as one; 0: all, 1: none")
mark_as_advanced(AUTOSCHEDULE_GPU_SOURCES_TOGETHER)

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
    set(is_taken FALSE)
    if (ROOM IN_LIST house_rooms_of_any_halide AND AUTOSCHEDULE_GPU_ROOMS_OF)
        set(is_taken TRUE)
    endif ()
    if (is_taken)
        cmake_path(RELATIVE_PATH CMAKE_CURRENT_BINARY_DIR BASE_DIRECTORY "${PROJECT_BINARY_DIR}"
            OUTPUT_VARIABLE folder)
        add_library(${target} STATIC IMPORTED GLOBAL)
        set_target_properties(${target} PROPERTIES SYSTEM OFF
            IMPORTED_LOCATION "${AUTOSCHEDULE_GPU_ROOMS_OF}/${folder}/lib${target}.a")
        set(for_users INTERFACE)
    else ()
        # Of a build of the plugin alone, only the rooms that it stands on are made.
        add_library(${target} STATIC EXCLUDE_FROM_ALL ${sources})
        set(for_users PUBLIC)
    endif ()
    target_include_directories(${target} ${for_users} "${PROJECT_SOURCE_DIR}/src"
        "${PROJECT_SOURCE_DIR}/include")
    foreach (other IN LISTS "house_includes_${ROOM}")
        autoschedule_gpu_target_of(linked "${other}")
        target_link_libraries(${target} ${for_users} ${linked})
    endforeach ()
    foreach (library IN LISTS "house_libraries_${ROOM}")
        target_link_libraries(${target} ${for_users} ${house_library_${library}})
    endforeach ()
    if (is_taken)
        return()
    endif ()
    if (ROOM IN_LIST house_rooms_of_any_halide)
        add_dependencies(rooms_of_any_halide ${target})
    endif ()
    target_compile_options(${target} PRIVATE ${house_options})
    set(precompiled precompiled_busy)
    if (NOT ROOM MATCHES "${house_busy_rooms}")
        target_compile_options(${target} PRIVATE ${house_waiting_options})
        set(precompiled precompiled_waiting)
    endif ()
    if ("Halide" IN_LIST "house_libraries_${ROOM}")
        string(APPEND precompiled _halide)
    endif ()
    autoschedule_gpu_precompile(${target} ${precompiled})
    # Headers take longer than what a file says itself.
    set_target_properties(${target} PROPERTIES
        UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE "${AUTOSCHEDULE_GPU_SOURCES_TOGETHER}")
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
