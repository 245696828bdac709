# Compiler flags as one INTERFACE target, so that they never leak into the
# flags of a project that embeds this one.
add_library(bindery_flags INTERFACE)
target_compile_options(bindery_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wold-style-cast -Wcast-qual -Wformat=2 -Wundef -Wimplicit-fallthrough
  -Wextra-semi
  $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wlogical-op -Wsuggest-override -Wno-restrict>
  $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety>
  $<$<BOOL:${BINDERY_WERROR}>:-Werror>)
target_compile_definitions(bindery_flags INTERFACE _GLIBCXX_ASSERTIONS)

if(BINDERY_SANITIZE)
  target_compile_options(bindery_flags INTERFACE
    -fsanitize=${BINDERY_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(bindery_flags INTERFACE -fsanitize=${BINDERY_SANITIZE})
  target_compile_definitions(bindery_flags INTERFACE BINDERY_SANITIZED)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ 12 reports false string overflows once it is instrumented.
    target_compile_options(bindery_flags INTERFACE -Wno-stringop-overflow -Wno-maybe-uninitialized)
  endif()
endif()
if(BINDERY_BUILD_PATH_FREE)
  target_compile_options(bindery_flags INTERFACE
    -ffile-prefix-map=${CMAKE_SOURCE_DIR}=. -ffile-prefix-map=${CMAKE_BINARY_DIR}=./build)
endif()
if(BINDERY_COVERAGE)
  target_compile_options(bindery_flags INTERFACE --coverage)
  target_link_options(bindery_flags INTERFACE --coverage)
  # Where the counts are written to: the daemon confines itself to the folders it knows.
  target_compile_definitions(bindery_flags INTERFACE BINDERY_COVERAGE_FOLDER="${CMAKE_BINARY_DIR}")
endif()
