# cmake -DNPM=... -DINSTALLED=... -DWANTED=... -P npm_ci.cmake, in web/: `npm ci`, unless INSTALLED is newer than WANTED.
# npm ci begins by deleting node_modules, which all build directories share. So of two builds that run at the same time
# the second one waits for the first and then has nothing to do.
file(LOCK node_modules.lock GUARD PROCESS)
foreach(file IN LISTS WANTED)
  if(${file} IS_NEWER_THAN ${INSTALLED})  # also where INSTALLED does not exist
    execute_process(COMMAND ${NPM} ci --ignore-scripts --loglevel=error COMMAND_ERROR_IS_FATAL ANY)
    file(TOUCH ${INSTALLED})
    break()
  endif()
endforeach()
