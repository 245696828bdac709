// bindery rollback: shows the changes, asks, and has the daemon make them.

#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <string>

#include "app/command_line.h"
#include "app/shell/common.h"
#include "report/forms/texts.h"
#include "report/reports/revision_report.h"
#include "report/text/text_style.h"
#include "report/values/change_values.h"
#include "server/requests/operator_command.h"

namespace bindery::app {
namespace {

struct RollbackArguments {
  std::string name;
  std::int64_t revision = 0;
  bool yes = false;      ///< Does not ask.
  bool dry_run = false;  ///< Only shows what it would do.
};

/// The changes, by the last reading of the target.
Expected<report::RevisionDetail> Preview(const config::Config& config,
                                         const RollbackArguments& arguments) {
  const Expected<std::unique_ptr<store::Store>> store = OpenForReading(config);
  if (!store) return Fail(store.error());
  return report::RevisionReport(**store, arguments.name, arguments.revision);
}

/// On standard error: standard output is for the result.
bool IsConfirmed(std::int64_t revision) {
  std::fprintf(stderr, "Write revision %lld back? [y/N] ", static_cast<long long>(revision));
  std::fflush(stderr);
  std::string answer;
  std::getline(std::cin, answer);
  if (std::cin.eof()) std::fputc('\n', stderr);
  return answer == "y" || answer == "Y" || answer == "yes";
}

std::string ResultText(const report::RollbackAnswer& result, const report::TextStyle& /*style*/) {
  std::string text = result.name + ": " + result.message;
  if (!result.held.empty()) text += " (bindery guard approve " + result.held + ")";
  text += "\n";
  const bool stays = result.done || !result.held.empty();
  if (!stays || result.suspended.empty()) return text;
  std::string names;
  for (const std::string& name : result.suspended) names += " " + name;
  return text + "Suspended, or the next check would undo this:" + names +
         "\nTo enforce the manifests again: bindery resume" + names + "\n";
}

/// Whether the operator agrees; prints why not.
bool OperatorAgrees(const CommandContext& context, const Expected<report::RevisionDetail>& preview,
                    const RollbackArguments& arguments) {
  // Who reads the result by a program has no use for the rest.
  if (preview && (context.output == Output::kText || !arguments.yes)) {
    std::fputs(report::RollbackText(*preview, StyleOfOutput(STDERR_FILENO)).c_str(), stderr);
  }
  if (arguments.yes) return true;
  if (!preview) {
    PrintError(preview.error());
    return false;
  }
  if (::isatty(STDIN_FILENO) != 1) {
    PrintError(
        "nothing was changed: standard input is no terminal, so the change cannot be confirmed; "
        "use --yes to apply it, --dry-run to preview it");
    return false;
  }
  if (IsConfirmed(arguments.revision)) return true;
  PrintError("nothing was changed");
  return false;
}

int RollbackCommand(const CommandContext& context, const RollbackArguments& arguments) {
  const Expected<config::Config> config = FindDaemon(context);
  if (!config) return PrintError(config.error());
  const Expected<report::RevisionDetail> preview = Preview(*config, arguments);
  if (arguments.dry_run) {
    if (!preview) return PrintError(preview.error());
    Print(context, *preview, report::RollbackText);
    return kExitOk;
  }
  if (!OperatorAgrees(context, preview, arguments)) return kExitError;
  const server::command::Rollback wanted{arguments.name, arguments.revision};
  const auto answer = AskDaemonFor<report::RollbackAnswer>(
      *config, server::command::Rollback::kPath, server::MakeBody(wanted));
  if (!answer) return PrintError(answer.error());
  Print(context, *answer, ResultText);
  if (answer->done) return kExitOk;
  return answer->held.empty() ? kExitError : kExitDiffers;
}

}  // namespace

void DefineRollback(CommandLine& line) {
  auto& arguments = line.Keep<RollbackArguments>();
  const Command rollback(line, "rollback", "Write a recorded policy back, through the guard");
  rollback->add_option("name", arguments.name, "A resource on the target")
      ->required()
      ->type_name(kResourceType);
  rollback->add_option("revision", arguments.revision, "Revision from bindery history")
      ->required()
      ->type_name(kRevisionType);
  rollback->add_flag("-y,--yes", arguments.yes, "Do not ask; required without a terminal");
  rollback->add_flag("--dry-run", arguments.dry_run, "Show the changes, write nothing");
  rollback.Output({"text", "json", "yaml"});
  rollback.Notes(
      "Shows gained and lost access, and asks. The resources of the target are\n"
      "suspended, so that the written policy stays, until bindery resume.\n"
      "Exit codes: 0 written, 1 the guard holds its removals, 2 an error, or not agreed to.");
  rollback.Examples(
      "bindery history payments-viewers\nbindery rollback payments-viewers 12 --dry-run\n"
      "bindery rollback payments-viewers 12\n"
      "bindery rollback payments-viewers 12 --yes -o json");
  rollback.Runs(
      [&arguments](const CommandContext& context) { return RollbackCommand(context, arguments); });
}

}  // namespace bindery::app
