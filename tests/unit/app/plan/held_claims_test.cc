#include "app/plan/held_claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "unit/convert/exports.h"

namespace bindery::app {
namespace {

using ::testing::HasSubstr;

constexpr const char* kUntil2027 = R"(request.time < timestamp(\"2027-01-01T00:00:00Z\"))";
constexpr const char* kUntil2028 = R"(request.time < timestamp(\"2028-01-01T00:00:00Z\"))";

/// A condition with that expression; empty: none.
std::string ConditionWith(const std::string& expression) {
  if (expression.empty()) return R"("condition": [])";
  return R"("condition": [{"title": "t", "description": "", "expression": ")" + expression +
         R"("}])";
}

/// A resource of a state, with a marked member, so that the resource is left out.
std::string HeldResource(const std::string& type, const std::string& who, const std::string& marked,
                         const std::string& expression) {
  return R"({"mode": "managed", "type": ")" + type + R"(", "name": "all", "instances": [
    {"sensitive_attributes": [[{"type": "get_attr", "value": ")" +
         marked + R"("}]], "attributes": {"project": "acme", "role": "roles/pubsub.viewer", )" +
         who + ", " + ConditionWith(expression) + "}}]}";
}

std::string StateWith(const std::string& left_out, const std::string& converted) {
  return R"({"version": 4, "terraform_version": "1.11.4", "lineage": "x", "resources": [)" +
         left_out + ", " + converted + "]}";
}

std::string Converted(const std::string& type, const std::string& who,
                      const std::string& expression) {
  return R"({"mode": "managed", "type": ")" + type + R"(", "name": "temp", "instances": [
    {"attributes": {"project": "acme", "role": "roles/pubsub.viewer", )" +
         who + ", " + ConditionWith(expression) + "}}]}";
}

constexpr const char* kMemberType = "google_project_iam_member";
constexpr const char* kBindingType = "google_project_iam_binding";
constexpr const char* kOfAna = R"("member": "user:ana@example.com")";
constexpr const char* kOfAnaAlone = R"("members": ["user:ana@example.com"])";
constexpr const char* kOfBobAlone = R"("members": ["user:bob@example.com"])";

struct WiderCase {
  const char* why;
  std::string left_out;
  std::string converted;
  bool by_condition;
  bool taken;
};

TEST(HeldClaims, AConditionTakesNoWiderGrantFromWhatIsLeftOut) {
  const std::string policy = R"({"mode": "managed", "type": "google_project_iam_policy",
      "name": "all", "instances": [{"attributes": {"project": "acme", "policy_data": "?"}}]})";
  const WiderCase cases[] = {
      {"a member without a condition, which may be the same",
       HeldResource(kMemberType, kOfAna, "member", ""), Converted(kMemberType, kOfAna, kUntil2027),
       false, true},
      {"a binding of that member, whose condition is not known",
       HeldResource(kBindingType, kOfAnaAlone, "condition", ""),
       Converted(kMemberType, kOfAna, kUntil2027), false, true},
      {"a binding of that member with a later end",
       HeldResource(kBindingType, kOfAnaAlone, "project", kUntil2028),
       Converted(kMemberType, R"("member": "user:Ana@example.com")", kUntil2027), false, true},
      {"one with an earlier end is no wider grant",
       HeldResource(kBindingType, kOfAnaAlone, "project", kUntil2027),
       Converted(kMemberType, kOfAna, kUntil2028), false, false},
      {"one with the same condition neither",
       HeldResource(kBindingType, kOfAnaAlone, "project", kUntil2027),
       Converted(kMemberType, kOfAna, kUntil2027), false, false},
      {"a binding of other members", HeldResource(kBindingType, kOfBobAlone, "project", ""),
       Converted(kMemberType, kOfAna, kUntil2027), false, false},
      {"a whole policy may hold a wider grant", policy, Converted(kMemberType, kOfAna, kUntil2027),
       false, true},
      {"without a condition a member is only added", policy, Converted(kMemberType, kOfAna, ""),
       false, false},
      {"a binding by condition", HeldResource(kBindingType, kOfAnaAlone, "project", ""),
       Converted(kBindingType, kOfAnaAlone, kUntil2027), true, true},
      {"a binding by condition of other members",
       HeldResource(kBindingType, kOfBobAlone, "project", ""),
       Converted(kBindingType, kOfAnaAlone, kUntil2027), true, false},
      {"a binding by the same condition",
       HeldResource(kBindingType, kOfBobAlone, "project", kUntil2027),
       Converted(kBindingType, kOfAnaAlone, kUntil2027), true, true},
  };
  const providers::Kinds kinds;
  for (const WiderCase& c : cases) {
    const convert::Conversion made = convert::ConvertedExport(StateWith(c.left_out, c.converted));
    ASSERT_EQ(made.drafts.size(), 1U) << c.why;
    ASSERT_EQ(made.held.size(), 1U) << c.why;
    const std::vector<manifests::Problem> taken = TakenFromLeftOut(made, kinds, c.by_condition, "");
    EXPECT_EQ(taken.size(), c.taken ? 1U : 0U) << c.why;
    for (const manifests::Problem& problem : taken) {
      EXPECT_THAT(problem.message, HasSubstr("would take access from google_project_iam_"))
          << c.why;
    }
  }
}

TEST(HeldClaims, AShortNameMayBeOfAnyProjectWhereTheDefaultIsUnknown) {
  const auto topic = [](const std::string& label, const std::string& name,
                        const std::string& members) {
    return "\"" + label + R"(": {"topic": ")" + name +
           R"(", "role": "roles/pubsub.viewer", "members": )" + members + "}";
  };
  const std::string unknown = R"(["${var.team}"])";
  const std::string bob = R"(["user:bob@example.com"])";
  struct Case {
    const char* left_out;
    const char* converted;
    const char* default_project;
    bool taken;
  };
  const Case cases[] = {
      {"t", "t", "", true},
      {"t", "projects/acme/topics/t", "", true},
      {"projects/acme/topics/t", "t", "", true},
      {"t", "projects/acme/topics/t", "acme", true},
      {"t", "projects/acme/topics/t", "other", false},
      {"t", "u", "", false},
      {"t", "projects/acme/topics/u", "", false},
  };
  const providers::Kinds kinds;
  for (const Case& c : cases) {
    const auto made = convert::ConvertedFile(
        R"({"resource": {"google_pubsub_topic_iam_binding": {)" +
            topic("all", c.left_out, unknown) + ", " + topic("bob", c.converted, bob) + "}}}",
        "main.tf.json");
    ASSERT_TRUE(made);
    ASSERT_EQ(made->drafts.size(), 1U) << c.left_out;
    EXPECT_EQ(TakenFromLeftOut(*made, kinds, false, c.default_project).size(), c.taken ? 1U : 0U)
        << c.left_out << " and " << c.converted << " with \"" << c.default_project << "\"";
  }
}

}  // namespace
}  // namespace bindery::app
