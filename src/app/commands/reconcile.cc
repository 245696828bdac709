#include <algorithm>

#include "app/command_line.h"
#include "app/commands/selection.h"
#include "app/shell/common.h"
#include "report/values/change_values.h"
#include "server/requests/operator_command.h"

namespace bindery::app {
namespace {

std::string ReconcileText(const report::ReconcileAnswer& answer,
                          const report::TextStyle& /*style*/) {
  std::string text;
  for (const report::ChangeResult& result : answer.results) {
    text += result.name + ": " + result.message;
    if (!result.held.empty()) text += " (bindery guard approve " + result.held + ")";
    text += "\n";
  }
  return text;
}

/// The exit code of the worst result. Waiting for an operator's decision is no error.
int ExitCodeOfAnswer(const report::ReconcileAnswer& answer) {
  int code = kExitOk;
  for (const report::ChangeResult& result : answer.results) {
    const bool waits = !result.held.empty() || !result.blocked.empty();
    if (!result.done) code = std::max(code, waits ? kExitDiffers : kExitError);
  }
  return code;
}

int ReconcileCommand(const CommandContext& context, const ChosenResources& chosen) {
  const Expected<config::Config> config = FindDaemon(context);
  if (!config) return PrintError(config.error());
  // None at all are all that are in force, for the daemon.
  Expected<std::vector<std::string>> names = std::vector<std::string>();
  if (!chosen.all || !chosen.names.empty() || !chosen.labels.empty()) {
    names = ChosenNames(*config, chosen, [](const store::ResourceRecord&) { return true; });
  }
  if (!names) return PrintError(names.error());
  if (chosen.now && names->empty()) {
    return PrintError({Code::kInvalidArgument, "--now needs the names of resources"});
  }
  if (chosen.now) {
    const auto waived = AskDaemon(*config, server::command::WaiveSettling::kPath,
                                  server::MakeBody(server::command::WaiveSettling{*names}));
    if (!waived) return PrintError(waived.error());
  }
  const auto answer =
      AskDaemonFor<report::ReconcileAnswer>(*config, server::command::Reconcile::kPath,
                                            server::MakeBody(server::command::Reconcile{*names}));
  if (!answer) return PrintError(answer.error());
  Print(context, *answer, ReconcileText);
  return ExitCodeOfAnswer(*answer);
}

}  // namespace

void DefineReconcile(CommandLine& line) {
  auto& chosen = line.Keep<ChosenResources>();
  const Command reconcile(line, "reconcile", "Check resources now, by the daemon");
  AddChoice(reconcile, chosen);
  reconcile.Waits();
  reconcile->add_flag("--now", chosen.now,
                      "Remove undeclared grants of the resources immediately, without waiting "
                      "for the directory to settle (manifests.settle), and try again what their "
                      "services refused");
  reconcile.Examples(
      "bindery reconcile payments-viewers\nbindery reconcile -l team=payments\n"
      "bindery reconcile --all");
  reconcile.Runs(
      [&chosen](const CommandContext& context) { return ReconcileCommand(context, chosen); });
}

}  // namespace bindery::app
