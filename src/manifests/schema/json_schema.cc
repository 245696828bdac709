#include "manifests/schema/json_schema.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "manifests/schema/read_options.h"
#include "manifests/schema/schemas.h"

namespace bindery::manifests {
namespace {

constexpr const char* kDialect = "https://json-schema.org/draft/2020-12/schema";
constexpr const char* kDurationPattern = "^[0-9]+(ms|s|m|h|d)$";

/// A text that contains a reference, and a text that is exactly a reference.
constexpr const char* kHoldsReference = "\\$\\{";
constexpr const char* kLoneReference = "^\\$\\{.+\\}$";

/// Makes schemas of fields, with or without room for references.
class FieldSchemas {
 public:
  explicit FieldSchemas(bool references) : references_(references) {}

  // NOLINTNEXTLINE(misc-no-recursion): as deep as the kind's fields
  [[nodiscard]] Json OfObject(const FieldList& fields) const {
    Json schema = Json::object();
    schema["type"] = "object";
    Json properties = Json::object();
    Json required = Json::array();
    Json patterns = Json::object();
    for (const Field& field : fields) {
      if (!field.name_pattern.empty()) {
        // Further fields match the pattern too, so the pattern says nothing of values.
        patterns[field.name_pattern] = Json{{"description", field.description}};
        continue;
      }
      properties[field.name] = OfField(field);
      if (field.required) required.push_back(field.name);
    }
    schema["properties"] = std::move(properties);
    if (!patterns.empty()) schema["patternProperties"] = std::move(patterns);
    if (!required.empty()) schema["required"] = std::move(required);
    schema["additionalProperties"] = false;
    return schema;
  }

 private:
  // NOLINTNEXTLINE(misc-no-recursion): as above
  [[nodiscard]] Json OfField(const Field& field) const {
    Json schema = Json::object();
    if (!field.description.empty()) schema["description"] = field.description;
    schema.update(OfType(field));
    return schema;
  }

  // NOLINTNEXTLINE(misc-no-recursion): as above
  [[nodiscard]] Json OfType(const Field& field) const {
    Json schema = Json::object();
    switch (field.type) {
      case FieldType::kString:
      case FieldType::kDuration:
        schema = OfText(field);
        if (!field.examples.empty()) schema["examples"] = field.examples;
        return schema;
      case FieldType::kBoolean:
        schema["type"] = "boolean";
        break;
      case FieldType::kInteger:
        schema["type"] = "integer";
        break;
      case FieldType::kList:
        schema = OfList(field);
        break;
      case FieldType::kObject:
        schema = OfObject(field.fields);
        break;
      case FieldType::kStringMap:
        schema["type"] = "object";
        schema["additionalProperties"] = Json{{"type", "string"}};
        break;
    }
    return OrReference(std::move(schema));
  }

  // NOLINTNEXTLINE(misc-no-recursion): as above
  [[nodiscard]] Json OfList(const Field& field) const {
    Json schema = Json::object();
    schema["type"] = "array";
    const bool objects = field.item_type == FieldType::kObject;
    Json items = objects ? OrReference(OfObject(field.fields)) : OfText(field);
    if (!objects && !field.examples.empty()) items["examples"] = field.examples;
    schema["items"] = std::move(items);
    if (field.min_items > 0) schema["minItems"] = field.min_items;
    if (field.max_items > 0) schema["maxItems"] = field.max_items;
    return schema;
  }

  /// The form of a string.
  [[nodiscard]] Json OfText(const Field& field) const {
    Json schema = Json::object();
    schema["type"] = "string";
    if (!field.pattern.empty()) schema["pattern"] = Pattern(field.pattern);
    if (field.pattern == kManifestNamePattern) schema["maxLength"] = kLongestManifestName;
    if (field.type == FieldType::kDuration) schema["pattern"] = Pattern(kDurationPattern);
    if (field.choices.empty()) return schema;
    if (references_) {
      schema["anyOf"] =
          Json::array({Json{{"enum", field.choices}}, Json{{"pattern", kHoldsReference}}});
    } else {
      schema["enum"] = field.choices;
    }
    return schema;
  }

  [[nodiscard]] std::string Pattern(const std::string& pattern) const {
    return references_ ? "(" + pattern + ")|" + kHoldsReference : pattern;
  }

  /// The other keywords of a schema say nothing of strings: an editor still shows the error of a
  /// list, rather than that neither alternative fits.
  [[nodiscard]] Json OrReference(Json schema) const {
    if (!references_) return schema;
    schema["type"] = Json::array({schema["type"], "string"});
    schema["pattern"] = kLoneReference;
    return schema;
  }

  bool references_;
};

Json Described(std::string description, const Json& schema) {
  Json described = Json::object();
  described["description"] = std::move(description);
  described.update(schema);
  return described;
}

void AddWord(std::vector<std::string>& words, const std::string& word) {
  if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
}

/// The tokens of a kind, the one on record first. A shape may have none.
std::vector<TypeToken> ListTokens(const KindSchema& kind) {
  std::vector<TypeToken> tokens = kind.other_tokens;
  if (!kind.token.api_version.empty()) tokens.insert(tokens.begin(), kind.token);
  return tokens;
}

/// One of the values of the member of the tokens.
Json IsAmong(const std::vector<TypeToken>& tokens, std::string TypeToken::*member) {
  std::vector<std::string> words;
  for (const TypeToken& token : tokens) AddWord(words, token.*member);
  return words.size() == 1 ? Json{{"const", words.front()}} : Json{{"enum", words}};
}

/// A regular expression for the texts, of each of which the part before the colon is a package:
/// "^((cloudnative|other-package):(pubsub/v1|run/v2)|monitoring)$".
std::string MakePattern(const std::vector<std::string>& versions) {
  const auto joined = [](const auto& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : "|") + word;
    return text;
  };
  std::map<std::string, std::set<std::string>> packages_by_module;
  for (const std::string& version : versions) {
    const auto colon = version.find(':');
    const bool module = colon != std::string::npos;
    packages_by_module[module ? version.substr(colon + 1) : ""].insert(version.substr(0, colon));
  }
  std::map<std::string, std::vector<std::string>> modules_by_packages;
  std::string alternatives;
  for (const auto& [module, packages] : packages_by_module) {
    if (module.empty()) {
      alternatives = joined(packages);
    } else {
      modules_by_packages[joined(packages)].push_back(module);
    }
  }
  for (const auto& [packages, modules] : modules_by_packages) {
    if (!alternatives.empty()) alternatives += "|";
    alternatives += "(" + packages + "):(" + joined(modules) + ")";
  }
  return "^(" + alternatives + ")$";
}

/// The schema of a document of the kind, without the keywords that belong to a whole schema.
/// `tokens`: what apiVersion and kind may be; empty where something else says so.
Json DocumentSchema(const KindSchema& kind, const std::vector<TypeToken>& tokens) {
  Json schema = Json::object();
  schema["title"] = kind.token.kind;
  schema["description"] = kind.description +
                          (kind.of_preview_package ? " The package is a preview." : "") +
                          (kind.preview ? " No version of its API is stable." : "");
  schema["type"] = "object";
  const FieldSchemas literal(/*references=*/false);
  Json properties = Json::object();
  const auto is = [&tokens](std::string TypeToken::*member) {
    return tokens.empty() ? Json{{"type", "string"}} : IsAmong(tokens, member);
  };
  properties["apiVersion"] =
      Described("The package and module of the kind.", is(&TypeToken::api_version));
  properties["kind"] = Described(kind.description, is(&TypeToken::kind));
  properties["metadata"] =
      Described("What the manifest is called.", literal.OfObject(MetadataFields()));
  properties["spec"] =
      Described("What is declared.", FieldSchemas(MayWaitForOthers(kind)).OfObject(kind.inputs));
  properties["options"] =
      Described("How bindery treats the resource.", literal.OfObject(ListOptionFields(kind)));
  schema["properties"] = std::move(properties);
  Json required = {"apiVersion", "kind", "metadata"};
  if (schema["properties"]["spec"].contains("required")) required.push_back("spec");
  schema["required"] = std::move(required);
  schema["additionalProperties"] = false;
  return schema;
}

Json WholeSchema(const std::string& name) {
  Json schema = Json::object();
  schema["$schema"] = kDialect;
  schema["$id"] = "urn:bindery:schema:" + name;
  return schema;
}

Json Condition(Json api_version, Json kind) {
  Json condition = Json::object();
  condition["properties"]["apiVersion"] = std::move(api_version);
  condition["properties"]["kind"] = std::move(kind);
  condition["required"] = {"apiVersion", "kind"};
  return condition;
}

/// The shared shapes of kinds, in the order of their first kinds.
std::vector<const KindSchema*> ListShapes(std::span<const KindSchema* const> kinds) {
  std::vector<const KindSchema*> shapes;
  for (const KindSchema* kind : kinds) {
    const bool known = std::find(shapes.begin(), shapes.end(), kind->shape) != shapes.end();
    if (kind->shape != nullptr && !known) shapes.push_back(kind->shape);
  }
  return shapes;
}

/// For a shape and its kinds. A separate rule lists the kinds of an apiVersion.
Json ConditionOfShape(const KindSchema& shape, std::span<const KindSchema* const> kinds) {
  std::vector<std::string> versions;
  std::vector<std::string> names = {shape.token.kind};
  const auto add = [&](const KindSchema& kind) {
    for (const TypeToken& token : ListTokens(kind)) {
      AddWord(versions, token.api_version);
      AddWord(names, token.kind);
    }
  };
  add(shape);
  for (const KindSchema* kind : kinds) {
    if (kind->shape == &shape) add(*kind);
  }
  return Condition({{"pattern", MakePattern(versions)}}, {{"enum", std::move(names)}});
}

Json RuleFor(Json condition, const std::string& definition) {
  return {{"if", std::move(condition)}, {"then", {{"$ref", "#/$defs/" + definition}}}};
}

/// A kind under the wrong apiVersion would match none of the conditions, and so pass. One rule for
/// all versions with the same kinds.
void AddKindsOfVersions(const std::vector<const KindSchema*>& kinds, Json& rules) {
  std::map<std::string, std::vector<std::string>> names_by_version;
  for (const KindSchema* kind : kinds) {
    for (const TypeToken& token : ListTokens(*kind)) {
      AddWord(names_by_version[token.api_version], token.kind);
    }
  }
  std::map<std::vector<std::string>, std::vector<std::string>> versions_by_names;
  for (const auto& [version, names] : names_by_version) versions_by_names[names].push_back(version);
  for (const auto& [names, versions] : versions_by_names) {
    Json rule = Json::object();
    rule["if"]["properties"]["apiVersion"] =
        versions.size() == 1 ? Json{{"const", versions.front()}} : Json{{"enum", versions}};
    rule["if"]["required"] = Json::array({"apiVersion"});
    rule["then"]["properties"]["kind"] = Json{{"enum", names}};
    rules.push_back(std::move(rule));
  }
}

/// Editors suggest the tokens on record; all others are accepted too.
Json VersionSchema(const std::vector<const KindSchema*>& kinds) {
  std::vector<std::string> suggested;
  std::vector<std::string> accepted;
  for (const KindSchema* kind : kinds) {
    if (!kind->token.api_version.empty()) AddWord(suggested, kind->token.api_version);
    for (const TypeToken& token : ListTokens(*kind)) AddWord(accepted, token.api_version);
  }
  Json suggestions = {{"enum", suggested}};
  if (accepted.size() == suggested.size()) return suggestions;
  Json schema = Json::object();
  schema["type"] = "string";
  schema["anyOf"] = Json::array({std::move(suggestions), {{"pattern", MakePattern(accepted)}}});
  return schema;
}

}  // namespace

Json MakeJsonSchema(const KindSchema& kind) {
  Json schema = WholeSchema(kind.token.Text());
  schema.update(DocumentSchema(kind, ListTokens(kind)));
  return schema;
}

Json JsonSchemaOfAny(std::span<const KindSchema* const> kinds) {
  std::vector<std::string> names;
  Json rules = Json::array();
  Json definitions = Json::object();
  std::vector<const KindSchema*> all(kinds.begin(), kinds.end());
  std::vector<const KindSchema*> shapes = ListShapes(kinds);
  all.insert(all.end(), shapes.begin(), shapes.end());
  for (const KindSchema* kind : all) {
    AddWord(names, kind->token.kind);
    for (const TypeToken& token : kind->other_tokens) AddWord(names, token.kind);
  }
  for (const KindSchema* kind : kinds) {
    if (kind->shape != nullptr) continue;
    const std::vector<TypeToken> tokens = ListTokens(*kind);
    definitions[kind->token.kind] = DocumentSchema(*kind, tokens);
    rules.push_back(RuleFor(
        Condition(IsAmong(tokens, &TypeToken::api_version), IsAmong(tokens, &TypeToken::kind)),
        kind->token.kind));
  }
  for (const KindSchema* shape : shapes) {
    definitions[shape->token.kind] = DocumentSchema(*shape, {});
    rules.push_back(RuleFor(ConditionOfShape(*shape, kinds), shape->token.kind));
  }
  AddKindsOfVersions(all, rules);
  Json schema = WholeSchema("manifest");
  schema["title"] = "bindery manifest";
  schema["description"] = "One resource that bindery keeps as declared.";
  schema["type"] = "object";
  schema["properties"]["apiVersion"] = VersionSchema(all);
  schema["properties"]["kind"] = Json{{"enum", std::move(names)}};
  schema["required"] = {"apiVersion", "kind"};
  schema["allOf"] = std::move(rules);
  schema["$defs"] = std::move(definitions);
  return schema;
}

}  // namespace bindery::manifests
