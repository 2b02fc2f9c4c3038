# affix_unity(<target> <LAYER|PROGRAM> [<sources that are compiled alone...>]): compiles several of the target's sources as
# one where AFFIX_UNITY says so. This makes a build several times shorter: what the sources have in common is parsed,
# instantiated and emitted once. Layers are compiled one by one where they are shipped, measured or read by clang-tidy, so
# a source that leans on another's #include fails there; `./dev lint` reads the programs' sources one by one too. Two
# sources of a target must not define the same name in the same namespace, even in anonymous ones.
function(affix_unity target kind)
  if(AFFIX_UNITY STREQUAL "NONE" OR (AFFIX_UNITY STREQUAL "PROGRAMS" AND kind STREQUAL "LAYER"))
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  if(ARGN)
    set_source_files_properties(${ARGN} TARGET_DIRECTORY ${target} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()
