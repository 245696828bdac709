// bindery help COMMAND: "help store backup" is "store backup --help".

#include <cstdio>

#include "app/command_line.h"
#include "app/shell/common.h"
#include "core/text/nearest.h"

namespace bindery::app {
namespace {

const CLI::App* FindCommand(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

int UnknownCommand(const CLI::App& app, const std::string& name) {
  std::vector<std::string> known;
  for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
  const std::string path = app.get_parent() == nullptr ? "" : app.get_name() + " ";
  std::string message = "unknown command \"" + path + name + "\"";
  if (const auto nearest = NearestSpelling(name, known)) {
    message += ": did you mean " + path + *nearest + "?";
  } else {
    message += ": bindery help " + path + "lists all commands";
  }
  return PrintError(message);
}

int ShowHelp(const CLI::App& app, const std::vector<std::string>& names) {
  const CLI::App* command = &app;
  std::string above;  // As the usage line begins.
  for (const std::string& name : names) {
    const CLI::App* next = FindCommand(*command, name);
    if (next == nullptr) return UnknownCommand(*command, name);
    above += (above.empty() ? "" : " ") + command->get_name();
    command = next;
  }
  // help() of the program itself would give the help of the typed command, `help`.
  const std::string usage = above.empty() ? command->get_name() : above + " " + command->get_name();
  const auto formatter = command->get_formatter();
  std::fputs(formatter->make_help(command, usage, CLI::AppFormatMode::Normal).c_str(), stdout);
  return kExitOk;
}

}  // namespace

void DefineHelp(CommandLine& line) {
  auto& names = line.Keep<std::vector<std::string>>();
  const Command help(line, "help", "Show the help of a command");
  help->add_option("command", names, "Such as rollback, or store backup")->type_name(kCommandType);
  help.Examples("bindery help rollback\nbindery help store backup");
  help.Runs([&names, &app = line.app()](const CommandContext&) { return ShowHelp(app, names); });
}

}  // namespace bindery::app
