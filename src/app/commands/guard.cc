// The guard's holds, and the decisions about them.

#include "app/command_line.h"
#include "app/shell/common.h"
#include "report/forms/texts.h"
#include "report/reports/reports.h"
#include "report/text/text_style.h"
#include "report/values/guard_values.h"
#include "server/requests/operator_command.h"

namespace bindery::app {
namespace {

/// "3 removals on 1 target".
std::string DecidedText(const report::HoldDecision& decision) {
  return report::Count(static_cast<std::int64_t>(decision.removals), "removal") + " on " +
         report::Count(static_cast<std::int64_t>(decision.targets), "target");
}

std::string ApprovedText(const report::HoldDecision& decision, const report::TextStyle& /*style*/) {
  return "approved " + decision.digest + ": " + DecidedText(decision) + " go on\n";
}

std::string DeniedText(const report::HoldDecision& decision, const report::TextStyle& /*style*/) {
  return "denied " + decision.digest + ": " + DecidedText(decision) +
         " are not carried out, until the manifests say something else there\n"
         "bindery guard approve " +
         decision.digest + " lets them through after all\n";
}

int GuardCommand(const CommandContext& context) {
  return WithStore(context, [&](const store::ReportReader& store, const config::Config& config) {
    Expected<report::HoldList> report = report::GuardReport(store);
    if (!report) return PrintError(report.error());
    report->stale = StaleState(config);
    TellStale(report->stale);
    TellMissingManifests(config);
    Print(context, *report, report::GuardText);
    return kExitOk;
  });
}

int ApproveCommand(const CommandContext& context, const std::string& digest) {
  const auto decision = AskDaemonFor<report::HoldDecision>(
      context, server::command::Approve::kPath, server::MakeBody(server::command::Approve{digest}));
  if (!decision) return PrintError(decision.error());
  Print(context, *decision, ApprovedText);
  return kExitOk;
}

int DenyCommand(const CommandContext& context, const std::string& digest) {
  const auto decision = AskDaemonFor<report::HoldDecision>(
      context, server::command::Deny::kPath, server::MakeBody(server::command::Deny{digest}));
  if (!decision) return PrintError(decision.error());
  Print(context, *decision, DeniedText);
  return kExitOk;
}

void DefineApprove(CommandLine& line) {
  auto& digest = line.Keep<std::string>();
  const Command approve(line, "guard approve", "Approve removals");
  approve->add_option("digest", digest, "Digest from bindery guard")
      ->required()
      ->type_name(kDigestType);
  approve.Output({"text", "json", "yaml"});
  approve.Examples("bindery guard approve 3f2a9c51d07b");
  approve.Runs(
      [&digest](const CommandContext& context) { return ApproveCommand(context, digest); });
}

void DefineDeny(CommandLine& line) {
  auto& digest = line.Keep<std::string>();
  const Command deny(line, "guard deny", "Deny removals and keep the grants");
  deny->add_option("digest", digest, "Digest from bindery guard")
      ->required()
      ->type_name(kDigestType);
  deny.Output({"text", "json", "yaml"});
  deny.Examples("bindery guard deny 3f2a9c51d07b");
  deny.Runs([&digest](const CommandContext& context) { return DenyCommand(context, digest); });
}

}  // namespace

void DefineGuard(CommandLine& line) {
  const Command guard(line, "guard", "Show removals held by the guard");
  guard->require_subcommand(0, 1);
  guard.Output({"text", "json", "yaml"});
  guard.Examples("bindery guard\nbindery guard approve 3f2a9c51d07b");
  guard.Runs(GuardCommand);
  DefineApprove(line);
  DefineDeny(line);
}

}  // namespace bindery::app
