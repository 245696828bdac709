#include <string>
#include <utility>

#include "providers/datadog/schemas.h"

namespace bindery {
namespace {

KindSchema MakeCurrentUserSchema() {
  KindSchema schema;
  schema.token = {"monitoring", "getCurrentUser"};
  schema.description = "Looks up the user whose credentials the provider uses. Read-only.";
  schema.elsewhere = {.pulumi_package = "datadog", .terraform = {{.type = "datadog_current_user"}}};
  schema.read_only = true;
  Field id = TextField("id", "The user's UUID: user: principals need it.");
  id.identity = true;
  Field org = TextField("orgId", "The UUID of the user's organization: org: principals need it.");
  org.identity = true;
  schema.outputs = {std::move(id), std::move(org),
                    TextField("orgPublicId", "The short public id of that organization."),
                    TextField("handle", "What the user signs in as, mostly an e-mail address.")};
  return schema;
}

}  // namespace

const KindSchema& GetCurrentUserSchema() {
  static const KindSchema kSchema = MakeCurrentUserSchema();
  return kSchema;
}

}  // namespace bindery
