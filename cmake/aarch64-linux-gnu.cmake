# Compiles for 64-bit Arm on another machine and runs the tests in an emulator (Debian: g++-aarch64-linux-gnu,
# qemu-user). Libraries for arm64 (libhwy-dev, libgtest-dev, libgmock-dev) are looked for below KEYLENS_ARM64_ROOT,
# where `dpkg -x` may have unpacked them, before the system's own.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

set(KEYLENS_ARM64_ROOT "" CACHE PATH "Folder with usr/lib/aarch64-linux-gnu")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES KEYLENS_ARM64_ROOT)
set(CMAKE_FIND_ROOT_PATH "${KEYLENS_ARM64_ROOT}" /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

set(libraries "${KEYLENS_ARM64_ROOT}/usr/lib/aarch64-linux-gnu")
set(CMAKE_CROSSCOMPILING_EMULATOR env "LD_LIBRARY_PATH=${libraries}" qemu-aarch64 -L /usr/aarch64-linux-gnu)
