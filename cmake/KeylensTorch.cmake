# libtorch as the target `torch`: the one that find_package(Torch) finds, or, where KEYLENS_TORCH names the folder that
# Python's package `torch` lies in (its site-packages), the CPU half of that. The package's own TorchConfig.cmake asks for
# the CUDA toolkit that it was built with, which neither a CPU nor a compiler has need of.

set(KEYLENS_TORCH "" CACHE PATH
    "Folder that holds Python's package torch, whose CPU libraries are linked (empty: what find_package(Torch) finds)")

function(keylens_torch_of_python folder)
  foreach(part IN ITEMS include/torch/csrc/api/include/torch/torch.h lib/libtorch_cpu.so lib/libc10.so)
    if(NOT EXISTS "${folder}/torch/${part}")
      message(FATAL_ERROR "KEYLENS_TORCH=${folder} has no torch/${part}: give the folder that holds Python's package torch")
    endif()
  endforeach()
  # Packages from before 2.6 lay std::string out as GCC 4 did; no other library of the system does.
  file(STRINGS "${folder}/torch/share/cmake/Torch/TorchConfig.cmake" old_strings REGEX "_GLIBCXX_USE_CXX11_ABI=0")
  if(old_strings)
    message(FATAL_ERROR "KEYLENS_TORCH=${folder} has the C++ library's old std::string: give torch 2.6 or newer")
  endif()
  add_library(torch INTERFACE IMPORTED GLOBAL)
  target_include_directories(torch INTERFACE "${folder}/torch/include" "${folder}/torch/include/torch/csrc/api/include")
  # By name: CMake would warn that the OpenMP library in that folder hides the system's, and one for both is what is wanted.
  target_link_libraries(torch INTERFACE "-L${folder}/torch/lib" "-Wl,-rpath,${folder}/torch/lib" -ltorch_cpu -lc10)
  # What libtorch_cpu itself needs lies beside it, in the packages that Python installs with it.
  file(GLOB beside LIST_DIRECTORIES TRUE "${folder}/nvidia/*/lib")
  foreach(needed IN LISTS beside)
    target_link_options(torch INTERFACE "LINKER:-rpath-link,${needed}")
  endforeach()
endfunction()

if(KEYLENS_TORCH AND NOT TARGET torch)
  keylens_torch_of_python("${KEYLENS_TORCH}")
elseif(NOT TARGET torch)
  # Its configuration adds flags to CMAKE_CXX_FLAGS; nothing here needs them, and whoever wants them asks for Torch.
  set(keylens_cxx_flags "${CMAKE_CXX_FLAGS}")
  find_package(Torch QUIET)
  set(CMAKE_CXX_FLAGS "${keylens_cxx_flags}")
  unset(keylens_cxx_flags)
endif()
