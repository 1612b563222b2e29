# The report's page: built by npm from web/ into one file, which goes into the library as text.
# Without HEARSAY_WEB there is no page: everything else is built, and no npm is needed.
if(HEARSAY_WEB)
  set(HEARSAY_PAGE ${PROJECT_BINARY_DIR}/generated/page.cpp)
  find_program(NPM npm)
  if(NOT NPM)
    message(FATAL_ERROR "npm not found: install it (Debian: apt-get install npm), "
                        "or leave report.html out with -DHEARSAY_WEB=OFF")
  endif()
  set(web ${PROJECT_SOURCE_DIR}/web)
  # npm's own record of what it installed, beside the sources: every build directory shares it.
  set(installed ${web}/node_modules/.package-lock.json)
  set(wanted ${web}/package.json ${web}/package-lock.json ${web}/.npmrc)
  add_custom_command(
    OUTPUT ${installed}
    COMMAND ${CMAKE_COMMAND} -DNPM=${NPM} -DINSTALLED=${installed} "-DWANTED=${wanted}"
            -P ${PROJECT_SOURCE_DIR}/cmake/npm_ci.cmake
    DEPENDS ${wanted}
    WORKING_DIRECTORY ${web}
    COMMENT "Installing what the report's page is built with"
    VERBATIM)
  file(GLOB sources CONFIGURE_DEPENDS ${web}/src/*)
  add_custom_command(
    OUTPUT ${HEARSAY_PAGE}
    COMMAND ${NPM} run --silent build -- ${HEARSAY_PAGE}
    DEPENDS ${installed} ${sources} ${web}/build.mjs ${web}/notice.mjs ${web}/tsconfig.json ${PROJECT_SOURCE_DIR}/NOTICE
            ${PROJECT_SOURCE_DIR}/cmake/library_notices.txt
    WORKING_DIRECTORY ${web}
    COMMENT "Building the report's page"
    VERBATIM)
  add_custom_target(hearsay_page DEPENDS ${HEARSAY_PAGE})  # the page alone: setup.py tries whether npm can build it
  add_dependencies(hearsay hearsay_page)  # so that two targets do not build it at the same time
else()
  # Under another name than the built page, for which it would otherwise be taken if HEARSAY_WEB is set later.
  set(HEARSAY_PAGE ${PROJECT_BINARY_DIR}/generated/no_page.cpp)
  file(CONFIGURE OUTPUT ${HEARSAY_PAGE} CONTENT [[
#include "hearsay/report/page.h"

std::span<const std::string_view> hearsay::page_pieces() { return {}; }
]])
endif()
target_sources(hearsay PRIVATE ${HEARSAY_PAGE})
