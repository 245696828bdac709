// Who has access: questions to the policies on record, while the daemon is down or up.

#include <charconv>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "app/clouds/access_facts.h"
#include "app/command_line.h"
#include "app/process/waiting_line.h"
#include "app/shell/common.h"
#include "core/text/printable.h"
#include "report/access/access_report.h"
#include "report/codec/list_slice.h"
#include "report/codec/moment.h"
#include "report/codec/staleness.h"
#include "report/forms/access_stream.h"
#include "report/forms/texts.h"

namespace bindery::app {
namespace {

/// Empty: not given.
struct AccessArguments {
  std::string role;
  std::string permission;
  std::string target;
  std::string principal;
  bool direct = false;  ///< Only what names the principal itself.
  std::string at;
  std::vector<std::string> attributes;  ///< name=value
  std::string limit;                    ///< A number, or "all".
  std::string since;
  std::string until;
};

/// Of a text: more than anybody reads.
constexpr std::size_t kDefaultLimit = 1'000;
constexpr const char* kAll = "all";

/// How many answers are shown; nothing: all.
Expected<std::optional<std::size_t>> FindLimit(const AccessArguments& arguments, Output output) {
  const std::string& text = arguments.limit;
  const bool is_text = output != Output::kJson && output != Output::kYaml && output != Output::kCsv;
  if (text.empty() && is_text) return std::optional(kDefaultLimit);
  if (text.empty() || text == kAll) return std::optional<std::size_t>();
  std::size_t limit = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, limit);
  if (failed == std::errc() && stop == end && limit > 0) return std::optional(limit);
  return Fail(Code::kInvalidArgument,
              "--limit must be a number from 1 on, or \"all\", not \"" + text + "\"");
}

/// An optional moment.
Expected<std::optional<WallTime>> FindMoment(const std::string& text, const char* option,
                                             WallTime now) {
  if (text.empty()) return std::optional<WallTime>();
  const Expected<WallTime> moment = report::ParseMoment(text, now);
  if (!moment) return Fail(moment.error().Wrap(option));
  return std::optional(*moment);
}

/// The project that completes a target's name: of the first provider with a project.
std::string DefaultProject(const config::Config& config) {
  for (const auto& [name, provider] : config.providers) {
    if (!provider.project.empty()) return provider.project;
  }
  return "";
}

void Write(std::string_view text) {
  EndWaiting();
  std::fwrite(text.data(), 1, text.size(), stdout);
}

Expected<report::AccessQuery> MakeQuery(const AccessArguments& arguments, WallTime now) {
  report::AccessQuery query;
  query.role = arguments.role;
  query.permission = arguments.permission;
  query.target = arguments.target;
  query.principal = arguments.principal;
  query.direct = arguments.direct;
  auto at = FindMoment(arguments.at, "--at", now);
  if (!at) return Fail(at.error());
  query.at = *at;
  for (const std::string& attribute : arguments.attributes) {
    if (auto added = report::AddAttribute(attribute, query.attributes); !added) {
      return Fail(added.error().Wrap("--set"));
    }
  }
  return query;
}

/// The answers to a question, and how they are printed.
struct AccessPrint {
  const CommandContext& context;
  const report::AccessRecords& records;
  const report::AccessQuery& query;
  WallTime now;
  std::optional<report::Staleness> stale;
};

/// Prints the first answers.
Expected<void> PrintFirst(const AccessPrint& asked, std::size_t limit) {
  auto answers =
      report::AccessReport(asked.records, asked.query, asked.now, report::ListPage{0, limit});
  if (!answers) return Fail(answers.error());
  answers->stale = asked.stale;
  const report::ListSlice slice = {answers->summary.answers, 0, limit};
  const report::AccessListing part = {*std::move(answers), slice};
  if (asked.context.output == Output::kCsv) {
    Write(report::AccessCsv(part));
  } else if (asked.context.output == Output::kJson || asked.context.output == Output::kYaml) {
    Print(asked.context, report::ToJson(part), nullptr);
  } else {
    Write(PrintableOutput(report::AccessText(part, MakeStyle(asked.context))));
  }
  return {};
}

/// Prints all answers, and holds no more of them than their text.
Expected<void> PrintAll(const AccessPrint& asked) {
  const CommandContext& context = asked.context;
  report::AccessJsonText json;
  report::AccessCsvText csv;
  report::AccessTableText table(MakeStyle(context));
  report::AnswerTaker taker;
  if (context.output == Output::kJson) {
    taker.take = [&json](const report::AccessAnswer& answer, bool certain) {
      json.Take(answer, certain);
    };
  } else if (context.output == Output::kCsv) {
    taker.take = [&csv](const report::AccessAnswer& answer, bool certain) {
      csv.Take(answer, certain);
    };
  } else if (context.output != Output::kYaml) {
    taker.take = [&table](const report::AccessAnswer& answer, bool certain) {
      table.Take(answer, certain);
    };
    taker.begin = [&table](const report::AccessAnswers& head) { table.Begin(head); };
  }
  Expected<report::AccessAnswers> report =
      taker.take ? report::AccessReport(asked.records, asked.query, asked.now, taker)
                 : report::AccessReport(asked.records, asked.query, asked.now);
  if (!report) return Fail(report.error());
  report->stale = asked.stale;
  if (context.output == Output::kJson) {
    json.Finish(*report, Write);
  } else if (context.output == Output::kCsv) {
    csv.Finish(Write);
  } else if (context.output == Output::kYaml) {
    Print(context, *report, report::AccessText);
  } else {
    Write(PrintableOutput(std::move(table).Finish(*report)));
  }
  return {};
}

int AccessCommand(const CommandContext& context, const AccessArguments& arguments) {
  const WallTime now = std::chrono::system_clock::now();
  Expected<report::AccessQuery> query = MakeQuery(arguments, now);
  if (!query) return PrintError(query.error());
  const auto limit = FindLimit(arguments, context.output);
  if (!limit) return PrintError(limit.error());
  const Expected<config::Config> config = ReadConfig(context);
  if (!config) return PrintError(config.error());
  query->default_project = DefaultProject(*config);
  const Expected<std::unique_ptr<store::Store>> store = OpenForReading(*config);
  if (!store) return PrintError(store.error());
  const Expected<report::AccessRecords> records = ReadRecords(**store, *config, query->permission);
  if (!records) return PrintError(records.error());
  // What was true at a moment of the past does not grow old.
  const AccessPrint asked = {
      context, *records, *query, now,
      arguments.at.empty() ? StaleState(*config) : std::optional<report::Staleness>()};
  const Expected<void> printed = *limit ? PrintFirst(asked, **limit) : PrintAll(asked);
  if (!printed) return PrintError(printed.error());
  TellStale(asked.stale);
  return kExitOk;
}

/// Prints the changes, or the first ones, and holds no more of them than it prints at once.
Expected<report::AccessDiff> PrintChanges(const CommandContext& context,
                                          const report::AccessRecords& records,
                                          const report::AccessDiffQuery& query,
                                          std::optional<std::size_t> limit, WallTime now) {
  const bool is_json = context.output == Output::kJson;
  const bool is_csv = context.output == Output::kCsv;
  report::AccessDiffJsonText json;
  report::AccessDiffCsvText csv;
  std::vector<report::AccessChange> changes;
  std::size_t count = 0;
  const report::TakeChange take = [&](report::AccessChange&& change) {
    if (++count > limit.value_or(count)) return;
    if (is_csv) {
      csv.Take(change);
    } else if (is_json && !limit) {
      json.Take(change);
    } else {
      changes.push_back(std::move(change));
    }
  };
  Expected<report::AccessDiff> diff = report::EachAccessChange(records, query, now, take);
  if (!diff) return diff;
  if (is_csv) {
    csv.Finish(Write);
  } else if (is_json && !limit) {
    json.Finish(*diff, Write);
  } else if (limit && (is_json || context.output == Output::kYaml)) {
    report::AccessDiffListing part = {*diff, {count, 0, limit}};
    part.changes = std::move(changes);
    Print(context, report::ToJson(part), nullptr);
  } else {
    diff->changes = std::move(changes);
    Print(context, *diff, report::AccessDiffText);
  }
  return diff;
}

int AccessDiffCommand(const CommandContext& context, const AccessArguments& arguments) {
  const ExitStyle style = context.exit_style;
  const auto complain = [style](const Error& error) {
    return ChooseExitCode(PrintError(error), style);
  };
  const WallTime now = std::chrono::system_clock::now();
  const auto since = FindMoment(arguments.since, "--since", now);
  if (!since) return complain(since.error());
  const auto until = FindMoment(arguments.until, "--until", now);
  if (!until) return complain(until.error());
  const auto limit = FindLimit(arguments, context.output);
  if (!limit) return complain(limit.error());
  const Expected<config::Config> config = ReadConfig(context);
  if (!config) return complain(config.error());
  const Expected<std::unique_ptr<store::Store>> store = OpenForReading(*config);
  if (!store) return complain(store.error());
  report::AccessDiffQuery query;
  query.since = since->value_or(now);
  query.until = *until;
  query.target = arguments.target;
  query.default_project = DefaultProject(*config);
  const Expected<report::AccessRecords> records = ReadRecords(**store, *config, "");
  if (!records) return complain(records.error());
  const auto diff = PrintChanges(context, *records, query, *limit, now);
  if (!diff) return complain(diff.error());
  const bool differs = diff->summary.gained + diff->summary.lost > 0;
  return ChooseExitCode(differs ? kExitDiffers : kExitOk, style);
}

constexpr const char* kTargetHelp =
    "Full name, unique ending of the name, a resource on the target, or a pattern with *";

/// `who-can ROLE TARGET`, `who-can --permission PERMISSION TARGET`.
Expected<AccessArguments> WhoCanArguments(AccessArguments arguments) {
  if (arguments.permission.empty()) {
    if (!arguments.target.empty()) return arguments;
    return Fail(Code::kInvalidArgument, arguments.role.empty()
                                            ? "name a role and a target: who-can ROLE TARGET"
                                            : "name a target: who-can ROLE TARGET");
  }
  if (arguments.role.empty()) {
    return Fail(Code::kInvalidArgument, "name a target: who-can --permission PERMISSION TARGET");
  }
  if (!arguments.target.empty()) {
    return Fail(Code::kInvalidArgument,
                "with --permission no role is named: who-can --permission PERMISSION TARGET");
  }
  arguments.target = std::move(arguments.role);
  arguments.role.clear();
  return arguments;
}

int WhoCanCommand(const CommandContext& context, const AccessArguments& given) {
  const Expected<AccessArguments> arguments = WhoCanArguments(given);
  return arguments ? AccessCommand(context, *arguments) : PrintError(arguments.error());
}

int AccessOfCommand(const CommandContext& context, const AccessArguments& arguments) {
  if (!arguments.principal.empty()) return AccessCommand(context, arguments);
  return PrintError({Code::kInvalidArgument, "name a principal, such as user:ana@example.com"});
}

using RunQuestion = int (*)(const CommandContext& context, const AccessArguments& arguments);

void AddLimit(const Command& question, AccessArguments& arguments, const std::string& what) {
  question
      ->add_option(
          "--limit", arguments.limit,
          "Maximum number of " + what + ", or \"all\"; of a text 1000 by default, else all")
      ->type_name("N|all");
}

void RunsAccess(const Command& question, AccessArguments& arguments,
                RunQuestion run = AccessCommand) {
  question.Waits();
  AddLimit(question, arguments, "answers");
  question.Output({"text", "json", "yaml", "csv"});
  question.Runs(
      [&arguments, run](const CommandContext& context) { return run(context, arguments); });
}

/// The common options of `who-can` and `of`.
void DefineQuestion(const Command& question, AccessArguments& arguments, RunQuestion run) {
  question->add_option(
      "--at", arguments.at,
      std::string("By the policies on record at this time: ") + report::kMomentForms);
  question
      ->add_option("--set", arguments.attributes,
                   "Value of an attribute in conditions, such as resource.name=... (repeatable)")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  RunsAccess(question, arguments, run);
}

void DefineWhoCan(CommandLine& line, AccessArguments& arguments) {
  const Command who_can(line, "access who-can", "List the principals with a role on a target");
  who_can
      ->add_option("role", arguments.role,
                   "A role or relation; \"*\": any; left out with --permission")
      ->type_name(kRoleType);
  who_can->add_option("target", arguments.target, kTargetHelp)->type_name(kTargetType);
  who_can
      ->add_option("--permission", arguments.permission,
                   "Every role with this permission, in place of a role; see roles.files")
      ->type_name("PERMISSION");
  DefineQuestion(who_can, arguments, WhoCanCommand);
  who_can.Examples(
      "bindery access who-can roles/viewer payments\nbindery access who-can roles/viewer '*'\n"
      "bindery access who-can --permission secretmanager.versions.access "
      "projects/acme/secrets/key");
}

void DefineAccessOfPrincipal(CommandLine& line, AccessArguments& arguments) {
  const Command of(line, "access of", "List the roles of a principal, direct and indirect");
  of->add_option("principal", arguments.principal,
                 "Such as user:ana@example.com; without the prefix, all principals of this name")
      ->required()
      ->type_name(kPrincipalType);
  of->add_option("target", arguments.target, kTargetHelp)->type_name(kTargetType);
  of->add_flag("--direct", arguments.direct,
               "Only grants that name the principal itself, no indirect access");
  DefineQuestion(of, arguments, AccessOfCommand);
  of.Examples(
      "bindery access of user:ana@example.com --at 2026-11-01\n"
      "bindery access of ana@example.com --direct");
}

void DefineAt(CommandLine& line, AccessArguments& arguments) {
  const Command at(line, "access at", "List all access at a given time");
  at->add_option("time", arguments.at, std::string("When: ") + report::kMomentForms)->required();
  at->add_option("target", arguments.target, kTargetHelp)->type_name(kTargetType);
  RunsAccess(at, arguments);
  at.Examples("bindery access at 2026-11-01T12:00:00Z payments");
}

void DefineDiff(CommandLine& line, AccessArguments& arguments) {
  const Command diff(line, "access diff", "Access gained and lost since a given time");
  diff->add_option("target", arguments.target, kTargetHelp)->type_name(kTargetType);
  diff->add_option("--since", arguments.since, std::string("From then on: ") + report::kMomentForms)
      ->required();
  diff->add_option("--until", arguments.until, "Up to then; now if not given");
  AddLimit(diff, arguments, "changes");
  diff.DetailedExit();
  diff.Waits();
  diff.Output({"text", "json", "yaml", "csv"});
  diff.Examples("bindery access diff --since 24h\nbindery access diff --since 24h --limit 20");
  diff.Runs([&arguments](const CommandContext& context) {
    return AccessDiffCommand(context, arguments);
  });
}

}  // namespace

void DefineAccess(CommandLine& line) {
  auto& arguments = line.Keep<AccessArguments>();
  const Command access(line, "access", "Show access by the last read policies");
  access->require_subcommand(1);
  access.Examples(
      "bindery access who-can roles/viewer payments\n"
      "bindery access of user:ana@example.com --at 2026-11-01\n"
      "bindery access who-can editor payments --set resource.name=projects/acme/x\n"
      "bindery access diff --since 24h");
  DefineWhoCan(line, arguments);
  DefineAccessOfPrincipal(line, arguments);
  DefineAt(line, arguments);
  DefineDiff(line, arguments);
}

}  // namespace bindery::app
