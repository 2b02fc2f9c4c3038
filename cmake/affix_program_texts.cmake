# affix_program_texts(<target> <component>): manual pages and the completion for bash, zsh and fish of an installed program.
# The program writes them itself, from its table of options; one for another processor needs an emulator for it.

include(GNUInstallDirs)

function(affix_program_texts target component)
  if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    return()
  endif()
  get_target_property(name ${target} OUTPUT_NAME)
  if(NOT name)
    set(name ${target})
  endif()
  set(texts "${CMAKE_CURRENT_BINARY_DIR}/program_texts/${name}")
  # Packages take manual pages packed only, without a time stamp.
  find_program(AFFIX_GZIP gzip)
  mark_as_advanced(AFFIX_GZIP)
  set(pack_pages "")
  if(AFFIX_GZIP)
    set(pack_pages COMMAND "${AFFIX_GZIP}" -9nr "${texts}/man1")
  endif()
  add_custom_command(OUTPUT "${texts}/stamp"
                     COMMAND "${CMAKE_COMMAND}" -E rm -rf "${texts}"
                     COMMAND "${CMAKE_COMMAND}" -E make_directory "${texts}/man1" "${texts}/bash" "${texts}/zsh" "${texts}/fish"
                     COMMAND ${target} completion man "${texts}/man1"
                     ${pack_pages}
                     COMMAND ${target} completion bash "${texts}/bash/${name}"
                     COMMAND ${target} completion zsh "${texts}/zsh/_${name}"
                     COMMAND ${target} completion fish "${texts}/fish/${name}.fish"
                     COMMAND "${CMAKE_COMMAND}" -E touch "${texts}/stamp"
                     DEPENDS ${target} VERBATIM)
  add_custom_target(${target}_texts ALL DEPENDS "${texts}/stamp")
  install(DIRECTORY "${texts}/man1" DESTINATION "${CMAKE_INSTALL_MANDIR}" COMPONENT ${component})
  install(FILES "${texts}/bash/${name}" DESTINATION "share/bash-completion/completions" COMPONENT ${component})
  install(FILES "${texts}/zsh/_${name}" DESTINATION "share/zsh/site-functions" COMPONENT ${component})
  install(FILES "${texts}/fish/${name}.fish" DESTINATION "share/fish/vendor_completions.d" COMPONENT ${component})
endfunction()
