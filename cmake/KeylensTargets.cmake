# What every target of the project shares, and the few functions that make one.

include(GNUInstallDirs)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# A package that one folder finds is linked by the folders that use its library.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)

if(KEYLENS_BUILD_SYSTEMS)
  include(KeylensTorch)
  if(NOT TARGET torch)
    message(FATAL_ERROR "libtorch was not found: install libtorch-dev, set Torch_DIR, or let KEYLENS_TORCH name the folder "
                        "that Python's package torch lies in")
  endif()
endif()
if(KEYLENS_OPENMP OR KEYLENS_BUILD_SYSTEMS)  # libtorch's threads are OpenMP's
  find_package(OpenMP REQUIRED COMPONENTS CXX)
endif()
find_package(Threads REQUIRED)
if(KEYLENS_BUILD_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()

# Language level, warnings and sanitizers; linked privately by every target.
add_library(keylens_options INTERFACE)
target_compile_features(keylens_options INTERFACE cxx_std_20)
target_compile_options(keylens_options INTERFACE -Wall -Wextra -Wpedantic)
if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(keylens_options INTERFACE -Werror)
endif()
if(KEYLENS_UNITY_BUILD)
  # Who shares a header must agree on it, and GLib's users have it.
  target_compile_options(keylens_options INTERFACE -pthread)
endif()
if(KEYLENS_SANITIZE)
  target_compile_options(keylens_options INTERFACE -fsanitize=${KEYLENS_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all
                         # GCC's own manual: sanitizers make it find what is not there.
                         $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  target_link_options(keylens_options INTERFACE -fsanitize=${KEYLENS_SANITIZE})
endif()
if(KEYLENS_BUILD_FUZZERS)
  target_compile_options(keylens_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# keylens_leave_out(RESULT NAME): whether the target NAME, with the arguments `arg_TORCH` and `arg_LIBS` of the caller, is
# left out: in a build without libtorch, what links it, and what links what was left out. With libtorch nothing is.
function(keylens_leave_out result name)
  set(leave_out FALSE)
  if(NOT KEYLENS_BUILD_SYSTEMS)
    set(leave_out "${arg_TORCH}")
    foreach(library IN LISTS arg_LIBS)
      if(library MATCHES "^keylens::" AND NOT TARGET ${library})
        set(leave_out TRUE)
      endif()
    endforeach()
  endif()
  if(leave_out)
    set_property(GLOBAL APPEND PROPERTY KEYLENS_LEFT_OUT ${name})
  endif()
  set(${result} ${leave_out} PARENT_SCOPE)
endfunction()

# keylens_tell_left_out(): says which targets those are.
function(keylens_tell_left_out)
  get_property(left_out GLOBAL PROPERTY KEYLENS_LEFT_OUT)
  if(left_out)
    list(JOIN left_out ", " names)
    message(STATUS "Left out, for want of libtorch: ${names}")
  endif()
endfunction()

# keylens_add_library(NAME SOURCES... [LIBS LIB...] [TORCH] [ENGINE]): the static library keylens_NAME, known as
# keylens::NAME. LIBS are public. TORCH links libtorch and takes its precompiled header; ENGINE is part of a build of the
# engine alone, which has no other library's headers.
function(keylens_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TORCH;ENGINE" "" "LIBS")
  keylens_leave_out(left_out ${name})
  if(left_out)
    return()
  endif()
  add_library(keylens_${name} STATIC ${arg_UNPARSED_ARGUMENTS})
  add_library(keylens::${name} ALIAS keylens_${name})
  set_target_properties(keylens_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(keylens_${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(keylens_${name} PRIVATE $<BUILD_INTERFACE:keylens_options> PUBLIC ${arg_LIBS})
  if(arg_TORCH)
    keylens_use_torch(keylens_${name})
  elseif(KEYLENS_UNITY_BUILD AND NOT arg_ENGINE)
    # What most sources include. nlohmann/json alone takes two seconds.
    find_package(nlohmann_json REQUIRED)
    keylens_reuse_header(keylens_${name} keylens_common_header
      <algorithm> <filesystem> <functional> <map> <memory> <optional> <span> <string> <string_view> <vector>
      <nlohmann/json.hpp>
      LIBS nlohmann_json::nlohmann_json)
  endif()
endfunction()

# keylens_add_executable(NAME SOURCES... [LIBS LIB...] [TORCH])
function(keylens_add_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TORCH" "" "LIBS")
  keylens_leave_out(left_out ${name})
  if(left_out)
    return()
  endif()
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE keylens_options ${arg_LIBS})
  if(arg_TORCH)
    keylens_use_torch(${name})
  endif()
endfunction()

# keylens_add_test(NAME SOURCES... [LIBS LIB...] [TORCH]): a GoogleTest program, one CTest test.
function(keylens_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TORCH" "" "LIBS")
  set(torch)
  if(arg_TORCH)
    set(torch TORCH)
  endif()
  keylens_add_executable(${name} ${arg_UNPARSED_ARGUMENTS} LIBS GTest::gmock GTest::gtest_main ${arg_LIBS} ${torch})
  if(NOT TARGET ${name})
    return()  # left out
  endif()
  target_compile_definitions(${name} PRIVATE KEYLENS_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  # What is tested is as users get it; the tests themselves compile in two thirds of the time so, and run as long.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  # GoogleMock's header takes longer than most tests.
  if(KEYLENS_UNITY_BUILD AND NOT arg_TORCH)
    keylens_reuse_header(${name} keylens_test_header <gmock/gmock.h> <gtest/gtest.h> LIBS GTest::gmock)
  endif()
  add_test(NAME ${name} COMMAND ${name})
endfunction()

# keylens_reuse_header(TARGET NAME HEADERS... LIBS LIB...): TARGET includes HEADERS, compiled once for all that name NAME.
function(keylens_reuse_header target name)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LIBS")
  if(NOT TARGET ${name})
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${name}.cc CONTENT "// What the precompiled header is compiled for.\n")
    add_library(${name} OBJECT ${PROJECT_BINARY_DIR}/${name}.cc)
    target_link_libraries(${name} PRIVATE keylens_options ${arg_LIBS})
    target_precompile_headers(${name} PRIVATE ${arg_UNPARSED_ARGUMENTS})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${name})
  if(NOT name STREQUAL keylens_torch_header)
    # GCC 12 imagines these in the standard library's own code, and forgets that a precompiled header is a system's.
    target_compile_options(${target} PRIVATE 
      "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-array-bounds;-Wno-maybe-uninitialized;-Wno-restrict;-Wno-stringop-overflow;-Wno-stringop-overread>")
  endif()
  # CMake would compile programs with -fPIE, which the header, compiled with -fPIC, does not fit.
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
endfunction()

# torch.h takes 30 seconds to compile: it is compiled once, and every torch target reuses the result. Reading the result
# still takes longer than compiling most sources, so that a build that is not for editing (KEYLENS_UNITY_BUILD) compiles
# several sources at once.
function(keylens_use_torch target)
  target_link_libraries(${target} PUBLIC torch OpenMP::OpenMP_CXX)
  keylens_reuse_header(${target} keylens_torch_header <torch/torch.h> LIBS torch OpenMP::OpenMP_CXX)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${KEYLENS_UNITY_BUILD} UNITY_BUILD_BATCH_SIZE 6)
endfunction()
