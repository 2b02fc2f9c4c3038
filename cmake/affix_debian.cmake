# Debian packages, by `cpack -G DEB` in a build of preset `package`:
#   libaffix0.1         the shared libraries; two ABIs can be installed beside each other
#   libaffix-dev        headers, the files of CMake and pkg-config, the generator
#   affix-tools         the program `affix`
#   affix-dictionaries  the standard dictionaries, for any machine
#   affix-admin         the client of the administration port, in Python, for any machine
# What a package depends on is read from its files by dpkg-shlibdeps.

if(NOT BUILD_SHARED_LIBS)
  return()
endif()

set(affix_abi "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
set(affix_debian_version "${PROJECT_VERSION}-1")
set(affix_debian_packages libaffix${affix_abi} libaffix-dev affix-tools affix-dictionaries affix-admin)
set(affix_debian_components runtime development tools dictionaries admin)

set(CPACK_PACKAGE_NAME affix)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_VENDOR "affix")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "low-latency FIX engine")
set(CPACK_PACKAGE_CONTACT "The affix project <maintainers@affix.invalid>" CACHE STRING "Maintainer of the Debian packages")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL ${affix_debian_components})
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME "libaffix${affix_abi}")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
# The linker's cache is made anew once, however many packages want it.
file(WRITE "${PROJECT_BINARY_DIR}/debian/triggers" "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA "${PROJECT_BINARY_DIR}/debian/triggers")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
    "Shared libraries: the codec, the session protocol, the durable journal\nand the network runtime of affix.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libaffix-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libaffix${affix_abi} (= ${affix_debian_version}), affix-dictionaries (= ${affix_debian_version})")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "Development files: headers, files for CMake and pkg-config, and the\ngenerator of typed messages.")

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME affix-tools)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION net)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS
    "libaffix${affix_abi} (= ${affix_debian_version}), affix-dictionaries (= ${affix_debian_version})")
set(CPACK_DEBIAN_TOOLS_PACKAGE_CONTROL_EXTRA "${PROJECT_SOURCE_DIR}/packaging/systemd/postinst")
set(CPACK_COMPONENT_TOOLS_DESCRIPTION
    "The program affix, which serves FIX sessions, reads logs, journals and\ndictionaries, simulates exchanges and traders, and puts load on FIX acceptors.")

set(CPACK_DEBIAN_DICTIONARIES_PACKAGE_NAME affix-dictionaries)
set(CPACK_DEBIAN_DICTIONARIES_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DICTIONARIES_PACKAGE_ARCHITECTURE all)
set(CPACK_COMPONENT_DICTIONARIES_DESCRIPTION
    "Standard dictionaries: the fields, messages and values of FIX.4.0 to\n5.0SP2, FIXT.1.1 and FIX Latest.")

set(CPACK_DEBIAN_ADMIN_PACKAGE_NAME affix-admin)
set(CPACK_DEBIAN_ADMIN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_ADMIN_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_ADMIN_PACKAGE_DEPENDS "python3 (>= 3.11), python3-prompt-toolkit, python3-rich")
set(CPACK_COMPONENT_ADMIN_DESCRIPTION
    "Client of the administration port: a console with completion, single\ncommands for scripts, and a Python API.")
file(WRITE "${PROJECT_BINARY_DIR}/debian/affix-admin"
     "#!/usr/bin/python3\nimport sys\n\nfrom affix_admin.cli import main\n\nsys.exit(main())\n")
install(PROGRAMS "${PROJECT_BINARY_DIR}/debian/affix-admin" DESTINATION bin COMPONENT admin)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/python/affix-admin/affix_admin" DESTINATION lib/python3/dist-packages
        COMPONENT admin FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)

# What Debian's policy wants in each package: the licence, and the changes in its own form. The time is SOURCE_DATE_EPOCH
# where that is set, so that a build can be had again byte for byte.
string(TIMESTAMP affix_debian_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(affix_changelog "${PROJECT_BINARY_DIR}/debian/changelog")
file(WRITE "${affix_changelog}.new"
     "affix (${affix_debian_version}) unstable; urgency=medium\n\n"
     "  * Release ${PROJECT_VERSION}; CHANGELOG.md of the sources says what changed.\n\n"
     " -- ${CPACK_PACKAGE_CONTACT}  ${affix_debian_date}\n")
file(ARCHIVE_CREATE OUTPUT "${affix_changelog}.Debian.gz" PATHS "${affix_changelog}.new" FORMAT raw COMPRESSION GZip
     COMPRESSION_LEVEL 9)
file(READ "${PROJECT_SOURCE_DIR}/LICENSE" affix_licence)
file(GLOB affix_dictionary_licences "${PROJECT_SOURCE_DIR}/dictionaries/LICENSE.*")
file(READ "${PROJECT_SOURCE_DIR}/dictionaries/PROVENANCE.md" affix_provenance)
file(WRITE "${PROJECT_BINARY_DIR}/debian/copyright" "${affix_licence}")
file(WRITE "${PROJECT_BINARY_DIR}/debian/copyright.dictionaries" "${affix_provenance}")
foreach(licence IN LISTS affix_dictionary_licences)
  if(licence MATCHES "Apache-2.0$")
    # Debian's policy: a licence that every system has is named, not repeated. Its text is beside the dictionaries as well.
    set(text "The Apache License, Version 2.0, is in /usr/share/common-licenses/Apache-2.0.\n")
  else()
    file(READ "${licence}" text)
  endif()
  file(APPEND "${PROJECT_BINARY_DIR}/debian/copyright.dictionaries" "\n${text}")
endforeach()
foreach(package component IN ZIP_LISTS affix_debian_packages affix_debian_components)
  set(copyright copyright)
  if(component STREQUAL "dictionaries")
    set(copyright copyright.dictionaries)
  endif()
  install(FILES "${PROJECT_BINARY_DIR}/debian/${copyright}" DESTINATION "share/doc/${package}" RENAME copyright
          COMPONENT ${component})
  install(FILES "${affix_changelog}.Debian.gz" DESTINATION "share/doc/${package}" RENAME changelog.Debian.gz
          COMPONENT ${component})
endforeach()

include(CPack)
