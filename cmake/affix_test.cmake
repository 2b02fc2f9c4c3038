# How a test becomes a program and a ctest entry. The label is the kind: unit, property, integration, ...

# affix_test_target(<target> <label>): `affix_<label>_tests` builds it, so that a run of one kind of test builds no other.
function(affix_test_target target label)
  if(NOT TARGET affix_${label}_tests)
    add_custom_target(affix_${label}_tests)
  endif()
  add_dependencies(affix_${label}_tests ${target})
endfunction()

# affix_test_program(<target> LABEL <label> SOURCES <files...> LIBS <targets...>
#                    [SHARDS <number>] [CASE_SECONDS <seconds>] [OWN_PROCESSES] [OPTIMISED] [OWN_FLAGS])
# Builds one GoogleTest program and registers it under <label>: one process for all cases, or SHARDS of them. A program
# with a source that includes <thread> is labelled `threads` too; the thread sanitizer runs these. Tests' own sources are
# compiled without optimisation, in half the time; what they test is not. OPTIMISED: these are too, since what they test
# lies in headers, or since they do much of the work themselves. OWN_FLAGS: it does not share the others' precompiled
# header. OWN_PROCESSES: each case has a process of its own.
function(affix_test_program target)
  cmake_parse_arguments(PARSE_ARGV 1 test "OWN_FLAGS;OWN_PROCESSES;OPTIMISED" "LABEL;SHARDS;CASE_SECONDS" "SOURCES;LIBS")
  if(NOT test_SHARDS)
    set(test_SHARDS 1)
  endif()
  add_executable(${target} ${test_SOURCES})
  affix_test_target(${target} ${test_LABEL})
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
  target_link_libraries(${target} PRIVATE ${test_LIBS} GTest::gmock GTest::gtest_main Threads::Threads
                                          affix_developer_flags)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # A test that counts allocations brings an operator new made of malloc; GCC inlines one of the pair and reports
    # the other.
    target_compile_options(${target} PRIVATE -Wno-mismatched-new-delete)
  endif()
  set(headers affix_test_headers)
  if(test_OPTIMISED)
    string(APPEND headers _optimised)
  else()
    target_compile_options(${target} PRIVATE -O0)
  endif()
  if(NOT test_OWN_FLAGS)
    if(NOT TARGET ${headers})
      # Nothing else is in it: a test that forgets <thread> must not compile, since this is how threads are found.
      affix_precompiled(${headers} gtest/gtest.h)
      target_link_libraries(${headers} PRIVATE GTest::gtest)
      if(NOT test_OPTIMISED)
        target_compile_options(${headers} PRIVATE -O0)
      endif()
    endif()
    affix_use_precompiled(${target} ${headers})
  endif()
  affix_unity(${target} PROGRAM)
  if(AFFIX_MOLD)
    target_link_options(${target} PRIVATE -fuse-ld=mold)
  endif()
  set(labels ${test_LABEL})
  if(test_LABEL MATCHES "^(unit|property)$" AND CMAKE_BUILD_TYPE STREQUAL "Release")
    # The debug build and the sanitizers' run these. The codec, as a compiler optimises it, is tested by its own programs.
    if(test_LABEL STREQUAL "unit" AND test_OPTIMISED)
      list(APPEND labels codec)
      affix_test_target(${target} codec)
    else()
      set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
  endif()
  affix_with_threads(threaded ${test_SOURCES})
  if(threaded)
    list(APPEND labels threads)
    affix_test_target(${target} threads)
  endif()
  set(arguments "")
  if(test_CASE_SECONDS)
    list(APPEND arguments --case-seconds ${test_CASE_SECONDS})
  endif()
  if(test_OWN_PROCESSES)
    list(APPEND arguments --alone "*")
  endif()
  foreach(shard RANGE 1 ${test_SHARDS})
    set(name ${target})
    if(test_SHARDS GREATER 1)
      string(APPEND name ".${shard}_of_${test_SHARDS}")
    endif()
    affix_add_cases(${name} ${target} ARGUMENTS --shard ${shard}/${test_SHARDS} ${arguments})
    set_tests_properties(${name} PROPERTIES LABELS "${labels}")
  endforeach()
endfunction()

# affix_add_cases(<test> <target> [THROUGH <command...>] [ARGUMENTS <of run_cases.py...>])
# Registers a run of all cases of a test program. It reports them one by one: a case that takes longer than a minute is
# ended by run_cases.py, which goes on with the next; ctest's own limit is for a run that does not even do that.
function(affix_add_cases name target)
  cmake_parse_arguments(PARSE_ARGV 2 cases "" "" "THROUGH;ARGUMENTS")
  set(without "")
  if(CMAKE_CROSSCOMPILING_EMULATOR)
    # A death test starts its own program again, which the kernel refuses for another processor's program. The others look
    # at what the kernel does with their pages, which are the emulator's.
    foreach(pattern IN ITEMS
            "*DeathTest*" "*PageFault*" MemoryRing.AppendsFindThePagesThatWerePrepared
            JournalPrepare.PagesArePreparedAsTheWriterComesToThem JournalFlush.OfAGroupLeavesThePageOfTheNextMessageWritable
            JournalColdHistory.MemoryStaysFlatAndTheCacheIsAsItWas RingBudget.BoundsTheMemoryThatIsTakenAndGetsItBack
            Pages.HugeOnesBeginAtAMultipleAndAreAskedFor)
      list(APPEND without --without "${pattern}")
    endforeach()
  endif()
  if(CMAKE_BUILD_TYPE STREQUAL "Debug" AND NOT "--case-seconds" IN_LIST cases_ARGUMENTS)
    # Code that is not optimised, or instrumented, takes several times as long.
    list(APPEND cases_ARGUMENTS --case-seconds 300)
  endif()
  string(REGEX REPLACE "\\.[0-9]+_of_[0-9]+$" "" prefix "${name}")
  add_test(NAME ${name}
           COMMAND ${cases_THROUGH} "${PROJECT_SOURCE_DIR}/tests/run_cases.py"
                   --results "${PROJECT_BINARY_DIR}/test-results/${name}.xml" --prefix "${prefix}." ${without}
                   --alone "*OwnProcess*" ${cases_ARGUMENTS} ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${target}>)
  # Longer than any run, and shorter than anybody waits.
  set_tests_properties(${name} PROPERTIES TIMEOUT 1500)
endfunction()

# affix_with_threads(<result> <files...>): the files that include <thread>, <future>, <pthread.h> or the tests' thread, or
# a private header that does, and those whose threads are started out of sight, by a source of what they test. Read when
# CMake runs: a source that includes them from now on moves at the next configuration.
set(affix_sources_with_hidden_threads exchange_gateway_test forwarding_application_test monitor_http_test)
set(affix_thread_headers "^#include (<(thread|future|pthread\\.h)>|\"support/repeating_thread\\.hpp\")")
function(affix_with_threads result)
  set(found "")
  foreach(source IN LISTS ARGN)
    if(NOT EXISTS "${source}")
      # Generated, or beside the list that names it; the latter start no threads.
      continue()
    endif()
    file(STRINGS "${source}" threads REGEX "${affix_thread_headers}")
    file(STRINGS "${source}" included REGEX "^#include \"")
    foreach(line IN LISTS included)
      string(REGEX REPLACE "^#include \"([^\"]*)\".*" "\\1" header "${line}")
      foreach(folder IN ITEMS src tools/affix tools/affix_monitor tools/affix_lab)
        if(NOT threads AND EXISTS "${PROJECT_SOURCE_DIR}/${folder}/${header}")
          file(STRINGS "${PROJECT_SOURCE_DIR}/${folder}/${header}" threads REGEX "${affix_thread_headers}")
        endif()
      endforeach()
    endforeach()
    get_filename_component(subject "${source}" NAME_WE)
    if(threads OR subject IN_LIST affix_sources_with_hidden_threads)
      list(APPEND found "${source}")
    endif()
  endforeach()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# affix_unit_tests(<name> SOURCES <files...> LIBS <targets...> [DEFINITIONS <...>] [OPTIONS <of affix_test_program...>])
# The unit tests of a layer or of the tools: `unit_<name>`, and `unit_<name>_threads` for the files that start threads, so
# that the thread sanitizer's build has these alone.
function(affix_unit_tests name)
  cmake_parse_arguments(PARSE_ARGV 1 unit "" "" "SOURCES;LIBS;DEFINITIONS;OPTIONS")
  affix_with_threads(threaded ${unit_SOURCES})
  list(REMOVE_ITEM unit_SOURCES ${threaded})
  if(unit_SOURCES)
    affix_test_program(unit_${name} LABEL unit SOURCES ${unit_SOURCES} LIBS ${unit_LIBS} ${unit_OPTIONS})
    target_compile_definitions(unit_${name} PRIVATE ${unit_DEFINITIONS})
  endif()
  if(threaded)
    affix_test_program(unit_${name}_threads LABEL unit SOURCES ${threaded} LIBS ${unit_LIBS} ${unit_OPTIONS})
    target_compile_definitions(unit_${name}_threads PRIVATE ${unit_DEFINITIONS})
  endif()
endfunction()

# Registers a whole test program once per kernel of the target's processor. The gate looks at the CPU itself, so a
# library that wrongly believes a kernel missing fails here instead of being skipped.
function(affix_test_per_kernel target)
  set(kernels scalar sse42 avx2 avx512)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    set(kernels scalar neon)
  endif()
  foreach(kernel IN LISTS kernels)
    affix_add_cases(${target}.kernel_${kernel} ${target} THROUGH "${PROJECT_SOURCE_DIR}/tests/with_kernel.sh" ${kernel})
    set_tests_properties(${target}.kernel_${kernel} PROPERTIES LABELS kernel SKIP_RETURN_CODE 77)
  endforeach()
endfunction()

# affix_poll_target(<target>): `affix_poll_tests` builds every program that is run over the reactor on poll().
function(affix_poll_target target)
  if(NOT TARGET affix_poll_tests)
    add_custom_target(affix_poll_tests)
  endif()
  add_dependencies(affix_poll_tests ${target})
endfunction()

# Registers a whole test program of the network layer once more for each reactor that is not the default. A script
# looks at the kernel's permissions, so a reactor that wrongly gives up fails here instead of being skipped.
function(affix_test_per_reactor target label)
  affix_poll_target(${target})
  affix_add_cases(${target}.poll ${target} THROUGH "${PROJECT_SOURCE_DIR}/tests/with_reactor.sh" poll)
  set_tests_properties(${target}.poll PROPERTIES LABELS "${label};reactor")
  get_target_property(definitions affix_net COMPILE_DEFINITIONS)
  # qemu-user does not know io_uring.
  if("AFFIX_IO_URING" IN_LIST definitions AND NOT CMAKE_CROSSCOMPILING)
    affix_add_cases(${target}.io_uring ${target} THROUGH "${PROJECT_SOURCE_DIR}/tests/with_reactor.sh" io_uring)
    set_tests_properties(${target}.io_uring PROPERTIES LABELS "${label};reactor" SKIP_RETURN_CODE 77)
  endif()
endfunction()

# affix_test_with_poll(TARGET): runs it once more, with reactor=POLL in every engine that does not say otherwise.
function(affix_test_with_poll target)
  affix_poll_target(${target})
  affix_add_cases(${target}.poll ${target})
  set_tests_properties(${target}.poll PROPERTIES LABELS reactor ENVIRONMENT "AFFIX_TEST_REACTOR=poll")
endfunction()

# affix_test_with_workers(TARGET): runs it once more, with two workers in every engine that does not say otherwise.
function(affix_test_with_workers target)
  affix_add_cases(${target}.two_workers ${target})
  set_tests_properties(${target}.two_workers PROPERTIES LABELS workers ENVIRONMENT "AFFIX_TEST_WORKERS=2")
endfunction()

# affix_without_tls_tests(<list>): takes those that make certificates out of a list of sources, in a build without TLS.
function(affix_without_tls_tests list)
  set(sources ${${list}})
  get_target_property(definitions affix_tls COMPILE_DEFINITIONS)
  if(NOT "AFFIX_TLS" IN_LIST definitions)
    list(FILTER sources EXCLUDE REGEX "tls_(endpoint|handshake|reactor|allocation)[a-z_]*_test\\.cpp$")
    list(FILTER sources EXCLUDE REGEX "engine_tls[a-z_]*_test\\.cpp$")
    list(FILTER sources EXCLUDE REGEX "election_etcd_tls_test\\.cpp$")
  endif()
  set(${list} "${sources}" PARENT_SCOPE)
endfunction()
