// The direct form of a lookup: asks now, keeps nothing.

#include <cstdio>
#include <map>
#include <utility>

#include "app/clouds/provider_access.h"
#include "app/command_line.h"
#include "app/shell/common.h"
#include "core/text/nearest.h"
#include "providers/bindery/own_kinds.h"
#include "providers/registry/kinds.h"
#include "yaml/node.h"

namespace bindery::app {
namespace {

struct InvokeArguments {
  std::string token;
  std::map<std::string, std::string> fields;  ///< As given: --FIELD VALUE.
  std::vector<std::string> extras;            ///< What no lookup has a field for.
  std::string provider;                       ///< Empty: the kind's default.
  bool show_secrets = false;
};

/// What a lookup takes, a line for each field.
std::string FieldList(const manifests::KindSchema& schema) {
  if (schema.inputs.empty()) return "\n" + schema.token.Text() + " takes no fields";
  std::string text = "\nthe fields of " + schema.token.Text() + ":";
  for (const manifests::Field& field : schema.inputs) {
    text += "\n  --" + field.name + (field.required ? " (string, required): " : " (string): ") +
            field.description;
  }
  return text;
}

std::string UnknownField(const std::string& name, const manifests::KindSchema& schema) {
  std::vector<std::string> names;
  for (const manifests::Field& field : schema.inputs) names.push_back(field.name);
  std::string text = "unknown field \"" + name + "\"";
  if (const auto nearest = NearestSpelling(name, names)) {
    text += ", did you mean --" + *nearest + "?";
  }
  return text;
}

/// Everything that is wrong with the arguments, a line for each; empty when nothing is.
std::string Faults(const InvokeArguments& arguments, const manifests::KindSchema& schema) {
  std::string faults;
  const auto fault = [&faults](const std::string& text) {
    faults += (faults.empty() ? "" : "\n") + text;
  };
  bool is_value = false;
  for (const std::string& extra : arguments.extras) {
    const bool is_name = extra.starts_with("--");
    if (is_name) fault(UnknownField(extra.substr(2, extra.find('=') - 2), schema));
    if (!is_name && !is_value) fault("\"" + extra + "\" is not of the form --FIELD VALUE");
    is_value = is_name && extra.find('=') == std::string::npos;
  }
  for (const auto& given : arguments.fields) {
    const manifests::Field* field = schema.inputs.Find(given.first);
    if (field == nullptr) {
      fault(UnknownField(given.first, schema));
    } else if (const auto failure = field->check ? field->check(given.second) : std::nullopt) {
      if (!failure->warning) fault("--" + given.first + ": " + failure->message);
    }
  }
  for (const manifests::Field& field : schema.inputs) {
    if (field.required && !arguments.fields.contains(field.name)) {
      fault("--" + field.name + " is missing");
    }
  }
  return faults;
}

Expected<Sighting> Invoke(const config::Config& config, const reconcilers::Kind& kind,
                          const InvokeArguments& arguments) {
  const Expected<OpenedProvider> provider = OpenProvider(config, kind, arguments.provider);
  if (!provider) return Fail(provider.error());
  const Json spec(arguments.fields);
  const Expected<reconcilers::Declaration> declared =
      kind.Declare(spec, provider->connection->project);
  if (!declared) return Fail(declared.error());
  return LookAt(*provider, kind, declared->target,
                arguments.show_secrets ? Secrets::kShown : Secrets::kHidden);
}

int InvokeCommand(const CommandContext& context, const InvokeArguments& arguments) {
  const providers::Kinds kinds;
  const Expected<const reconcilers::Kind*> kind = FindKind(kinds, arguments.token);
  if (!kind) return PrintError(kind.error());
  const manifests::KindSchema& schema = (*kind)->schema();
  if (!schema.read_only || (*kind)->traits().provider_type == providers::kOwnProvider) {
    return PrintError(schema.token.Text() + " is no lookup: bindery lookup " + schema.token.Text() +
                      " ID shows one that exists");
  }
  const std::string faults = Faults(arguments, schema);
  if (!faults.empty()) return PrintError("INVALID_ARGUMENT: " + faults + FieldList(schema));
  const Expected<config::Config> config = ReadConfig(context);
  if (!config) return PrintError(config.error());
  const Expected<Sighting> found = Invoke(*config, **kind, arguments);
  if (!found) return PrintError(found.error());
  if (!found->seen.note.empty()) PrintError("note: " + found->seen.note);
  Print(context, found->outputs, [](const Json& outputs, const report::TextStyle& /*style*/) {
    return yaml::ToYaml(outputs);
  });
  return kExitOk;
}

/// "--importDataFileId" of every lookup, each once.
void DefineLookupFields(const Command& invoke, InvokeArguments& arguments) {
  for (const reconcilers::Kind* kind : providers::KnownKinds().InUse()) {
    const manifests::KindSchema* schema = &kind->schema();
    if (!schema->read_only || kind->traits().provider_type == providers::kOwnProvider) continue;
    for (const manifests::Field& field : schema->inputs) {
      const std::string option = "--" + field.name;
      if (invoke->get_option_no_throw(option) != nullptr) continue;
      invoke
          ->add_option_function<std::string>(
              option,
              [&arguments, name = field.name](const std::string& value) {
                arguments.fields[name] = value;
              },
              schema->token.kind + ": " + field.description)
          ->type_name("VALUE");
    }
  }
}

}  // namespace

void DefineInvoke(CommandLine& line) {
  auto& arguments = line.Keep<InvokeArguments>();
  const Command invoke(line, "invoke", "Run a lookup now: invoke TOKEN --FIELD VALUE ...");
  invoke.Notes(
      "Example:\n  bindery invoke cloudnative:migrationcenter/v1:getImportDataFile"
      " --importDataFileId hosts\n    --importJobId inventory --location europe-west1\n"
      "  bindery invoke monitoring:getCurrentUser -o json");
  invoke->add_option("token", arguments.token, "A lookup, such as monitoring:getCurrentUser")
      ->required()
      ->type_name(kTokenType);
  invoke->add_option("--provider", arguments.provider, kProviderHelp);
  invoke->add_flag("--show-secrets", arguments.show_secrets, "Show secrets unmasked");
  DefineLookupFields(invoke, arguments);
  // What is no field of any lookup is explained by the command, not by the parser.
  invoke->allow_extras()->fallthrough(false);
  invoke.Waits();
  invoke.Output({"text", "json", "yaml"});
  invoke.Runs([&arguments, app = invoke.operator->()](const CommandContext& context) {
    arguments.extras = app->remaining();
    return InvokeCommand(context, arguments);
  });
}

}  // namespace bindery::app
