# How everything is compiled. One place, so that no folder invents its own flags.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()

find_program(MOLD mold)
if(MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# Most of a compilation is reading headers; several files of a folder at once read them once. The dev preset compiles
# each file alone: a change there costs one file, and an include that is missing shows.
option(HONE_UNITY "Compile several files of a folder at once" OFF)
if(HONE_UNITY)
  set(CMAKE_UNITY_BUILD ON)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 8)
endif()

add_library(hone_settings INTERFACE)
target_compile_options(hone_settings INTERFACE -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Werror)
if(HONE_UNITY)  # g++ takes the types of one file for those of a header
  target_compile_options(hone_settings INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
else()  # a function of one file may have the name of a variable in the next
  target_compile_options(hone_settings INTERFACE -Wshadow)
endif()
# g++ 12 reports std::variant members as maybe uninitialized where they are not.
target_compile_options(hone_settings INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
target_include_directories(hone_settings INTERFACE ${PROJECT_SOURCE_DIR}/src)

set(HONE_SANITIZE "" CACHE STRING "Sanitizers to build with: address,undefined or thread")
if(HONE_SANITIZE)
  add_compile_options(-fsanitize=${HONE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  # Clang and LLVM are built without RTTI: what they make has no type information to check.
  if(HONE_SANITIZE MATCHES undefined)
    add_compile_options(-fno-sanitize=vptr)
  endif()
  add_link_options(-fsanitize=${HONE_SANITIZE})
endif()
