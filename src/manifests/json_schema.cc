#include "manifests/json_schema.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "manifests/read_options.h"
#include "manifests/schemas.h"

namespace bindery {
namespace {

constexpr const char* kDialect = "https://json-schema.org/draft/2020-12/schema";
constexpr const char* kDurationPattern = "^[0-9]+(ms|s|m|h|d)$";

/// A text with a reference in it, and one that is nothing else.
constexpr const char* kHoldsReference = "\\$\\{";
constexpr const char* kLoneReference = "^\\$\\{.+\\}$";

/// Makes schemas of fields, with or without room for references.
class FieldSchemas {
 public:
  explicit FieldSchemas(bool references) : references_(references) {}

  // NOLINTNEXTLINE(misc-no-recursion): as deep as the kind's fields
  [[nodiscard]] Json OfObject(const std::vector<Field>& fields) const {
    Json schema = Json::object();
    schema["type"] = "object";
    Json properties = Json::object();
    Json required = Json::array();
    Json patterns = Json::object();
    for (const Field& field : fields) {
      if (!field.name_pattern.empty()) {
        // Other fields fit the pattern too, so it says nothing of values.
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

  /// What one string must look like.
  [[nodiscard]] Json OfText(const Field& field) const {
    Json schema = Json::object();
    schema["type"] = "string";
    if (!field.pattern.empty()) schema["pattern"] = Pattern(field.pattern);
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

  /// The other keywords of a schema say nothing of strings: an editor still tells what is wrong
  /// with a list, rather than that neither alternative fits.
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

/// The schema of a document of that kind, without the keywords that belong to a whole schema.
/// `token`: what apiVersion and kind must be; null where something else says so.
Json DocumentSchema(const KindSchema& kind, const TypeToken* token) {
  Json schema = Json::object();
  schema["title"] = kind.token.kind;
  schema["description"] =
      kind.preview ? kind.description + " The package is a preview." : kind.description;
  schema["type"] = "object";
  const FieldSchemas literal(/*references=*/false);
  Json properties = Json::object();
  const auto is = [token](const std::string& word) {
    return token == nullptr ? Json{{"type", "string"}} : Json{{"const", word}};
  };
  properties["apiVersion"] =
      Described("The package and module of the kind.", is(kind.token.api_version));
  properties["kind"] = Described(kind.description, is(kind.token.kind));
  properties["metadata"] =
      Described("What the manifest is called.", literal.OfObject(MetadataFields()));
  properties["spec"] =
      Described("What is declared.", FieldSchemas(MayWaitForOthers(kind)).OfObject(kind.inputs));
  properties["options"] =
      Described("How bindery treats the resource.", literal.OfObject(OptionFieldsOf(kind)));
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

Json Condition(const TypeToken& token) {
  const FieldSchemas literal(/*references=*/false);
  Json properties = Json::object();
  properties["apiVersion"] = Json{{"const", token.api_version}};
  properties["kind"] = Json{{"const", token.kind}};
  Json condition = Json::object();
  condition["properties"] = std::move(properties);
  condition["required"] = {"apiVersion", "kind"};
  return condition;
}

void AddOnce(Json& list, const std::string& word) {
  for (const Json& known : list) {
    if (known == word) return;
  }
  list.push_back(word);
}

/// The shapes that several kinds share, in the order of their first kinds.
std::vector<const KindSchema*> ShapesOf(std::span<const KindSchema* const> kinds) {
  std::vector<const KindSchema*> shapes;
  for (const KindSchema* kind : kinds) {
    const bool known = std::find(shapes.begin(), shapes.end(), kind->shape) != shapes.end();
    if (kind->shape != nullptr && !known) shapes.push_back(kind->shape);
  }
  return shapes;
}

/// Of a shape and its kinds. Which kinds an apiVersion has is another rule's.
Json ConditionOfShape(const KindSchema& shape, std::span<const KindSchema* const> kinds) {
  Json versions = Json::array();
  Json names = Json::array();
  if (!shape.token.api_version.empty()) versions.push_back(shape.token.api_version);
  names.push_back(shape.token.kind);
  for (const KindSchema* kind : kinds) {
    if (kind->shape != &shape) continue;
    AddOnce(versions, kind->token.api_version);
    AddOnce(names, kind->token.kind);
  }
  Json condition = Json::object();
  condition["properties"]["apiVersion"] = Json{{"enum", std::move(versions)}};
  condition["properties"]["kind"] = Json{{"enum", std::move(names)}};
  condition["required"] = {"apiVersion", "kind"};
  return condition;
}

Json RuleFor(Json condition, const std::string& definition) {
  return {{"if", std::move(condition)}, {"then", {{"$ref", "#/$defs/" + definition}}}};
}

/// A kind of one apiVersion under another would match none of the conditions, and so pass.
Json KindsOfVersion(const std::string& version, std::span<const KindSchema* const> kinds) {
  Json names = Json::array();
  for (const KindSchema* kind : kinds) {
    if (kind->token.api_version == version) names.push_back(kind->token.kind);
  }
  Json rule = Json::object();
  rule["if"]["properties"]["apiVersion"] = Json{{"const", version}};
  rule["if"]["required"] = Json::array({"apiVersion"});
  rule["then"]["properties"]["kind"] = Json{{"enum", std::move(names)}};
  return rule;
}

}  // namespace

Json JsonSchemaOf(const KindSchema& kind) {
  Json schema = WholeSchema(kind.token.Text());
  schema.update(DocumentSchema(kind, &kind.token));
  return schema;
}

Json JsonSchemaOfAny(std::span<const KindSchema* const> kinds) {
  Json versions = Json::array();
  Json names = Json::array();
  Json rules = Json::array();
  Json definitions = Json::object();
  std::vector<const KindSchema*> all(kinds.begin(), kinds.end());
  std::vector<const KindSchema*> shapes = ShapesOf(kinds);
  all.insert(all.end(), shapes.begin(), shapes.end());
  for (const KindSchema* kind : all) {
    if (!kind->token.api_version.empty()) AddOnce(versions, kind->token.api_version);
    AddOnce(names, kind->token.kind);
  }
  for (const KindSchema* kind : kinds) {
    if (kind->shape != nullptr) continue;
    definitions[kind->token.kind] = DocumentSchema(*kind, &kind->token);
    rules.push_back(RuleFor(Condition(kind->token), kind->token.kind));
  }
  for (const KindSchema* shape : shapes) {
    definitions[shape->token.kind] = DocumentSchema(*shape, nullptr);
    rules.push_back(RuleFor(ConditionOfShape(*shape, kinds), shape->token.kind));
  }
  for (const Json& version : versions) {
    rules.push_back(KindsOfVersion(version.get<std::string>(), all));
  }
  Json schema = WholeSchema("manifest");
  schema["title"] = "bindery manifest";
  schema["description"] = "One resource that bindery keeps as declared.";
  schema["type"] = "object";
  schema["properties"]["apiVersion"] = Json{{"enum", std::move(versions)}};
  schema["properties"]["kind"] = Json{{"enum", std::move(names)}};
  schema["required"] = {"apiVersion", "kind"};
  schema["allOf"] = std::move(rules);
  schema["$defs"] = std::move(definitions);
  return schema;
}

}  // namespace bindery
