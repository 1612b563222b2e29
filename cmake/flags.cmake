# hearsay_flags: the compiler flags of all our targets. Projects that use the library do not inherit them.
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
add_library(hearsay_flags INTERFACE)
target_compile_options(hearsay_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
  -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual
  # a * b + c rounds twice on every machine, so results have the same bits where the compiler has fma
  -ffp-contract=off)
if(HEARSAY_UNITY)
  # In a unity build each source is included like a header, and its names are in scope in the sources after it: these
  # warnings are wrong there. The tsan preset, which is not a unity build, has them.
  target_compile_options(hearsay_flags INTERFACE
    -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local -Wno-subobject-linkage>)
endif()
if(HEARSAY_WERROR)
  target_compile_options(hearsay_flags INTERFACE -Werror)
endif()
if(HEARSAY_SANITIZE)
  # For all targets and third-party headers: a program that is sanitized only in part gives false reports.
  set(HEARSAY_SANITIZE_FLAGS -fsanitize=${HEARSAY_SANITIZE})
  add_compile_options(${HEARSAY_SANITIZE_FLAGS} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(${HEARSAY_SANITIZE_FLAGS})
endif()
if(HEARSAY_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)  # so that fuzzers see which code their input reaches
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
