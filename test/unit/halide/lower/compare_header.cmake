# Runs the generator that has the schedule headers compiled in, and compares what it writes with
# what the applied directives gave.
file(MAKE_DIRECTORY "${ACTUAL}")
execute_process(
    COMMAND "${USER}" -g header_case -f ${CASE} -o "${ACTUAL}" -e stmt,device_code
        target=${TARGET} header=${CASE}
    COMMAND_ERROR_IS_FATAL ANY)
# Halide numbers names that a process uses again, and a search of reductions that are taken apart does.
function(without_counters FILE RESULT)
    file(STRINGS "${FILE}" lines)
    string(REGEX REPLACE "\\$[0-9]+|__[0-9]+" "" text "${lines}")
    string(REGEX REPLACE "([^A-Za-z0-9])(v|t)[0-9]+" "\\1\\2" text "${text}")
    string(REGEX REPLACE "buffer\\), [0-9]+\\)" "buffer)" text "${text}")
    set(${RESULT} "${text}" PARENT_SCOPE)
endfunction()
foreach (kind stmt device_code)
    without_counters("${EXPECTED}/${CASE}.${kind}" expected)
    without_counters("${ACTUAL}/${CASE}.${kind}" actual)
    if (NOT expected STREQUAL actual)
        message(FATAL_ERROR "The schedule header gives other code than the directives: compare "
            "${EXPECTED}/${CASE}.${kind} with ${ACTUAL}/${CASE}.${kind}")
    endif ()
endforeach ()
