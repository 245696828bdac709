#include <string>
#include <utility>

#include "providers/datadog/checks.h"
#include "providers/datadog/schemas.h"

namespace bindery {
namespace {

Field Input(std::string name, std::string description, std::string pattern, std::string example,
            FieldCheck check) {
  Field field = TextField(std::move(name), std::move(description));
  field.required = true;
  field.pattern = std::move(pattern);
  field.examples = {std::move(example)};
  field.check = std::move(check);
  return field;
}

KindSchema Lookup(std::string kind, std::string description) {
  KindSchema schema;
  schema.token = {"monitoring", std::move(kind)};
  schema.description = std::move(description);
  schema.read_only = true;
  return schema;
}

Field IdField(std::string description) {
  Field field = TextField("id", std::move(description));
  field.identity = true;
  return field;
}

KindSchema MakeRoleSchema() {
  KindSchema schema = Lookup("getRole", "Looks up a role by its name. Read-only.");
  schema.inputs = {Input("name", "The whole name of the role, in its own case.", "^\\S(.*\\S)?$",
                         "Datadog Read Only Role", CheckRoleName)};
  schema.outputs = {IdField("The role's UUID: role: principals need it.")};
  return schema;
}

KindSchema MakeTeamSchema() {
  KindSchema schema = Lookup("getTeam", "Looks up a team by its handle. Read-only.");
  schema.inputs = {Input("handle", "The whole handle of the team, without \"@team-\".", "^\\S+$",
                         "sre", CheckTeamHandle)};
  schema.outputs = {IdField("The team's UUID: team: principals need it."),
                    TextField("name", "The team's name.")};
  return schema;
}

KindSchema MakeUserSchema() {
  KindSchema schema = Lookup("getUser", "Looks up a user by e-mail address. Read-only.");
  schema.inputs = {Input("email",
                         "The whole e-mail address of the user, in any case. Service accounts are "
                         "not found by it.",
                         "^[^@\\s]+@[^@\\s]+$", "ana@example.com", CheckUserEmail)};
  Field disabled = TextField("disabled", "Whether the user is disabled.");
  disabled.type = FieldType::kBoolean;
  schema.outputs = {IdField("The user's UUID: user: principals need it."),
                    TextField("name", "The user's name."), std::move(disabled)};
  return schema;
}

}  // namespace

const KindSchema& GetRoleSchema() {
  static const KindSchema kSchema = MakeRoleSchema();
  return kSchema;
}

const KindSchema& GetTeamSchema() {
  static const KindSchema kSchema = MakeTeamSchema();
  return kSchema;
}

const KindSchema& GetUserSchema() {
  static const KindSchema kSchema = MakeUserSchema();
  return kSchema;
}

}  // namespace bindery
