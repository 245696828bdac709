# bindery_compile_together(TARGET [BATCH])
#
# Compiles several sources as one: BINDERY_BATCH of them where it is set, else BATCH (32 unless given). Most of the
# time of a source goes to the headers and templates that all of them share; a folder whose 32 sources take more than
# 20 seconds has a smaller BATCH, so that an edit is soon compiled. What a source calls its own, in an anonymous
# namespace, is then seen by its neighbours: its names must differ from theirs. BINDERY_UNITY=OFF compiles each source
# alone. cmake/run_tidy.py compiles each source alone once, so that each keeps naming the headers it uses.
function(bindery_compile_together target)
  set(batch ${BINDERY_BATCH} ${ARGN} 32)
  list(GET batch 0 batch)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${BINDERY_UNITY} UNITY_BUILD_BATCH_SIZE ${batch})
endfunction()

# bindery_headers(TARGET PUBLIC|PRIVATE NAME): the headers of this folder are reached as "NAME/header.h".
function(bindery_headers target scope name)
  string(REPLACE / _ root ${name})
  set(root ${CMAKE_BINARY_DIR}/include/${root})
  get_filename_component(parent ${root}/${name} DIRECTORY)
  file(MAKE_DIRECTORY ${parent})
  if(NOT EXISTS ${root}/${name})
    file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${root}/${name} SYMBOLIC)
  endif()
  target_include_directories(${target} ${scope} ${root})
endfunction()

# bindery_library(NAME SOURCES a.cc b.cc [DEPS folder ...] [USES folder ...] [LIBS third-party ...] [BATCH n])
#
# One folder is one static library: NAME is the folder below src, such as store/sql, and the library
# `bindery::store_sql`. DEPS and USES are folders of ours: DEPS are public (their headers appear in ours), USES are
# private (only our sources include them). LIBS are third-party targets and private. The folder's headers are reached
# as "NAME/header.h" through a directory that holds nothing but a link to this folder: a library cannot include a
# header of a folder it does not depend on. cmake/check_structure.py compares the declarations with the includes.
function(bindery_library name)
  cmake_parse_arguments(ARG "" "BATCH" "SOURCES;DEPS;USES;LIBS" ${ARGN})
  string(REPLACE / _ target ${name})
  add_library(bindery_${target} STATIC ${ARG_SOURCES})
  add_library(bindery::${target} ALIAS bindery_${target})
  bindery_compile_together(bindery_${target} ${ARG_BATCH})
  set_property(GLOBAL APPEND PROPERTY BINDERY_LIBRARIES bindery_${target})
  bindery_headers(bindery_${target} PUBLIC ${name})
  target_link_libraries(bindery_${target} PRIVATE bindery_flags ${ARG_LIBS})
  list(TRANSFORM ARG_DEPS REPLACE / _)
  list(TRANSFORM ARG_USES REPLACE / _)
  foreach(dependency IN LISTS ARG_DEPS ARG_USES)
    if(NOT TARGET bindery::${dependency})
      message(FATAL_ERROR
        "src/${name} depends on bindery::${dependency}, which comes after it (or does not exist). "
        "Dependencies between folders must not form a cycle: see docs/architecture.md.")
    endif()
  endforeach()
  list(TRANSFORM ARG_DEPS PREPEND bindery::)
  list(TRANSFORM ARG_USES PREPEND bindery::)
  target_link_libraries(bindery_${target} PUBLIC ${ARG_DEPS} PRIVATE ${ARG_USES})
endfunction()

# bindery_test(NAME SOURCES x_test.cc ... [DEPS folder ...] [LIBS ...] [LABEL unit|integration|slow] [BATCH n])
#
# One test program; every GoogleTest case becomes a CTest test.
function(bindery_test name)
  cmake_parse_arguments(ARG "" "LABEL;BATCH" "SOURCES;DEPS;LIBS" ${ARGN})
  if(NOT ARG_LABEL)
    set(ARG_LABEL unit)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  bindery_compile_together(${name} ${ARG_BATCH})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE bindery_flags GTest::gmock GTest::gtest_main ${ARG_LIBS})
  # Test code runs once: -O0 takes half the time to compile that the -O2 of the release takes, for the same checks.
  target_compile_options(${name} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O0>)
  # A test program holds most of our libraries: ld.gold links it in half the time of ld.bfd.
  if(BINDERY_GOLD)
    target_link_options(${name} PRIVATE -fuse-ld=gold)
  endif()
  foreach(dependency IN LISTS ARG_DEPS)
    string(REPLACE / _ dependency ${dependency})
    target_link_libraries(${name} PRIVATE bindery::${dependency})
  endforeach()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST
    PROPERTIES LABELS ${ARG_LABEL} TIMEOUT ${BINDERY_TEST_SECONDS})
endfunction()
