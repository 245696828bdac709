# Writes the source file that knows the commit, and only when it changed: nothing else is compiled anew.
#   cmake -D SOURCE=… -D OUTPUT=… [-D GIVEN=…] -P cmake/commit.cmake
# GIVEN for a build without git (a container, a package); else what `git archive` put into
# archive_commit.txt; else what git says.
set(commit "${GIVEN}")
if(NOT commit)
  file(READ ${SOURCE}/cmake/archive_commit.txt archived)
  string(STRIP "${archived}" archived)
  if(NOT archived MATCHES "Format")
    set(commit "${archived}")
  endif()
endif()
# Of this tree, not of one that it happens to lie in.
if(NOT commit AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND git rev-parse HEAD WORKING_DIRECTORY ${SOURCE}
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(failed)
    set(commit "")
  else()
    # Looks at what files hold: a clone that was copied, or given to another user, differs in their times alone.
    execute_process(COMMAND git diff --quiet HEAD WORKING_DIRECTORY ${SOURCE}
      OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE differs)
    if(differs)
      string(APPEND commit "-dirty")
    endif()
  endif()
endif()
if(NOT commit MATCHES "^[0-9a-f]+(-dirty)?$")
  set(commit "")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[// Written by cmake/commit.cmake.
#include "app/process/version.h"

namespace bindery::app {

const char* BuildCommit() { return "@commit@"; }

}  // namespace bindery::app
]])
