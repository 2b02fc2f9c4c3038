# Defines the library affix_bench_quickfix, QuickFIX as a codec contender, when QuickFIX is installed.
# Included by whoever measures or tests it; the second inclusion changes nothing.

find_path(AFFIX_QUICKFIX_INCLUDE_DIR quickfix/Session.h)
find_library(AFFIX_QUICKFIX_LIBRARY quickfix)
mark_as_advanced(AFFIX_QUICKFIX_INCLUDE_DIR AFFIX_QUICKFIX_LIBRARY)

if(AFFIX_QUICKFIX_INCLUDE_DIR AND AFFIX_QUICKFIX_LIBRARY AND NOT TARGET affix_bench_quickfix)
  add_library(affix_bench_quickfix STATIC "${CMAKE_CURRENT_LIST_DIR}/quickfix_codec.cpp"
                                          "${CMAKE_CURRENT_LIST_DIR}/quickfix_dictionary.cpp"
                                          "${CMAKE_CURRENT_LIST_DIR}/quickfix_order.cpp"
                                          "${CMAKE_CURRENT_LIST_DIR}/quickfix_report.cpp"
                                          "${CMAKE_CURRENT_LIST_DIR}/quickfix_session.cpp"
                                          "${CMAKE_CURRENT_LIST_DIR}/quickfix_validation.cpp")
  # QuickFIX's headers have dynamic exception specifications, which C++17 removed.
  set_target_properties(affix_bench_quickfix PROPERTIES CXX_STANDARD 14 CXX_EXTENSIONS OFF)
  target_include_directories(affix_bench_quickfix SYSTEM PRIVATE "${AFFIX_QUICKFIX_INCLUDE_DIR}")
  target_include_directories(affix_bench_quickfix INTERFACE "${CMAKE_CURRENT_LIST_DIR}")
  target_link_libraries(affix_bench_quickfix PRIVATE "${AFFIX_QUICKFIX_LIBRARY}" affix_developer_flags)
endif()
