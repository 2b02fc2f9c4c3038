# affix_add_plugin(<target> <sources...>)
#
# A shared object with an application for `affix serve`; its entry point is in affix/engine/plugin.hpp. The engine is
# the program's: a plug-in built against static libraries takes their headers alone, so that there is one engine in the
# process and not two.

function(affix_add_plugin target)
  add_library(${target} MODULE ${ARGN})
  set_target_properties(${target} PROPERTIES PREFIX "" CXX_EXTENSIONS OFF)
  get_target_property(type affix::engine TYPE)
  if(type STREQUAL "SHARED_LIBRARY")
    target_link_libraries(${target} PRIVATE affix::engine)
  else()
    target_include_directories(${target} SYSTEM
                               PRIVATE $<TARGET_PROPERTY:affix::engine,INTERFACE_INCLUDE_DIRECTORIES>)
    target_compile_features(${target} PRIVATE cxx_std_23)
  endif()
endfunction()
