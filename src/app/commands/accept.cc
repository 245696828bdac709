// bindery drift accept: the entry of the configuration that lets a difference stay.

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>

#include "app/command_line.h"
#include "app/edits/acceptance_entry.h"
#include "app/plan/drift_item.h"
#include "app/plan/manifest_writer.h"
#include "app/shell/common.h"
#include "config/config_file.h"
#include "config/config_json.h"
#include "core/text/printable.h"
#include "core/text/time_text.h"
#include "report/codec/moment.h"
#include "server/requests/actor.h"
#include "yaml/node.h"

namespace bindery::app {
namespace {

struct AcceptArguments {
  std::int64_t item = 0;  ///< Its id in drift reports.
  std::string reason;
  std::optional<std::string> owner;  ///< Absent: who runs the command.
  std::string until;        ///< A day, a time, or how long from now on; empty: without an end.
  bool only_print = false;  ///< Write nothing.
};

/// A day, a time, or how long from now on.
Expected<WallTime> FindEnd(const std::string& text, WallTime now) {
  Expected<WallTime> end = Fail(Code::kInternal, "not read");
  if (const auto time = ParseDuration(text)) {
    end = now + *time;
  } else {
    end = report::ParseMoment(text, now);
  }
  if (!end) {
    return Fail(Code::kInvalidArgument, "\"" + text +
                                            "\" is not a time: expected a day such as 2026-11-21, "
                                            "an RFC 3339 time, or how long from now on (24h)");
  }
  if (*end <= now) return Fail(Code::kInvalidArgument, "\"" + text + "\" is over");
  return std::chrono::floor<std::chrono::seconds>(*end);
}

Expected<store::DriftRecord> FindItem(const store::ReportReader& store, std::int64_t id) {
  auto found = FindDifference(store, id);
  if (!found) return found;
  const DriftItem& item = found->item;
  if (item.state == DriftState::kAccepted && item.acceptance) {
    return Fail(Code::kFailedPrecondition, "difference " + std::to_string(id) + " is accepted " +
                                               AcceptanceInWords(*item.acceptance));
  }
  return found;
}

/// All but `drift.accept`.
Json OtherSettings(const config::Config& config) {
  config::Config other = config;
  other.drift.accept.clear();
  return config::ConfigReport(other).at("config");
}

/// The text means the configuration it meant before, and the rule besides.
bool MeansNoMore(const config::Config& before, const std::string& text,
                 const AcceptedDriftRule& rule) {
  const config::ConfigResult after = config::ParseConfig(
      text, before.file.string(), before.file.parent_path(), config::ProcessEnvironment());
  if (!after) return false;
  AcceptedDriftRules rules = after->drift.accept;
  const auto added = std::find(rules.begin(), rules.end(), rule);
  if (added == rules.end()) return false;
  rules.erase(added);
  return rules == before.drift.accept && OtherSettings(*after) == OtherSettings(before);
}

Expected<void> WriteEntry(const config::Config& config, const AcceptedDriftRule& rule) {
  const std::string file = config.file.string();
  if (file.empty()) {
    return Fail(Code::kFailedPrecondition, "there is no configuration file to write to");
  }
  const auto before = config::ReadConfigFile(config.file);
  if (!before) return Fail(before.error().Wrap(file));
  const auto text = WithEntry(*before, MakeEntry(rule));
  if (!text) return Fail(text.error().Wrap(file));
  if (!MeansNoMore(config, *text, rule)) {
    return Fail(Code::kFailedPrecondition,
                file + ": it would mean something else with the entry: put it in by hand");
  }
  return ReplaceFile(config.file, *text);
}

std::string EntryText(const AcceptedDriftRule& rule) {
  return yaml::ToYaml({{"drift", {{"accept", Json::array({MakeEntry(rule)})}}}});
}

std::string CallerName() {
  const uid_t uid = ::getuid();
  std::string name = server::UserName(uid);
  return name.empty() ? "uid " + std::to_string(uid) : name;
}

Expected<AcceptedDriftRule> RuleAsked(const config::Config& config,
                                      const AcceptArguments& arguments) {
  const WallTime now = std::chrono::system_clock::now();
  Acceptance acceptance{arguments.reason, arguments.owner ? *arguments.owner : CallerName()};
  for (const std::string* text : {&acceptance.reason, &acceptance.owner}) {
    if (text->find_first_not_of(" \t\n") == std::string::npos) {
      return Fail(Code::kInvalidArgument,
                  text == &acceptance.reason ? "--reason is empty" : "--owner is empty");
    }
  }
  if (!arguments.until.empty()) {
    const auto end = FindEnd(arguments.until, now);
    if (!end) return Fail(end.error().Wrap("--until"));
    acceptance.until = *end;
  }
  const auto store = OpenForReading(config);
  if (!store) return Fail(store.error());
  const auto record = FindItem(**store, arguments.item);
  if (!record) return Fail(record.error());
  return RuleFor(record->target.name, record->item, std::move(acceptance));
}

int AcceptCommand(const CommandContext& context, const AcceptArguments& arguments) {
  const Expected<config::Config> config = ReadConfig(context);
  if (!config) return PrintError(config.error());
  const Expected<AcceptedDriftRule> rule = RuleAsked(*config, arguments);
  if (!rule) return PrintError(rule.error());
  const std::string entry = PrintableOutput(EntryText(*rule));
  if (arguments.only_print) {
    std::fputs(entry.c_str(), stdout);
    return kExitOk;
  }
  if (auto written = WriteEntry(*config, *rule); !written) {
    std::fputs(entry.c_str(), stdout);
    return PrintError(written.error());
  }
  std::printf("%s: difference %lld is accepted %s, once the daemon has read this rule:\n%s",
              config->file.c_str(), static_cast<long long>(arguments.item),
              PrintableOutput(AcceptanceInWords(rule->acceptance)).c_str(), entry.c_str());
  return kExitOk;
}

}  // namespace

void DefineDriftAccept(CommandLine& line) {
  auto& arguments = line.Keep<AcceptArguments>();
  const Command accept(line, "drift accept",
                       "Accept a difference: write the rule into the configuration");
  accept->add_option("item", arguments.item, "ID of the difference, from bindery drift")
      ->required()
      ->check(RequireNumber("the ID of a difference: bindery drift shows the IDs"))
      ->type_name(kItemType);
  accept->add_option("--reason", arguments.reason, "Reason for the acceptance")->required();
  accept->add_option("--owner", arguments.owner,
                     "Owner of the acceptance; default: the current user");
  accept->add_option("--until", arguments.until,
                     "End of the acceptance: a day, an RFC 3339 time, or a duration from now "
                     "(24h)");
  accept->add_flag("--stdout,--print", arguments.only_print, "Print the rule, write no file");
  accept.Examples(
      "bindery drift accept 17 --reason 'break-glass for incident 42' --until 24h\n"
      "bindery drift accept 17 --reason 'moves next week' --owner payments --until 2026-12-01 "
      "--stdout");
  accept.Runs(
      [&arguments](const CommandContext& context) { return AcceptCommand(context, arguments); });
}

}  // namespace bindery::app
