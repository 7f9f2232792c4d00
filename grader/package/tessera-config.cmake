# find_package(tessera) gives tessera_check(), which adds a test that checks a CUDA kernel without a
# GPU, as `tessera check` does:
#
#     enable_testing()
#     find_package(tessera REQUIRED)
#     tessera_check(saxpy.is_clean FILE saxpy.cu KERNEL saxpy GRID 4 BLOCK 256
#       ARGS float32=2 float32[1000]=uniform float32[1000]=uniform int32=1000)
#
# FILE (a .cu or .ptx file), KERNEL, GRID and BLOCK are required. ARGS holds the kernel's arguments in
# its order, INCLUDE folders with headers. SHARED, COMPILER, DEVICE, SEED, FAIL_ON, JSON and SARIF are the options of those names. Paths are
# relative to the current source folder. The test fails if the kernel has a finding that FAIL_ON (an
# error) includes, and if it cannot be checked.
find_program(TESSERA_PROGRAM tessera
  HINTS ${CMAKE_CURRENT_LIST_DIR}/../../../bin DOC "The program that tessera_check() runs")
if(NOT TESSERA_PROGRAM)
  set(tessera_FOUND FALSE)
  set(tessera_NOT_FOUND_MESSAGE "the program tessera is not installed; set TESSERA_PROGRAM to its path")
  return()
endif()

function(tessera_check name)
  set(required FILE KERNEL GRID BLOCK)
  set(optional SHARED COMPILER DEVICE SEED FAIL_ON JSON SARIF)
  set(lists ARGS INCLUDE)
  cmake_parse_arguments(PARSE_ARGV 1 check "" "${required};${optional}" "${lists}")
  if(check_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tessera_check(${name}): unknown argument ${check_UNPARSED_ARGUMENTS}; "
      "expected ${required} ${optional} ${lists}")
  endif()
  foreach(key IN LISTS required)
    if(NOT DEFINED check_${key})
      message(FATAL_ERROR "tessera_check(${name}): ${key} is missing")
    endif()
  endforeach()
  set(command ${TESSERA_PROGRAM} check ${check_FILE} --kernel ${check_KERNEL} --grid ${check_GRID} --block ${check_BLOCK})
  foreach(key IN LISTS optional)
    if(DEFINED check_${key})
      string(TOLOWER ${key} option)
      string(REPLACE _ - option ${option})
      list(APPEND command --${option} ${check_${key}})
    endif()
  endforeach()
  foreach(argument IN LISTS check_ARGS)
    list(APPEND command --arg ${argument})
  endforeach()
  foreach(folder IN LISTS check_INCLUDE)
    list(APPEND command --include ${folder})
  endforeach()
  add_test(NAME ${name} COMMAND ${command} WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
endfunction()
