#include <string>
#include <utility>

#include "providers/datadog/schemas.h"

namespace bindery {
namespace {

Field Output(std::string name, std::string description) {
  Field field;
  field.name = std::move(name);
  field.description = std::move(description);
  return field;
}

KindSchema MakeSchema() {
  KindSchema schema;
  schema.token = {"monitoring", "getCurrentUser"};
  schema.description = "Looks up the user whose credentials the provider uses. Read-only.";
  schema.elsewhere = {.pulumi_package = "datadog", .terraform = {{.type = "datadog_current_user"}}};
  schema.read_only = true;
  schema.outputs = {
      Output("id", "The user's UUID: user: principals need it."),
      Output("orgId", "The UUID of the user's organization: org: principals need it."),
      Output("orgPublicId", "The short public id of that organization."),
      Output("handle", "What the user signs in as, mostly an e-mail address.")};
  return schema;
}

}  // namespace

const KindSchema& GetCurrentUserSchema() {
  static const KindSchema kSchema = MakeSchema();
  return kSchema;
}

}  // namespace bindery
