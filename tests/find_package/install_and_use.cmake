# Installs one component into a fresh prefix, and builds and runs a project that knows nothing but that prefix.

# run(WHAT COMMAND...): fails with the command's output where it fails.
function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what} failed (${status}):\n${output}")
  endif()
endfunction()

set(prefix ${scratch}/prefix)
file(REMOVE_RECURSE ${scratch})

# The torch layers need the engine; the engine needs nothing of theirs.
set(installed attention ${component})
list(REMOVE_DUPLICATES installed)
foreach(part IN LISTS installed)
  run("installing ${part}" ${CMAKE_COMMAND} --install ${build} --prefix ${prefix} --component ${part})
endforeach()

set(flags)
if(sanitize)
  set(flags "-DCMAKE_CXX_FLAGS=-fsanitize=${sanitize}" "-DCMAKE_C_FLAGS=-fsanitize=${sanitize}")
endif()
run("configuring the outside project"
  ${CMAKE_COMMAND} -S ${project} -B ${scratch}/build -G ${generator}
  -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_C_COMPILER=${c_compiler}
  "-DKEYLENS_TORCH=${torch}" ${flags})
run("building the outside project" ${CMAKE_COMMAND} --build ${scratch}/build)
foreach(program outside outside_c)  # the second where the project has one in C
  if(program STREQUAL outside OR EXISTS ${project}/main.c)
    run("running ${program}" ${scratch}/build/${program})
  endif()
endforeach()
