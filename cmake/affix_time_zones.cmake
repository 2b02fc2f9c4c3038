# Named time zones, where cctz is there; without it a schedule in any but UTC is an error and all else is the same.

find_path(AFFIX_CCTZ_INCLUDE cctz/time_zone.h)
find_library(AFFIX_CCTZ cctz)
mark_as_advanced(AFFIX_CCTZ_INCLUDE AFFIX_CCTZ)
if(AFFIX_TIME_ZONES AND AFFIX_CCTZ_INCLUDE AND AFFIX_CCTZ AND TARGET affix_config)
  target_compile_definitions(affix_config PRIVATE AFFIX_TIME_ZONES)
  target_include_directories(affix_config SYSTEM PRIVATE "${AFFIX_CCTZ_INCLUDE}")
  # Once installed, affixConfig.cmake finds it.
  target_link_libraries(affix_config PRIVATE "$<BUILD_INTERFACE:${AFFIX_CCTZ}>" $<INSTALL_INTERFACE:affix::libcctz>)
else()
  message(STATUS "No time zones but UTC: switched off, or no cctz (Debian: libcctz-dev)")
endif()
