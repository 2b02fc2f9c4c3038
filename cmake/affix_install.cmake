# Install rules: the libraries, their public headers, and a package whose components are the layers:
# find_package(affix REQUIRED COMPONENTS wire) defines affix::wire and what is below it. The standard dictionaries too.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

get_property(layers GLOBAL PROPERTY affix_layers_built)
list(TRANSFORM layers PREPEND "affix_" OUTPUT_VARIABLE layer_targets)
install(TARGETS ${layer_targets} affix_affix EXPORT affixTargets FILE_SET HEADERS)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/affix")
install(EXPORT affixTargets NAMESPACE affix:: DESTINATION "${package_dir}")
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/affixConfig.cmake.in" "${PROJECT_BINARY_DIR}/affixConfig.cmake"
  INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/affixConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/affixConfig.cmake" "${PROJECT_BINARY_DIR}/affixConfigVersion.cmake"
        DESTINATION "${package_dir}")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/dictionaries/" DESTINATION "${CMAKE_INSTALL_DATADIR}/affix/dictionaries"
        FILES_MATCHING PATTERN "*.xml" PATTERN "LICENSE.*" PATTERN "PROVENANCE.md")
