#include <utility>

#include "app/check/preflight.h"
#include "app/command_line.h"
#include "app/shell/common.h"
#include "report/forms/texts.h"

namespace bindery {
namespace {

int CheckCommand(const CommandContext& context) {
  const ConfigResult config = LoadConfig(context.config_file);
  std::vector<PreflightCheck> checks;
  if (config) {
    checks = Preflight(*config);
  } else {
    for (const ConfigProblem& problem : config.error()) {
      checks.push_back({"configuration", context.config_file.string(), CheckState::kFailed,
                        problem.Text(),
                        "correct it; every key is explained in config/bindery.yaml"});
    }
  }
  const PreflightResult result = PreflightReport(std::move(checks));
  Print(context, result, PreflightText);
  return result.ok ? kExitOk : kExitDiffers;
}

}  // namespace

void DefineCheck(CommandLine& line) {
  const Command check(
      line, "check",
      "Check the needs of the daemon: configuration, credentials, network, permissions, store");
  check.Output({"text", "json", "yaml"});
  check.Examples("bindery check -c /etc/bindery/bindery.yaml");
  check.Runs(CheckCommand);
}

}  // namespace bindery
