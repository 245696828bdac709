// The configuration alone: validity, resulting settings, schema.

#include <algorithm>

#include "app/command_line.h"
#include "app/shell/common.h"
#include "config/config_json.h"
#include "report/text/text_style.h"
#include "report/text/text_table.h"

namespace bindery::app {
namespace {

using report::Colour;

Json ProblemsJson(const std::vector<config::ConfigProblem>& problems) {
  Json list = Json::array();
  for (const config::ConfigProblem& problem : problems) {
    Json entry = {{"file", problem.file}, {"line", problem.line}, {"column", problem.column},
                  {"path", problem.path}, {"severity", "error"},  {"message", problem.message}};
    if (!problem.variable.empty()) entry["variable"] = problem.variable;
    list.push_back(std::move(entry));
  }
  return list;
}

/// Not read at all, as opposed to read and found to have faults.
bool IsUnreadable(const config::ConfigProblem& problem) {
  return problem.line == 0 && problem.path.empty() && problem.variable.empty();
}

std::string ProblemsText(const std::vector<config::ConfigProblem>& problems,
                         const report::TextStyle& style) {
  std::string text;
  for (const config::ConfigProblem& problem : problems) {
    text += report::Paint(report::Printable(problem.Text()), Colour::kRed, style) + "\n";
  }
  return text + report::Count(static_cast<std::int64_t>(problems.size()), "problem") + "\n";
}

int Valid(const CommandContext& context, const config::Config& config) {
  const std::string file = config.file.string();
  const std::int64_t from_file = std::ranges::count_if(
      config.sources, [](const auto& entry) { return entry.second.line > 0; });
  const std::int64_t from_environment =
      static_cast<std::int64_t>(config.sources.size()) - from_file;
  Print(context,
        {{"valid", true},
         {"file", file},
         {"fromFile", from_file},
         {"fromEnvironment", from_environment},
         {"problems", Json::array()}},
        [&](const Json& /*the same*/, const report::TextStyle& /*style*/) {
          return file + ": ok, " + report::Count(from_file, "setting") + " from the file, " +
                 std::to_string(from_environment) + " from the environment\n";
        });
  return kExitOk;
}

/// "bindery.yaml:12", "bindery.yaml:12 ($TOKEN)", "$BINDERY_STORE_URL", "default".
std::string SourceText(const config::Config& config, const std::string& path) {
  const auto found = config.sources.find(path);
  if (found == config.sources.end()) return "default";
  const auto& [line, column, variable] = found->second;
  if (line == 0) return "$" + variable;
  return config.file.filename().string() + ":" + std::to_string(line) +
         (variable.empty() ? "" : " ($" + variable + ")");
}

std::string ValueText(const Json& value) {
  if (value.is_string()) return report::Printable(value.get<std::string>());
  const bool has_maps = value.is_array() && !value.empty() && value.front().is_object();
  if (!value.is_array() || has_maps) return report::Printable(value.dump());
  return "[" + report::JoinShown(value) + "]";
}

/// Adds the keys below `value` to the table; maps that are no value of a key are shown as the map
/// around them.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the configuration
void AddRows(report::Table& table, const config::Config& config, const Json& keys,
             const Json& value, const std::string& path) {
  if (value.is_object() && !keys.contains(path)) {
    for (const auto& [name, member] : value.items()) {
      AddRows(table, config, keys, member, path.empty() ? name : path + "." + name);
    }
    return;
  }
  const std::string source = SourceText(config, path);
  table.AddRow({{report::Printable(path)},
                {ValueText(value)},
                {report::Printable(source), source == "default" ? Colour::kDim : Colour::kNone}});
}

int ConfigCheckCommand(const CommandContext& context) {
  const config::ConfigResult config = config::LoadConfig(context.config_file);
  if (config) return Valid(context, *config);
  const std::vector<config::ConfigProblem>& problems = config.error();
  if (std::ranges::any_of(problems, IsUnreadable)) {
    return PrintError(problems.front().Text() + "; name another with -c or $BINDERY_CONFIG");
  }
  Print(context,
        {{"valid", false},
         {"file", context.config_file.string()},
         {"problems", ProblemsJson(problems)}},
        [&problems](const Json& /*report*/, const report::TextStyle& style) {
          return ProblemsText(problems, style);
        });
  return kExitDiffers;
}

int ConfigShowCommand(const CommandContext& context) {
  const Expected<config::Config> config = ReadConfigOrDefaults(context);
  if (!config) return PrintError(config.error());
  Print(context, config::ConfigReport(*config),
        [&config](const Json& report, const report::TextStyle& style) {
          report::Table table(
              {{.title = "KEY", .shrinks = true, .least = 24, .cut = report::Cut::kNever},
               {.title = "VALUE", .shrinks = true, .cut = report::Cut::kNever},
               {.title = "FROM", .shrinks = true, .cut = report::Cut::kNever}});
          AddRows(table, *config, report.at("sources"), report.at("config"), "");
          return table.Text(style);
        });
  return kExitOk;
}

int ConfigSchemaCommand(const CommandContext& context) {
  Print(
      context, config::ConfigSchema(),
      [](const Json& schema, const report::TextStyle& /*style*/) { return schema.dump(2) + "\n"; });
  return kExitOk;
}

}  // namespace

void DefineConfig(CommandLine& line) {
  const Command config(line, "config", "Check or show the configuration");
  config->require_subcommand(1);
  config.Examples(
      "bindery config check -c new.yaml && mv new.yaml /etc/bindery/bindery.yaml\n"
      "bindery config show\n"
      "bindery config show -o json | jq '.sources | map_values(select(.from != \"default\"))'");

  const Command check(line, "config check", "Report all errors of the configuration, offline");
  check.Notes(
      "Reads the file and the BINDERY_... variables only; bindery check also connects.\n"
      "Exit codes: 0 valid, 1 invalid, 2 unreadable.");
  check.Examples("bindery config check -c new.yaml");
  check.Output({"text", "json", "yaml"});
  check.Runs(ConfigCheckCommand);

  const Command show(line, "config show", "Show every setting in force with its source");
  show.Notes("Secrets are shown as ********.");
  show.Examples("bindery config show -o json");
  show.Output({"text", "json", "yaml"});
  show.Runs(ConfigShowCommand);

  const Command schema(line, "config schema",
                       "Print the JSON Schema of the configuration, for editors");
  schema.Examples("bindery config schema > bindery.schema.json");
  schema.Output({"text", "json", "yaml"});
  schema.Runs(ConfigSchemaCommand);
}

}  // namespace bindery::app
