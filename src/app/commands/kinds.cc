#include "providers/registry/kinds.h"

#include <string>
#include <vector>

#include "app/command_line.h"
#include "app/plan/kind_pattern.h"
#include "app/shell/common.h"
#include "config/kind_files.h"
#include "core/text/count.h"
#include "providers/undescribed_types.h"
#include "report/text/text_table.h"

namespace bindery::app {
namespace {

Json KindReport(const manifests::KindSchema& kind) {
  return {{"token", kind.token.Text()},
          {"apiVersion", kind.token.api_version},
          {"kind", kind.token.kind},
          {"description", kind.description},
          {"names", kind.name_forms},
          {"conditionsDocumented", kind.conditions_documented},
          {"preview", kind.preview},
          {"lookup", kind.read_only},
          {"retired", kind.retired.empty() ? Json() : Json(kind.retired)}};
}

std::string MakeNotes(const manifests::KindSchema& kind) {
  std::string notes;
  const auto add = [&notes](const std::string& note) {
    notes += (notes.empty() ? "" : ", ") + note;
  };
  if (kind.read_only) add("lookup");
  if (kind.preview) add("preview");
  if (kind.conditions_documented) add("conditions documented");
  if (!kind.retired.empty()) add("retired: " + kind.retired);
  return notes;
}

std::string KindsText(const std::vector<const manifests::KindSchema*>& kinds,
                      const report::TextStyle& style) {
  report::Table table({{.title = "KIND", .cut = report::Cut::kNever},
                       {.title = "NAME", .cut = report::Cut::kNever},
                       {"NOTES"}});
  for (const manifests::KindSchema* kind : kinds) {
    const std::vector<std::string>& names = kind->name_forms;
    table.AddRow({{kind->token.Text()}, {names.empty() ? "" : names.front()}, {MakeNotes(*kind)}});
    // Further forms of names in separate lines: some kinds have ten.
    for (std::size_t i = 1; i < names.size(); ++i) table.AddRow({{""}, {names[i]}, {""}});
  }
  return table.Text(style);
}

/// The text about types without a kind, after the kinds; empty if none exists.
std::string UndescribedText(const std::vector<manifests::KindSchema>& types,
                            const report::TextStyle& style) {
  if (types.empty()) return "";
  report::Table table({{.title = "TYPE WITHOUT A DESCRIPTION", .cut = report::Cut::kNever},
                       {.title = "NAME", .cut = report::Cut::kNever}});
  for (const manifests::KindSchema& type : types) {
    table.AddRow({{type.token.Text()}, {type.name_forms.front()}});
  }
  return "\n" + table.Text(style) +
         "\nThe configurations of their services give these types an allow policy, but no public "
         "document describes the calls: they are no kinds. Declare those that you need as kinds of "
         "your own: docs/kinds.md\n";
}

/// Checks files of rows: 0 when all are fine, 1 with all that is wrong.
int CheckKindFiles(const CommandContext& context, const std::vector<std::string>& files) {
  const config::KindFiles read = config::ReadKindFiles({files.begin(), files.end()});
  Json report = {{"valid", read.problems.empty()},
                 {"files", files.size()},
                 {"kinds", read.rows.size()},
                 {"problems", Json::array()}};
  for (const config::ConfigProblem& problem : read.problems) {
    report["problems"].push_back({{"file", problem.file},
                                  {"line", problem.line},
                                  {"column", problem.column},
                                  {"path", problem.path},
                                  {"message", problem.message}});
  }
  Print(context, report, [&read](const Json& /*report*/, const report::TextStyle& /*style*/) {
    std::string text;
    for (const config::ConfigProblem& problem : read.problems) text += problem.Text() + "\n";
    if (!text.empty()) return text;
    return Count(read.rows.size(), "kind") + ": ok\n";
  });
  return read.problems.empty() ? kExitOk : kExitDiffers;
}

/// Lists the kinds that the pattern asks for. 1 if none exists.
int KindsCommand(const CommandContext& context, const std::string& pattern) {
  if (const auto config = ReadConfigOrDefaults(context); !config) return PrintError(config.error());
  const providers::Kinds kinds;
  std::vector<const manifests::KindSchema*> asked;
  Json report = {{"kinds", Json::array()}, {"withoutDescription", Json::array()}};
  for (const manifests::KindSchema* kind : kinds.Schemas()) {
    if (!FitsKindPattern(*kind, pattern)) continue;
    asked.push_back(kind);
    report["kinds"].push_back(KindReport(*kind));
  }
  std::vector<manifests::KindSchema> undescribed = providers::UndescribedTypes();
  std::erase_if(undescribed,
                [&](const manifests::KindSchema& type) { return !FitsKindPattern(type, pattern); });
  for (const manifests::KindSchema& type : undescribed) {
    report["withoutDescription"].push_back(
        {{"token", type.token.Text()}, {"names", type.name_forms}});
  }
  Print(context, report, [&](const Json& /*the same*/, const report::TextStyle& style) {
    return KindsText(asked, style) + UndescribedText(undescribed, style);
  });
  return asked.empty() ? kExitDiffers : kExitOk;
}

}  // namespace

void DefineKinds(CommandLine& line) {
  auto& pattern = line.Keep<std::string>();
  auto& files = line.Keep<std::vector<std::string>>();
  const Command kinds(line, "kinds", "List the kinds of manifests and their resource names");
  kinds->add_option("pattern", pattern,
                    "Text in the kind, such as bucket, or a pattern, such as 'pubsub/v1:Topic*'");
  kinds
      ->add_option("--check", files,
                   "Check these files of kinds, in place of `kinds` of the configuration")
      ->type_name(kFileType)
      ->excludes("pattern");
  kinds.Output({"text", "json", "yaml"});
  kinds.Examples("bindery kinds bucket\nbindery kinds 'compute/*' -o json");
  kinds.Runs([&pattern, &files](const CommandContext& context) {
    return files.empty() ? KindsCommand(context, pattern) : CheckKindFiles(context, files);
  });
}

}  // namespace bindery::app
