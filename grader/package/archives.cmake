# Archives unpack into a folder of their own, packages into the system's folders.
if(CPACK_GENERATOR STREQUAL TGZ)
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
endif()
# Without it CPack would leave out the dependencies with a mere remark.
if(CPACK_GENERATOR STREQUAL DEB AND CPACK_DEBIAN_PACKAGE_SHLIBDEPS)
  find_program(TESSERA_SHLIBDEPS dpkg-shlibdeps)
  if(NOT TESSERA_SHLIBDEPS)
    message(FATAL_ERROR "dpkg-shlibdeps is not here, which finds what the packages depend on; install dpkg-dev")
  endif()
endif()
