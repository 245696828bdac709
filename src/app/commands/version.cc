#include "app/version.h"

#include "app/command_line.h"
#include "app/commands/common.h"

namespace bindery {
namespace {

int VersionCommand(const CommandContext& context) {
  const std::string commit = BuildCommit();
  Print(context,
        {{"name", "bindery"},
         {"version", kVersion},
         {"commit", commit.empty() ? Json() : Json(commit)}},
        [](const Json& /*report*/, const TextStyle& /*style*/) {
          return "bindery " + VersionText() + "\n";
        });
  return kExitOk;
}

}  // namespace

void DefineVersion(CommandLine& line) {
  const Command command(line, "version", "Print the version");
  command.Output({"text", "json", "yaml"});
  command.Examples("bindery version\nbindery version -o json");
  command.Runs(VersionCommand);
}

}  // namespace bindery
