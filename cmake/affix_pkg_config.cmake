# Files for pkg-config: affix-wire.pc and so on, one for each layer, and affix.pc for all of them. Their paths follow from
# where the files lie, so an installation can be moved. They carry no language standard: C++23 is the user's to ask for.

include(GNUInstallDirs)

set(pkg_config_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH affix_pc_prefix "/${pkg_config_dir}" "/")
string(REGEX REPLACE "/$" "" affix_pc_prefix "${affix_pc_prefix}")

# affix_pkg_config_file(<name> <description> <libs> <required packages> <foreign libs> <foreign packages>): what is
# foreign is a shared library's own affair, and the user's linker's for a static one. For a shared one it is not even
# listed as private: pkg-config wants the files of private packages too, which users of shared libraries need not have.
function(affix_pkg_config_file name description libs packages foreign_libs foreign_packages)
  if(BUILD_SHARED_LIBS)
    set(foreign_libs "")
    set(foreign_packages "")
  endif()
  list(JOIN packages ", " packages)
  list(JOIN foreign_packages ", " foreign_packages)
  list(JOIN foreign_libs " " foreign_libs)
  set(text "prefix=\${pcfiledir}/${affix_pc_prefix}\n"
           "libdir=\${prefix}/${CMAKE_INSTALL_LIBDIR}\n"
           "includedir=\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}\n"
           "\n"
           "Name: ${name}\n"
           "Description: ${description}\n"
           "Version: ${PROJECT_VERSION}\n")
  if(packages AND foreign_packages)
    string(APPEND packages ", ")
  endif()
  string(STRIP "${libs} ${foreign_libs}" libs)
  list(APPEND text "Requires: ${packages}${foreign_packages}\n" "Libs: ${libs}\n")
  list(APPEND text "Cflags: -I\${includedir}\n")
  string(CONCAT text ${text})
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc" CONTENT "${text}" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc" DESTINATION "${pkg_config_dir}" COMPONENT development)
endfunction()

get_property(layers GLOBAL PROPERTY affix_layers_built)
foreach(layer IN LISTS layers)
  get_property(lower GLOBAL PROPERTY affix_uses_${layer})
  list(TRANSFORM lower PREPEND "affix-")
  # The foreign libraries are what the target links beside layers: pugixml by its package, others by their names.
  set(foreign_libs "")
  set(foreign_packages "")
  get_target_property(linked affix_${layer} LINK_LIBRARIES)
  foreach(library IN LISTS linked)
    if(library STREQUAL "pugixml::pugixml")
      list(APPEND foreign_packages pugixml)
    elseif(library STREQUAL "Threads::Threads")
      list(APPEND foreign_libs -pthread)
    elseif(library MATCHES "^\\$<INSTALL_INTERFACE:(OpenSSL::|affix::lib)(.+)>$")
      string(TOLOWER "${CMAKE_MATCH_2}" library)
      list(APPEND foreign_libs -l${library})
    endif()
  endforeach()
  affix_pkg_config_file(affix-${layer} "Layer ${layer} of affix, a low-latency FIX engine"
                        "-L\${libdir} -laffix_${layer}" "${lower}" "${foreign_libs}" "${foreign_packages}")
endforeach()
list(TRANSFORM layers PREPEND "affix-" OUTPUT_VARIABLE packages)
affix_pkg_config_file(affix "${PROJECT_DESCRIPTION}" "" "${packages}" "" "")
