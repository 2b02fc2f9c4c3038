# How a test becomes a program and a ctest entry. The label is the kind: unit, property, integration, ...

include(GoogleTest)

# A death test starts its own program again, which the kernel refuses for another processor's program.
set(affix_test_filter "*")
if(CMAKE_CROSSCOMPILING)
  set(affix_test_filter "-*DeathTest*")
endif()

# affix_test_target(<target> <label>): `affix_<label>_tests` builds it, so that who runs one kind of test builds no other.
function(affix_test_target target label)
  if(NOT TARGET affix_${label}_tests)
    add_custom_target(affix_${label}_tests)
  endif()
  add_dependencies(affix_${label}_tests ${target})
endfunction()

# affix_test_program(<target> LABEL <label> SOURCES <files...> LIBS <targets...>)
# Builds one GoogleTest program and registers each of its cases under <label>.
function(affix_test_program target)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "LABEL;TIMEOUT" "SOURCES;LIBS")
  if(NOT test_TIMEOUT)
    set(test_TIMEOUT 60)
  endif()
  add_executable(${target} ${test_SOURCES})
  affix_test_target(${target} ${test_LABEL})
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
  target_link_libraries(${target} PRIVATE ${test_LIBS} GTest::gmock GTest::gtest_main Threads::Threads
                                          affix_developer_flags)
  list(LENGTH test_SOURCES source_count)
  if(source_count GREATER 2)
    # Pays from the third file on.
    target_precompile_headers(${target} PRIVATE <gtest/gtest.h>)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # A test that counts allocations brings an operator new made of malloc; GCC inlines one of the pair and reports
    # the other.
    target_compile_options(${target} PRIVATE -Wno-mismatched-new-delete)
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # Without this a cached precompiled header is refused because its headers' times differ.
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
  # Cases are listed when ctest starts, not when the program is linked: a build never runs a test.
  gtest_discover_tests(${target} TEST_PREFIX "${target}." DISCOVERY_MODE PRE_TEST
                       TEST_FILTER "${affix_test_filter}" PROPERTIES LABELS ${test_LABEL} TIMEOUT ${test_TIMEOUT})
endfunction()

# Registers a whole test program once per kernel of the target's processor. The gate looks at the CPU itself, so a
# library that wrongly believes a kernel missing fails here instead of being skipped.
function(affix_test_per_kernel target)
  set(kernels scalar sse42 avx2 avx512)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    set(kernels scalar neon)
  endif()
  foreach(kernel IN LISTS kernels)
    add_test(NAME ${target}.kernel_${kernel}
             COMMAND "${PROJECT_SOURCE_DIR}/tests/with_kernel.sh" ${kernel}
                     ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${target}> --gtest_brief=1
                     "--gtest_filter=${affix_test_filter}")
    set_tests_properties(${target}.kernel_${kernel} PROPERTIES LABELS kernel SKIP_RETURN_CODE 77
                                                               TIMEOUT 300)
  endforeach()
endfunction()

# Registers a whole test program of the network layer once more, for the reactor that is not the default. What the
# kernel allows is looked at from outside, so a reactor that wrongly gives up fails here instead of being skipped.
function(affix_test_per_reactor target)
  get_target_property(definitions affix_net COMPILE_DEFINITIONS)
  if("AFFIX_IO_URING" IN_LIST definitions)
    add_test(NAME ${target}.io_uring
             COMMAND "${PROJECT_SOURCE_DIR}/tests/with_reactor.sh" io_uring $<TARGET_FILE:${target}> --gtest_brief=1)
    set_tests_properties(${target}.io_uring PROPERTIES LABELS reactor SKIP_RETURN_CODE 77 TIMEOUT 300)
  endif()
endfunction()

# affix_test_with_workers(TARGET): runs it once more, with two workers in every engine that does not say otherwise.
function(affix_test_with_workers target)
  add_test(NAME ${target}.two_workers COMMAND ${target} --gtest_brief=1)
  set_tests_properties(${target}.two_workers PROPERTIES LABELS workers ENVIRONMENT "AFFIX_TEST_WORKERS=2" TIMEOUT 300)
endfunction()

# affix_without_tls_tests(<list>): takes those that make certificates out of a list of sources, in a build without TLS.
function(affix_without_tls_tests list)
  set(sources ${${list}})
  get_target_property(definitions affix_net COMPILE_DEFINITIONS)
  if(NOT "AFFIX_TLS" IN_LIST definitions)
    list(FILTER sources EXCLUDE REGEX "tls_(endpoint|handshake|reactor|allocation)[a-z_]*_test\\.cpp$")
    list(FILTER sources EXCLUDE REGEX "engine_tls[a-z_]*_test\\.cpp$")
  endif()
  set(${list} "${sources}" PARENT_SCOPE)
endfunction()
