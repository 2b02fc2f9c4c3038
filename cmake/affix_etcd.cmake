# The election store in etcd, where cpp-httplib and OpenSSL are there; without them asking for it is an error and all else
# is the same.

find_path(AFFIX_HTTPLIB_INCLUDE httplib.h)
find_library(AFFIX_HTTPLIB_LIBRARY cpp-httplib)
mark_as_advanced(AFFIX_HTTPLIB_INCLUDE AFFIX_HTTPLIB_LIBRARY)
if(AFFIX_ETCD AND AFFIX_HTTPLIB_INCLUDE AND AFFIX_HTTPLIB_LIBRARY AND OPENSSL_FOUND AND TARGET affix_service)
  target_compile_definitions(affix_service PRIVATE AFFIX_ETCD)
  target_include_directories(affix_service SYSTEM PRIVATE "${AFFIX_HTTPLIB_INCLUDE}")
  # Once installed, affixConfig.cmake finds them.
  target_link_libraries(affix_service PRIVATE "$<BUILD_INTERFACE:${AFFIX_HTTPLIB_LIBRARY}>"
                                              $<BUILD_INTERFACE:OpenSSL::SSL>
                                              $<INSTALL_INTERFACE:affix::libcpp-httplib>
                                              $<INSTALL_INTERFACE:OpenSSL::SSL>)
  set_source_files_properties("${PROJECT_SOURCE_DIR}/src/service/etcd_election_store.cpp"
                              PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
else()
  message(STATUS "No election store in etcd: switched off, or no cpp-httplib or OpenSSL (Debian: libcpp-httplib-dev, "
                 "libssl-dev)")
  set_source_files_properties("${PROJECT_SOURCE_DIR}/src/service/etcd_election_store.cpp" PROPERTIES HEADER_FILE_ONLY ON)
endif()
