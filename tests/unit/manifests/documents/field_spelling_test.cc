// Every field has one spelling: others are refused, and the message gives the right one.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "manifests/documents/loader.h"
#include "manifests/schema/check_text.h"
#include "manifests/schema/schemas.h"
#include "providers/datadog/schemas.h"
#include "providers/google/schemas.h"
#include "yaml/node.h"

namespace bindery::manifests {
namespace {

using ::testing::HasSubstr;

const std::vector<const KindSchema*>& EveryKind() {
  static const std::vector<const KindSchema*> kKinds = {
      &google::IamBindingSchema("AuthorizationPolicyIamBinding"),
      &google::IamBindingSchema("ManagementServerIamBinding"),
      &datadog::RestrictionPolicySchema(),
      &google::GetImportDataFileSchema(),
      &datadog::GetCurrentUserSchema(),
      &datadog::GetRoleSchema(),
      &datadog::GetTeamSchema(),
      &datadog::GetUserSchema()};
  return kKinds;
}

std::string Pascal(std::string name) {
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return name;
}

std::string Snake(const std::string& name) {
  std::string snake;
  for (const char c : name) {
    if (std::isupper(static_cast<unsigned char>(c)) != 0) snake += '_';
    snake += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return snake;
}

/// The other spellings of a name: none when they are the same.
std::set<std::string> OtherSpellings(const std::string& name) {
  std::set<std::string> others = {Pascal(name), Snake(name)};
  others.erase(name);
  return others;
}

/// A value of the field's type, with nothing but `inner` within, if that can be.
Json Around(const Field& field, const Json& inner) {
  return field.type == FieldType::kList ? Json::array({inner}) : inner;
}

/// What is said of `document` where a field is called `given` instead of `name`.
void ExpectRefused(const Json& document, const std::string& given, const std::string& name) {
  const FileContent content = LoadFile(document.dump(), "a.json", ListedKinds(EveryKind()));
  const std::string wanted =
      "unknown field " + Quote(given) + ", did you mean " + Quote(name) + "?";
  bool found = false;
  for (const Problem& problem : content.problems) found |= problem.message == wanted;
  EXPECT_TRUE(found) << document.dump() << "\n" << wanted;
  EXPECT_TRUE(content.manifests.empty());
}

Json DescribeDocument(const KindSchema& kind) {
  return {{"apiVersion", kind.token.api_version},
          {"kind", kind.token.kind},
          {"metadata", {{"name", "a"}}},
          {"spec", Json::object()}};
}

/// Every field below `part` of a document, by its path of fields.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the kind's fields
std::size_t TryFields(const KindSchema& kind, const std::string& part, const FieldList& fields,
                      std::vector<const Field*> way) {
  std::size_t tried = 0;
  for (const Field& field : fields) {
    for (const std::string& other : OtherSpellings(field.name)) {
      Json value = {{other, "x"}};
      for (auto above = way.rbegin(); above != way.rend(); ++above) {
        value = {{(*above)->name, Around(**above, value)}};
      }
      Json document = DescribeDocument(kind);
      document[part] = value;
      ExpectRefused(document, other, field.name);
      ++tried;
    }
    std::vector<const Field*> below = way;
    below.push_back(&field);
    tried += TryFields(kind, part, field.fields, std::move(below));
  }
  return tried;
}

TEST(FieldSpelling, EveryInputOfEveryKindIsRefusedInSnakeCaseAndPascalCase) {
  std::size_t tried = 0;
  for (const KindSchema* kind : EveryKind()) tried += TryFields(*kind, "spec", kind->inputs, {});
  EXPECT_GE(tried, 25U);
}

TEST(FieldSpelling, EveryOptionIsRefusedInSnakeCaseAndPascalCase) {
  for (const KindSchema* kind : EveryKind()) {
    EXPECT_GE(TryFields(*kind, "options", OptionFields(), {}), 16U);
  }
}

TEST(FieldSpelling, TheEnvelopeIsRefusedInSnakeCaseAndPascalCase) {
  const KindSchema& kind = datadog::RestrictionPolicySchema();
  TryFields(kind, "metadata", MetadataFields(), {});
  for (const char* name : {"apiVersion", "kind", "metadata", "spec", "options"}) {
    for (const std::string& other : OtherSpellings(name)) {
      Json document = DescribeDocument(kind);
      document[other] = Json::object();
      ExpectRefused(document, other, name);
    }
  }
}

}  // namespace
}  // namespace bindery::manifests
