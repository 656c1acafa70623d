# The package: `cmake --install build --prefix P`, and the same package straight from the build
# folder (AutoscheduleGPU_DIR=build). Both offer AutoscheduleGPU::GPU, from whose name
# add_halide_library takes the scheduler's, GPU, and AutoscheduleGPU::headers.
include(CMakePackageConfigHelpers)

# The public headers, for libraries of users.
add_library(AutoscheduleGPU_headers INTERFACE)
add_library(AutoscheduleGPU::headers ALIAS AutoscheduleGPU_headers)
set_target_properties(AutoscheduleGPU_headers PROPERTIES EXPORT_NAME headers)
target_compile_features(AutoscheduleGPU_headers INTERFACE cxx_std_17)
target_include_directories(AutoscheduleGPU_headers INTERFACE
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/AutoscheduleGPU")
# By name, for CMake's own INSTALL_RPATH_USE_LINK_PATH leaves out folders inside the project, and
# .venv is one.
set(halide_library_folder "$<TARGET_FILE_DIR:Halide::Halide>")
if (TARGET AutoscheduleGPU_GPU)
    # A generator has libHalide loaded already and its name is enough then; the path of the one
    # that was linked serves everyone else (ldd, and programs that load the plugin first). Of a wheel
    # it is that of Halide's wheel, which is installed beside it.
    set_target_properties(AutoscheduleGPU_GPU PROPERTIES
        EXPORT_NAME GPU
        INSTALL_RPATH "$ORIGIN/../../halide/lib64;${halide_library_folder}")
    install(TARGETS AutoscheduleGPU_GPU AutoscheduleGPU_headers
        EXPORT AutoscheduleGPUTargets
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT plugin)
    install(EXPORT AutoscheduleGPUTargets
        NAMESPACE AutoscheduleGPU::
        DESTINATION "${package_folder}" COMPONENT plugin)
    export(EXPORT AutoscheduleGPUTargets
        NAMESPACE AutoscheduleGPU::
        FILE "${PROJECT_BINARY_DIR}/AutoscheduleGPUTargets.cmake")

    configure_package_config_file(
        "${PROJECT_SOURCE_DIR}/cmake/AutoscheduleGPUConfig.cmake.in"
        "${PROJECT_BINARY_DIR}/AutoscheduleGPUConfig.cmake"
        INSTALL_DESTINATION "${package_folder}"
        NO_SET_AND_CHECK_MACRO)
    write_basic_package_version_file("${PROJECT_BINARY_DIR}/AutoscheduleGPUConfigVersion.cmake"
        COMPATIBILITY SameMinorVersion)
    install(FILES
        "${PROJECT_BINARY_DIR}/AutoscheduleGPUConfig.cmake"
        "${PROJECT_BINARY_DIR}/AutoscheduleGPUConfigVersion.cmake"
        DESTINATION "${package_folder}" COMPONENT plugin)
endif ()

foreach (tool IN ITEMS autotune retrain_cost_model compare_autoschedulers compare_tuners explain_schedule
        ablation judge_model ptxas_report pipeline_runner samples_info collect records
        list_devices list_parameters random_pipeline.generator)
    if (TARGET ${tool})
        set_target_properties(${tool} PROPERTIES INSTALL_RPATH "${halide_library_folder}")
        install(TARGETS ${tool} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tools)
    endif ()
endforeach ()

# What the tools say of themselves, for `man` and for bash.
foreach (tool IN ITEMS autotune retrain_cost_model compare_autoschedulers compare_tuners explain_schedule
        ablation judge_model ptxas_report pipeline_runner samples_info collect records list_devices
        list_parameters)
    if (TARGET ${tool})
        install(CODE "
            set(prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
            file(MAKE_DIRECTORY \"\${prefix}/${CMAKE_INSTALL_MANDIR}/man1\"
                \"\${prefix}/${CMAKE_INSTALL_DATADIR}/bash-completion/completions\")
            execute_process(COMMAND \"$<TARGET_FILE:${tool}>\" --man COMMAND_ERROR_IS_FATAL ANY
                OUTPUT_FILE \"\${prefix}/${CMAKE_INSTALL_MANDIR}/man1/${tool}.1\")
            execute_process(COMMAND \"$<TARGET_FILE:${tool}>\" --completion COMMAND_ERROR_IS_FATAL ANY
                OUTPUT_FILE \"\${prefix}/${CMAKE_INSTALL_DATADIR}/bash-completion/completions/${tool}\")"
            COMPONENT tools)
    endif ()
endforeach ()

if (TARGET schedule_probe)
    set_target_properties(schedule_probe PROPERTIES INSTALL_RPATH "${halide_library_folder}")
    install(TARGETS schedule_probe LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT tools)
endif ()

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT plugin
    FILES_MATCHING PATTERN "*.h")
install(CODE "
    set(project \"${PROJECT_SOURCE_DIR}\")
    set(staged \"${PROJECT_BINARY_DIR}/documents\")
    set(docs_in_prefix \"${CMAKE_INSTALL_DOCDIR}\")
    include(\"${CMAKE_CURRENT_LIST_DIR}/install_documents.cmake\")"
    COMPONENT plugin)

# The wheel (tools/make_wheel): what works without this project's applications, in the folder of the
# Python package.
if (TARGET AutoscheduleGPU_GPU)
    install(TARGETS AutoscheduleGPU_GPU LIBRARY DESTINATION lib COMPONENT python EXCLUDE_FROM_ALL)
endif ()
foreach (tool IN ITEMS autotune explain_schedule list_devices list_parameters pipeline_runner
        ptxas_report records retrain_cost_model samples_info)
    if (TARGET ${tool})
        install(TARGETS ${tool} RUNTIME DESTINATION bin COMPONENT python EXCLUDE_FROM_ALL)
    endif ()
endforeach ()
