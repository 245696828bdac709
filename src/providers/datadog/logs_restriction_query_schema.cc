#include <set>
#include <string>
#include <utility>

#include "core/base/json.h"
#include "manifests/schema/check_text.h"
#include "providers/datadog/checks.h"
#include "providers/datadog/schemas.h"

namespace bindery::datadog {
namespace {

std::vector<std::pair<std::string, manifests::CheckFailure>> CheckRolesOfQuery(const Json& spec) {
  std::vector<std::pair<std::string, manifests::CheckFailure>> failures;
  const Json* ids = FindMember(spec, "roleIds");
  if (ids == nullptr || !ids->is_array()) return failures;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < ids->size(); ++i) {
    const Json& id = (*ids)[i];
    if (!id.is_string() || seen.insert(id.get<std::string>()).second) continue;
    failures.emplace_back(
        "roleIds[" + std::to_string(i) + "]",
        manifests::CheckFailure{
            "DuplicateRole", manifests::Quote(id.get<std::string>()) + " is listed twice", true});
  }
  return failures;
}

manifests::KindSchema MakeLogsRestrictionQuerySchema() {
  manifests::Field query;
  query.name = "restrictionQuery";
  query.required = true;
  query.identity = true;
  query.description =
      "The query, which identifies it: one of that text in the organization is taken over, else "
      "one is created. Reserved attributes, the message and tags are supported. Only one manifest "
      "may declare a query.";
  query.pattern = "^\\S(.*\\S)?$";
  query.examples = {"team:payments"};
  query.check = CheckLogsQuery;

  manifests::Field roles;
  roles.name = "roleIds";
  roles.type = manifests::FieldType::kList;
  roles.required = true;
  roles.description =
      "The UUIDs of the roles that see only the logs that the query finds, beside those of other "
      "queries they have. The service gives them the permission logs_read_data. The lookup getRole "
      "finds the UUIDs: ${NAME.id}.";
  roles.pattern = "^[^:@\\s]+$";
  roles.examples = {"94172442-be03-11e9-a77a-3b7612558ac1"};
  roles.check = CheckRoleId;
  roles.min_items = 1;

  manifests::Field id;
  id.name = "id";
  id.description = "The identifier: the text of the query.";

  manifests::KindSchema schema;
  schema.token = {"monitoring", "LogsRestrictionQuery"};
  schema.elsewhere = {.pulumi_package = "datadog",
                      .pulumi_extras = {"createdAt", "modifiedAt"},
                      .terraform = {{.type = "datadog_logs_restriction_query"}}};
  schema.description = "The roles whose members see only the logs that a query finds.";
  schema.inputs = {std::move(query), std::move(roles)};
  schema.outputs = {std::move(id)};
  schema.check_all = CheckRolesOfQuery;
  return schema;
}

}  // namespace

const manifests::KindSchema& LogsRestrictionQuerySchema() {
  static const manifests::KindSchema kSchema = MakeLogsRestrictionQuerySchema();
  return kSchema;
}

}  // namespace bindery::datadog
