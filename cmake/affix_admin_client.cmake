# Component `admin` of the install rules: affix-admin, the client of the administration port, its Python package and its
# manual page. It is Python, so nothing is compiled.

include(GNUInstallDirs)

set(admin_dir "${PROJECT_BINARY_DIR}/affix_admin_client")
# Below Debian's prefix the interpreter looks there itself; elsewhere the program finds the package from its own place.
set(admin_packages lib/python3/dist-packages)
file(CONFIGURE OUTPUT "${admin_dir}/affix-admin" @ONLY CONTENT "#!/usr/bin/python3
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / \"@admin_packages@\"))
from affix_admin.cli import main  # noqa: E402

sys.exit(main())
")
install(PROGRAMS "${admin_dir}/affix-admin" DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT admin)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/python/affix-admin/affix_admin" DESTINATION ${admin_packages}
        COMPONENT admin FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)

find_package(Python3 COMPONENTS Interpreter)
if(Python3_Interpreter_FOUND)
  execute_process(COMMAND "${Python3_EXECUTABLE}" -B -m affix_admin.manual
                  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}/python/affix-admin"
                  OUTPUT_FILE "${admin_dir}/affix-admin.1" COMMAND_ERROR_IS_FATAL ANY)
  file(ARCHIVE_CREATE OUTPUT "${admin_dir}/affix-admin.1.gz" PATHS "${admin_dir}/affix-admin.1" FORMAT raw COMPRESSION GZip
       COMPRESSION_LEVEL 9)
  install(FILES "${admin_dir}/affix-admin.1.gz" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT admin)
endif()
