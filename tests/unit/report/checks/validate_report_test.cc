#include "report/checks/validate_report.h"

#include <gtest/gtest.h>

#include "report/forms/texts.h"

namespace bindery::report {
namespace {

std::vector<manifests::Problem> Problems() {
  manifests::Problem unknown{"teams/a b.yaml",
                             7,
                             3,
                             "spec.resource_id",
                             manifests::ProblemSeverity::kError,
                             "UnknownField",
                             "unknown field; did you mean \"resourceId\"?",
                             "dash"};
  manifests::Problem unreadable{
      "b.yaml", 0, 0, "", manifests::ProblemSeverity::kError, "NotUtf8", "the file is no UTF-8",
      ""};
  manifests::Problem odd{"c.yaml",
                         4,
                         9,
                         "spec.resourceId",
                         manifests::ProblemSeverity::kWarning,
                         "UnknownType",
                         "\"gadget\" is no known resource type",
                         "odd"};
  return {unknown, unreadable, odd};
}

TEST(ValidateReport, GivesEveryProblemWithItsPlace) {
  const Json report = ToJson(ValidateReport(3, 2, Problems()));
  EXPECT_EQ(report["valid"], false);
  EXPECT_EQ(report["files"], 3);
  EXPECT_EQ(report["manifests"], 2);
  EXPECT_EQ(report["problems"][0].dump(),
            R"({"file":"teams/a b.yaml","line":7,"column":3,"path":"spec.resource_id",)"
            R"("severity":"error","code":"UnknownField",)"
            R"("message":"unknown field; did you mean \"resourceId\"?","resource":"dash"})");
  EXPECT_EQ(report["problems"][2]["severity"], "warning");
}

TEST(ValidateReport, WarningsLeaveItValid) {
  EXPECT_EQ(ValidateReport(1, 1, {Problems()[2]}).valid, true);
  EXPECT_EQ(ValidateReport(0, 0, {}).valid, true);
}

TEST(ValidateText, IsOneLineForEachProblemAndASummary) {
  EXPECT_EQ("\n" + ValidateText(ValidateReport(3, 2, Problems()), {}), R"(
teams/a b.yaml:7:3: spec.resource_id: unknown field; did you mean "resourceId"?
b.yaml: the file is no UTF-8
c.yaml:4:9: warning: spec.resourceId: "gadget" is no known resource type
3 files, 2 manifests: 2 errors, 1 warning
)");
  EXPECT_EQ(ValidateText(ValidateReport(1, 1, {}), {}), "1 file, 1 manifest: valid\n");
}

TEST(ValidateText, ShowsThePlaceWithinALongerText) {
  manifests::Problem problem = Problems()[1];
  problem.excerpt = " | a + + b\n | ....^";
  const Validation report = ValidateReport(1, 0, {problem});
  EXPECT_EQ(ToJson(report)["problems"][0]["excerpt"], problem.excerpt);
  EXPECT_EQ("\n" + ValidateText(report, {}), R"(
b.yaml: the file is no UTF-8
 | a + + b
 | ....^
1 file, 0 manifests: 1 error
)");
}

TEST(ValidateText, ErrorsAreRed) {
  TextStyle style;
  style.colour = true;
  EXPECT_EQ(ValidateText(ValidateReport(1, 0, {Problems()[1]}), style),
            "\x1b[31mb.yaml: the file is no UTF-8\x1b[0m\n"
            "1 file, 0 manifests: \x1b[31m1 error\x1b[0m\n");
}

TEST(ValidateSarif, HasRulesAndResultsWithLocations) {
  const auto expected = ParseJson(R"({
    "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
    "version": "2.1.0",
    "runs": [{
      "tool": {"driver": {"name": "bindery", "informationUri": "https://github.com/bindery/bindery",
                          "version": "0.1.0", "rules": []}},
      "columnKind": "unicodeCodePoints",
      "results": [
        {"ruleId": "UnknownField", "ruleIndex": 1, "level": "error",
         "message": {"text": "spec.resource_id: unknown field; did you mean \"resourceId\"?"},
         "locations": [{
           "physicalLocation": {"artifactLocation": {"uri": "teams/a%20b.yaml"},
                                "region": {"startLine": 7, "startColumn": 3}},
           "logicalLocations": [{"fullyQualifiedName": "spec.resource_id", "kind": "member"}]}]},
        {"ruleId": "NotUtf8", "ruleIndex": 0, "level": "error",
         "message": {"text": "the file is no UTF-8"},
         "locations": [{"physicalLocation": {"artifactLocation": {"uri": "b.yaml"},
                                             "region": {"startLine": 1}}}]},
        {"ruleId": "UnknownType", "ruleIndex": 2, "level": "warning",
         "message": {"text": "spec.resourceId: \"gadget\" is no known resource type"},
         "locations": [{
           "physicalLocation": {"artifactLocation": {"uri": "c.yaml"},
                                "region": {"startLine": 4, "startColumn": 9}},
           "logicalLocations": [{"fullyQualifiedName": "spec.resourceId", "kind": "member"}]}]}]
    }]
  })");
  ASSERT_TRUE(expected);
  Json log = ValidateSarif(Problems(), "0.1.0");
  Json& rules = log["runs"][0]["tool"]["driver"]["rules"];
  ASSERT_EQ(rules.size(), 3U);
  EXPECT_EQ(rules[1]["id"], "UnknownField");
  EXPECT_EQ(rules[1]["shortDescription"]["text"], "Unknown field.");
  for (const char* required : {"fullDescription", "help", "helpUri"}) {
    EXPECT_TRUE(rules[1].contains(required)) << required;
  }
  EXPECT_FALSE(rules[1].contains("name")) << "one that is the id is refused";
  rules = Json::array();
  EXPECT_EQ(log.dump(2), expected->dump(2));
}

TEST(ValidateSarif, NamesFilesAsTheRepositoryDoes) {
  struct Case {
    const char* file;
    const char* prefix;
    const char* uri;
  };
  const Case cases[] = {{"a.yaml", "deploy/mani fests", "deploy/mani%20fests/a.yaml"},
                        {"./team/a.yaml", "deploy/", "deploy/team/a.yaml"},
                        {"../b.yaml", "deploy/manifests", "deploy/b.yaml"},
                        {"/srv/a.yaml", "deploy", "/srv/a.yaml"},
                        {"", "deploy", "deploy/"},
                        {"", "", "./"}};
  for (const Case& tested : cases) {
    manifests::Problem problem = Problems()[1];
    problem.file = tested.file;
    const Json log = ValidateSarif({problem}, "", tested.prefix);
    const Json& place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    EXPECT_EQ(place["artifactLocation"]["uri"], tested.uri);
    EXPECT_EQ(place["region"]["startLine"], 1) << "code scanning takes no result without a line";
  }
}

TEST(ValidateSarif, MakesNoLinkOfWhatAManifestSays) {
  manifests::Problem problem = Problems()[1];
  problem.message = "\"[fix](https://evil.example.com)\" is no role \\ [1](2)";
  const Json log = ValidateSarif({problem});
  EXPECT_EQ(log["runs"][0]["results"][0]["message"]["text"],
            "\"\\[fix\\](https://evil.example.com)\" is no role \\\\ \\[1\\](2)");
}

TEST(ValidateSarif, ACleanRunHasAnEmptyListOfResults) {
  const Json run = ValidateSarif({})["runs"][0];
  EXPECT_EQ(run["results"], Json::array());
  EXPECT_FALSE(run["tool"]["driver"].contains("version"));
}

}  // namespace
}  // namespace bindery::report
