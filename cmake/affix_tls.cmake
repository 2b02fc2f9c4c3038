# TLS, where OpenSSL is there; without it asking for TLS is an error and all else is the same.

find_package(OpenSSL 3.0 QUIET COMPONENTS SSL Crypto)
if(AFFIX_TLS AND OPENSSL_FOUND)
  target_compile_definitions(affix_tls PRIVATE AFFIX_TLS)
  # Once installed, affixConfig.cmake finds them.
  target_link_libraries(affix_tls PRIVATE $<BUILD_INTERFACE:OpenSSL::SSL> $<INSTALL_INTERFACE:OpenSSL::SSL>
                                          $<INSTALL_INTERFACE:OpenSSL::Crypto>)
else()
  message(STATUS "No TLS: switched off, or no OpenSSL 3 (Debian: libssl-dev)")
  file(GLOB tls_sources "${PROJECT_SOURCE_DIR}/src/tls/tls_*.cpp")
  # These know nothing of OpenSSL, and say that there is no TLS.
  list(FILTER tls_sources EXCLUDE REGEX "/tls_(absent|endpoint|peer|settings)\\.cpp$")
  set_source_files_properties(${tls_sources} PROPERTIES HEADER_FILE_ONLY ON)
endif()
