# Shared libraries (BUILD_SHARED_LIBS): a layer exports what its public headers declare, and those that it shares with other
# layers. That includes the members of a private class that a public header names, for a pointer to it.
#
# No declaration carries a mark of its own. The layer is compiled with hidden visibility behind a precompiled header
# that reads all its public headers as visible; a definition has the visibility of its first declaration. (Of a friend
# that is defined elsewhere, GCC wants a declaration outside the class too.) Calls within a layer stay direct, so that a
# shared codec costs what a static one does.
#
# Until 1.0 every minor version may change the ABI, so the file names carry it: libaffix_wire.so.0.1. The inline
# namespace v0 keeps the symbols of two ABIs apart in one process.

function(affix_share_layer name)
  get_target_property(type affix_${name} TYPE)
  if(NOT type STREQUAL "SHARED_LIBRARY")
    return()
  endif()
  set(text "#pragma GCC visibility push(default)\n")
  foreach(header IN LISTS ARGN)
    string(REGEX REPLACE "^${PROJECT_SOURCE_DIR}/(include|src)/" "" path "${header}")
    string(APPEND text "#include \"${path}\"\n")
  endforeach()
  string(APPEND text "#pragma GCC visibility pop\n")
  set(exported "${PROJECT_BINARY_DIR}/exported/affix_${name}.hpp")
  file(CONFIGURE OUTPUT "${exported}" CONTENT "${text}" @ONLY)

  target_precompile_headers(affix_${name} PRIVATE "${exported}")
  target_compile_options(affix_${name} PRIVATE -fno-semantic-interposition)
  if(AFFIX_DEVELOPER_MODE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # One more of GCC 12's warnings about its own std::string, see affix_flags.cmake.
    target_compile_options(affix_${name} PRIVATE -Wno-stringop-overread)
  endif()
  target_link_options(affix_${name} PRIVATE LINKER:-Bsymbolic-functions LINKER:--as-needed)
  if(NOT AFFIX_SANITIZE)
    # A symbol that nobody defines is our fault, and found here rather than by a user's linker.
    target_link_options(affix_${name} PRIVATE LINKER:-z,defs)
  endif()
  set_target_properties(
    affix_${name}
    PROPERTIES VERSION "${PROJECT_VERSION}"
               SOVERSION "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}"
               CXX_VISIBILITY_PRESET hidden
               VISIBILITY_INLINES_HIDDEN ON
               INSTALL_RPATH "$ORIGIN")
endfunction()
