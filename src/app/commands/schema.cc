#include <cstdio>
#include <optional>
#include <string>

#include "app/command_line.h"
#include "app/shell/common.h"
#include "core/text/type_token.h"
#include "manifests/schema/field_table.h"
#include "manifests/schema/json_schema.h"
#include "providers/registry/kinds.h"
#include "report/reports/reports.h"

namespace bindery::app {

namespace {

constexpr const char* kDriftReport = "drift-report";

struct SchemaArguments {
  std::string token;
  bool fields = false;
};

/// The common part of all kinds of a token such as cloudnative:iam:IamMember; null for further
/// tokens.
const manifests::KindSchema* FindShape(const providers::Kinds& kinds, const std::string& token) {
  const std::optional<TypeToken> parsed = ParseTypeToken(token);
  if (!parsed || !kinds.IsGeneric(*parsed)) return nullptr;
  for (const manifests::KindSchema* schema : kinds.Schemas()) {
    if (schema->shape != nullptr && schema->shape->token.kind == parsed->kind) return schema->shape;
  }
  return nullptr;
}

int SchemaCommand(const CommandContext& context, const SchemaArguments& arguments) {
  const auto& [token, fields] = arguments;
  if (const auto config = ReadConfigOrDefaults(context); !config) return PrintError(config.error());
  const providers::Kinds kinds;
  const auto as_json = [](const Json& schema, const report::TextStyle& /*style*/) {
    return schema.dump(2) + "\n";
  };
  if (token.empty() && !fields) {
    Print(context, manifests::JsonSchemaOfAny(kinds.Schemas()), as_json);
    return kExitOk;
  }
  if (token == kDriftReport) {
    Print(context, report::DriftReportSchema(), as_json);
    return kExitOk;
  }
  if (token.empty()) {
    // Kinds of a shared shape have equal fields.
    for (const manifests::KindSchema* schema : kinds.Schemas()) {
      if (schema->shape != nullptr) continue;
      std::printf("## %s\n\n%s\n", schema->token.kind.c_str(),
                  manifests::FieldTable(*schema).c_str());
    }
    return kExitOk;
  }
  const manifests::KindSchema* schema = FindShape(kinds, token);
  if (schema == nullptr) {
    const Expected<const reconcilers::Kind*> kind = FindKind(kinds, token);
    if (!kind) return PrintError(kind.error());
    schema = &(*kind)->schema();
  }
  if (fields) {
    std::printf("%s", manifests::FieldTable(*schema).c_str());
  } else {
    Print(context, manifests::MakeJsonSchema(*schema), as_json);
  }
  return kExitOk;
}

}  // namespace

void DefineSchema(CommandLine& line) {
  auto& arguments = line.Keep<SchemaArguments>();
  const Command schema(line, "schema",
                       "Print the JSON Schema of a kind, of any manifest, or of drift reports");
  schema
      ->add_option("token", arguments.token,
                   "A kind, such as monitoring:RestrictionPolicy, or drift-report")
      ->type_name(kTokenType);
  schema->add_flag("--fields", arguments.fields, "A Markdown table of the fields instead");
  schema.Output({"text", "json", "yaml"});
  schema.Examples(
      "bindery schema > manifest.schema.json\n"
      "bindery schema monitoring:RestrictionPolicy --fields");
  schema.Runs(
      [&arguments](const CommandContext& context) { return SchemaCommand(context, arguments); });
}

}  // namespace bindery::app
