# Cross compilation for arm64, with the folder that release/sysroot.py makes: -DBINDERY_SYSROOT=FOLDER/root.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_STRIP aarch64-linux-gnu-strip)
# Of the tests of the compiler, too.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES BINDERY_SYSROOT)
set(CMAKE_SYSROOT ${BINDERY_SYSROOT})
# Programs are this machine's; everything else is the other's.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${BINDERY_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${BINDERY_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${BINDERY_SYSROOT}/usr/share/pkgconfig)
set(ENV{PKG_CONFIG_PATH} "")
# The program itself writes its manual pages and completions.
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-aarch64-static;-L;${BINDERY_SYSROOT}")
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
