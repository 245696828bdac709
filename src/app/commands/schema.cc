#include <cstdio>

#include "app/commands/common.h"
#include "app/version.h"
#include "core/type_token.h"
#include "manifests/field_table.h"
#include "manifests/json_schema.h"
#include "providers/kinds.h"
#include "report/reports.h"

namespace bindery {

namespace {

constexpr const char* kDriftReport = "drift-report";

}  // namespace

int SchemaCommand(const CommandContext& context, const std::string& token, bool fields) {
  const Kinds kinds;
  const auto as_json = [](const Json& schema, const TextStyle& /*style*/) {
    return schema.dump(2) + "\n";
  };
  if (token.empty() && !fields) {
    Print(context, JsonSchemaOfAny(kinds.Schemas()), as_json);
    return kExitOk;
  }
  if (token == kDriftReport) {
    Print(context, DriftReportSchema(), as_json);
    return kExitOk;
  }
  if (token.empty()) {
    // Kinds of a shared shape have the fields of any other of them.
    for (const KindSchema* schema : kinds.Schemas()) {
      if (schema->shape != nullptr) continue;
      std::printf("## %s\n\n%s\n", schema->token.kind.c_str(), FieldTable(*schema).c_str());
    }
    return kExitOk;
  }
  const Expected<const Kind*> kind = FindKind(kinds, token);
  if (!kind) return Complain(kind.error());
  if (fields) {
    std::printf("%s", FieldTable((*kind)->schema()).c_str());
  } else {
    Print(context, JsonSchemaOf((*kind)->schema()), as_json);
  }
  return kExitOk;
}

int VersionCommand(const CommandContext& context) {
  const std::string commit = BuildCommit();
  Print(context,
        {{"name", "bindery"},
         {"version", kVersion},
         {"commit", commit.empty() ? Json() : Json(commit)}},
        [](const Json& /*report*/, const TextStyle& /*style*/) {
          return "bindery " + VersionText() + "\n";
        });
  return kExitOk;
}

}  // namespace bindery
