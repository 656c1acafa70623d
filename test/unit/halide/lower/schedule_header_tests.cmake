# schedule_header_tests(NAME PLUGIN TARGET SCHEDULER NAME TARGET TRIPLE CASES CASE...)
#
# The schedule header that `-e schedule` writes against the plugin that made it. The generator
# header_generator runs with the plugin once per case, with the parameters in the variable
# NAME_CASE; the headers of all cases are compiled into it a second time, without a warning; and
# then it must give the same lowered code and the same kernels, to the byte. Tests: NAME.CASE.
set(schedule_header_tests_folder "${CMAKE_CURRENT_LIST_DIR}")

function(schedule_header_tests NAME)
    cmake_parse_arguments(ARG "" "PLUGIN;SCHEDULER;TARGET" "CASES" ${ARGN})
    set(source "${schedule_header_tests_folder}/header_generator.cpp")
    set(headers "")
    set(includes "")
    set(calls "")
    foreach (case IN LISTS ARG_CASES)
        add_custom_command(
            OUTPUT applied/${case}.schedule.h applied/${case}.stmt applied/${case}.device_code
            COMMAND ${CMAKE_COMMAND} -E make_directory applied
            COMMAND header_generator -g header_case -f ${case} -o applied
                -e schedule,stmt,device_code -p $<TARGET_FILE:${ARG_PLUGIN}>
                target=${ARG_TARGET} autoscheduler=${ARG_SCHEDULER} ${${NAME}_${case}}
            DEPENDS header_generator ${ARG_PLUGIN} ${${NAME}_${case}_DEPENDS}
            WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
            VERBATIM)
        list(APPEND headers applied/${case}.schedule.h)
        string(APPEND includes "#include \"applied/${case}.schedule.h\"\n")
        string(APPEND calls
            "    if (name == \"${case}\") apply_schedule_${case}(pipeline, target);\n")
    endforeach ()
    file(CONFIGURE OUTPUT header_cases.h CONTENT "${includes}
inline void apply_header_case(const std::string &name, const Halide::Pipeline &pipeline,
                              const Halide::Target &target) {
${calls}}
" @ONLY)

    add_executable(${NAME}_user "${source}" ${headers})
    target_compile_definitions(${NAME}_user PRIVATE HEADER_CASES)
    # GCC 12 warns wrongly of std::string's operator+, in Halide.h itself (its bug 105651).
    target_compile_options(${NAME}_user PRIVATE -Wall -Wextra -Wshadow -Werror
        $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
    target_include_directories(${NAME}_user PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
    target_link_libraries(${NAME}_user PRIVATE Halide::Generator)
    autoschedule_gpu_precompile(${NAME}_user precompiled_generator)

    foreach (case IN LISTS ARG_CASES)
        add_test(NAME ${NAME}.${case}
            COMMAND ${CMAKE_COMMAND}
                -DUSER=$<TARGET_FILE:${NAME}_user> -DCASE=${case} -DTARGET=${ARG_TARGET}
                -DEXPECTED=${CMAKE_CURRENT_BINARY_DIR}/applied
                -DACTUAL=${CMAKE_CURRENT_BINARY_DIR}/from_header
                -P "${schedule_header_tests_folder}/compare_header.cmake")
    endforeach ()
endfunction()
