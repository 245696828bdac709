// The reports that the dashboard's pages are made of, besides those of the commands.

#include <gmock/gmock.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "report/reports/overview_report.h"
#include "report/reports/problem_lines.h"
#include "report/reports/revision_report.h"
#include "report/reports/target_lines.h"
#include "report/reports/target_report.h"
#include "unit/report/report_fixture.h"

namespace bindery::report {
namespace {

using testing::At;
using testing::Binding;
using testing::Dashboard;
using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IamTarget;
using testing::IsOk;
using testing::Now;

class DashboardReports : public testing::ReportTest {
 protected:
  /// A revision of the payments target, which is what was last read, too.
  void Read(const std::string& bindings, Origin origin = Origin::kObserved) {
    store::RevisionRecord revision;
    revision.target = IamTarget();
    revision.time = At("2026-11-21T11:59:00Z");
    revision.origin = origin;
    revision.policy = R"({"bindings":)" + bindings + "}";
    revision.digest = "digest of " + bindings;
    store::TargetRecord record;
    record.target = IamTarget();
    record.provider = "cloudnative";
    record.observed = true;
    record.exists = true;
    record.observed_at = revision.time;
    record.policy_digest = revision.digest;
    store::StoreChange change;
    change.revisions.push_back(revision);
    change.upsert_targets.push_back(record);
    Apply(std::move(change));
  }

  template <typename Report>
  Json Of(const Expected<Report>& report) {
    EXPECT_THAT(report, IsOk());
    return report ? report::MakeJson(*report) : Json();
  }

  std::vector<std::string> Names(const ResourceFilter& filter, const ResourceList& list = {}) {
    std::vector<std::string> names;
    const Json report = Of(ResourcesReport(*store_, filter, Now(), list));
    for (const Json& resource : report["resources"]) names.push_back(resource["name"]);
    return names;
  }
};

/// "viewer user:ana@example.com" of each grant.
std::vector<std::string> Texts(const Json& grants) {
  std::vector<std::string> texts;
  for (const Json& grant : grants) {
    texts.push_back(StringMember(grant, "role") + " " + StringMember(grant, "member"));
  }
  return texts;
}

constexpr const char* kAnasPolicy =
    R"([{"role":"roles/viewer","members":["user:ana@example.com"]}])";
constexpr const char* kBobsPolicy =
    R"([{"role":"roles/viewer","members":["user:bob@example.com"]}])";

TEST_F(DashboardReports, ResourcesAreFoundByTextAndState) {
  store::ResourceRecord stalled = Binding("stalled", "roles/owner");
  stalled.status = {ResourceState::kStalled, "RoleConflict", "two of them"};
  stalled.accepted = false;
  Put({Binding("payments-viewers"), stalled});
  ResourceFilter filter;
  for (const char* text : {"VIEWERS", "roles/viewer"}) {
    filter.text = text;
    EXPECT_THAT(Names(filter), ElementsAre("payments-viewers")) << text;
  }
  for (const char* text : {"conflict", "owner"}) {
    filter.text = text;
    EXPECT_THAT(Names(filter), ElementsAre("stalled")) << text;
  }
  for (const char* text : {"TEAM=pay", "authorizationpolicies/payments", "teams/payments.yaml"}) {
    filter.text = text;
    EXPECT_EQ(Names(filter).size(), 2U) << text;
  }
  filter = {};
  filter.state = ResourceState::kStalled;
  EXPECT_THAT(Names(filter), ElementsAre("stalled"));
}

TEST_F(DashboardReports, ResourcesAreSortedAndCut) {
  store::ResourceRecord a = Binding("a", "roles/a");
  a.status.state = ResourceState::kReconciling;
  store::ResourceRecord b = Binding("b", "roles/b");
  b.status_since = At("2026-11-21T11:30:00Z");
  store::ResourceRecord c = Binding("c", "roles/c");
  c.status.state = ResourceState::kStalled;
  c.token = {"monitoring", "RestrictionPolicy"};
  c.target = Dashboard();
  c.labels = "{}";
  Put({b, c, a});
  const auto sorted = [&](ResourceOrder order, bool descending) {
    ResourceList list;
    list.order = order;
    list.descending = descending;
    return Names({}, list);
  };
  EXPECT_THAT(sorted(ResourceOrder::kName, false), ElementsAre("a", "b", "c"));
  EXPECT_THAT(sorted(ResourceOrder::kName, true), ElementsAre("c", "b", "a"));
  EXPECT_THAT(sorted(ResourceOrder::kState, false), ElementsAre("c", "a", "b"));
  EXPECT_THAT(sorted(ResourceOrder::kChanged, false), ElementsAre("b", "a", "c"));
  EXPECT_THAT(sorted(ResourceOrder::kTarget, false), ElementsAre("c", "a", "b"));
  EXPECT_THAT(sorted(ResourceOrder::kKind, true), ElementsAre("c", "b", "a"));
  EXPECT_THAT(sorted(ResourceOrder::kLabels, false), ElementsAre("a", "b", "c"));
  EXPECT_THAT(sorted(ResourceOrder::kLabels, true), ElementsAre("c", "b", "a"));

  ResourceList list;
  list.page = {1, 1};
  const Json page = Of(ResourcesReport(*store_, {}, Now(), list));
  EXPECT_EQ(page["resources"].size(), 1U);
  EXPECT_EQ(page["resources"][0]["name"], "b");
  EXPECT_EQ(page["total"], 3);
  EXPECT_EQ(page["offset"], 1);
  EXPECT_EQ(page["limit"], 1);
  EXPECT_EQ(
      page["facets"].dump(),
      R"({"kinds":{"AuthorizationPolicyIamBinding":2,"RestrictionPolicy":1},)"
      R"("states":{"Ready":1,"Suspended":0,"Reconciling":1,"Stalled":1},"labels":{"team=payments":2}})");
  list.page = {7, 2};
  EXPECT_THAT(Names({}, list), ElementsAre());
  EXPECT_FALSE(Of(ResourcesReport(*store_, {}, Now())).contains("facets"));
}

TEST_F(DashboardReports, APageOfManyIsThatOfTheWholeList) {
  std::vector<store::ResourceRecord> records;
  constexpr int kMany = 1'500;
  for (int i = 0; i < kMany; ++i) {
    const std::string number = std::to_string(i * 7 % kMany);  // In no order.
    records.push_back(Binding("r" + number, "roles/r" + number));
  }
  Put(std::move(records));
  for (const bool descending : {false, true}) {
    ResourceList list;
    list.descending = descending;
    const std::vector<std::string> whole = Names({}, list);
    ASSERT_EQ(whole.size(), 1'500U);
    for (const std::size_t offset : {0U, 1U, 299U, 1'498U, 1'500U, 9'000U}) {
      list.page = {offset, 3};
      const auto first =
          whole.begin() + static_cast<std::ptrdiff_t>(std::min(offset, whole.size()));
      const auto count = std::min<std::ptrdiff_t>(3, whole.end() - first);
      EXPECT_EQ(Names({}, list), std::vector<std::string>(first, first + count)) << offset;
    }
  }
}

TEST_F(DashboardReports, ATargetShowsWhoDeclaresEachLine) {
  store::ResourceRecord resource = Binding("payments-viewers");
  resource.spec =
      R"({"members":["user:ana@example.com","user:new@example.com"],"role":"roles/viewer"})";
  Put({resource});
  Read(R"([{"role":"roles/viewer","members":["user:ANA@example.com","user:bob@example.com"]}])");
  const Json report = Of(TargetReport(*store_, {IamTarget().kind, IamTarget().name, ""}, Now()));
  std::vector<std::string> lines;
  for (const Json& line : report["lines"]) {
    lines.push_back(StringMember(line, "state") + " " + StringMember(line["grant"], "member") +
                    " " + StringMember(line["source"], "resource"));
  }
  EXPECT_THAT(lines,
              ::testing::UnorderedElementsAre("declared user:ANA@example.com payments-viewers",
                                              "undeclared user:bob@example.com ",
                                              "missing user:new@example.com payments-viewers"));
  EXPECT_EQ(report["declares"][0]["name"], "payments-viewers");
  EXPECT_EQ(report["policy"]["bindings"].size(), 1U);
}

TEST_F(DashboardReports, ATargetShowsWhatIsNotDeclaredAsWhatItIs) {
  Read(R"([{"role":"roles/viewer","members":["user:bob@example.com",
            "deleted:user:eve@example.com?uid=1"]},
           {"role":"roles/editor","members":["user:ana@example.com"]}])");
  const Json report = Of(TargetReport(*store_, {IamTarget().kind, IamTarget().name, ""}, Now()));
  std::vector<std::string> lines;
  for (const Json& line : report["lines"]) {
    lines.push_back(StringMember(line, "state") + " " + StringMember(line["grant"], "member"));
  }
  EXPECT_THAT(lines, ::testing::UnorderedElementsAre(
                         "undeclared user:ana@example.com", "undeclared user:bob@example.com",
                         "deleted principal deleted:user:eve@example.com?uid=1"));
}

TEST_F(DashboardReports, ATargetIsNamedByItsProviderWhereSeveralHaveIt) {
  Observe(Dashboard(), 1, "2026-11-21T11:59:00Z");
  Target other = Dashboard();
  other.scope = "other";
  Observe(other, 2, "2026-11-21T11:59:00Z");
  const TargetName name{Dashboard().kind, Dashboard().name, ""};
  EXPECT_THAT(TargetReport(*store_, name, Now()),
              FailsWith(Code::kInvalidArgument, HasSubstr("several providers")));
  EXPECT_EQ(Of(TargetReport(*store_, {name.kind, name.name, "other"}, Now()))["grants"], 2);
  EXPECT_THAT(TargetReport(*store_, {name.kind, "dashboard:none", ""}, Now()),
              FailsWith(Code::kNotFound, HasSubstr("dashboard:none")));
}

TEST_F(DashboardReports, TargetsCountTheirDifferences) {
  Put({Binding("payments-viewers")});
  Read(kAnasPolicy);
  Observe(Dashboard(), 1, "2026-11-21T11:59:00Z");
  DriftItem open;
  open.grant = {"roles/owner", "allUsers"};
  open.severity = Severity::kCritical;
  DriftItem held;
  held.state = DriftState::kHeld;
  store::StoreChange change;
  change.drift = {{IamTarget(), Now(), {open, held}, false}};
  Apply(std::move(change));
  const Json report = Of(TargetsReport(*store_, {}, {}));
  EXPECT_EQ(report["total"], 2);
  const Json& payments = report["targets"][0];
  EXPECT_EQ(payments["open"], 1);
  EXPECT_EQ(payments["held"], 1);
  EXPECT_EQ(payments["severity"], "critical");
  EXPECT_EQ(payments["resources"], 1);
  EXPECT_EQ(report["targets"][1]["severity"], nullptr);
  EXPECT_EQ(Of(TargetsReport(*store_, {"MONITORING"}, {}))["total"], 0);
  EXPECT_EQ(Of(TargetsReport(*store_, {"dashboard"}, {}))["total"], 1);
  EXPECT_EQ(Of(TargetsReport(*store_, {}, {1, 1}))["targets"][0]["target"], Dashboard().name);
}

TEST_F(DashboardReports, RevisionsTellWhatTheyChanged) {
  Put({Binding("payments-viewers")});
  Read(kAnasPolicy, Origin::kForeign);
  Read(kBobsPolicy, Origin::kWritten);
  const Json list = Of(RevisionList(*store_, IamTarget(), 20));
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0]["origin"], "written");
  EXPECT_THAT(Texts(list[0]["changes"]["added"]), ElementsAre("roles/viewer user:bob@example.com"));
  EXPECT_THAT(Texts(list[0]["changes"]["removed"]),
              ElementsAre("roles/viewer user:ana@example.com"));
  EXPECT_EQ(list[1]["changes"], nullptr);
  EXPECT_EQ(Of(RevisionList(*store_, IamTarget(), 1)).size(), 1U);
}

TEST_F(DashboardReports, ARevisionTellsWhatWritingItBackWouldChange) {
  Put({Binding("payments-viewers")});
  Read(kAnasPolicy, Origin::kForeign);
  Read(kBobsPolicy, Origin::kWritten);
  const std::int64_t first = Of(RevisionList(*store_, IamTarget(), 2))[1]["id"];
  const Json report = Of(RevisionReport(*store_, "payments-viewers", first));
  EXPECT_THAT(Texts(report["rollback"]["added"]), ElementsAre("roles/viewer user:ana@example.com"));
  EXPECT_THAT(Texts(report["rollback"]["removed"]),
              ElementsAre("roles/viewer user:bob@example.com"));
  EXPECT_EQ(report["revision"]["previous"], nullptr);
  EXPECT_EQ(report["revision"]["policy"]["bindings"].size(), 1U);
  EXPECT_THAT(RevisionReport(*store_, "payments-viewers", 99),
              FailsWith(Code::kNotFound, HasSubstr("no revision 99")));
  EXPECT_THAT(RevisionReport(*store_, "nobody", first),
              FailsWith(Code::kNotFound, HasSubstr("nobody")));
}

TEST_F(DashboardReports, ProblemsAreShownWithTheirLine) {
  dir_.Write("manifests/a.yaml", "kind: X\n  spce: 1\n");
  dir_.Write("secret.yaml", "password\n");
  store::StoreChange change;
  change.problems = {{"a.yaml", 2, 3, "spec", "error", "UnknownField", "no such field", ""},
                     {"a.yaml", 9, 1, "", "warning", "X", "beyond the end", ""},
                     {"gone.yaml", 1, 1, "", "error", "X", "gone", ""},
                     {"../secret.yaml", 1, 1, "", "error", "X", "elsewhere", ""},
                     {"a.yaml", 0, 0, "", "error", "X", "the whole file", ""}};
  Apply(std::move(change));
  const Json report = Of(ProblemsReport(*store_, dir_ / "manifests", {}));
  std::size_t excerpts = 0;
  for (const Json& problem : report["problems"]) {
    if (problem["excerpt"] == nullptr) continue;
    ++excerpts;
    EXPECT_EQ(problem["message"], "no such field");
    EXPECT_EQ(problem["excerpt"], " |   spce: 1\n | ..^");
  }
  EXPECT_EQ(excerpts, 1U);
  EXPECT_EQ(report["summary"].dump(), R"({"errors":4,"warnings":1})");
  const Json page = Of(ProblemsReport(*store_, dir_ / "manifests", {1, 2}));
  EXPECT_EQ(page["problems"].size(), 2U);
  EXPECT_EQ(page["total"], 5);
}

TEST_F(DashboardReports, ProblemsOnRecordAreThoseOfTheNames) {
  store::StoreChange change;
  change.problems = {{"a.yaml", 1, 1, "", "error", "X", "of a", "a"},
                     {"a.yaml", 2, 1, "", "warning", "X", "of b", "b"},
                     {"a.yaml", 3, 1, "", "error", "X", "of none", ""}};
  Apply(std::move(change));
  const auto messages = [this](const std::vector<std::string>& names) {
    std::vector<std::string> list;
    const auto problems = ProblemsOnRecord(*store_, names);
    EXPECT_THAT(problems, IsOk());
    for (const ProblemLine& problem : *problems) list.push_back(problem.message);
    return list;
  };
  EXPECT_THAT(messages({}), ElementsAre("of a", "of b", "of none"));
  EXPECT_THAT(messages({"b", "a", "b", "nobody"}), ElementsAre("of a", "of b"));
  const Json overview = Of(OverviewReport(*store_, Now()));
  EXPECT_EQ(overview["problems"].dump(), R"({"errors":2,"warnings":1})");
}

TEST_F(DashboardReports, TheOverviewNamesTheWorstFirst) {
  std::vector<store::ResourceRecord> records;
  for (int i = 0; i < 12; ++i) {
    records.push_back(Binding("waiting-" + std::to_string(10 + i), "roles/" + std::to_string(i)));
    records.back().status.state = ResourceState::kReconciling;
  }
  records.push_back(Binding("zz-stalled", "roles/z"));
  records.back().status.state = ResourceState::kStalled;
  records.push_back(Binding("fine", "roles/f"));
  Put(records);
  const Json report = Of(OverviewReport(*store_, Now()));
  EXPECT_EQ(
      report["resources"].dump(),
      R"({"total":14,"ready":1,"suspended":0,"reconciling":12,"stalled":1,"held":0,"failing":0})");
  ASSERT_EQ(report["attention"].size(), 10U);
  EXPECT_EQ(report["attention"][0]["name"], "zz-stalled");
  EXPECT_EQ(report["attention"][1]["name"], "waiting-10");
  EXPECT_EQ(report["guard"].dump(), R"({"holds":0,"removals":0})");
  EXPECT_EQ(report["generation"], nullptr);
}

TEST_F(DashboardReports, PlacesAreThereByUndeclaredGrantsToo) {
  store::StoreChange change;
  constexpr int kPlaces = 30;
  for (int i = 0; i < kPlaces; ++i) {
    store::TargetRecord record;
    record.target = IamTarget();
    record.target.name = "projects/p-" + std::to_string(10 + i) + "/topics/t";
    record.provider = "cloudnative";
    record.observed = true;
    record.exists = true;
    record.undeclared = i;
    store::DriftUpdate worse{record.target, Now(), {}};
    if (i < kPlaces - 1) {
      worse.items.emplace_back();
      worse.items.back().severity = Severity::kHigh;
    }
    change.upsert_targets.push_back(record);
    change.drift.push_back(worse);
  }
  Apply(std::move(change));
  const Json report = Of(OverviewReport(*store_, Now()));
  EXPECT_EQ(report["placeCount"], kPlaces);
  EXPECT_EQ(report["places"][0]["place"], "projects/p-38");
  EXPECT_EQ(report["mostUndeclared"][0]["place"], "projects/p-39") << "though it has no difference";
  EXPECT_EQ(report["mostUndeclared"].size(), report["places"].size());
}

TEST_F(DashboardReports, AnEmptyStoreIsAnOverviewToo) {
  const Json report = Of(OverviewReport(*store_, Now()));
  EXPECT_EQ(report["resources"]["total"], 0);
  EXPECT_EQ(report["events"].size(), 0U);
}

TEST(KeepPage, CutsAndCounts) {
  struct Case {
    ListPage page;
    const char* kept;
  };
  const std::vector<Case> cases = {{{}, "[0,1,2,3,4]"},
                                   {{0, 2}, "[0,1]"},
                                   {{3, 10}, "[3,4]"},
                                   {{5, 1}, "[]"},
                                   {{1, std::nullopt}, "[1,2,3,4]"},
                                   {{9, std::nullopt}, "[]"}};
  for (const Case& c : cases) {
    std::vector<int> list = {0, 1, 2, 3, 4};
    EXPECT_EQ(KeepPage(list, c.page).total, 5U);
    EXPECT_EQ(Json(list).dump(), c.kept);
  }
}

}  // namespace
}  // namespace bindery::report
