// Who answers for the access in a scope that was scanned.

#include "app/clouds/clouds.h"
#include "app/command_line.h"
#include "app/run/scan_desk.h"
#include "app/shell/common.h"
#include "report/forms/coverage_text.h"

namespace bindery::app {
namespace {

int CoverageCommand(const CommandContext& context, const server::CoverageAsked& asked) {
  const Expected<config::Config> config = ReadConfig(context);
  if (!config) return PrintError(config.error());
  const Expected<std::unique_ptr<store::Store>> store = OpenForReading(*config);
  if (!store && store.error().code == Code::kNotFound) {
    return PrintError("NOT_FOUND: no scan is finished: bindery scan --scope SCOPE makes one");
  }
  if (!store) return PrintError(store.error());
  const Expected<report::Coverage> coverage = CoverageFrom(
      **store, MakeEngineSettings(*config, {}).catalog, asked, std::chrono::system_clock::now());
  if (!coverage) return PrintError(coverage.error());
  Print(context, *coverage, report::CoverageText);
  return kExitOk;
}

}  // namespace

void DefineCoverage(CommandLine& line) {
  auto& asked = line.Keep<server::CoverageAsked>();
  const Command coverage(line, "coverage",
                         "Say of every grant in a scanned scope who answers for it");
  coverage->add_option("--by", asked.by,
                       "Also by project, folder, kind, role, principal or severity");
  coverage->add_option("--scope", asked.scope, "As it was scanned; default: the last scan");
  coverage->add_option("--provider", asked.provider, "Whose scan; default: the last one");
  coverage.Waits();
  coverage.Output({"text", "json", "yaml"});
  coverage.Examples(
      "bindery coverage\n"
      "bindery coverage --by project -o json");
  coverage.Runs(
      [&asked](const CommandContext& context) { return CoverageCommand(context, asked); });
}

}  // namespace bindery::app
