# affix_layer(<name> USES <layers...> [SHARES <headers...>] [PRIVATE_LIBS <targets...>])
#
# The only way to declare a layer. One name stands for include/affix/<name>/, src/<name>/,
# tests/unit/<name>/, the namespace affix::<name> and the target affix::<name>. A layer may use only
# layers declared before it, so the order in CMakeLists.txt is the order of the building;
# scripts/check_layers.py reads the same lines and holds every #include to them.
#
# SHARES names the headers of src/<name>/ that other layers may include. They are not installed, and programs may not
# include them.

include(affix_shared)

function(affix_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" "" "USES;SHARES;PRIVATE_LIBS")
  if(layer_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "affix_layer(${name}): unknown arguments ${layer_UNPARSED_ARGUMENTS}")
  endif()

  get_property(declared GLOBAL PROPERTY affix_layers_declared)
  foreach(lower IN LISTS layer_USES)
    if(NOT lower IN_LIST declared)
      message(FATAL_ERROR "affix_layer(${name}): '${lower}' is not a lower layer (declared so far: ${declared})")
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY affix_layers_declared ${name})

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${name}/*.cpp")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/affix/${name}/*.hpp")
  file(GLOB umbrella CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/affix/${name}.hpp")
  if(NOT sources)
    return()
  endif()
  foreach(library IN LISTS layer_PRIVATE_LIBS)
    if(NOT TARGET ${library})
      # Debian has no libraries of other machines beside its own, so a cross build does without.
      if(NOT CMAKE_CROSSCOMPILING)
        message(FATAL_ERROR "affix_layer(${name}): the library ${library} was not found; "
                            "./dev names the packages")
      endif()
      message(STATUS "Layer ${name} is left out: no ${library} for ${CMAKE_SYSTEM_PROCESSOR}")
      return()
    endif()
  endforeach()
  foreach(lower IN LISTS layer_USES)
    if(NOT TARGET affix_${lower})
      message(STATUS "Layer ${name} is left out: layer ${lower} has no sources")
      return()
    endif()
  endforeach()

  add_library(affix_${name} ${sources})
  add_library(affix::${name} ALIAS affix_${name})
  target_sources(affix_${name} PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/include"
                                      FILES ${headers} ${umbrella})
  target_compile_features(affix_${name} PUBLIC cxx_std_23)
  target_include_directories(affix_${name} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  list(TRANSFORM layer_USES PREPEND "affix::" OUTPUT_VARIABLE lower_targets)
  target_link_libraries(affix_${name} PUBLIC ${lower_targets}
                        PRIVATE ${layer_PRIVATE_LIBS} $<BUILD_INTERFACE:affix_developer_flags>)
  set_target_properties(affix_${name} PROPERTIES EXPORT_NAME ${name} CXX_EXTENSIONS OFF
                        VERIFY_INTERFACE_HEADER_SETS ${AFFIX_DEVELOPER_MODE}
                        POSITION_INDEPENDENT_CODE ON)
  if(AFFIX_NO_EXCEPTIONS)
    target_compile_options(affix_${name} PRIVATE -fno-exceptions -fno-rtti)
  endif()
  if(NOT AFFIX_SIMD)
    target_compile_definitions(affix_${name} PRIVATE AFFIX_NO_SIMD)
  endif()
  set(shared "${layer_SHARES}")
  list(TRANSFORM shared REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/src/${name}/\\1.hpp")
  affix_share_layer(${name} ${headers} ${shared})
  affix_precompile(affix_${name})
  # Each kernel is compiled for the instructions of its own.
  set(kernels ${sources})
  list(FILTER kernels INCLUDE REGEX "/(kernel|crc32c)_[a-z0-9]+\\.cpp$")
  affix_unity(affix_${name} LAYER ${kernels})
  # What the files of pkg-config are written from.
  set_property(GLOBAL PROPERTY affix_uses_${name} "${layer_USES}")
  set_property(GLOBAL APPEND PROPERTY affix_layers_built ${name})
endfunction()
