# Port of the tree it lies in: vcpkg install affix --overlay-ports=packaging/vcpkg/ports
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)

vcpkg_check_features(
  OUT_FEATURE_OPTIONS FEATURE_OPTIONS
  FEATURES
    io-uring   AFFIX_IO_URING
    time-zones AFFIX_TIME_ZONES
    tls        AFFIX_TLS
    xml        AFFIX_XML
)
# The generator is built wherever CLI11 is; without the feature one that happens to be there is not looked for.
set(GENERATOR_OPTIONS "")
if(NOT "generator" IN_LIST FEATURES)
  set(GENERATOR_OPTIONS -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON)
endif()

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DAFFIX_DEVELOPER_MODE=OFF ${FEATURE_OPTIONS} ${GENERATOR_OPTIONS}
  MAYBE_UNUSED_VARIABLES CMAKE_DISABLE_FIND_PACKAGE_CLI11
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/affix)
vcpkg_fixup_pkgconfig()
if("generator" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES affix_generator AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")

file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(
  FILE_LIST "${SOURCE_PATH}/LICENSE" "${SOURCE_PATH}/dictionaries/LICENSE.QuickFIX"
            "${SOURCE_PATH}/dictionaries/LICENSE.Apache-2.0"
)
