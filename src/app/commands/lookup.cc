// Shows an existing resource, by the provider's id, without managing the resource.

#include <algorithm>
#include <map>
#include <utility>

#include "app/clouds/provider_access.h"
#include "app/command_line.h"
#include "app/plan/import_pieces.h"
#include "app/shell/common.h"
#include "core/text/nearest.h"
#include "manifests/schema/given_values.h"
#include "providers/registry/kinds.h"
#include "yaml/node.h"

namespace bindery::app {
namespace {

struct LookupArguments {
  std::string token;
  std::string id;                  ///< Of the provider.
  std::vector<std::string> state;  ///< field=value
  std::string provider;
  bool show_secrets = false;
};

using State = std::map<std::string, std::string>;

/// The fields with values in a single text.
std::vector<std::string> StateFields(const manifests::KindSchema& schema) {
  std::vector<std::string> names;
  for (const auto* fields : {&schema.inputs, &schema.outputs}) {
    for (const manifests::Field& field : *fields) {
      if (field.type == manifests::FieldType::kString && !field.secret) names.push_back(field.name);
    }
  }
  return names;
}

Expected<State> ReadState(const std::vector<std::string>& given,
                          const manifests::KindSchema& schema) {
  const std::vector<std::string> known = StateFields(schema);
  State state;
  for (const std::string& text : given) {
    const auto equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (equals == std::string::npos || name.empty()) {
      return Fail(Code::kInvalidArgument, "--state \"" + text + "\" is not field=value");
    }
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      std::string message = "--state: " + schema.token.kind + " has no field \"" + name + "\"";
      const auto nearest = NearestSpelling(name, known);
      if (nearest) message += ", did you mean \"" + *nearest + "\"?";
      if (!nearest) message += "; there are:";
      for (const std::string& field : known) message += nearest ? "" : " " + field;
      return Fail(Code::kInvalidArgument, message);
    }
    state[name] = text.substr(equals + 1);
  }
  return state;
}

std::string GetValue(const State& state, const std::string& name) {
  const auto found = state.find(name);
  return found == state.end() ? std::string() : found->second;
}

/// The part of the target: the named part, or the only part.
Expected<std::string> NameRole(const reconcilers::ResourceId& id, const State& state,
                               const reconcilers::Kind& kind,
                               const reconcilers::Observation& seen) {
  const std::string wanted = GetValue(state, "role");
  if (!id.role.empty()) return id.role;
  if (!wanted.empty()) return wanted;
  const std::vector<std::string> roles = kind.Roles(seen);
  if (roles.size() <= 1) return roles.empty() ? std::string() : roles.front();
  std::string message = id.target + " has " + std::to_string(roles.size()) +
                        " roles; name one behind the target, or with --state role=…:";
  for (const std::string& role : roles) message += "\n  " + role;
  return Fail(Code::kInvalidArgument, message);
}

/// What was found is a different one than the state says. `default_project` qualifies the name
/// itself.
Expected<void> CheckState(const State& state, const Json& inputs, const Json& outputs) {
  for (const auto& [name, wanted] : state) {
    const Json* value = FindMember(inputs, name);
    if (value == nullptr) value = FindMember(outputs, name);
    if (value == nullptr || *value == wanted) continue;
    // The part of a name from locations/ on says the same.
    const std::string found = value->is_string() ? value->get<std::string>() : value->dump();
    if (name == "name" && wanted.starts_with("locations/") && found.ends_with("/" + wanted)) {
      continue;
    }
    return Fail(Code::kNotFound,
                "what is there has " + name + " \"" + found + "\", not \"" + wanted + "\"");
  }
  return {};
}

Expected<Json> Look(const config::Config& config, const reconcilers::Kind& kind,
                    const LookupArguments& arguments) {
  const Expected<State> state = ReadState(arguments.state, kind.schema());
  if (!state) return Fail(state.error());
  const Expected<OpenedProvider> provider = OpenProvider(config, kind, arguments.provider);
  if (!provider) return Fail(provider.error());
  std::string project = GetValue(*state, "project");
  if (project.empty()) project = provider->connection->project;
  const Expected<reconcilers::ResourceId> id = kind.ParseId(arguments.id, project);
  if (!id) return Fail(id.error());
  const Expected<Sighting> found = LookAt(
      *provider, kind, id->target, arguments.show_secrets ? Secrets::kShown : Secrets::kHidden);
  if (!found) return Fail(found.error());
  const Expected<std::string> role = NameRole(*id, *state, kind, found->seen);
  if (!role) return Fail(role.error());
  for (const std::string& sentence : ListLeftAside(kind, *role, found->seen)) {
    PrintError("note: " + sentence);
  }
  Expected<Json> inputs = kind.Inputs(id->target, *role, found->seen);
  if (!inputs) return Fail(inputs.error());
  if (auto same = CheckState(*state, *inputs, found->outputs); !same) return Fail(same.error());
  if (!found->seen.note.empty()) PrintError("note: " + found->seen.note);
  const TypeToken& token = kind.schema().token;
  Json outputs = manifests::GivenValues(*inputs, found->outputs);
  return Json{{"apiVersion", token.api_version},
              {"kind", token.kind},
              {"id", reconcilers::ResourceId{id->target, *role}.Text()},
              {"target", id->target},
              {"provider", provider->name},
              {"inputs", std::move(*inputs)},
              {"outputs", std::move(outputs)}};
}

int LookupCommand(const CommandContext& context, const LookupArguments& arguments) {
  const providers::Kinds kinds;
  const Expected<const reconcilers::Kind*> kind =
      FindKindByToken(kinds, arguments.token, arguments.id);
  if (!kind) return PrintError(kind.error());
  const Expected<config::Config> config = ReadConfig(context);
  if (!config) return PrintError(config.error());
  const Expected<Json> found = Look(*config, **kind, arguments);
  if (!found) return PrintError(found.error());
  Print(context, *found, [](const Json& report, const report::TextStyle& /*style*/) {
    return yaml::ToYaml(report);
  });
  return kExitOk;
}

}  // namespace

void DefineLookup(CommandLine& line) {
  auto& arguments = line.Keep<LookupArguments>();
  const Command lookup(
      line, "lookup",
      "Show an existing resource by the provider's ID, without managing the resource");
  lookup.Notes(
      "Example:\n  bindery lookup monitoring:RestrictionPolicy dashboard:abc-def-ghi\n"
      "  bindery lookup cloudnative:networksecurity/v1:AuthorizationPolicyIamBinding\n"
      "    \"locations/global/authorizationPolicies/payments roles/viewer\" --state project=acme");
  lookup->add_option("token", arguments.token, "A kind")->required()->type_name(kTokenType);
  lookup->add_option("id", arguments.id, "ID in the form of the provider")->required();
  lookup->add_option("--state", arguments.state,
                     "Required field=value, or a field that completes the ID (repeatable)");
  lookup->add_option("--provider", arguments.provider, kProviderHelp);
  lookup->add_flag("--show-secrets", arguments.show_secrets, "Show secrets unmasked");
  lookup.Waits();
  lookup.Output({"text", "json", "yaml"});
  lookup.Runs(
      [&arguments](const CommandContext& context) { return LookupCommand(context, arguments); });
}

}  // namespace bindery::app
