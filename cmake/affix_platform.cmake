# Sources of one system, chosen by the ends of their names, so that the code itself asks no preprocessor which one it is on:
#   <subject>_linux.cpp, _macos.cpp, _windows.cpp   that system
#   <subject>_posix.cpp                             Linux and macOS
#   <subject>_not_linux.cpp                         macOS and Windows: what only Linux has, told by name
# A source without such an end is for all of them.

if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  set(affix_platforms linux posix)
elseif(CMAKE_SYSTEM_NAME STREQUAL "Darwin")
  set(affix_platforms macos posix not_linux)
elseif(CMAKE_SYSTEM_NAME STREQUAL "Windows")
  set(affix_platforms windows not_linux)
else()
  message(FATAL_ERROR "affix is for Linux, macOS and Windows, not for '${CMAKE_SYSTEM_NAME}'")
endif()

# affix_platform_sources(<list>): takes the sources of other systems out of a list; `<subject>_linux_test.cpp` is one too.
function(affix_platform_sources list)
  set(kept "")
  foreach(source IN LISTS ${list})
    set(platform "")
    if(source MATCHES "_(not_linux|linux|macos|windows|posix)(_test)?\\.cpp$")
      set(platform ${CMAKE_MATCH_1})
    endif()
    if(source MATCHES "_not_linux(_test)?\\.cpp$")
      set(platform not_linux)
    endif()
    if(NOT platform OR platform IN_LIST affix_platforms)
      list(APPEND kept "${source}")
    endif()
  endforeach()
  set(${list} "${kept}" PARENT_SCOPE)
endfunction()
