# Compiler flags of our own build. None of them reaches a user: the layers link this target privately,
# and an installed package does not know it. Instrumentation goes to every target of the tree, because
# a sanitizer that covers only half of a program reports nonsense.

add_library(affix_developer_flags INTERFACE)

if(AFFIX_DEVELOPER_MODE)
  target_compile_options(
    affix_developer_flags
    INTERFACE -Wall
              -Wextra
              -Wpedantic
              -Wshadow
              -Wconversion
              -Wsign-conversion
              -Wold-style-cast
              -Wredundant-decls
              -Wsuggest-override
              -Werror)
  # Where several sources are compiled as one, a name of one may shadow another's, and a class may have a member of a type
  # that GCC takes for a header's; builds without affix_unity() look for both.
  set(unity "$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>")
  target_compile_options(affix_developer_flags INTERFACE $<${unity}:-Wno-shadow>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(affix_developer_flags INTERFACE $<${unity}:-Wno-subobject-linkage>)
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(affix_developer_flags INTERFACE -Wreserved-identifier)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 sees overlaps and overflows inside its own std::string at -O2 and above (GCC bugs 105329 and 105651,
    # mended in 13). Clang and newer GCC keep these warnings.
    target_compile_options(affix_developer_flags
                           INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
  endif()
endif()

if(AFFIX_DEVELOPER_MODE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT AFFIX_COVERAGE AND NOT CMAKE_CROSSCOMPILING)
  # A hundred test programs link every layer: mold takes a tenth of the time that ld takes. What is measured or shipped is
  # linked as users link it.
  find_program(AFFIX_MOLD mold)
  mark_as_advanced(AFFIX_MOLD)
  if(AFFIX_MOLD AND CMAKE_BUILD_TYPE STREQUAL "Debug")
    add_link_options(-fuse-ld=mold)
  endif()
endif()

if(AFFIX_SANITIZE)
  list(JOIN AFFIX_SANITIZE "," affix_sanitizers)
  add_compile_options(-fsanitize=${affix_sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${affix_sanitizers})
  if("thread" IN_LIST AFFIX_SANITIZE)
    # A test that counts allocations brings its own operator new; the thread sanitizer's is not weak. The first one
    # wins, which is the test's, and its malloc is still seen.
    add_link_options(LINKER:--allow-multiple-definition)
  endif()
endif()

# affix_quick_with_sanitizer(<target>): for code that takes longer to optimise than its tests take without, which is all but
# the layers that handle each message. Before affix_precompile().
function(affix_quick_with_sanitizer target)
  if(AFFIX_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

if(AFFIX_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "AFFIX_FUZZ needs Clang: libFuzzer is part of its runtime")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(AFFIX_COVERAGE)
  add_compile_options(--coverage -O0 -g)
  add_link_options(--coverage)
endif()

# affix_small(<target>): for code that runs at start or for people, which is half as large and fast enough when it is
# compiled for size. Not for what handles messages, nor with a precompiled header, which is made with the other flags.
function(affix_small target)
  if(NOT AFFIX_PRECOMPILE)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Os>)
  endif()
endfunction()

# affix_small_sources(<layer> [EXCEPT] <subjects...>): the same for these sources of a layer, or for all but these, where
# the rest handles messages. A subject is a source's name without its ending. Not where the layers are compiled in batches:
# a source with flags of its own would be compiled alone.
function(affix_small_sources layer)
  cmake_parse_arguments(PARSE_ARGV 1 small "EXCEPT" "" "")
  if(AFFIX_PRECOMPILE OR AFFIX_UNITY STREQUAL "ALL" OR NOT TARGET affix_${layer})
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${layer}/*.cpp")
  set(known "")
  foreach(source IN LISTS sources)
    get_filename_component(subject "${source}" NAME_WE)
    list(APPEND known ${subject})
    if(small_EXCEPT)
      set(wanted TRUE)
      if(subject IN_LIST small_UNPARSED_ARGUMENTS)
        set(wanted FALSE)
      endif()
    elseif(subject IN_LIST small_UNPARSED_ARGUMENTS)
      set(wanted TRUE)
    else()
      set(wanted FALSE)
    endif()
    if(wanted)
      set_property(SOURCE "${source}" TARGET_DIRECTORY affix_${layer} APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release>:-Os>)
    endif()
  endforeach()
  foreach(subject IN LISTS small_UNPARSED_ARGUMENTS)
    if(NOT subject IN_LIST known)
      message(FATAL_ERROR "affix_small_sources(${layer}): there is no src/${layer}/${subject}.cpp")
    endif()
  endforeach()
endfunction()
