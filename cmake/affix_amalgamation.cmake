# Target affix_amalgamation: affix.hpp with affix.cpp, and the codec alone as affix_wire.hpp, in <build>/amalgamated.

find_package(Python3 QUIET COMPONENTS Interpreter)
if(NOT Python3_Interpreter_FOUND)
  message(STATUS "No Python: the target affix_amalgamation is left out")
  return()
endif()

set(affix_amalgamation_dir "${PROJECT_BINARY_DIR}/amalgamated")
set(script "${PROJECT_SOURCE_DIR}/scripts/amalgamate.py")
file(GLOB_RECURSE inputs CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/*.hpp" "${PROJECT_SOURCE_DIR}/src/*.cpp"
     "${PROJECT_SOURCE_DIR}/src/*.hpp" "${PROJECT_SOURCE_DIR}/src/*.inl")
# The stamp is what is new each time: a file of the three that comes out the same keeps its time.
add_custom_command(
  OUTPUT "${affix_amalgamation_dir}/stamp"
  BYPRODUCTS "${affix_amalgamation_dir}/affix.hpp" "${affix_amalgamation_dir}/affix.cpp"
             "${affix_amalgamation_dir}/affix_wire.hpp"
  COMMAND Python3::Interpreter "${script}" "${PROJECT_SOURCE_DIR}" "${affix_amalgamation_dir}" ${PROJECT_VERSION}
  COMMAND "${CMAKE_COMMAND}" -E touch "${affix_amalgamation_dir}/stamp"
  DEPENDS "${script}" "${PROJECT_SOURCE_DIR}/LICENSE" ${inputs}
  COMMENT "Joining the sources: affix.hpp, affix.cpp, affix_wire.hpp"
  VERBATIM)
add_custom_target(affix_amalgamation DEPENDS "${affix_amalgamation_dir}/stamp")
