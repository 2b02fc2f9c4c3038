# affix_layer(<name> USES <layers...> [SHARES <headers...>] [PRIVATE_LIBS <targets...>])
#
# The only way to declare a layer. One name stands for include/affix/<name>/, src/<name>/,
# tests/unit/<name>/, the namespace affix::<name> and the target affix::<name>. A layer may use only
# layers declared before it, so the order in CMakeLists.txt is the order of the building;
# scripts/check_layers.py reads the same lines and holds every #include to them.
#
# A source whose name ends in a system's, such as _linux.cpp, is compiled for that system alone (affix_platform.cmake).
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
  affix_platform_sources(sources)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/affix/${name}/*.hpp")
  file(GLOB umbrella CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/affix/${name}.hpp")
  if(NOT sources)
    return()
  endif()
  foreach(library IN LISTS layer_PRIVATE_LIBS)
    if(NOT TARGET ${library})
      message(FATAL_ERROR "affix_layer(${name}): the library ${library} was not found; "
                          "./dev names the packages")
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
  if(AFFIX_DEVELOPER_MODE)
    affix_check_headers(${name} SOURCES ${sources} HEADERS ${headers} ${umbrella})
  endif()
  if(NOT name MATCHES "^(base|os|wire|dictionary|messages|session|journal|net)$")
    affix_quick_with_sanitizer(affix_${name})
  endif()
  affix_precompile(affix_${name})
  # Each kernel is compiled for the instructions of its own.
  set(kernels ${sources})
  list(FILTER kernels INCLUDE REGEX "/(kernel|crc32c)_[a-z0-9]+\\.cpp$")
  affix_unity(affix_${name} LAYER ${kernels})
  # Sources of the files for pkg-config.
  set_property(GLOBAL PROPERTY affix_uses_${name} "${layer_USES}")
  set_property(GLOBAL APPEND PROPERTY affix_layers_built ${name})
endfunction()

# affix_check_headers(<layer> SOURCES <files...> HEADERS <files...>): the target `affix_headers` compiles each header alone,
# so that one that leans on another's #include fails. A source's first #include is its header, which is compiled alone
# there; the other headers have a source made for them.
function(affix_check_headers name)
  cmake_parse_arguments(PARSE_ARGV 1 check "" "" "SOURCES;HEADERS")
  foreach(source IN LISTS check_SOURCES)
    file(STRINGS "${source}" first REGEX "^#include" LIMIT_COUNT 1)
    string(REGEX REPLACE "^#include \"(.*)\"$" "${PROJECT_SOURCE_DIR}/include/\\1" first "${first}")
    list(REMOVE_ITEM check_HEADERS "${first}")
  endforeach()
  if(NOT check_HEADERS)
    return()
  endif()
  set(made "")
  foreach(header IN LISTS check_HEADERS)
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/include")
    set(source "${PROJECT_BINARY_DIR}/headers/${header}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"@header@\"\n" @ONLY)
    list(APPEND made "${source}")
  endforeach()
  add_library(affix_${name}_headers OBJECT EXCLUDE_FROM_ALL ${made})
  set_target_properties(affix_${name}_headers PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(affix_${name}_headers PRIVATE -O0)
  target_link_libraries(affix_${name}_headers PRIVATE affix::${name} affix_developer_flags)
  if(NOT TARGET affix_headers)
    add_custom_target(affix_headers)
  endif()
  add_dependencies(affix_headers affix_${name}_headers)
endfunction()
