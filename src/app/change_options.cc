// The options of the commands that ask the daemon to do something.

#include "app/command_line.h"
#include "app/completion.h"

namespace bindery {
namespace {

/// Names, or labels, or all there are.
CLI::App* AddChoosing(CLI::App& app, CommandLine& line, const std::string& name,
                      const std::string& description, std::function<int()> run) {
  CLI::App* command = AddCommand(app, line, name, description, std::move(run));
  command->add_option("name", line.chosen_resources.names, "Resources")->type_name(kResourceType);
  AddLabels(command, line.chosen_resources.labels);
  command->add_flag("--all", line.chosen_resources.all, "All resources there are");
  AddOutput(command, line, {"text", "json", "yaml"});
  return command;
}

void AddRollback(CLI::App& app, CommandLine& line) {
  CLI::App* rollback =
      AddCommand(app, line, "rollback", "Write a recorded policy back, through the guard",
                 [&line] { return RollbackCommand(line.context, line.rollback); });
  rollback->add_option("name", line.rollback.name, "A resource on the target")
      ->required()
      ->type_name(kResourceType);
  rollback->add_option("revision", line.rollback.revision, "As bindery history shows it")
      ->required();
  rollback->add_flag("-y,--yes", line.rollback.yes, "Do not ask; needed where nobody can be asked");
  rollback->add_flag("--dry-run", line.rollback.dry_run, "Only show what it would do");
  AddOutput(rollback, line, {"text", "json", "yaml"});
  rollback->footer(
      "Shows who would gain and who would lose what, and asks. The resources of the target are\n"
      "suspended, so that what was written stays, until bindery resume.\n"
      "Exit codes: 0 written, 1 the guard holds its removals, 2 an error, or not agreed to.");
}

}  // namespace

void AddLabels(CLI::App* command, std::vector<std::string>& labels) {
  command
      ->add_option("-l,--label", labels,
                   "Only resources with these labels, as kubectl: team=a, 'team in (a,b),!test' "
                   "(repeatable)")
      ->type_name("SELECTOR")
      ->allow_extra_args(false);
}

void AddChangeCommands(CLI::App& app, CommandLine& line) {
  CLI::App* reconcile =
      AddChoosing(app, line, "reconcile", "Have the daemon check resources now",
                  [&line] { return ReconcileCommand(line.context, line.chosen_resources); });
  reconcile->add_flag("--now", line.chosen_resources.now,
                      "Remove at once what the resources do not declare any more, without waiting "
                      "for the directory to settle (manifests.settle)");
  AddChoosing(app, line, "suspend", "Have the daemon leave resources alone",
              [&line] { return SuspendCommand(line.context, line.chosen_resources); });
  CLI::App* resume =
      AddChoosing(app, line, "resume", "Have the daemon enforce suspended resources again",
                  [&line] { return ResumeCommand(line.context, line.chosen_resources); });
  resume->footer("With -l and --all: those that an operator suspended.");
  CLI::App* forget =
      AddCommand(app, line, "forget",
                 "Have the daemon drop what it knows of resources whose manifests are gone",
                 [&line] { return ForgetCommand(line.context, line.names); });
  forget->add_option("name", line.names, "Resources")->required()->type_name(kResourceType);
  AddOutput(forget, line, {"text", "json", "yaml"});
  AddRollback(app, line);
}

}  // namespace bindery
