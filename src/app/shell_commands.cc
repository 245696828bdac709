#include "app/shell_commands.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "app/completion.h"
#include "app/completion_names.h"
#include "app/manual.h"
#include "app/shell/common.h"

namespace bindery::app {
namespace {

/// The configuration in the words, else in the environment, else the default.
std::string GetConfig(const std::vector<std::string>& words) {
  constexpr std::string_view kLong = "--config=";
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool named = words[i] == "-c" || words[i] == "--config";
    if (named && i + 1 < words.size()) return words[i + 1];
    if (words[i].starts_with(kLong)) return words[i].substr(kLong.size());
  }
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets variables
  const char* const given = std::getenv("BINDERY_CONFIG");
  return given != nullptr ? given : kDefaultConfig;
}

int WriteManual(const CLI::App& app, const std::string& folder) {
  for (const CLI::App* page : WithManual(app)) {
    const std::string file = folder + "/" + ManualName(*page) + ".1";
    std::ofstream out(file);
    out << ManualPage(*page);
    if (!out.flush()) return PrintError("cannot write \"" + file + "\"");
  }
  return kExitOk;
}

}  // namespace

std::optional<int> RunForShell(const CLI::App& app, const std::vector<std::string>& arguments) {
  if (arguments.empty()) return std::nullopt;
  if (arguments[0] == "__man" && arguments.size() == 2) return WriteManual(app, arguments[1]);
  if (arguments[0] != "__complete") return std::nullopt;
  const std::vector<std::string> words(arguments.begin() + 1, arguments.end());
  BoundCompletion();
  const auto names = [&words](const std::string& type, const std::vector<std::string>& before) {
    return NamesOfType(type, GetConfig(words), before);
  };
  std::fputs(CompletionText(Complete(app, words, names)).c_str(), stdout);
  return kExitOk;
}

}  // namespace bindery::app
