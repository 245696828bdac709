#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/providers/google/conditions/findings.h"

namespace bindery::google::conditions {
namespace {

TEST(CheckCondition, AcceptsWhatIsDocumented) {
  for (
      const char* expression :
      {R"(request.time < timestamp("2027-06-01T00:00:00Z"))",
       R"(request.time >= date("2027-01-01") && request.time < date("2028-01-01"))",
       R"(request.time.getHours("Europe/Berlin") >= 9 && request.time.getDayOfWeek() in [1, 2, 3])",
       R"(request.time - timestamp("2027-01-01T00:00:00Z") < duration("3600s"))",
       R"(resource.name.startsWith("projects/_/buckets/x") || resource.name.endsWith("/y"))",
       R"(resource.name.extract("secrets/{name}/") == "db")",
       R"(resource.type == "storage.googleapis.com/Bucket" ? resource.name != "a" : true)",
       R"(resource.service in ["storage.googleapis.com", "compute.googleapis.com"])",
       R"(resource.hasTagKey("1/env") && resource.matchTag("1/env", "prod"))",
       R"(resource.hasTagKeyId("tagKeys/1") || !resource.matchTagId("tagKeys/1", "tagValues/2"))",
       R"("accessPolicies/1/accessLevels/x" in request.auth.access_levels)",
       R"(request.path.startsWith("/admin") && request.host == "a.example.com")",
       R"(destination.ip == "10.0.0.1" && destination.port < 1024)",
       R"(api.getAttribute("iam.googleapis.com/modifiedGrantsByRole", []).hasOnly(["roles/x"]))",
       R"(compute.matchLoadBalancingSchemes(["INTERNAL"]))",
       "!compute.isForwardingRuleCreationOperation()",
       R"(principal.type == "iam.googleapis.com/ServiceAccount" && principal.subject != "")",
       R"(["a", "b"].exists(x, resource.name == x))",
       R"(api.getAttribute("a", 1) + api.getAttribute("b", 2) == 3)",
       R"({"a": ["b"]}["a"][0] == "b" && {"a": 1}.a < 2.5)",
       R"([1, 2].map(x, x * 2).filter(x, x > 2).all(x, x == 4))",
       R"({"a": 1}.exists(k, k == "a") && "a" in {"a": 1})",
       "type(1) == int || has(resource.name)"}) {
    for (const Finding& finding : CheckCondition(expression)) {
      EXPECT_NE(finding.severity, Severity::kError) << expression << ": " << finding.message;
    }
  }
}

TEST(CheckCondition, RefusesWhatDoesNotCompile) {
  const Checked kCases[] = {
      {"1 =f", {"3: Syntax error: token recognition error at: '=f' [ConditionCompileCheck]"}},
      {"request.tme < date(\"2027-01-01\")",
       {"1: undeclared reference to 'request.tme' (in container ''), did you mean "
        "\"request.time\"? [ConditionCompileCheck]"}},
      {"true && wholly.unknown",
       {"9: undeclared reference to 'wholly.unknown' (in container '') [ConditionCompileCheck]"}},
      {"resource.name.startWith('a')",
       {"15: undeclared reference to 'startWith' (in container ''), did you mean \"startsWith\"? "
        "[ConditionCompileCheck]"}},
      {"resource.matchTags('a', 'b')",
       {"10: undeclared reference to 'resource.matchTags' (in container ''), did you mean "
        "\"resource.matchTag\"? [ConditionCompileCheck]"}},
      {"timestmp('2027-01-01T00:00:00Z') > request.time",
       {"1: undeclared reference to 'timestmp' (in container ''), did you mean \"timestamp\"? "
        "[ConditionCompileCheck]"}},
      {"resource.name.startsWith('a', 'b')",
       {"15: found no matching overload for 'startsWith' applied to 'string.(string, string)'; it "
        "is string.startsWith(string) [ConditionCompileCheck]"}},
      {"resource.hasTagKey()",
       {"10: found no matching overload for 'resource.hasTagKey' applied to '()'; it is "
        "resource.hasTagKey(string) [ConditionCompileCheck]"}},
      {"request.time.getMonth(1) == 1",
       {"14: found no matching overload for 'getMonth' applied to 'timestamp.(int)'; known are "
        "timestamp.getMonth(), timestamp.getMonth(string) [ConditionCompileCheck]"}},
      {"request.time < '2027-01-01T00:00:00Z'",
       {"14: found no matching overload for '_<_' applied to '(timestamp, string)'; a time is "
        "written timestamp(\"2027-06-01T00:00:00Z\") [ConditionCompileCheck]"}},
      {"resource.name == 1",
       {"15: found no matching overload for '_==_' applied to '(string, int)' "
        "[ConditionCompileCheck]"}},
      {"resource.name in [1]",
       {"15: found no matching overload for '_in_' applied to '(string, list(int))' "
        "[ConditionCompileCheck]"}},
      {"resource.name && true",
       {"15: found no matching overload for '_&&_' applied to '(string, bool)' "
        "[ConditionCompileCheck]"}},
      {"true ? 1 : 'a'",
       {"6: found no matching overload for '_?_:_' applied to '(bool, int, string)' "
        "[ConditionCompileCheck]"}},
      {"!request.time",
       {"1: found no matching overload for '!_' applied to '(timestamp)' [ConditionCompileCheck]"}},
      {"resource.name[0] == 'a'",
       {"14: found no matching overload for '_[_]' applied to '(string, int)' "
        "[ConditionCompileCheck]"}},
      {"request.time.year == 2027",
       {"14: type 'timestamp' does not support field selection [ConditionCompileCheck]"}},
      {"[1].all(x, x)",
       {"12: the predicate of all() must be of the type bool, not int [ConditionCompileCheck]"}},
      {"resource.name.all(x, true)",
       {"1: expression of type 'string' cannot be range of a comprehension (must be list, map, or "
        "dynamic) [ConditionCompileCheck]"}},
      {"resource.name",
       {"1: a condition must be of the type bool, this one is of the type string "
        "[ConditionCompileCheck]"}},
      {"{}[?'a'] == 1",
       {"3: unsupported syntax '?': conditions have no optional values [ConditionCompileCheck]"}},
      {"M{a: 1} == null",
       {"1: undeclared reference to 'M' (in container '') [ConditionCompileCheck]"}},
      {"a && b",
       {"1: undeclared reference to 'a' (in container '') [ConditionCompileCheck]",
        "6: undeclared reference to 'b' (in container '') [ConditionCompileCheck]"}},
  };
  for (const Checked& one : kCases) {
    EXPECT_THAT(FindingsOf(one.expression), ::testing::ElementsAreArray(one.findings))
        << one.expression;
  }
}

TEST(CheckCondition, WarnsOfFunctionsThatOnlyTheLanguageHas) {
  EXPECT_THAT(FindingsOf("size(resource.name) > 3"),
              ::testing::ElementsAre(
                  "1: size(string) belongs to the language, but is not documented for conditions: "
                  "the service may refuse it [ConditionCompileCheck, warning]"));
}

TEST(CheckCondition, RefusesFunctionsThatTheServiceDoesNotHave) {
  const std::string after =
      " (in container ''); conditions search texts by startsWith(), endsWith() and extract() "
      "[ConditionCompileCheck]";
  const Checked kCases[] = {
      {"resource.name.contains('/staging/')", {"15: undeclared reference to 'contains'" + after}},
      {"resource.name.matches('^a')", {"15: undeclared reference to 'matches'" + after}},
      {"matches(resource.name, '^a')", {"1: undeclared reference to 'matches'" + after}},
      {"!(true || request.path.contains('x'))", {"24: undeclared reference to 'contains'" + after}},
  };
  for (const Checked& one : kCases) {
    EXPECT_THAT(FindingsOf(one.expression), ::testing::ElementsAreArray(one.findings))
        << one.expression;
  }
}

TEST(CheckCondition, ShowsThePlace) {
  const std::vector<Finding> findings = CheckCondition("true &&\n  request.tme == 1");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings.front().at.line, 2);
  EXPECT_EQ(findings.front().excerpt, " |   request.tme == 1\n | ..^");
}

}  // namespace
}  // namespace bindery::google::conditions
