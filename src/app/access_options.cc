#include "app/command_line.h"
#include "report/moment.h"

namespace bindery {
namespace {

/// The three questions that differ only in what they are about.
void AddAccessQuestion(CLI::App* question, CommandLine& line) {
  question->add_option("--at", line.access.at,
                       std::string("By the policies on record then: ") + kMomentForms);
  question
      ->add_option("--set", line.access.attributes,
                   "An attribute that conditions ask for, such as resource.name=... (repeatable)")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  AddOutput(question, line, {"text", "json", "yaml", "csv"});
  question->callback(
      [&line] { line.chosen = [&line] { return AccessCommand(line.context, line.access); }; });
}

}  // namespace

void AddAccessCommands(CLI::App& app, CommandLine& line) {
  constexpr const char* kTarget =
      "Its full name, an ending of it that no other has, a resource on it, or a pattern with *";
  CLI::App* access = app.add_subcommand("access", "Say who has access, by the policies last read");
  access->require_subcommand(1);
  access->footer(
      "Examples:\n  bindery access who-can roles/viewer payments\n"
      "  bindery access of user:ana@example.com --at 2026-11-01\n"
      "  bindery access who-can editor payments --set resource.name=projects/acme/x\n"
      "  bindery access diff --since 24h");

  CLI::App* who_can = access->add_subcommand("who-can", "Who holds a role on a target");
  who_can->add_option("role", line.access.role, "A role or relation; \"*\": any")->required();
  who_can->add_option("target", line.access.target, kTarget)->required();
  AddAccessQuestion(who_can, line);

  CLI::App* of = access->add_subcommand("of", "What a principal holds, also through others");
  of->add_option("principal", line.access.principal,
                 "Such as user:ana@example.com; without its prefix all that are called so")
      ->required();
  of->add_option("target", line.access.target, kTarget);
  of->add_flag("--direct", line.access.direct,
               "Only what names the principal itself, not what it may hold through others");
  AddAccessQuestion(of, line);

  CLI::App* at = access->add_subcommand("at", "All there was at some time");
  at->add_option("time", line.access.at, std::string("When: ") + kMomentForms)->required();
  at->add_option("target", line.access.target, kTarget);
  AddOutput(at, line, {"text", "json", "yaml", "csv"});
  at->callback(
      [&line] { line.chosen = [&line] { return AccessCommand(line.context, line.access); }; });

  CLI::App* diff = access->add_subcommand("diff", "Who gained and who lost what since some time");
  diff->add_option("target", line.access.target, kTarget);
  diff->add_option("--since", line.access.since, std::string("From then on: ") + kMomentForms)
      ->required();
  diff->add_option("--until", line.access.until, "Up to then; now if not given");
  AddDetailedExit(diff, line);
  AddOutput(diff, line, {"text", "json", "yaml", "csv"});
  diff->callback([&line] {
    line.chosen = [&line] { return AccessDiffCommand(line.context, line.access, line.style()); };
  });
}

}  // namespace bindery
