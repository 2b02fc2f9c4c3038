# Every switch of the build, with its default. Nothing is ever fetched from the network.

option(AFFIX_DEVELOPER_MODE "Warnings are errors; tests, tools, benchmarks and examples default to ON"
       ${PROJECT_IS_TOP_LEVEL})
option(BUILD_SHARED_LIBS "Shared libraries, one for each layer, in place of static ones" OFF)
set(affix_tests_default ${AFFIX_DEVELOPER_MODE})
if(BUILD_SHARED_LIBS)
  set(affix_tests_default OFF)
endif()
option(AFFIX_TESTS "Build the tests; they need static libraries" ${affix_tests_default})
option(AFFIX_TOOLS "Build the programs affix, affix-monitor, affix-lab and affix-keep" ${AFFIX_DEVELOPER_MODE})
option(AFFIX_BENCHMARKS "Build the benchmarks" ${AFFIX_DEVELOPER_MODE})
option(AFFIX_EXAMPLES "Build the examples" ${AFFIX_DEVELOPER_MODE})
option(AFFIX_INSTALL "Make install rules and the package files" ON)
option(AFFIX_DEBIAN_PACKAGES "Install what Debian packages need, for `cpack -G DEB`; needs shared libraries" OFF)
option(AFFIX_SIMD "Compile the SIMD kernels; OFF leaves the scalar one" ON)
option(AFFIX_IO_URING "Compile the reactor on io_uring where liburing is there" ON)
option(AFFIX_XML "Read dictionaries with pugixml; OFF leaves out what reads them: tests, tools and the generator" ON)
option(AFFIX_ADMIN "The layers admin and service; OFF leaves out these two, which alone need nlohmann/json.hpp" ON)
option(AFFIX_TLS "Compile TLS where OpenSSL is there" ON)
option(AFFIX_TIME_ZONES "Compile named time zones where cctz is there" ON)
option(AFFIX_FUZZ "Build the fuzz targets for libFuzzer (Clang only)" OFF)
option(AFFIX_COVERAGE "Instrument for gcov" OFF)
option(AFFIX_NO_EXCEPTIONS "Compile the library with -fno-exceptions -fno-rtti" OFF)
set(AFFIX_SANITIZE "" CACHE STRING "Sanitizers: address;undefined or thread; empty for none")

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(affix_precompile_default OFF)
if(AFFIX_DEVELOPER_MODE AND CMAKE_BUILD_TYPE STREQUAL "Debug" AND NOT AFFIX_COVERAGE)
  set(affix_precompile_default ON)
endif()
option(AFFIX_PRECOMPILE "Precompile the standard library's headers for the layers and programs"
       ${affix_precompile_default})
set(affix_unity_default NONE)
if(affix_precompile_default)
  set(affix_unity_default ALL)
endif()
set(AFFIX_UNITY ${affix_unity_default} CACHE STRING
    "What is compiled in batches of sources: NONE, PROGRAMS (tools and tests) or ALL (the layers too)")
set_property(CACHE AFFIX_UNITY PROPERTY STRINGS NONE PROGRAMS ALL)
if(NOT AFFIX_UNITY MATCHES "^(NONE|PROGRAMS|ALL)$")
  message(FATAL_ERROR "AFFIX_UNITY is NONE, PROGRAMS or ALL, not '${AFFIX_UNITY}'")
endif()

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()

# A precompiled header carries a time stamp and the defines it was made with; these settings make ccache accept both, and
# ignore the directory of a clone.
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(AFFIX_CCACHE ccache)
  mark_as_advanced(AFFIX_CCACHE)
  if(AFFIX_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER
        "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;CCACHE_BASEDIR=${PROJECT_SOURCE_DIR};CCACHE_NOHASHDIR=true;${AFFIX_CCACHE}")
  endif()
endif()
