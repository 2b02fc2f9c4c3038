# Install rules: the libraries, their public headers, and a package whose components are the layers:
# find_package(affix REQUIRED COMPONENTS wire) defines affix::wire and what is below it. The standard dictionaries and the
# generator too: COMPONENTS fix44 defines affix::fix44, generated in the user's build, and affix_generate() serves others.
#
# Eight parts can be installed alone (cmake --install <build> --component ...): runtime, the shared libraries; development,
# what a build needs beside them; tools, monitor, lab and keep, one program each; admin, the client of the administration port
# (affix_admin_client.cmake); dictionaries. docs/reference/packages.md shows them from outside.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

get_property(layers GLOBAL PROPERTY affix_layers_built)
list(TRANSFORM layers PREPEND "affix_" OUTPUT_VARIABLE layer_targets)
install(
  TARGETS ${layer_targets} affix_affix
  EXPORT affixTargets
  ARCHIVE COMPONENT development
  LIBRARY COMPONENT runtime NAMELINK_COMPONENT development
  FILE_SET HEADERS COMPONENT development)

# From bin/ to the shared libraries, wherever the prefix is moved to.
file(RELATIVE_PATH affix_libraries_from_programs "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBDIR}")
set(affix_program_rpath "")
if(BUILD_SHARED_LIBS)
  set(affix_program_rpath "$ORIGIN/${affix_libraries_from_programs}")
endif()

if(TARGET affix_generator)
  set_target_properties(affix_generator PROPERTIES INSTALL_RPATH "${affix_program_rpath}")
  install(TARGETS affix_generator EXPORT affixTargets COMPONENT development)
  include(affix_program_texts)
  affix_program_texts(affix_generator development)
endif()

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/affix")
install(EXPORT affixTargets NAMESPACE affix:: DESTINATION "${package_dir}" COMPONENT development)

# affix_needing_<library>: the layers whose users link the library, those above `layer`, if that is compiled with `define`.
# A shared library brings what it is linked with; a static one asks its user's linker for it.
function(affix_find_needing library layer define)
  set(needing "")
  get_target_property(defines affix_${layer} COMPILE_DEFINITIONS)
  if(NOT BUILD_SHARED_LIBS AND define IN_LIST defines)
    foreach(user IN LISTS layers)
      get_property(lower GLOBAL PROPERTY affix_uses_${user})
      foreach(other IN ITEMS ${layer} ${needing})
        if(other IN_LIST lower OR other STREQUAL user)
          list(APPEND needing ${user})
          break()
        endif()
      endforeach()
    endforeach()
  endif()
  list(JOIN needing " " needing)
  set(affix_needing_${library} "${needing}" PARENT_SCOPE)
endfunction()
affix_find_needing(pugixml dictionary AFFIX_XML)
affix_find_needing(openssl tls AFFIX_TLS)
affix_find_needing(cctz config AFFIX_TIME_ZONES)
affix_find_needing(liburing net AFFIX_IO_URING)
get_property(affix_components GLOBAL PROPERTY affix_layers_built)
list(JOIN affix_components " " affix_components)
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/affixConfig.cmake.in" "${PROJECT_BINARY_DIR}/affixConfig.cmake"
  INSTALL_DESTINATION "${package_dir}" PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/affixConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/affixConfig.cmake" "${PROJECT_BINARY_DIR}/affixConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/affix_generate.cmake" "${PROJECT_SOURCE_DIR}/cmake/affix_plugin.cmake"
        DESTINATION "${package_dir}"
        COMPONENT development)

install(DIRECTORY "${PROJECT_SOURCE_DIR}/dictionaries/" DESTINATION "${CMAKE_INSTALL_DATADIR}/affix/dictionaries"
        COMPONENT dictionaries
        FILES_MATCHING PATTERN "*.xml" PATTERN "LICENSE.*" PATTERN "PROVENANCE.md")
