#include "app/command_line.h"
#include "app/run/daemon.h"
#include "app/shell/common.h"

namespace bindery::app {
namespace {

/// With `once`, differences below the severity `least` do not make it fail.
int RunCommand(const CommandContext& context, bool once, Severity least) {
  const Expected<config::Config> config = ReadConfig(context);
  if (!config) return PrintError(config.error());
  const Expected<int> ended = RunDaemon(*config, {context.config_file, once, least, context.quiet});
  return ended ? *ended : PrintError(ended.error());
}

}  // namespace

void DefineRun(CommandLine& line) {
  auto& once = line.Keep<bool>();
  const Command run(line, "run", "Run the daemon");
  run->add_flag("--once", once, "One full pass, then exit: 0 converged, 1 drift left, 2 errors");
  run.Quiet("No progress line on a terminal");
  const auto least = run.LeastSeverity("With --once: ignore drift below this severity");
  run.Examples("bindery run -c /etc/bindery/bindery.yaml\nbindery run --once --severity high");
  run.Runs(
      [&once, least](const CommandContext& context) { return RunCommand(context, once, least()); });
}

}  // namespace bindery::app
