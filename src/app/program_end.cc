// How the program ends: errors of the command line, and errors of the output.

#include "app/program_end.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "app/shell/common.h"
#include "core/text/nearest.h"

namespace bindery::app {

ExitStyle StyleOfWords(const std::vector<std::string>& words) {
  const bool detailed = std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word == "--detailed-exitcode" || word.starts_with("--detailed-exitcode=");
  });
  return detailed ? ExitStyle::kTerraform : ExitStyle::kDiff;
}

namespace {

/// The last understood command: "bindery", "config" of "config chk".
const CLI::App* LastCommand(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return command;
}

std::string Suggestion(const std::string& word, const std::vector<std::string>& known,
                       const CLI::App* command, const CLI::App& app) {
  const std::string path = command == &app ? "" : command->get_name() + " ";
  const bool is_option = word.starts_with("-");
  if (const auto nearest = NearestSpelling(word, known)) {
    return ": did you mean " + (nearest->starts_with("-") ? "" : path) + *nearest + "?";
  }
  return ": bindery " + path + "--help lists all " + (is_option ? "options" : "commands");
}

std::string UnknownOption(const std::string& word, const CLI::App* command, const CLI::App& app) {
  std::vector<std::string> known;
  for (const CLI::App* part : {command, &app}) {
    for (const CLI::Option* option : part->get_options()) {
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    }
  }
  const std::string name = word.substr(0, word.find('='));
  return "unknown option \"" + name + "\"" + Suggestion(name, known, command, app);
}

/// The first unknown word; empty when the parser's own message is better.
std::string UnknownWord(const CLI::App& app) {
  const CLI::App* command = LastCommand(app);
  std::vector<std::string> known;
  for (const CLI::App* sub : command->get_subcommands([](const CLI::App*) { return true; })) {
    known.push_back(sub->get_name());
  }
  const std::vector<std::string> words = app.remaining(true);
  const auto is_option = [](const std::string& word) { return word.starts_with("-"); };
  // The words after an unknown command may be its options, and a word after an unknown option the
  // value of the option: the first of them counts.
  if (!known.empty() && !words.empty() && !is_option(words.front())) {
    const std::string path = command == &app ? "" : command->get_name() + " ";
    const std::string& word = words.front();
    return "unknown command \"" + path + word + "\"" + Suggestion(word, known, command, app);
  }
  const auto option = std::find_if(words.begin(), words.end(), is_option);
  return option == words.end() ? "" : UnknownOption(*option, command, app);
}

}  // namespace

int EndOfParsing(const CLI::App& app, const CLI::ParseError& failure, ExitStyle style) {
  const auto kind = static_cast<CLI::ExitCodes>(failure.get_exit_code());
  if (kind == CLI::ExitCodes::RequiredError || kind == CLI::ExitCodes::ExtrasError) {
    if (const std::string unknown = UnknownWord(app); !unknown.empty()) {
      return ChooseExitCode(PrintError(unknown), style);
    }
  }
  return app.exit(failure) == 0 ? kExitOk : ChooseExitCode(kExitError, style);
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
  PrintError("the output could not be written" +
             (why == 0 ? std::string() : ": " + std::generic_category().message(why)));
  return ChooseExitCode(kExitError, style);
}

}  // namespace bindery::app
