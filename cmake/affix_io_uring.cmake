# The reactor on io_uring, where liburing is there; without it the name is Unsupported and all else is the same.

find_path(AFFIX_LIBURING_INCLUDE liburing.h)
find_library(AFFIX_LIBURING uring)
mark_as_advanced(AFFIX_LIBURING_INCLUDE AFFIX_LIBURING)
if(AFFIX_IO_URING AND AFFIX_LIBURING_INCLUDE AND AFFIX_LIBURING)
  target_compile_definitions(affix_net PRIVATE AFFIX_IO_URING)
  target_include_directories(affix_net SYSTEM PRIVATE "${AFFIX_LIBURING_INCLUDE}")
  # Once installed, affixConfig.cmake finds it.
  target_link_libraries(affix_net PRIVATE "$<BUILD_INTERFACE:${AFFIX_LIBURING}>" $<INSTALL_INTERFACE:affix::liburing>)
else()
  message(STATUS "No io_uring reactor: switched off, or no liburing (Debian: liburing-dev)")
  file(GLOB uring_sources "${PROJECT_SOURCE_DIR}/src/net/*uring*.cpp")
  set_source_files_properties(${uring_sources} PROPERTIES HEADER_FILE_ONLY ON)
endif()
