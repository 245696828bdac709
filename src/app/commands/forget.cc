#include "app/command_line.h"
#include "app/shell/common.h"
#include "report/values/change_values.h"
#include "server/requests/operator_command.h"

namespace bindery::app {
namespace {

std::string ForgetText(const report::NamesAnswer& answer, const report::TextStyle& /*style*/) {
  std::string text;
  for (const std::string& name : answer.names) {
    text += name + ": forgotten; what it granted was left as it is\n";
  }
  return text;
}

int ForgetCommand(const CommandContext& context, const std::vector<std::string>& names) {
  const auto forgotten = AskDaemonFor<report::NamesAnswer>(
      context, server::command::Forget::kPath, server::MakeBody(server::command::Forget{names}));
  if (!forgotten) return PrintError(forgotten.error());
  Print(context, *forgotten, ForgetText);
  return kExitOk;
}

}  // namespace

void DefineForget(CommandLine& line) {
  auto& names = line.Keep<std::vector<std::string>>();
  const Command forget(line, "forget",
                       "Have the daemon delete the records of resources without a manifest");
  forget->add_option("name", names, "Resources")->required()->type_name(kResourceType);
  forget.Output({"text", "json", "yaml"});
  forget.Examples("bindery forget payments-viewers");
  forget.Runs([&names](const CommandContext& context) { return ForgetCommand(context, names); });
}

}  // namespace bindery::app
