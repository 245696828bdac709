// Values of another shape than their format has: none is passed over in silence.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "convert/shapes/shape.h"
#include "unit/convert/exports.h"
#include "yaml/reader.h"

namespace bindery::convert {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> WrongIn(const std::string& text) {
  constexpr ExpectedShape kExpected[] = {
      {"a", Shape::kMap},
      {"a.b", Shape::kList},
      {"a.b[].c", Shape::kScalar},
      {"a.m.*", Shape::kText},
      {"a.flag", Shape::kFlag},
      {"a.marks", Shape::kMarks},
      {"a.none", Shape::kMap, Null::kIsAbsent},
      {"a.q", Shape::kText, Null::kIsWrong, "quote"},
  };
  const yaml::ReadResult read = yaml::ReadYaml(text);
  std::vector<std::string> texts;
  for (const WrongShape& one : FindWrongShapes(read.documents.front().root, kExpected, "r")) {
    texts.push_back(one.path + ": " + one.reason);
  }
  return texts;
}

TEST(Shapes, AWrongOneIsNamedWithItsPath) {
  EXPECT_THAT(WrongIn("a: {b: [{c: x}, {c: 1}, {}], m: {x: y}, flag: true, marks: {}}"), IsEmpty());
  EXPECT_THAT(WrongIn("a: null"), ElementsAre("r.a: expected a map, found nothing"));
  EXPECT_THAT(WrongIn("a: {none: null}"), IsEmpty());
  EXPECT_THAT(WrongIn("a: {q: 1}"), ElementsAre("r.a.q: expected a text, found an integer: quote"));
  EXPECT_THAT(WrongIn("a: {q: []}"), ElementsAre("r.a.q: expected a text, found a list"));
  EXPECT_THAT(WrongIn("other: []"), IsEmpty());
  EXPECT_THAT(WrongIn("a: [x]"), ElementsAre("r.a: expected a map, found a list"));
  EXPECT_THAT(WrongIn("a: {b: {}}"), ElementsAre("r.a.b: expected a list, found a map"));
  EXPECT_THAT(WrongIn("a: {b: [{c: x}, {c: {}}]}"),
              ElementsAre("r.a.b[1].c: expected a text or a number, found a map"));
  EXPECT_THAT(WrongIn("a: {m: {k: [], l: z}}"),
              ElementsAre("r.a.m.k: expected a text, found a list"));
  EXPECT_THAT(WrongIn("a: {flag: \"true\", marks: {l: [true, {x: 1}]}, q: true}"),
              ElementsAre(HasSubstr("r.a.flag: expected true or false, found a "),
                          "r.a.marks.l[1].x: expected a map, true or false, found an integer",
                          "r.a.q: expected a text, found a boolean: quote"));
}

struct WrongCase {
  const char* text;
  const char* named;
};

void ExpectAllNamed(const std::vector<WrongCase>& cases, const std::string& begin,
                    const std::string& end) {
  for (const WrongCase& one : cases) {
    const auto made = ConvertedFile(begin + one.text + end, "export.json",
                                    "//pubsub.googleapis.com/projects/acme/topics/t");
    ASSERT_TRUE(made.has_value()) << one.text;
    EXPECT_THAT(LeftOut(*made), Contains(HasSubstr(one.named))) << one.text;
  }
}

TEST(Shapes, OfConfigConnector) {
  const std::string reference = R"("resourceRef": {"kind": "Project", "external": "acme"})";
  const std::string member = R"("kind": "IAMPolicyMember", "spec": {"role": "r", )" + reference;
  const std::string good = member + R"(, "member": "allUsers"}, )";
  ExpectAllNamed(
      {
          {R"("metadata": [])", "metadata: expected a map, found a list"},
          {R"("metadata": {"name": {}})", "metadata.name: expected a text"},
          {R"("metadata": {"namespace": []})", "metadata.namespace: expected a text"},
          {R"("metadata": {"annotations": "x"})", "metadata.annotations: expected a map"},
          {R"("metadata": {"annotations": {"cnrm.cloud.google.com/project-id": []}})",
           "project-id: expected a text"},
      },
      R"({"apiVersion": "iam.cnrm.cloud.google.com/v1beta1", )" + good, "}");
  ExpectAllNamed(
      {
          {R"("member": "allUsers", "memberFrom": [])", "spec.memberFrom: expected a map"},
          {R"("member": ["allUsers"])", "spec.member: expected a text"},
          {R"("member": "allUsers", "condition": "")", "condition"},
          {R"("memberFrom": {"serviceAccountRef": "x"})", "serviceAccountRef: expected a map"},
      },
      R"({"apiVersion": "iam.cnrm.cloud.google.com/v1beta1", )" + member + ", ", "}}");
  ExpectAllNamed(
      {
          {R"("kind": "IAMPolicyMember", "spec": [])", "spec: expected a map, found a list"},
          {R"("kind": "PubSubTopic", "spec": [])", "spec: expected a map, found a list"},
          {R"("kind": "PubSubTopic", "spec": {"projectRef": {"external": []}})",
           "spec.projectRef.external: expected a text"},
          {R"("kind": "List", "items": {})", "items: expected a list, found a map"},
      },
      R"({"apiVersion": "pubsub.cnrm.cloud.google.com/v1beta1", )", "}");
}

TEST(Shapes, OfStatesOfTerraform) {
  const std::string head = R"({"version": 4, "terraform_version": "1.11.4", "resources": [
      {"mode": "managed", "type": "google_project_iam_member", )";
  const std::string attributes =
      R"("attributes": {"project": "acme", "role": "r", "member": "allUsers"})";
  ExpectAllNamed({{R"("name": [])", "resources[0].name: expected a text"},
                  {R"("name": "a", "module": {})", "resources[0].module: expected a text"},
                  {R"("name": "a", "provider": [])", "resources[0].provider: expected a text"}},
                 head, R"(, "instances": [{)" + attributes + "}]}]}");
  ExpectAllNamed(
      {{R"("sensitive_attributes": {"member": true})", "sensitive_attributes: expected a list"},
       {R"("index_key": [])", "index_key: expected a text"},
       {R"("deposed": [])", "deposed: expected a text"},
       {R"("status": {})", "status: expected a text"}},
      head + R"("name": "a", "instances": [{)" + attributes + ", ", "}]}]}");
}

TEST(Shapes, OfWhatTerraformShows) {
  ExpectAllNamed(
      {{R"("values": [])", "values: expected a map, found a list"},
       {R"("prior_state": [])", "prior_state: expected a map"},
       {R"("prior_state": {"values": []})", "prior_state.values: expected a map"},
       {R"("planned_values": {"root_module": []})", "planned_values.root_module: expected a map"},
       {R"("resource_changes": {})", "resource_changes: expected a list"},
       {R"("deferred_changes": {})", "deferred_changes: expected a list"}},
      R"({"format_version": "1.0", )", "}");
  ExpectAllNamed({{R"("sensitive_values": [])", "sensitive_values: expected a map, true or false"},
                  {R"("deposed_key": [])", "deposed_key: expected a text"},
                  {R"("tainted": "true")", "tainted: expected true or false"}},
                 R"({"format_version": "1.0", "values": {"root_module": {"resources": [{
                    "mode": "managed", "address": "google_project_iam_member.a", "name": "a",
                    "type": "google_project_iam_member",
                    "values": {"project": "acme", "role": "r", "member": "allUsers"}, )",
                 "}]}}}");
  ExpectAllNamed(
      {{R"("change": [])", "resource_changes[0].change: expected a map"},
       {R"("change": {"actions": "create", "after": {}})", "change.actions: expected a list"},
       {R"("change": {"after": {}, "after_sensitive": []})", "after_sensitive: expected a map"}},
      R"({"format_version": "1.0", "resource_changes": [{"mode": "managed", "name": "a",
          "address": "google_project_iam_member.a", "type": "google_project_iam_member", )",
      "}]}");
}

TEST(Shapes, OfExportsOfPulumi) {
  ExpectAllNamed(
      {{R"("checkpoint": [])", "checkpoint: expected a map, found a list"},
       {R"("deployment": {"pending_operations": {}})", "pending_operations: expected a list"},
       {R"("deployment": {"pending_operations": [{"resource": []}]})",
        "pending_operations[0].resource: expected a map"}},
      R"({"version": 3, )", "}");
  ExpectAllNamed({{R"("inputs": [])", "inputs: expected a map"},
                  {R"("outputs": "x")", "outputs: expected a map"},
                  {R"("delete": "true")", "delete: expected true or false"},
                  {R"("protect": "yes")", "protect: expected true or false"},
                  {R"("ignoreChanges": "role")", "ignoreChanges: expected a list"},
                  {R"("provider": [])", "provider: expected a text"}},
                 R"({"version": 3, "deployment": {"resources": [{"urn": "urn:pulumi:s::p::t::n",
          "type": "gcp:projects/iAMMember:IAMMember", )",
                 "}]}}");
}

TEST(Shapes, OfPoliciesOfGcloud) {
  ExpectAllNamed({{R"("bindings": {})", "bindings: expected a list, found a map"},
                  {R"("bindings": [], "auditConfigs": {})", "auditConfigs: expected a list"}},
                 R"({"etag": "x", )", "}");
  ExpectAllNamed(
      {{R"("explanation": [])", "[0].explanation: expected a map"},
       {R"("explanation": {"matchedPermissions": ["p"]})", "matchedPermissions: expected a map"}},
      R"([{"assetType": "pubsub.googleapis.com/Topic",
                      "resource": "//pubsub.googleapis.com/projects/acme/topics/t",
                      "policy": {"bindings": [{"role": "r", "members": ["allUsers"]}]}, )",
      "}]");
}

TEST(Shapes, OfProgramsOfPulumi) {
  ExpectAllNamed({{R"("config": [])", "config: expected a map, found a list"},
                  {R"("outputs": "x")", "outputs: expected a map"},
                  {R"("resources": {"p": {"type": "pulumi:providers:gcp", "properties": []}})",
                   "resources.p.properties: expected a map"}},
                 R"({"name": "p", "runtime": "yaml", )", "}");
}

TEST(Shapes, OfBlocksOfTerraform) {
  ExpectAllNamed(
      {{R"("moved": [{"from": 7, "to": "google_project_iam_member.a"}])", "moved.from: expected a"},
       {R"("moved": [{"from": "google_project_iam_member.b", "to": []}])", "moved.to: expected a"},
       {R"("import": [{"to": 7, "id": "x"}])", "import.to: expected a text"},
       {R"("import": [{"to": "google_project_iam_member.a", "id": {}}])", "import.id: expected a"},
       {R"("removed": [{"from": []}])", "removed.from: expected a text"},
       {R"("provider": {"google": {"project": ["acme"]}})", "provider.google.project: expected"},
       {R"("provider": {"google": {"alias": true, "project": "b"}})", "google.alias: expected"},
       {R"("provider": {"Google": {"project": "acme"}})", "did you mean \"google\"?"}},
      R"({"resource": {"google_project_iam_member": {"a": {"project": "acme", "role": "r",
          "member": "allUsers"}}}, )",
      "}");
}

TEST(Shapes, OfAProviderWithoutAnAliasIsTheDefaultOne) {
  const auto made = ConvertedFile(
      R"({"provider": {"google": {"alias": null, "project": "acme"}}, "resource": {
          "google_project_iam_member": {"a": {"role": "roles/browser", "member":
          "user:ana@example.com"}, "n": {"project": 123, "role": "roles/browser", "member":
          "user:ana@example.com"}}}})",
      "main.tf.json");
  ASSERT_TRUE(made.has_value());
  EXPECT_THAT(Specs(*made), ElementsAre(HasSubstr(R"("name":"projects/acme")"),
                                        HasSubstr(R"("name":"projects/123")")));
}

}  // namespace
}  // namespace bindery::convert
