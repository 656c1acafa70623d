# Runs the generator that has the schedule headers compiled in, and compares what it writes with
# what the applied directives gave.
file(MAKE_DIRECTORY "${ACTUAL}")
execute_process(
    COMMAND "${USER}" -g header_case -f ${CASE} -o "${ACTUAL}" -e stmt,device_code
        target=${TARGET} header=${CASE}
    COMMAND_ERROR_IS_FATAL ANY)
foreach (kind stmt device_code)
    execute_process(
        COMMAND ${CMAKE_COMMAND} -E compare_files
            "${EXPECTED}/${CASE}.${kind}" "${ACTUAL}/${CASE}.${kind}"
        RESULT_VARIABLE differs)
    if (differs)
        message(FATAL_ERROR "The schedule header gives other code than the directives: compare "
            "${EXPECTED}/${CASE}.${kind} with ${ACTUAL}/${CASE}.${kind}")
    endif ()
endforeach ()
