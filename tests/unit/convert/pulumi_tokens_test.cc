// Types of google-native in Pulumi YAML programs: each is converted, or said to be gone.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "providers/registry/kinds.h"
#include "support/iam_names.h"
#include "unit/convert/convert.h"

namespace bindery::convert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr const char* kNativeShapes[] = {"IamBinding", "IamMember", "IamPolicy"};

/// A line of the list of google-native's types: SERVICE/VERSION:KIND, and its row or what became of
/// it.
struct NativeType {
  std::string name;
  std::string row;
  std::string sentence;  ///< Of one that is gone.
};

std::vector<NativeType> NativeTypes() {
  std::vector<NativeType> types;
  std::ifstream file(BINDERY_GOOGLE_NATIVE);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    const auto blank = line.find(' ');
    NativeType type{line.substr(0, blank), line.substr(blank + 1), ""};
    if (type.row.starts_with("GONE ")) type.sentence = type.row.substr(5);
    types.push_back(std::move(type));
  }
  return types;
}

std::string ListProperties(const std::string& name, const std::string& shape) {
  const std::string role = "role: roles/viewer, member";
  if (shape == "IamBinding") return "{name: '" + name + "', " + role + "s: ['user:a@example.com']}";
  if (shape == "IamMember") return "{name: '" + name + "', " + role + ": 'user:a@example.com'}";
  return "{name: '" + name + "', bindings: [{" + role + "s: ['user:a@example.com']}]}";
}

Conversion ConvertedWithAllKinds(const std::string& program) {
  const providers::Kinds kinds;
  Expected<Conversion> made =
      ConvertProgram(program, "p.yaml", {.form = ProgramForm::kPulumi}, kinds);
  return made ? std::move(*made) : Conversion{};
}

TEST(PulumiTokens, OfGoogleNativeAreConvertedByAnyOfTheirVersions) {
  std::string program = "resources:\n";
  std::size_t count = 0;
  for (const NativeType& type : NativeTypes()) {
    if (!type.sentence.empty()) continue;
    const std::string name = testing::SampleNames(*google::FindIamRow(type.row)).front();
    for (const std::string shape : kNativeShapes) {
      program += "  r" + std::to_string(++count) + ":\n    type: google-native:" + type.name +
                 shape + "\n    properties: " + ListProperties(name, shape) + "\n";
    }
  }
  const Conversion made = ConvertedWithAllKinds(program);
  for (const Remark& remark : made.remarks) {
    EXPECT_FALSE(remark.left_out) << remark.path << ": " << remark.reason;
  }
  EXPECT_THAT(made.drafts, SizeIs(3 * 348U));
}

TEST(PulumiTokens, OfTypesThatAreGoneSayWhatReplacedThem) {
  std::size_t gone = 0;
  for (const NativeType& type : NativeTypes()) {
    if (type.sentence.empty()) continue;
    for (const std::string shape : kNativeShapes) {
      const Conversion made = ConvertedWithAllKinds(
          "resources: {r: {type: 'google-native:" + type.name + shape + "', properties: {}}}");
      EXPECT_THAT(MakeRemarks(made), ElementsAre(HasSubstr(type.sentence))) << type.name << shape;
      ++gone;
    }
  }
  EXPECT_EQ(gone, 3 * 35U);
}

TEST(PulumiTokens, APolicyOfGoogleNativeIsConvertedWithoutWhatGrantsNothing) {
  const Conversion made = ConvertedWithAllKinds(R"(
resources:
  reports:
    type: google-native:storage/v1:BucketIamPolicy
    properties:
      bucket: reports
      kind: storage#policy
      resourceId: projects/_/buckets/reports
      userProject: acme
      etag: BwX=
      version: 3
      bindings: [{role: roles/storage.admin, members: ["user:ana@example.com"]}]
  version:
    type: google-native:apigeeregistry/v1:ApiVersionIamPolicy
    properties: {project: acme, location: eu, apiId: a, version: v2, updateMask: bindings, rules: [],
                 bindings: [{role: roles/viewer, members: ["user:ana@example.com"]}]}
)");
  EXPECT_THAT(MakeRemarks(made),
              ElementsAre(HasSubstr("reports.properties.kind: it grants nothing"),
                          HasSubstr("reports.properties.resourceId: it grants nothing"),
                          HasSubstr("reports.properties.userProject: it grants nothing"),
                          HasSubstr("reports.properties.etag: it grants nothing"),
                          HasSubstr("reports.properties.version: it grants nothing"),
                          HasSubstr("version.properties.updateMask: it grants nothing"),
                          HasSubstr("version.properties.rules: it grants nothing")));
  EXPECT_EQ(ManifestsOf(made), R"(apiVersion: cloudnative:storage/v1
kind: BucketIamPolicy
metadata:
  name: reports
spec:
  bucket: reports
  bindings:
    - role: roles/storage.admin
      members:
        - user:ana@example.com
---
apiVersion: cloudnative:apigeeregistry/v1
kind: ApiVersionIamPolicy
metadata:
  name: version
spec:
  project: acme
  location: eu
  apiId: a
  version: v2
  bindings:
    - role: roles/viewer
      members:
        - user:ana@example.com
)");
}

}  // namespace
}  // namespace bindery::convert
