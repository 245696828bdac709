#include "app/command_line.h"

#include <utility>

namespace bindery {

CLI::App* AddCommand(CLI::App& app, CommandLine& line, const std::string& name,
                     const std::string& description, std::function<int()> run) {
  CLI::App* command = app.add_subcommand(name, description);
  command->callback([&line, run = std::move(run)] { line.chosen = run; });
  return command;
}

void AddOutput(CLI::App* command, CommandLine& line, std::vector<std::string> forms) {
  command->add_option("-o,--output", line.output, "Form of the result")
      ->check(CLI::IsMember(std::move(forms)))
      ->capture_default_str();
}

void AddConfig(CLI::App* command, CommandLine& line) {
  command->add_option("-c,--config", line.config, "Configuration file")
      ->envname("BINDERY_CONFIG")
      ->type_name("FILE");
}

void AddDetailedExit(CLI::App* command, CommandLine& line) {
  command->add_flag("--detailed-exitcode", line.detailed,
                    "Exit like terraform plan: 0 no change, 1 error, 2 changes");
}

}  // namespace bindery
