# Installs the READMEs, in the folders that they have in the project, so that their links lead to each
# other. What leads to a file that is not installed, such as a source, becomes text without a link.
#
# It runs when the package is installed, with
#   project        the project's folder
#   staged         a folder for the READMEs as they are installed
#   docs_in_prefix where they go
cmake_policy(VERSION 3.28)
set(documents LICENSE README.md apps/README.md apps/images/overview.svg apps/kernels/README.md
    apps/measured/README.md include/README.md src/README.md src/compare/README.md
    src/compare/images/explained.png src/core/gpu/README.md src/halide/README.md
    src/lab/records/README.md src/lab/traffic/README.md src/plugins/README.md
    src/plugins/autoscheduler/README.md src/python/README.md src/tune/README.md
    test/inductor/README.md test/judge/README.md tools/README.md weights/README.md)

# without_dead_links(TEXT DOCUMENT OUT): sets OUT to the text of the document as it is installed.
function(without_dead_links text document out)
    cmake_path(GET document PARENT_PATH folder)
    # Lists of CMake do not bear a bracket without its other half, so the links have none in them.
    string(REPLACE "](" "<link>(" marked "${text}")
    string(REGEX MATCHALL "<link>\\([^()# \n]+" links "${marked}")
    list(REMOVE_DUPLICATES links)
    foreach (link IN LISTS links)
        string(REPLACE "<link>(" "" path "${link}")
        cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY "${project}/${folder}" NORMALIZE
            OUTPUT_VARIABLE target)
        cmake_path(RELATIVE_PATH target BASE_DIRECTORY "${project}")
        if (NOT target IN_LIST documents AND EXISTS "${project}/${target}")
            string(REPLACE "." "\\." path "${path}")
            string(REGEX REPLACE "\\[([^]]*)\\]\\(${path}(#[^)]*)?\\)" "\\1" text "${text}")
        endif ()
    endforeach ()
    set(${out} "${text}" PARENT_SCOPE)
endfunction()

cmake_path(ABSOLUTE_PATH docs_in_prefix BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}")
foreach (document IN LISTS documents)
    set(source "${project}/${document}")
    if (NOT EXISTS "${source}")
        continue()
    endif ()
    if (document MATCHES "\\.md$")
        file(READ "${source}" text)
        without_dead_links("${text}" "${document}" text)
        set(source "${staged}/${document}")
        file(WRITE "${source}" "${text}")
    endif ()
    cmake_path(GET document PARENT_PATH folder)
    file(INSTALL "${source}" DESTINATION "${docs_in_prefix}/${folder}")
endforeach ()
