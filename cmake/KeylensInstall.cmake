# What `cmake --install` copies, in three components: `attention` (the engine), `nn` (the torch layers) and `app`
# (the command line, which app/cli adds, and the models that ship). The first two are what find_package(keylens) finds; see
# keylensConfig.cmake.in.

include(CMakePackageConfigHelpers)
set(keylens_package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/keylens")

# keylens_install_library(NAME EXPORT): the library keylens_NAME and the file EXPORT.cmake that describes it.
function(keylens_install_library name export)
  target_compile_features(keylens_${name} INTERFACE cxx_std_20)  # the headers need it
  install(TARGETS keylens_${name} EXPORT ${export}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${name})
  install(EXPORT ${export} FILE ${export}.cmake NAMESPACE keylens::
    DESTINATION ${keylens_package_folder} COMPONENT ${name})
endfunction()

keylens_install_library(attention keylensAttentionTargets)
file(GLOB keylens_attention_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/keylens/*.h")
install(FILES ${keylens_attention_headers}
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/keylens COMPONENT attention)

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/keylensConfig.cmake.in" "${PROJECT_BINARY_DIR}/keylensConfig.cmake"
  INSTALL_DESTINATION ${keylens_package_folder})
# Before 1.0 a minor version may change the API.
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/keylensConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/keylensConfig.cmake" "${PROJECT_BINARY_DIR}/keylensConfigVersion.cmake"
  DESTINATION ${keylens_package_folder} COMPONENT attention)

if(KEYLENS_BUILD_SYSTEMS)
  keylens_install_library(nn keylensNnTargets)
  install(FILES "${PROJECT_SOURCE_DIR}/cmake/KeylensTorch.cmake" DESTINATION ${keylens_package_folder} COMPONENT nn)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/keylens/nn"
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/keylens COMPONENT nn FILES_MATCHING PATTERN "*.h")
  if(TARGET keylens)
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/models/"
      DESTINATION ${CMAKE_INSTALL_DATADIR}/keylens/models COMPONENT app)
  endif()
endif()
