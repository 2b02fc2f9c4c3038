# affix_generate(TARGET <name> DICTIONARY <file> [TRANSPORT <file>] NAMESPACE <namespace>)
#
# Makes <name> an interface library of typed messages: link it and include "<namespace>/new_order_single.hpp", with /
# for ::. The headers are generated in the build tree, when something that links <name> is built, from QuickFIX XML or
# FIX Orchestra; TRANSPORT is the dictionary of header, trailer and session messages where that is another (FIXT.1.1).
#
# Cross builds set AFFIX_GENERATE_PROGRAM to an `affix_generator` of the building machine.

set(AFFIX_GENERATE_PROGRAM "" CACHE FILEPATH "affix_generator of the building machine, for cross builds")
mark_as_advanced(AFFIX_GENERATE_PROGRAM)

function(affix_generate)
  cmake_parse_arguments(PARSE_ARGV 0 generate "" "TARGET;DICTIONARY;TRANSPORT;NAMESPACE" "")
  if(generate_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "affix_generate: unknown arguments ${generate_UNPARSED_ARGUMENTS}")
  endif()
  foreach(argument IN ITEMS TARGET DICTIONARY NAMESPACE)
    if(NOT generate_${argument})
      message(FATAL_ERROR "affix_generate: ${argument} is missing")
    endif()
  endforeach()

  if(AFFIX_GENERATE_PROGRAM)
    set(program "${AFFIX_GENERATE_PROGRAM}")
    set(built_program "")
  elseif(TARGET affix_generator)
    set(program affix_generator)
    set(built_program affix_generator)
  elseif(TARGET affix::generator)
    set(program affix::generator)
    set(built_program "")
  else()
    message(FATAL_ERROR "affix_generate(${generate_TARGET}): there is no generator; affix was built without "
                        "pugixml and CLI11, or this is a cross build without AFFIX_GENERATE_PROGRAM")
  endif()

  get_filename_component(dictionary "${generate_DICTIONARY}" ABSOLUTE)
  set(inputs "${dictionary}")
  set(options --dictionary "${dictionary}")
  if(generate_TRANSPORT)
    get_filename_component(transport "${generate_TRANSPORT}" ABSOLUTE)
    list(APPEND inputs "${transport}")
    list(APPEND options --transport "${transport}")
  endif()
  foreach(input IN LISTS inputs)
    if(NOT EXISTS "${input}")
      message(FATAL_ERROR "affix_generate(${generate_TARGET}): there is no file ${input}")
    endif()
  endforeach()

  # Every header includes version.hpp, whose text changes with any of theirs: it is the one that builds need to watch.
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/affix_generated/${generate_TARGET}")
  string(REPLACE "::" "/" path "${generate_NAMESPACE}")
  set(version_header "${folder}/${path}/version.hpp")
  add_custom_command(
    OUTPUT "${version_header}"
    COMMAND ${program} ${options} --namespace "${generate_NAMESPACE}" --output "${folder}"
    DEPENDS ${inputs} ${built_program}
    COMMENT "Generating ${generate_NAMESPACE}"
    VERBATIM)
  add_custom_target(${generate_TARGET}_headers DEPENDS "${version_header}")

  add_library(${generate_TARGET} INTERFACE)
  add_dependencies(${generate_TARGET} ${generate_TARGET}_headers)
  target_include_directories(${generate_TARGET} INTERFACE "${folder}")
  target_link_libraries(${generate_TARGET} INTERFACE affix::messages)
endfunction()

# affix_generate_version(<name> <folder>): affix::fix44 and its like, from the dictionaries in <folder>, each when it is
# first asked for.
function(affix_generate_version name folder)
  if(TARGET affix::${name})
    return()
  endif()
  string(TOUPPER "${name}" file)
  string(REPLACE "FIXLATEST" "FIXLatest" file "${file}")
  if(NOT EXISTS "${folder}/${file}.xml")
    return()
  endif()
  set(transport "")
  if(name MATCHES "^fix(50|latest)")
    set(transport TRANSPORT "${folder}/FIXT11.xml")
  endif()
  affix_generate(TARGET affix_${name} DICTIONARY "${folder}/${file}.xml" ${transport} NAMESPACE affix::${name})
  add_library(affix::${name} ALIAS affix_${name})
endfunction()

set(affix_versions fix40 fix41 fix42 fix43 fix44 fix50 fix50sp1 fix50sp2 fixt11 fixlatest)
