#include <string>
#include <utility>

#include "providers/datadog/checks.h"
#include "providers/datadog/schemas.h"

namespace bindery::datadog {
namespace {

manifests::Field Input(std::string name, std::string description, std::string pattern,
                       std::string example, manifests::FieldCheck check) {
  manifests::Field field = manifests::TextField(std::move(name), std::move(description));
  field.required = true;
  field.pattern = std::move(pattern);
  field.examples = {std::move(example)};
  field.check = std::move(check);
  return field;
}

manifests::KindSchema Lookup(std::string kind, std::string description) {
  manifests::KindSchema schema;
  schema.token = {"monitoring", std::move(kind)};
  schema.description = std::move(description);
  schema.read_only = true;
  return schema;
}

manifests::Field IdField(std::string description) {
  manifests::Field field = manifests::TextField("id", std::move(description));
  field.identity = true;
  return field;
}

manifests::KindSchema MakeRoleSchema() {
  manifests::KindSchema schema = Lookup("getRole", "Looks up a role by its name. Read-only.");
  schema.inputs = {Input("name", "The whole name of the role, in its own case.", "^\\S(.*\\S)?$",
                         "Datadog Read Only Role", CheckRoleName)};
  schema.outputs = {IdField("The role's UUID: role: principals need it.")};
  return schema;
}

manifests::KindSchema MakeTeamSchema() {
  manifests::KindSchema schema = Lookup("getTeam", "Looks up a team by its handle. Read-only.");
  schema.inputs = {Input("handle", "The whole handle of the team, without \"@team-\".", "^\\S+$",
                         "sre", CheckTeamHandle)};
  schema.outputs = {IdField("The team's UUID: team: principals need it."),
                    manifests::TextField("name", "The team's name.")};
  return schema;
}

manifests::KindSchema MakeUserSchema() {
  manifests::KindSchema schema = Lookup("getUser", "Looks up a user by e-mail address. Read-only.");
  schema.inputs = {Input("email",
                         "The whole e-mail address of the user, in any case. Service accounts are "
                         "not found by it.",
                         "^[^@\\s]+@[^@\\s]+$", "ana@example.com", CheckUserEmail)};
  manifests::Field disabled = manifests::TextField("disabled", "Whether the user is disabled.");
  disabled.type = manifests::FieldType::kBoolean;
  schema.outputs = {IdField("The user's UUID: user: principals need it."),
                    manifests::TextField("name", "The user's name."), std::move(disabled)};
  return schema;
}

}  // namespace

const manifests::KindSchema& GetRoleSchema() {
  static const manifests::KindSchema kSchema = MakeRoleSchema();
  return kSchema;
}

const manifests::KindSchema& GetTeamSchema() {
  static const manifests::KindSchema kSchema = MakeTeamSchema();
  return kSchema;
}

const manifests::KindSchema& GetUserSchema() {
  static const manifests::KindSchema kSchema = MakeUserSchema();
  return kSchema;
}

}  // namespace bindery::datadog
