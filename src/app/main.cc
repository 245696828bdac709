// The command line: options in, one command called.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <string_view>

#include "app/command_line.h"
#include "app/process/early_signals.h"
#include "app/process/process_end.h"
#include "app/program_end.h"
#include "app/shell/common.h"
#include "app/shell_commands.h"

namespace bindery::app {
namespace {

int Main(int argc, char** argv, const std::vector<std::string>& words) {
  CLI::App app{
      "bindery continuously enforces who has access to your cloud resources, as declared in a "
      "folder of YAML files"};
  app.set_version_flag("--version", "bindery " + VersionText());
  app.footer("Examples:\n  bindery validate manifests\n  bindery plan\n  bindery run");
  CommandLine line(app);
  const ExitStyle style = StyleOfWords(words);
  if (const auto done = RunForShell(app, words)) return WithOutputWritten(*done, style);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& failure) {
    return WithOutputWritten(EndOfParsing(app, failure, style), style);
  }
  const int code = line.RunChosen();
  return WithOutputWritten(code, line.failure_style().value_or(style));
}

}  // namespace
}  // namespace bindery::app

#ifndef BINDERY_SANITIZED  // Their library has to be initialized first.
// The loader calls this function before it initializes any library, which takes milliseconds.
__attribute__((section(".preinit_array"), used)) void (*const before_libraries)(int, char**) =
    bindery::app::IgnoreSignalsWhileLoading;
#endif

int main(int argc, char** argv) {
  // First of all: a signal may come at any moment.
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "run" || word == "emulator") bindery::app::HoldSignals(/*reloads=*/word == "run");
  }
  bindery::app::EndOnUncaughtExceptions();
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  try {
    return bindery::app::Main(argc, argv, words);
  } catch (...) {
    return bindery::app::ChooseExitCode(
        bindery::app::PrintError(bindery::app::FailureText(std::current_exception())),
        bindery::app::StyleOfWords(words));
  }
}
