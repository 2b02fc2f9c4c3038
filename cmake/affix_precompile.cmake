# affix_precompile(<target>): compiles the target's sources with one precompiled header of the standard library, which
# halves the time of a debug build. No other library's header belongs into it: what a header defines in each source that
# includes it, as CLI11 and JSON do, would be compiled with every source. Builds that are shipped, measured or read by
# clang-tidy go without it, so a source that misses an #include fails there. Test programs have a header of their own,
# see affix_test.cmake.
#
# A header serves every target with the same flags; those that differ in this tree are position independent code, the
# layers' -fno-exceptions, and -O0.

function(affix_precompile target)
  get_target_property(type ${target} TYPE)
  if(NOT AFFIX_PRECOMPILE OR type STREQUAL "SHARED_LIBRARY")
    return()
  endif()
  get_target_property(pic ${target} POSITION_INDEPENDENT_CODE)
  set(headers affix_standard_headers)
  if(pic)
    string(APPEND headers _pic)
  endif()
  set(without_exceptions "")
  get_target_property(options ${target} COMPILE_OPTIONS)
  if("-fno-exceptions" IN_LIST options)
    string(APPEND headers _without_exceptions)
    set(without_exceptions -fno-exceptions -fno-rtti)
  endif()
  set(unoptimised "")
  if("-O0" IN_LIST options)
    string(APPEND headers _unoptimised)
    set(unoptimised -O0)
  endif()
  if(NOT TARGET ${headers})
    affix_precompiled(${headers} algorithm array atomic bit cerrno charconv cstdint cstring deque expected filesystem
                      fstream functional limits map memory mutex optional set span string string_view system_error
                      unordered_map utility variant vector)
    set_target_properties(${headers} PROPERTIES POSITION_INDEPENDENT_CODE "${pic}")
    target_compile_options(${headers} PRIVATE ${without_exceptions} ${unoptimised})
  endif()
  affix_use_precompiled(${target} ${headers})
endfunction()

# affix_precompiled(<target> <headers...>): a target that other targets take their precompiled header from.
function(affix_precompiled target)
  list(TRANSFORM ARGN REPLACE "(.+)" "<\\1>" OUTPUT_VARIABLE headers)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/precompiled/${target}.cpp" CONTENT "" @ONLY)
  add_library(${target} OBJECT EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/precompiled/${target}.cpp")
  target_compile_features(${target} PUBLIC cxx_std_23)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_link_libraries(${target} PRIVATE affix_developer_flags)
  target_precompile_headers(${target} PRIVATE ${headers})
  affix_cached_precompiled(${target})
endfunction()

function(affix_use_precompiled target from)
  target_precompile_headers(${target} REUSE_FROM ${from})
  affix_cached_precompiled(${target})
endfunction()

# ccache refuses a precompiled header of Clang that holds its headers' times.
function(affix_cached_precompiled target)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()
