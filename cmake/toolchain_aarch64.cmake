# Cross-compiles for 64-bit ARM with Debian's g++-aarch64-linux-gnu against Debian's packages for it, which
# scripts/arm64_root.sh puts into AFFIX_ARM64_ROOT, and runs the tests under qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES AFFIX_ARM64_ROOT)
set(CMAKE_SYSROOT "${AFFIX_ARM64_ROOT}")
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L "${AFFIX_ARM64_ROOT}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
