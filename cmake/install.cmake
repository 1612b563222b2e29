# What `cmake --install` installs: library, headers, programs, the files for find_package(hearsay) and for pkg-config, and
# the licences.
include(CMakePackageConfigHelpers)
set(HEARSAY_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/hearsay)

install(TARGETS hearsay EXPORT hearsay)
install(TARGETS hearsay_cli)
if(HEARSAY_MPI)
  install(TARGETS hearsay_mpi)
endif()
include(cmake/public_headers.cmake)
foreach(header ${HEARSAY_PUBLIC_HEADERS})
  cmake_path(GET header PARENT_PATH directory)
  install(FILES ${PROJECT_SOURCE_DIR}/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${directory})
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/generated/hearsay/version.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/hearsay)
install(EXPORT hearsay NAMESPACE hearsay:: FILE hearsay-targets.cmake DESTINATION ${HEARSAY_CMAKE_DIR})
math(EXPR FMT_NEXT_MAJOR "${fmt_VERSION_MAJOR} + 1")
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/hearsay-config.cmake.in
                              hearsay-config.cmake INSTALL_DESTINATION ${HEARSAY_CMAKE_DIR})
write_basic_package_version_file(hearsay-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/hearsay-config.cmake
              ${PROJECT_BINARY_DIR}/hearsay-config-version.cmake
        DESTINATION ${HEARSAY_CMAKE_DIR})

# The prefix as pkg-config sees it, relative to the .pc file, so that the tree can be moved.
file(RELATIVE_PATH HEARSAY_PREFIX_FROM_PC
     "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
configure_file(cmake/hearsay.pc.in hearsay.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/hearsay.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR})
