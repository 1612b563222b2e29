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
  # Here the other sources of a unity build look like headers. The tsan preset, which has none, warns.
  target_compile_options(hearsay_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage> -Wno-shadow)
endif()
if(HEARSAY_WERROR)
  target_compile_options(hearsay_flags INTERFACE -Werror)
endif()
if(HEARSAY_SANITIZE)
  # Everywhere, third-party headers included: half a sanitized program reports nonsense.
  set(HEARSAY_SANITIZE_FLAGS -fsanitize=${HEARSAY_SANITIZE})
  add_compile_options(${HEARSAY_SANITIZE_FLAGS} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(${HEARSAY_SANITIZE_FLAGS})
endif()
if(HEARSAY_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)  # so that fuzzers see where their input leads
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
