# JSON of the administration port and of log lines: headers only, and none of ours includes them, so nobody else needs them.

if(TARGET affix_admin)
  find_path(AFFIX_JSON_INCLUDE nlohmann/json.hpp)
  mark_as_advanced(AFFIX_JSON_INCLUDE)
  if(NOT AFFIX_JSON_INCLUDE)
    message(FATAL_ERROR "Layers admin and service need nlohmann/json.hpp (Debian: nlohmann-json3-dev); AFFIX_ADMIN=OFF "
                        "leaves those layers out")
  endif()
  # By a link, so that a build for another machine takes nothing else of this one's headers.
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/json")
  file(CREATE_LINK "${AFFIX_JSON_INCLUDE}/nlohmann" "${PROJECT_BINARY_DIR}/json/nlohmann" SYMBOLIC)
  foreach(layer IN ITEMS admin service)
    target_include_directories(affix_${layer} SYSTEM PRIVATE "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/json>")
  endforeach()
endif()
