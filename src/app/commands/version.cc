#include "app/process/version.h"

#include "app/command_line.h"
#include "app/shell/common.h"
#include "cel/evaluation/zone.h"

namespace bindery::app {
namespace {

std::string ZonesText(const cel::ZoneData& zones) {
  if (!zones.available) return "none in " + zones.directory;
  return (zones.version.empty() ? "version unknown" : zones.version) + " in " + zones.directory;
}

int VersionCommand(const CommandContext& context) {
  const std::string commit = BuildCommit();
  const cel::ZoneData zones = cel::InstalledZones();
  Print(context,
        {{"name", "bindery"},
         {"version", kVersion},
         {"commit", commit.empty() ? Json() : Json(commit)},
         {"timeZones",
          {{"available", zones.available},
           {"version", zones.version.empty() ? Json() : Json(zones.version)},
           {"directory", zones.directory}}}},
        [&zones](const Json& /*report*/, const report::TextStyle& /*style*/) {
          return "bindery " + VersionText() + "\ntime zones: " + ZonesText(zones) + "\n";
        });
  return kExitOk;
}

}  // namespace

void DefineVersion(CommandLine& line) {
  const Command command(line, "version",
                        "Print the version, and the version of the time zone data");
  command.Output({"text", "json", "yaml"});
  command.Examples("bindery version\nbindery version -o json");
  command.Runs(VersionCommand);
}

}  // namespace bindery::app
