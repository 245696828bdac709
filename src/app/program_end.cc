// How the program ends: what was wrong with its words, and whether its output got anywhere.

#include "app/program_end.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "app/commands/common.h"

namespace bindery {

ExitStyle StyleOfWords(const std::vector<std::string>& words) {
  const bool detailed = std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word == "--detailed-exitcode" || word.starts_with("--detailed-exitcode=");
  });
  return detailed ? ExitStyle::kTerraform : ExitStyle::kDiff;
}

int EndOfParsing(const CLI::App& app, const CLI::ParseError& failure, ExitStyle style) {
  return app.exit(failure) == 0 ? kExitOk : ExitCodeOf(kExitError, style);
}

int WithOutputWritten(int code, ExitStyle style) {
  if (std::fflush(stdout) == 0) {
    if (std::ferror(stdout) == 0) return code;
    // An earlier write failed, and why is forgotten: one more try tells.
    std::clearerr(stdout);
    errno = 0;
    std::fputc('\n', stdout);
    std::fflush(stdout);
  }
  const int why = errno;
  if (why == EPIPE) return code;
  Complain("the output could not be written" +
           (why == 0 ? std::string() : ": " + std::generic_category().message(why)));
  return ExitCodeOf(kExitError, style);
}

}  // namespace bindery
