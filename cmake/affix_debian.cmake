# Debian packages, by `cpack -G DEB` in a build of preset `package`: `./dev package` calls it, and debian/rules does.
# Each package is one component of the install rules. debian/control says what it is called, what it is and what it
# depends on, debian/changelog its version, debian/copyright its licences. dpkg-shlibdeps adds the libraries it links.

if(NOT BUILD_SHARED_LIBS)
  message(FATAL_ERROR "AFFIX_DEBIAN_PACKAGES needs BUILD_SHARED_LIBS")
endif()

set(affix_abi "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
set(affix_debian_packages libaffix${affix_abi} libaffix-dev affix-tools affix-monitor affix-lab affix-keep
                          affix-dictionaries affix-admin)
set(affix_debian_components runtime development tools monitor lab keep dictionaries admin)

set(affix_debian "${PROJECT_SOURCE_DIR}/debian")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${affix_debian}/control" "${affix_debian}/changelog")
file(READ "${affix_debian}/control" affix_control)

# affix_control_field(<result> <paragraph> <field>): the field with its further lines, in the paragraph that begins with
# the line <paragraph>; empty if it is not there.
function(affix_control_field result paragraph field)
  string(FIND "\n\n${affix_control}" "\n\n${paragraph}\n" begin)
  if(begin EQUAL -1)
    message(FATAL_ERROR "debian/control has no paragraph '${paragraph}'")
  endif()
  string(SUBSTRING "${affix_control}" ${begin} -1 rest)
  string(REGEX REPLACE "\n\n.*" "\n" rest "${rest}")
  set(value "")
  if("\n${rest}" MATCHES "\n${field}: ([^\n]*(\n [^\n]*)*)\n")
    set(value "${CMAKE_MATCH_1}")
  endif()
  set(${result} "${value}" PARENT_SCOPE)
endfunction()

file(STRINGS "${affix_debian}/changelog" affix_changelog_head LIMIT_COUNT 1)
string(REGEX MATCH "\\(([0-9.]+)-([0-9]+)\\)" affix_debian_version "${affix_changelog_head}")
set(CPACK_DEBIAN_PACKAGE_RELEASE "${CMAKE_MATCH_2}")
if(NOT CMAKE_MATCH_1 STREQUAL PROJECT_VERSION)
  message(FATAL_ERROR "debian/changelog begins with '${affix_changelog_head}', but this is ${PROJECT_VERSION}")
endif()
set(affix_debian_version "${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")

affix_control_field(affix_maintainer "Source: affix" Maintainer)
set(CPACK_PACKAGE_CONTACT "${affix_maintainer}" CACHE STRING "Maintainer of the Debian packages")
set(CPACK_PACKAGE_NAME affix)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_VENDOR "affix")
# Each package has a summary of its own.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL ${affix_debian_components})
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SOURCE affix)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}")

set(AFFIX_DEPENDS_OF "" CACHE PATH "Packages of this machine, for a build for another processor: the libraries of the same
release have the same names there, and dpkg-shlibdeps knows only those that are installed here")
if(CMAKE_CROSSCOMPILING)
  if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64" OR NOT AFFIX_DEPENDS_OF)
    message(FATAL_ERROR "Debian packages for another processor are arm64's, and need AFFIX_DEPENDS_OF")
  endif()
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
  set(CPACK_STRIP_FILES OFF)
endif()

# affix_native_depends(<result> <package>): what the package for this machine depends on.
function(affix_native_depends result package)
  file(GLOB found "${AFFIX_DEPENDS_OF}/${package}_*.deb")
  if(NOT found)
    message(FATAL_ERROR "${AFFIX_DEPENDS_OF} has no package ${package}: `./dev package` makes them")
  endif()
  execute_process(COMMAND dpkg-deb --field ${found} Depends OUTPUT_VARIABLE depends OUTPUT_STRIP_TRAILING_WHITESPACE
                          COMMAND_ERROR_IS_FATAL ANY)
  set(${result} "${depends}" PARENT_SCOPE)
endfunction()

foreach(package component IN ZIP_LISTS affix_debian_packages affix_debian_components)
  string(TOUPPER ${component} name)
  set(CPACK_DEBIAN_${name}_PACKAGE_NAME ${package})
  affix_control_field(description "Package: ${package}" Description)
  # As CPack wants it, which writes the form of the control file again.
  string(REGEX REPLACE "\n \\.?" "\n" CPACK_DEBIAN_${name}_DESCRIPTION "${description}")
  affix_control_field(section "Package: ${package}" Section)
  if(NOT section)
    affix_control_field(section "Source: affix" Section)
  endif()
  set(CPACK_DEBIAN_${name}_PACKAGE_SECTION ${section})
  affix_control_field(architecture "Package: ${package}" Architecture)
  if(architecture STREQUAL "all")
    set(CPACK_DEBIAN_${name}_PACKAGE_ARCHITECTURE all)
  endif()
  affix_control_field(depends "Package: ${package}" Depends)
  set(names_libraries FALSE)
  if(depends MATCHES "{shlibs:Depends}")
    set(names_libraries TRUE)
    if(NOT CMAKE_CROSSCOMPILING)
      set(CPACK_DEBIAN_${name}_PACKAGE_SHLIBDEPS ON)
    endif()
  endif()
  string(REGEX REPLACE ",[ \n]+" ", " depends "${depends}")
  string(REGEX REPLACE "(, |^)\\\${shlibs:Depends}" "" depends "${depends}")
  string(REGEX REPLACE "\\\${(source|binary):Version}" "${affix_debian_version}" depends "${depends}")
  if(names_libraries AND CMAKE_CROSSCOMPILING)
    affix_native_depends(depends ${package})
  endif()
  set(CPACK_DEBIAN_${name}_PACKAGE_DEPENDS "${depends}")
  foreach(field IN ITEMS Recommends Suggests)
    affix_control_field(others "Package: ${package}" ${field})
    string(TOUPPER ${field} upper)
    set(CPACK_DEBIAN_${name}_PACKAGE_${upper} "${others}")
  endforeach()
endforeach()

# The linker's cache is made anew once, however many packages want it.
file(WRITE "${PROJECT_BINARY_DIR}/debian/triggers" "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA "${PROJECT_BINARY_DIR}/debian/triggers")
file(COPY_FILE "${affix_debian}/affix-tools.postinst" "${PROJECT_BINARY_DIR}/debian/postinst" ONLY_IF_DIFFERENT)
set(CPACK_DEBIAN_TOOLS_PACKAGE_CONTROL_EXTRA "${PROJECT_BINARY_DIR}/debian/postinst")

# Debian's policy requires these two in each package.
file(ARCHIVE_CREATE OUTPUT "${PROJECT_BINARY_DIR}/debian/changelog.Debian.gz" PATHS "${affix_debian}/changelog" FORMAT raw
     COMPRESSION GZip COMPRESSION_LEVEL 9)
foreach(package component IN ZIP_LISTS affix_debian_packages affix_debian_components)
  install(FILES "${affix_debian}/copyright" "${PROJECT_BINARY_DIR}/debian/changelog.Debian.gz"
          DESTINATION "share/doc/${package}" COMPONENT ${component})
endforeach()

include(CPack)
