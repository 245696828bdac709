#include <string>
#include <utility>

#include "providers/datadog/schemas.h"

namespace bindery::datadog {
namespace {

manifests::KindSchema MakeCurrentUserSchema() {
  manifests::KindSchema schema;
  schema.token = {"monitoring", "getCurrentUser"};
  schema.description = "Looks up the user whose credentials the provider uses. Read-only.";
  schema.elsewhere = {.pulumi_package = "datadog", .terraform = {{.type = "datadog_current_user"}}};
  schema.read_only = true;
  manifests::Field id = manifests::TextField("id", "The user's UUID: user: principals need it.");
  id.identity = true;
  manifests::Field org = manifests::TextField(
      "orgId", "The UUID of the user's organization: org: principals need it.");
  org.identity = true;
  schema.outputs = {
      std::move(id), std::move(org),
      manifests::TextField("orgPublicId", "The short public id of that organization."),
      manifests::TextField("handle", "What the user signs in as, mostly an e-mail address.")};
  return schema;
}

}  // namespace

const manifests::KindSchema& GetCurrentUserSchema() {
  static const manifests::KindSchema kSchema = MakeCurrentUserSchema();
  return kSchema;
}

}  // namespace bindery::datadog
