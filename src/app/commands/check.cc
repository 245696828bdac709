#include <utility>

#include "app/check/preflight.h"
#include "app/command_line.h"
#include "app/shell/common.h"
#include "report/forms/texts.h"

namespace bindery::app {
namespace {

int CheckCommand(const CommandContext& context) {
  const config::ConfigResult config = config::LoadConfig(context.config_file);
  std::vector<report::PreflightCheck> checks;
  if (config) {
    checks = Preflight(*config);
  } else {
    for (const config::ConfigProblem& problem : config.error()) {
      checks.push_back({"configuration", context.config_file.string(), report::CheckState::kFailed,
                        problem.Text(),
                        "correct it; every key is explained in config/bindery.yaml"});
    }
  }
  const report::PreflightResult result = report::PreflightReport(std::move(checks));
  Print(context, result, report::PreflightText);
  return result.ok ? kExitOk : kExitDiffers;
}

}  // namespace

void DefineCheck(CommandLine& line) {
  const Command check(
      line, "check",
      "Check the needs of the daemon: configuration, credentials, network, permissions, store");
  check.Waits();
  check.Output({"text", "json", "yaml"});
  check.Examples("bindery check -c /etc/bindery/bindery.yaml");
  check.Runs(CheckCommand);
}

}  // namespace bindery::app
