# Outside libraries. Each has one home folder (tests/lint/layering checks it); the targets are named hone_ext_* so that a
# folder's link list shows what it brings in.
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tl-expected REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(SQLite3 REQUIRED)
find_package(CURL REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Threads REQUIRED)
find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(tomlplusplus REQUIRED IMPORTED_TARGET tomlplusplus)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(seccomp REQUIRED IMPORTED_TARGET libseccomp)
pkg_check_modules(isl REQUIRED IMPORTED_TARGET isl)

# Debian's default Clang is too old; only version 19 has the AST this project is written against.
find_package(LLVM 19.1 REQUIRED CONFIG PATHS /usr/lib/llvm-19 NO_DEFAULT_PATH)
find_package(Clang REQUIRED CONFIG PATHS /usr/lib/llvm-19 NO_DEFAULT_PATH)

add_library(hone_ext_clang INTERFACE)
target_include_directories(hone_ext_clang SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
target_compile_definitions(hone_ext_clang INTERFACE HONE_CLANG_RESOURCES="${LLVM_LIBRARY_DIRS}/clang/19")
target_compile_options(hone_ext_clang INTERFACE -fno-rtti)
target_link_libraries(hone_ext_clang INTERFACE clang-cpp LLVM)

# The emulator runs threads of a GPU's kernels as fibers. Without it Hone builds and runs; only what is tested and checked
# on the emulator is left out.
find_package(Boost 1.74 QUIET COMPONENTS context)
if(Boost_CONTEXT_FOUND)
  set(HONE_EMULATOR ON)
  add_library(hone_ext_fibers INTERFACE)
  target_link_libraries(hone_ext_fibers INTERFACE Boost::context)
else()
  set(HONE_EMULATOR OFF)
  message(STATUS "no Boost.Context: the emulator of GPU kernels and its tests are left out (apt-get install libboost-context-dev)")
endif()
