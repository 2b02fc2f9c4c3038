# Install rules: the libraries, their public headers, and a package whose components are the layers:
# find_package(affix REQUIRED COMPONENTS wire) defines affix::wire and what is below it. The standard dictionaries and the
# generator too: COMPONENTS fix44 defines affix::fix44, generated in the user's build, and affix_generate() serves others.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

get_property(layers GLOBAL PROPERTY affix_layers_built)
list(TRANSFORM layers PREPEND "affix_" OUTPUT_VARIABLE layer_targets)
install(TARGETS ${layer_targets} affix_affix EXPORT affixTargets FILE_SET HEADERS)

if(TARGET affix_generator)
  install(TARGETS affix_generator EXPORT affixTargets)
endif()

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/affix")
install(EXPORT affixTargets NAMESPACE affix:: DESTINATION "${package_dir}")
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/affixConfig.cmake.in" "${PROJECT_BINARY_DIR}/affixConfig.cmake"
  INSTALL_DESTINATION "${package_dir}" PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/affixConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/affixConfig.cmake" "${PROJECT_BINARY_DIR}/affixConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/affix_generate.cmake"
        DESTINATION "${package_dir}")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/dictionaries/" DESTINATION "${CMAKE_INSTALL_DATADIR}/affix/dictionaries"
        FILES_MATCHING PATTERN "*.xml" PATTERN "LICENSE.*" PATTERN "PROVENANCE.md")
