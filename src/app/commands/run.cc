#include "app/commands/common.h"
#include "app/daemon.h"

namespace bindery {

int RunCommand(const CommandContext& context, bool once, Severity least) {
  const Expected<Config> config = ReadConfig(context);
  if (!config) return Complain(config.error());
  const Expected<int> ended = RunDaemon(*config, {context.config_file, once, least});
  return ended ? *ended : Complain(ended.error());
}

}  // namespace bindery
