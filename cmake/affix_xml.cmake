# Dictionaries read from XML. Without it, loading one is an error and all else is the same.

if(TARGET affix_dictionary)
  file(GLOB xml_sources "${PROJECT_SOURCE_DIR}/src/dictionary/load*.cpp" "${PROJECT_SOURCE_DIR}/src/dictionary/xml_tree.cpp")
  # This one says that there is no XML.
  list(FILTER xml_sources EXCLUDE REGEX "/load_absent\\.cpp$")
  if(AFFIX_XML)
    target_compile_definitions(affix_dictionary PRIVATE AFFIX_XML)
  else()
    set_source_files_properties(${xml_sources} PROPERTIES HEADER_FILE_ONLY ON)
  endif()
endif()
