#include "app/help_command.h"

#include <cstdio>

#include "app/commands/common.h"
#include "app/completion.h"
#include "core/nearest.h"

namespace bindery {
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
    message += ": bindery help " + path + "lists what there is";
  }
  return Complain(message);
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
  // help() of the program itself would give that of the command that was typed: this one.
  const std::string usage = above.empty() ? command->get_name() : above + " " + command->get_name();
  const auto formatter = command->get_formatter();
  std::fputs(formatter->make_help(command, usage, CLI::AppFormatMode::Normal).c_str(), stdout);
  return kExitOk;
}

}  // namespace

void AddHelpCommand(CLI::App& app, CommandLine& line) {
  CLI::App* help = AddCommand(app, line, "help", "Show the help of a command",
                              [&app, &line] { return ShowHelp(app, line.names); });
  help->add_option("command", line.names, "Such as rollback, or store backup")
      ->type_name(kCommandType);
}

void AddConfigToAll(CLI::App& app, CommandLine& line) {
  for (CLI::App* command : app.get_subcommands({})) {
    if (command->get_option_no_throw("--config") == nullptr) {
      command
          ->add_option("-c,--config", line.own_config, "Configuration file; also $BINDERY_CONFIG")
          ->type_name(kFileType);
    }
    AddConfigToAll(*command, line);
  }
}

}  // namespace bindery
