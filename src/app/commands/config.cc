// The configuration by itself: whether it can be used, what it comes to, what it may hold.

#include <algorithm>

#include "app/command_line.h"
#include "app/commands/common.h"
#include "config/config_json.h"
#include "report/text_style.h"
#include "report/text_table.h"

namespace bindery {
namespace {

using report::Colour;

Json ProblemsJson(const std::vector<ConfigProblem>& problems) {
  Json list = Json::array();
  for (const ConfigProblem& problem : problems) {
    Json entry = {{"file", problem.file}, {"line", problem.line}, {"column", problem.column},
                  {"path", problem.path}, {"severity", "error"},  {"message", problem.message}};
    if (!problem.variable.empty()) entry["variable"] = problem.variable;
    list.push_back(std::move(entry));
  }
  return list;
}

/// Not read at all, as opposed to read and found to have faults.
bool IsUnreadable(const ConfigProblem& problem) {
  return problem.line == 0 && problem.path.empty() && problem.variable.empty();
}

std::string ProblemsText(const std::vector<ConfigProblem>& problems, const TextStyle& style) {
  std::string text;
  for (const ConfigProblem& problem : problems) {
    text += report::Paint(report::Printable(problem.Text()), Colour::kRed, style) + "\n";
  }
  return text + report::Count(static_cast<std::int64_t>(problems.size()), "problem") + "\n";
}

std::string OkText(const Json& report) {
  const auto count = [&report](const char* name) { return report.at(name).get<std::int64_t>(); };
  return StringMember(report, "file") + ": ok, " + report::Count(count("fromFile"), "setting") +
         " from the file, " + std::to_string(count("fromEnvironment")) + " from the environment\n";
}

int Valid(const CommandContext& context, const Config& config) {
  const auto from_file = std::ranges::count_if(
      config.sources, [](const auto& entry) { return entry.second.line > 0; });
  Print(context,
        {{"valid", true},
         {"file", config.file.string()},
         {"fromFile", from_file},
         {"fromEnvironment", static_cast<std::int64_t>(config.sources.size()) - from_file},
         {"problems", Json::array()}},
        [](const Json& report, const TextStyle& /*style*/) { return OkText(report); });
  return kExitOk;
}

/// "bindery.yaml:12", "bindery.yaml:12 ($TOKEN)", "$BINDERY_STORE_URL", "default".
std::string SourceText(const Json& source, const std::string& file) {
  std::string from = StringMember(source, "from");
  const std::string variable = StringMember(source, "variable");
  if (from == "environment") return "$" + variable;
  if (from != "file") return from;
  std::string line = file + ":" + source.at("line").dump();
  return variable.empty() ? line : line + " ($" + variable + ")";
}

std::string ValueText(const Json& value) {
  if (value.is_string()) return report::Printable(value.get<std::string>());
  const bool has_maps = value.is_array() && !value.empty() && value.front().is_object();
  if (!value.is_array() || has_maps) return report::Printable(value.dump());
  return "[" + report::JoinShown(value) + "]";
}

/// Adds the keys below `value` to the table; maps that are no value of a key are what they are in.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the configuration
void AddRows(report::Table& table, const Json& report, const Json& value, const std::string& path) {
  if (value.is_object() && !report.at("sources").contains(path)) {
    for (const auto& [name, member] : value.items()) {
      AddRows(table, report, member, path.empty() ? name : path + "." + name);
    }
    return;
  }
  const std::string file = std::filesystem::path(StringMember(report, "file")).filename().string();
  const std::string source = SourceText(report.at("sources").at(path), file);
  table.AddRow({{report::Printable(path)},
                {ValueText(value)},
                {report::Printable(source), source == "default" ? Colour::kDim : Colour::kNone}});
}

std::string ShowText(const Json& report, const TextStyle& style) {
  report::Table table({{"KEY"}, {"VALUE", true}, {"FROM"}});
  AddRows(table, report, report.at("config"), "");
  return table.Text(style);
}

int ConfigCheckCommand(const CommandContext& context) {
  const ConfigResult config = LoadConfig(context.config_file);
  if (config) return Valid(context, *config);
  const std::vector<ConfigProblem>& problems = config.error();
  if (std::ranges::any_of(problems, IsUnreadable)) {
    return PrintError(problems.front().Text() + "; name another with -c or $BINDERY_CONFIG");
  }
  Print(context,
        {{"valid", false},
         {"file", context.config_file.string()},
         {"problems", ProblemsJson(problems)}},
        [&problems](const Json& /*report*/, const TextStyle& style) {
          return ProblemsText(problems, style);
        });
  return kExitDiffers;
}

int ConfigShowCommand(const CommandContext& context) {
  const Expected<Config> config = ReadConfigOrDefaults(context);
  if (!config) return PrintError(config.error());
  Print(context, ConfigReport(*config), ShowText);
  return kExitOk;
}

int ConfigSchemaCommand(const CommandContext& context) {
  Print(context, ConfigSchema(),
        [](const Json& schema, const TextStyle& /*style*/) { return schema.dump(2) + "\n"; });
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

  const Command check(line, "config check", "Say all that is wrong with it, offline");
  check.Notes(
      "Looks at the file and the BINDERY_... variables alone: bindery check tries what they name.\n"
      "Exit codes: 0 it can be used, 1 it has faults, 2 it cannot be read.");
  check.Examples("bindery config check -c new.yaml");
  check.Output({"text", "json", "yaml"});
  check.Runs(ConfigCheckCommand);

  const Command show(line, "config show", "Show every setting in force and where it comes from");
  show.Notes("Secrets are shown as ********.");
  show.Examples("bindery config show -o json");
  show.Output({"text", "json", "yaml"});
  show.Runs(ConfigShowCommand);

  const Command schema(line, "config schema", "Print its JSON Schema, for editors");
  schema.Examples("bindery config schema > bindery.schema.json");
  schema.Output({"text", "json", "yaml"});
  schema.Runs(ConfigSchemaCommand);
}

}  // namespace bindery
