#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <cstddef>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "manifests/schema/field_table.h"
#include "manifests/schema/json_schema.h"
#include "manifests/schema/schemas.h"
#include "providers/datadog/schemas.h"
#include "providers/google/schemas.h"
#include "providers/registry/kinds.h"
#include "unit/manifests/load.h"

namespace bindery::manifests {
namespace {

using ::testing::HasSubstr;

TEST(JsonSchema, DescribesAWholeManifest) {
  const Json schema = MakeJsonSchema(datadog::RestrictionPolicySchema());
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(schema["$id"], "urn:bindery:schema:monitoring:RestrictionPolicy");
  EXPECT_EQ(schema["title"], "RestrictionPolicy");
  EXPECT_EQ(schema["type"], "object");
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_EQ(schema["required"].dump(), R"(["apiVersion","kind","metadata","spec"])");
  const Json& properties = schema["properties"];
  EXPECT_EQ(properties["apiVersion"]["const"], "monitoring");
  EXPECT_EQ(properties["kind"]["const"], "RestrictionPolicy");
  EXPECT_EQ(properties["metadata"]["required"].dump(), R"(["name"])");
  EXPECT_EQ(properties["metadata"]["properties"]["labels"]["additionalProperties"].dump(),
            R"({"type":"string"})");
  const Json& spec = properties["spec"];
  EXPECT_EQ(spec["required"].dump(), R"(["resourceId"])");
  const Json& binding = spec["properties"]["bindings"]["items"];
  EXPECT_EQ(binding["type"].dump(), R"(["object","string"])");
  EXPECT_EQ(binding["additionalProperties"], false);
  EXPECT_EQ(binding["required"].dump(), R"(["relation","principals"])");
  const Json& principals = binding["properties"]["principals"];
  EXPECT_EQ(principals["minItems"], 1);
  EXPECT_EQ(principals["items"]["pattern"], "(^(role|team|user|org):.+$)|\\$\\{");
  const Json& options = properties["options"]["properties"];
  EXPECT_EQ(options["mode"]["enum"].dump(), R"(["enforce","observe"])");
  EXPECT_EQ(options["interval"]["pattern"], "^[0-9]+(ms|s|m|h|d)$");
  EXPECT_EQ(options["protect"]["type"], "boolean");
  EXPECT_EQ(options["dependsOn"]["items"]["pattern"],
            "^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$");
  EXPECT_EQ(options["dependsOn"]["items"]["maxLength"], 253);
  EXPECT_EQ(properties["metadata"]["properties"]["name"]["maxLength"], 253);
  EXPECT_EQ(options["customTimeouts"]["properties"]["delete"]["pattern"], "^[0-9]+(ms|s|m|h|d)$");
}

TEST(JsonSchema, CarriesLimitsAndExamples) {
  const Json schema = MakeJsonSchema(google::IamBindingSchema("AuthorizationPolicyIamBinding"));
  EXPECT_THAT(schema["description"].get<std::string>(), HasSubstr("preview"));
  const Json& members = schema["properties"]["spec"]["properties"]["members"];
  EXPECT_EQ(members["minItems"], 1);
  EXPECT_EQ(members["maxItems"], 1500);
  EXPECT_EQ(members["items"]["examples"][0], "user:ana@example.com");
  EXPECT_EQ(schema["properties"]["spec"]["properties"]["condition"]["required"].dump(),
            R"(["expression","title"])");
}

/// All regular expressions of a schema.
void AddPatterns(const Json& schema, std::set<std::string>& patterns) {
  if (schema.is_object()) {
    const auto pattern = schema.find("pattern");
    if (pattern != schema.end() && pattern->is_string()) patterns.insert(*pattern);
    const auto names = schema.find("patternProperties");
    if (names != schema.end()) {
      for (const auto& [name, value] : names->items()) patterns.insert(name);
    }
  }
  if (!schema.is_structured()) return;
  for (const Json& part : schema) AddPatterns(part, patterns);
}

/// Go's engine has the syntax of RE2, and Rust's has no look-around and no back references either:
/// kubeconform and jsonschema-rs refuse a schema with one pattern that does not compile.
TEST(JsonSchema, ItsPatternsCompileInEnginesWithoutLookAhead) {
  std::set<std::string> patterns;
  const providers::Kinds kinds;
  const std::vector<const KindSchema*> schemas = kinds.Schemas();
  AddPatterns(JsonSchemaOfAny(schemas), patterns);
  for (const KindSchema* schema : schemas) AddPatterns(MakeJsonSchema(*schema), patterns);
  for (const char* published : {"/config/bindery.schema.json", "/docs/drift-report.schema.json"}) {
    std::ifstream file(std::string(BINDERY_SOURCE_DIR) + published);
    const std::size_t before = patterns.size();
    AddPatterns(Json::parse(file), patterns);
    EXPECT_GT(patterns.size(), before) << published;
  }
  for (const std::string& pattern : patterns) {
    const re2::RE2 compiled(pattern, re2::RE2::Quiet);
    EXPECT_TRUE(compiled.ok()) << pattern << ": " << compiled.error();
  }
  EXPECT_FALSE(re2::RE2("^(?=.{1,253}$)a", re2::RE2::Quiet).ok()) << "the engine has look-ahead";
}

TEST(JsonSchema, OffersTheOptionsThatTheReaderTakes) {
  struct Taken {
    const KindSchema& kind;
    std::vector<std::string> left_out;
  };
  const std::vector<std::string> of_writers = {
      "mode", "protect", "retainOnDelete", "expired", "ignoreChanges", "import", "customTimeouts"};
  for (const Taken& taken :
       {Taken{google::IamBindingSchema("AuthorizationPolicyIamBinding"), {}},
        Taken{datadog::RestrictionPolicySchema(), {"expired"}},
        Taken{datadog::GetCurrentUserSchema(), of_writers},
        Taken{google::GetImportDataFileSchema(), of_writers},
        Taken{datadog::GetRoleSchema(), of_writers}, Taken{datadog::GetTeamSchema(), of_writers},
        Taken{datadog::GetUserSchema(), of_writers}}) {
    SCOPED_TRACE(taken.kind.token.kind);
    const Json options = MakeJsonSchema(taken.kind)["properties"]["options"]["properties"];
    EXPECT_EQ(options.size() + taken.left_out.size(), OptionFields().size());
    for (const std::string& name : taken.left_out) EXPECT_FALSE(options.contains(name)) << name;
  }
}

TEST(JsonSchema, LeavesRoomForReferencesInTheSpecAlone) {
  KindSchema kind;
  Field mode;
  mode.name = "mode";
  mode.choices = {"a", "b"};
  Field flag;
  flag.name = "flag";
  flag.type = FieldType::kBoolean;
  Field wait;
  wait.name = "wait";
  wait.type = FieldType::kDuration;
  kind.inputs = {mode, flag, wait};
  const Json properties = MakeJsonSchema(kind)["properties"];
  EXPECT_EQ(properties["spec"]["properties"].dump(),
            R"({"mode":{"type":"string","anyOf":[{"enum":["a","b"]},{"pattern":"\\$\\{"}]},)"
            R"("flag":{"type":["boolean","string"],"pattern":"^\\$\\{.+\\}$"},)"
            R"("wait":{"type":"string","pattern":"(^[0-9]+(ms|s|m|h|d)$)|\\$\\{"}})");
  EXPECT_EQ(properties["spec"]["type"], "object");
  EXPECT_EQ(properties["options"]["properties"]["protect"]["type"], "boolean");
}

/// Calls `visit` with every property's schema.
void ForEachProperty(const Json& schema,
                     const std::function<void(const std::string&, const Json&)>& visit) {
  if (const Json* properties = FindMember(schema, "properties")) {
    for (auto it = properties->begin(); it != properties->end(); ++it) {
      visit(it.key(), *it);
      ForEachProperty(*it, visit);
    }
  }
  if (const Json* items = FindMember(schema, "items")) ForEachProperty(*items, visit);
}

TEST(JsonSchema, EveryFieldIsDescribedInSentences) {
  for (const KindSchema* kind : AllKinds()) {
    int count = 0;
    ForEachProperty(MakeJsonSchema(*kind), [&](const std::string& name, const Json& field) {
      ++count;
      const std::string text = StringMember(field, "description");
      ASSERT_FALSE(text.empty()) << name;
      EXPECT_EQ(text.back(), '.') << name << ": " << text;
    });
    EXPECT_GT(count, 10);
  }
}

TEST(JsonSchema, ExamplesPassTheChecks) {
  const std::function<void(const Field&)> check = [&](const Field& field) {
    for (const std::string& example : field.examples) {
      if (field.check) {
        EXPECT_FALSE(field.check(example)) << field.name << ": " << example;
      }
    }
    for (const Field& inner : field.fields) check(inner);
  };
  for (const KindSchema* kind : AllKinds()) {
    for (const Field& field : kind->inputs) check(field);
  }
  for (const Field& field : MetadataFields()) check(field);
  for (const Field& field : OptionFields()) check(field);
}

TEST(JsonSchema, OfAnyKindChoosesByApiVersionAndKind) {
  const Json schema = JsonSchemaOfAny(AllKinds());
  EXPECT_EQ(schema["$id"], "urn:bindery:schema:manifest");
  EXPECT_EQ(schema["properties"]["apiVersion"]["anyOf"][0]["enum"].dump(),
            R"(["cloudnative:networksecurity/v1","cloudnative:backupdr/v1","monitoring"])");
  EXPECT_EQ(schema["required"].dump(), R"(["apiVersion","kind"])");
  ASSERT_EQ(schema["allOf"].size(), 6U);
  EXPECT_EQ(schema["allOf"][2].dump(),
            R"({"if":{"properties":{"apiVersion":{"const":"monitoring"},"kind":{"const":)"
            R"("RestrictionPolicy"}},"required":["apiVersion","kind"]},"then":{"$ref":)"
            R"("#/$defs/RestrictionPolicy"}})");
  EXPECT_EQ(schema["allOf"][5].dump(),
            R"({"if":{"properties":{"apiVersion":{"const":"monitoring"}},"required":)"
            R"(["apiVersion"]},"then":{"properties":{"kind":{"enum":["RestrictionPolicy"]}}}})");
  EXPECT_EQ(schema["$defs"]["ManagementServerIamBinding"]["properties"]["kind"]["const"],
            "ManagementServerIamBinding");
}

TEST(JsonSchema, AcceptsEverySpellingOfATokenAndSuggestsOne) {
  const Json any = JsonSchemaOfAny(AllKinds());
  EXPECT_EQ(any["properties"]["apiVersion"]["anyOf"][1]["pattern"],
            "^(monitoring|(cloudnative|google-native):(backupdr/v1|backupdr/v1beta|"
            "networksecurity/v1|networksecurity/v1beta1))$");
  const std::string spellings =
      R"(["cloudnative:backupdr/v1","google-native:backupdr/v1","cloudnative:backupdr/v1beta",)"
      R"("google-native:backupdr/v1beta"])";
  EXPECT_EQ(any["allOf"][1]["if"]["properties"]["apiVersion"]["enum"].dump(), spellings);
  const Json one = MakeJsonSchema(google::IamBindingSchema("ManagementServerIamBinding"));
  EXPECT_EQ(one["properties"]["apiVersion"]["enum"].dump(), spellings);
  EXPECT_EQ(one["properties"]["kind"]["const"], "ManagementServerIamBinding");
}

TEST(FieldTable, ListsInputsWithTheirPaths) {
  const std::string table = FieldTable(datadog::RestrictionPolicySchema());
  EXPECT_EQ(table.substr(0, table.find('\n')), "| field | type | required | description |");
  EXPECT_THAT(table, HasSubstr("\n| `spec.resourceId` | string | yes | The resource to restrict"));
  EXPECT_THAT(table, HasSubstr("\n| `spec.bindings` | list of maps | no | "));
  EXPECT_THAT(table, HasSubstr("\n| `spec.bindings[].principals` | list of strings | yes | "));
  EXPECT_THAT(FieldTable(google::IamBindingSchema("AuthorizationPolicyIamBinding")),
              HasSubstr("\n| `spec.condition.title` | string | yes | "));
}

TEST(FieldTable, ListsTheOptionsThatGoWithTheKind) {
  const std::string binding = FieldTable(google::IamBindingSchema("AuthorizationPolicyIamBinding"));
  EXPECT_THAT(binding, HasSubstr("\n| `options.suspend` | boolean | no | "));
  EXPECT_THAT(binding, HasSubstr("\n| `options.expired` | string | no | "));
  EXPECT_THAT(binding, HasSubstr("\n| `options.customTimeouts.create` | duration | no | "));
  const std::string lookup = FieldTable(datadog::GetCurrentUserSchema());
  EXPECT_THAT(lookup, HasSubstr("\n| `options.interval` | duration | no | "));
  EXPECT_THAT(lookup, ::testing::Not(HasSubstr("options.protect")));
}

TEST(FieldTable, KeepsBarsOutOfTheCells) {
  KindSchema kind;
  Field field;
  field.name = "x";
  field.type = FieldType::kDuration;
  field.description = "One | two.";
  field.choices = {"a", "b"};
  kind.inputs = {field};
  EXPECT_EQ(FieldTable(kind),
            "| field | type | required | description |\n| --- | --- | --- | --- |\n"
            "| `spec.x` | duration | no | One \\| two. One of `a`, `b`. |\n" +
                FieldTable(KindSchema()).substr(FieldTable(KindSchema()).find("| `options.")));
}

}  // namespace
}  // namespace bindery::manifests
