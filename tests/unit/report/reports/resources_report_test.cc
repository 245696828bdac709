#include <gmock/gmock.h>

#include "report/forms/texts.h"
#include "unit/report/report_fixture.h"

namespace bindery::report {
namespace {

using testing::At;
using testing::Binding;
using testing::FailsWith;
using testing::IsOk;
using testing::kPayments;
using testing::Now;

class ResourcesReportTest : public testing::ReportTest {
 protected:
  ListedResources Listed(const ResourceFilter& filter = {}) {
    auto report = ResourcesReport(*store_, filter, Now());
    EXPECT_THAT(report, IsOk());
    return report ? std::move(*report) : ListedResources();
  }
  Json Report(const ResourceFilter& filter = {}) { return ToJson(Listed(filter)); }

  std::vector<std::string> Names(const ResourceFilter& filter) {
    const Json report = Report(filter);
    std::vector<std::string> names;
    for (const Json& resource : report["resources"]) names.push_back(resource["name"]);
    return names;
  }
};

store::ResourceRecord Dash() {
  store::ResourceRecord record = Binding("dash", "*");
  record.token = {"monitoring", "RestrictionPolicy"};
  record.target = testing::Dashboard();
  record.provider = "monitoring";
  record.labels = R"({"team":"sre","env":"prod"})";
  record.options = R"({"mode":"observe","suspend":true})";
  record.outputs = "";
  record.status = {ResourceState::kSuspended, "Suspended", "suspended by its manifest"};
  return record;
}

store::ResourceRecord Broken() {
  store::ResourceRecord record;
  record.name = "broken";
  record.source_file = "teams/broken.yaml";
  record.source_line = 1;
  record.status = {ResourceState::kStalled, "ManifestInvalid", "1 error"};
  record.status_since = At("2026-11-21T11:59:30Z");
  return record;
}

TEST_F(ResourcesReportTest, GivesEveryResourceWithStatusInputsAndOutputs) {
  Put({Binding("payments-viewers")});
  Observe(testing::IamTarget(), 4, "2026-11-21T11:58:00Z");
  const auto expected = ParseJson(R"({
    "resources": [{
      "name": "payments-viewers",
      "apiVersion": "cloudnative:networksecurity/v1",
      "kind": "AuthorizationPolicyIamBinding",
      "target": "projects/acme/locations/global/authorizationPolicies/payments",
      "provider": "cloudnative",
      "source": {"file": "teams/payments.yaml", "line": 3},
      "labels": {"team": "payments"},
      "accepted": true,
      "preview": false,
      "suspended": false,
      "observedAt": "2026-11-21T11:58:00.000Z",
      "status": {
        "ready": true,
        "state": "Ready",
        "reason": "ReconciliationSucceeded",
        "message": "the policy is as declared",
        "generation": 2,
        "observedGeneration": 2,
        "conditions": [
          {"type": "Ready", "status": "True", "reason": "ReconciliationSucceeded",
           "message": "the policy is as declared", "lastTransitionTime": "2026-11-21T11:00:00.000Z"},
          {"type": "Reconciling", "status": "False", "reason": "ReconciliationSucceeded",
           "message": "", "lastTransitionTime": "2026-11-21T11:00:00.000Z"},
          {"type": "Stalled", "status": "False", "reason": "ReconciliationSucceeded",
           "message": "", "lastTransitionTime": "2026-11-21T11:00:00.000Z"}
        ]
      },
      "inputs": {"members": ["user:ana@example.com"], "name": "payments", "role": "roles/viewer"},
      "outputs": {"etag": "BwX=", "id": "payments roles/viewer",
                  "members": ["user:ana@example.com"], "name": "payments", "role": "roles/viewer"}
    }],
    "problems": []
  })");
  ASSERT_THAT(expected, IsOk());
  EXPECT_EQ(Report().dump(2), expected->dump(2));
}

TEST_F(ResourcesReportTest, ListsResourcesWhoseManifestIsNotInForce) {
  store::ResourceRecord challenger = Binding("another-viewers");
  challenger.accepted = false;
  challenger.status = {ResourceState::kStalled, std::string(reason::kRoleConflict),
                       "payments-viewers (teams/payments.yaml:3) holds roles/viewer"};
  Put({Binding("payments-viewers"), challenger, Broken()});
  const Json resources = Report()["resources"];
  ASSERT_EQ(resources.size(), 3U);
  EXPECT_EQ(resources[0]["name"], "another-viewers");
  EXPECT_EQ(resources[0]["accepted"], false);
  EXPECT_EQ(resources[0]["status"]["ready"], false);
  EXPECT_EQ(resources[0]["status"]["reason"], "RoleConflict");
  EXPECT_EQ(resources[0]["status"]["conditions"][2]["type"], "Stalled");
  EXPECT_EQ(resources[0]["status"]["conditions"][2]["status"], "True");
  EXPECT_EQ(resources[0]["observedAt"], nullptr);
  EXPECT_EQ(resources[1]["name"], "broken");
  EXPECT_EQ(resources[1]["inputs"], Json::object());
  EXPECT_EQ(resources[1]["target"], "");
}

TEST_F(ResourcesReportTest, FiltersByKindNameAndLabels) {
  Put({Binding("payments-viewers"), Dash()});
  struct Case {
    const char* why;
    const char* kind;
    const char* name;
    const char* labels;
    std::vector<std::string> names;
  };
  const std::vector<Case> cases = {
      {"no filter: all, by name", "", "", "", {"dash", "payments-viewers"}},
      {"a kind alone, in any case", "restrictionpolicy", "", "", {"dash"}},
      {"a whole token", "monitoring:RestrictionPolicy", "", "", {"dash"}},
      {"with a module", "monitoring:index:RestrictionPolicy", "", "", {"dash"}},
      {"with module and file",
       "monitoring:index/restrictionPolicy:RestrictionPolicy",
       "",
       "",
       {"dash"}},
      {"another package", "cloudnative:RestrictionPolicy", "", "", {}},
      {"a name", "", "dash", "", {"dash"}},
      {"a label", "", "", "team=sre", {"dash"}},
      {"a set of labels", "", "", "team in (sre, storage),!region", {"dash"}},
      {"all labels count", "", "", "team=sre,env=test", {}},
      {"all filters count", "RestrictionPolicy", "payments-viewers", "", {}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.why);
    ResourceFilter filter;
    if (*c.kind != '\0') filter.kind = ParseTypeToken(c.kind);
    filter.name = c.name;
    if (*c.labels != '\0') filter.labels = *LabelSelector::Parse(c.labels);
    EXPECT_EQ(Names(filter), c.names);
  }
}

TEST_F(ResourcesReportTest, ShowsModeAndSuspensionWhoeverAskedForIt) {
  store::ResourceRecord by_operator = Binding("payments-viewers");
  by_operator.suspended = true;
  Put({by_operator, Dash()});
  const Json resources = Report()["resources"];
  EXPECT_EQ(resources[0]["mode"], "observe");
  EXPECT_EQ(resources[0]["suspended"], true);
  EXPECT_EQ(resources[0]["preview"], false);
  EXPECT_FALSE(resources[1].contains("mode")) << "the configuration decides, not the store";
  EXPECT_EQ(resources[1]["suspended"], true);
}

TEST_F(ResourcesReportTest, ProblemsAreThoseOfTheResourcesListed) {
  Put({Binding("payments-viewers"), Broken()});
  store::StoreChange change;
  change.problems = {
      {"a.yaml", 0, 0, "", "error", "NotUtf8", "the file is no UTF-8", ""},
      {"teams/broken.yaml", 5, 3, "spec.rol", "error", "UnknownField", "unknown field", "broken"}};
  Apply(change);
  EXPECT_EQ(Report()["problems"].size(), 2U);
  ResourceFilter one;
  one.name = "broken";
  EXPECT_EQ(Report(one)["problems"].dump(),
            R"([{"file":"teams/broken.yaml","line":5,"column":3,"path":"spec.rol",)"
            R"("severity":"error","code":"UnknownField","message":"unknown field",)"
            R"("resource":"broken"}])");
  one.name = "payments-viewers";
  EXPECT_EQ(Report(one)["problems"].size(), 0U);
}

TEST_F(ResourcesReportTest, AnUnknownNameIsNotFoundWithTheNearestOne) {
  Put({Binding("payments-viewers")});
  EXPECT_THAT(FindResource(*store_, "payments-viewer"),
              FailsWith(Code::kNotFound,
                        "there is no resource \"payments-viewer\"; did you mean "
                        "\"payments-viewers\"?"));
  EXPECT_THAT(FindResource(*store_, "zzz"),
              FailsWith(Code::kNotFound, "there is no resource \"zzz\""));
}

TEST_F(ResourcesReportTest, TextIsATableWithStateAgeAndProblems) {
  Put({Binding("payments-viewers"), Dash(), Broken()});
  store::StoreChange change;
  change.problems = {
      {"teams/broken.yaml", 5, 3, "spec.rol", "error", "UnknownField", "unknown field", "broken"}};
  Apply(change);
  EXPECT_EQ("\n" + ResourcesText(Listed(), Plain()), R"(
NAME              KIND                           TARGET                                                         READY  REASON                   AGE  NOTES               MESSAGE
broken            -                              -                                                              False  ManifestInvalid          30s  -                   1 error
dash              RestrictionPolicy              dashboard:abc-def-ghi                                          False  Suspended                1h   observe, suspended  suspended by its manifest
payments-viewers  AuthorizationPolicyIamBinding  projects/acme/locations/global/authorizationPolicies/payments  True   ReconciliationSucceeded  1h   -                   the policy is as declared

1 problem in the manifests:
teams/broken.yaml:5:3: spec.rol: unknown field
)");
}

TEST_F(ResourcesReportTest, ProblemsOfOneTextAreALine) {
  Put({Binding("payments-viewers")});
  store::StoreChange change;
  std::vector<store::ManifestProblemRecord> problems;
  for (int i = 1; i <= 3'000; ++i) {
    const std::string file = std::to_string(i) + ".yaml";
    problems.push_back({file, 5, 3, "spec.role", "warning", "Deprecated", "old role", "a"});
  }
  problems.push_back({"x.yaml", 1, 1, "", "error", "NotUtf8", "the file is no UTF-8", ""});
  change.problems = problems;
  Apply(change);
  EXPECT_THAT(ResourcesText(Listed(), Plain()), ::testing::EndsWith(R"(
3001 problems in the manifests:
1.yaml:5:3: warning: spec.role: old role (and 2999 more with this text)
x.yaml:1:1: the file is no UTF-8
All of them: bindery validate, or bindery get -o json
)"));
  problems.clear();
  for (int i = 1; i <= 25; ++i) {
    problems.push_back({"a.yaml", i, 1, "", "error", "E", "text " + std::to_string(i), ""});
  }
  change.problems = problems;
  Apply(change);
  EXPECT_THAT(ResourcesText(Listed(), Plain()), ::testing::EndsWith(R"(
a.yaml:20:1: text 20
5 more texts. All of them: bindery validate, or bindery get -o json
)"));
}

TEST_F(ResourcesReportTest, TextFitsTheTerminal) {
  Put({Binding("payments-viewers")});
  EXPECT_EQ("\n" + ResourcesText(Listed(), Plain(110)), R"(
NAME              KIND                    READY  REASON                   AGE  NOTES  MESSAGE
payments-viewers  AuthorizationPolicyIa…  True   ReconciliationSucceeded  1h   -      the policy is as declar…
)");
}

TEST_F(ResourcesReportTest, OnANarrowTerminalNamesStayWhole) {
  Put({Binding("payments-viewers-of-europe")});
  EXPECT_EQ("\n" + ResourcesText(Listed(), Plain(80)), R"(
NAME                        READY  REASON                   AGE
payments-viewers-of-europe  True   ReconciliationSucceeded  1h
)");
}

TEST_F(ResourcesReportTest, OnATerminalRowsAreGroupedByKind) {
  Put({Binding("payments-viewers"), Dash(), Broken()});
  EXPECT_EQ("\n" + ResourcesText(Listed(), Plain(80)), R"(
  NAME              READY  REASON                   AGE
no kind (1)
  broken            False  ManifestInvalid          30s
AuthorizationPolicyIamBinding (1)
  payments-viewers  True   ReconciliationSucceeded  1h
RestrictionPolicy (1)
  dash              False  Suspended                1h
)");
  EXPECT_THAT(ResourcesText(Listed(), Plain(160)),
              ::testing::HasSubstr("payments-viewers  …/authorizationPolicies/payments"));
}

TEST_F(ResourcesReportTest, GroupsByStateBeginWithTheMostUrgent) {
  Put({Binding("payments-viewers"), Dash(), Broken()});
  const std::string text = ResourcesText(Listed(), Plain(), ResourceGroups::kState);
  const std::size_t stalled = text.find("Stalled (1)");
  const std::size_t ready = text.find("Ready (1)");
  EXPECT_LT(stalled, ready);
  EXPECT_LT(ready, text.find("payments-viewers"));
}

TEST_F(ResourcesReportTest, ProgramsGetARowPerLine) {
  Put({Binding("payments-viewers"), Dash()});
  TextStyle rows = Plain(80);
  rows.titles = false;
  TextStyle wide = Plain(80);
  wide.wide = true;
  for (const TextStyle& style : {Plain(), rows, wide}) {
    EXPECT_EQ(ResourcesText(Listed(), style).find("(1)"), std::string::npos);
  }
  EXPECT_EQ(ResourcesText(Listed(), Plain(80), ResourceGroups::kNone).find("(1)"),
            std::string::npos);
}

TEST_F(ResourcesReportTest, TextColoursTheStateOnly) {
  Put({Dash()});
  EXPECT_THAT(ResourcesText(Listed(), Coloured()),
              ::testing::HasSubstr("dashboard:abc-def-ghi  \x1b[2mFalse\x1b[0m  Suspended"));
  EXPECT_EQ(ResourcesText(Listed(), Plain()).find('\x1b'), std::string::npos);
}

TEST_F(ResourcesReportTest, TextOfNothingSaysSo) {
  EXPECT_EQ(ResourcesText(Listed(), Plain()), "No resources.\n");
}

}  // namespace
}  // namespace bindery::report
