// Lists that are filtered and sorted: what a page of them holds.

#include <gmock/gmock.h>

#include <memory>

#include "report/codec/list_selection.h"
#include "report/forms/list_csv.h"
#include "report/reports/drift_selection.h"
#include "report/reports/kept_reports.h"
#include "report/reports/overview_report.h"
#include "report/reports/places.h"
#include "report/reports/resource_front.h"
#include "report/reports/target_lines.h"
#include "unit/report/report_fixture.h"

namespace bindery::report {
namespace {

using testing::At;
using testing::Binding;
using testing::Dashboard;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IamTarget;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::kOrders;
using testing::Now;

TEST(ListSelection, IsThePageOfTheSortedList) {
  for (const std::size_t limit : {1U, 7U, 400U}) {
    for (const std::size_t offset : {0U, 3U, 300U, 2'000U}) {
      ListSelection<int> selection({offset, limit}, std::less<>());
      constexpr int kCount = 1'999;  // Of numbers in an order that is no order.
      for (int i = 0; i < kCount; ++i) selection.Take(i * 7 % kCount);
      std::vector<int> wanted;
      for (std::size_t i = offset; i < kCount && i < offset + limit; ++i) {
        wanted.push_back(static_cast<int>(i));
      }
      EXPECT_EQ(selection.total(), kCount);
      EXPECT_EQ(selection.Page(), wanted) << limit << " from " << offset;
    }
  }
}

class ListQueries : public testing::ReportTest {
 protected:
  void SetUp() override {
    ReportTest::SetUp();
    Put({Binding("payments-viewers")});
    Found(IamTarget(), DriftClass::kUndeclared, {"roles/owner", "allUsers"},
          {Severity::kCritical, DriftCause::kForeign, "2026-11-21T09:00:00Z"});
    Found(IamTarget(), DriftClass::kMissing, {"roles/viewer", "user:bob@example.com"},
          {Severity::kLow, DriftCause::kManifest, "2026-11-21T11:00:00Z"});
    Found(Dashboard(), DriftClass::kUndeclared, {"editor", "user:Ana@example.com"},
          {Severity::kHigh, DriftCause::kUnknown, "2026-11-21T10:00:00Z"});
  }

  struct Rest {
    Severity severity;
    DriftCause cause;
    const char* time;
  };

  void Found(const Target& target, DriftClass drift_class, Grant grant, const Rest& rest) {
    DriftItem item;
    item.drift_class = drift_class;
    item.severity = rest.severity;
    item.cause = rest.cause;
    item.grant = std::move(grant);
    items_[target].push_back(item);
    store::StoreChange change;
    change.drift.push_back({target, At(rest.time), items_[target], false});
    Apply(std::move(change));
  }

  [[nodiscard]] DriftListing Listing(const DriftQuery& query, const ListPage& page = {0, 100}) {
    const auto listing = SelectedDrift(*store_, {Now(), std::nullopt}, query, page, kept_);
    EXPECT_THAT(listing, IsOk());
    return listing ? *listing : DriftListing();
  }

  [[nodiscard]] std::vector<std::string> Principals(const DriftQuery& query,
                                                    const ListPage& page = {0, 100}) {
    std::vector<std::string> principals;
    for (const DriftReportItem& item : Listing(query, page).items) {
      principals.push_back(item.grant ? item.grant->grant.principal : "");
    }
    return principals;
  }

  std::map<Target, std::vector<DriftItem>> items_;
  KeptReports kept_;
};

TEST_F(ListQueries, DriftTellsWhatIsUnmanagedNow) {
  DriftQuery query;
  query.kind = "RestrictionPolicy";
  const auto scanned = [&](std::int64_t grants) -> std::shared_ptr<const UnmanagedGrants> {
    auto unmanaged = std::make_shared<UnmanagedGrants>();
    unmanaged->grants = grants;
    return unmanaged;
  };
  // Neither an earlier scan nor a front that was kept for others counts.
  EXPECT_FALSE(Listing(query).unmanaged);
  for (const std::int64_t grants : {7, 9}) {
    DriftScope scope{Now(), std::nullopt};
    scope.unmanaged = scanned(grants);
    const auto selected = SelectedDrift(*store_, scope, query, {0, 100}, kept_);
    const auto first = FirstOfDrift(*store_, scope, {0, 100}, kept_);
    ASSERT_TRUE(selected && selected->unmanaged && first && *first && (*first)->unmanaged);
    EXPECT_EQ(selected->unmanaged->grants, grants);
    EXPECT_EQ((*first)->unmanaged->grants, grants);
  }
}

TEST_F(ListQueries, DriftIsFilteredByEachField) {
  const std::string all = "allUsers";
  const std::string bob = "user:bob@example.com";
  const std::string ana = "user:Ana@example.com";
  struct Case {
    const char* what;
    DriftQuery query;
    std::vector<std::string> principals;
  };
  std::vector<Case> cases(13);
  cases[0] = {"nothing", {}, {all, ana, bob}};
  cases[1] = {"text of a principal in any case", {}, {ana}};
  cases[1].query.text = "ANA@";
  cases[2] = {"text of a target", {}, {all, bob}};
  cases[2].query.text = "/payments";
  cases[3] = {"kind", {}, {ana}};
  cases[3].query.kind = "RestrictionPolicy";
  cases[4] = {"within", {}, {all, bob}};
  cases[4].query.within = "projects/acme";
  cases[5] = {"within a name that only begins alike", {}, {}};
  cases[5].query.within = "projects/ac";
  cases[6] = {"a whole principal", {}, {bob}};
  cases[6].query.principal = bob;
  cases[7] = {"class", {}, {bob}};
  cases[7].query.drift_class = DriftClass::kMissing;
  cases[8] = {"cause", {}, {all}};
  cases[8].query.cause = DriftCause::kForeign;
  cases[9] = {"state", {}, {}};
  cases[9].query.state = DriftState::kHeld;
  cases[10] = {"first seen since", {}, {ana, bob}};
  cases[10].query.first_seen = At("2026-11-21T09:30:00Z");
  cases[12] = {"within a place that ends in a slash", {}, {all, bob}};
  cases[12].query.within = "projects/acme/";
  cases[11] = {"two fields", {}, {all}};
  cases[11].query.text = "allusers";
  cases[11].query.drift_class = DriftClass::kUndeclared;
  for (const Case& c : cases) {
    EXPECT_EQ(Principals(c.query), c.principals) << c.what;
    EXPECT_EQ(Listing(c.query).total, c.principals.size()) << c.what;
    EXPECT_EQ(Listing(c.query).summary.open, 3) << c.what << ": the summary is that of everything";
  }
}

TEST_F(ListQueries, DriftIsSortedByEachColumn) {
  const std::string all = "allUsers";
  const std::string bob = "user:bob@example.com";
  const std::string ana = "user:Ana@example.com";
  struct Case {
    DriftOrder order;
    std::vector<std::string> principals;
  };
  const std::vector<Case> cases = {
      {DriftOrder::kSeverity, {all, ana, bob}}, {DriftOrder::kPrincipal, {all, ana, bob}},
      {DriftOrder::kRole, {ana, all, bob}},     {DriftOrder::kTarget, {ana, all, bob}},
      {DriftOrder::kClass, {bob, ana, all}},    {DriftOrder::kFirstSeen, {bob, ana, all}}};
  for (const Case& c : cases) {
    DriftQuery query;
    query.order = c.order;
    EXPECT_EQ(Principals(query), c.principals) << static_cast<int>(c.order);
    query.descending = true;
    EXPECT_EQ(Principals(query), std::vector(c.principals.rbegin(), c.principals.rend()))
        << static_cast<int>(c.order);
  }
}

TEST_F(ListQueries, AcceptedDifferencesAndNotesAreSortedByWhy) {
  const auto add = [&](const char* member, DriftState state, const std::string& why) {
    DriftItem item;
    item.drift_class =
        state == DriftState::kNoted ? DriftClass::kStoredDifferently : DriftClass::kUndeclared;
    item.state = state;
    item.grant = {"roles/x", member};
    if (state == DriftState::kAccepted) item.acceptance = Acceptance{why, "ana", {}};
    if (state == DriftState::kNoted) item.observed = why;
    items_[IamTarget()].push_back(item);
  };
  add("user:1@example.com", DriftState::kAccepted, "b");
  add("user:2@example.com", DriftState::kAccepted, "c");
  add("user:3@example.com", DriftState::kAccepted, "a");
  add("user:4@example.com", DriftState::kNoted, "user:z@example.com");
  add("user:5@example.com", DriftState::kNoted, "user:y@example.com");
  store::StoreChange change;
  change.drift.push_back({IamTarget(), Now(), items_[IamTarget()], false});
  Apply(std::move(change));
  const auto digits = [](const std::vector<DriftReportItem>& items) {
    std::string text;
    for (const DriftReportItem& item : items) text += item.grant->grant.principal[5];
    return text;
  };
  DriftQuery query;
  query.ordered = true;
  query.order = DriftOrder::kWhy;
  EXPECT_EQ(digits(Listing(query).accepted), "312");
  EXPECT_EQ(digits(Listing(query).notes), "54");
  query.descending = true;
  EXPECT_EQ(digits(Listing(query).accepted), "213");
  EXPECT_EQ(digits(Listing(query).notes), "45");
}

TEST_F(ListQueries, APageOfDriftIsAPartOfWhatPasses) {
  DriftQuery query;
  query.drift_class = DriftClass::kUndeclared;
  EXPECT_THAT(Principals(query, {1, 1}), ElementsAre("user:Ana@example.com"));
  EXPECT_EQ(Listing(query, {1, 1}).total, 2U);
  EXPECT_THAT(Principals(query, {5, 1}), IsEmpty());
}

TEST_F(ListQueries, TargetsAreFilteredAndSorted) {
  Observe(IamTarget(), 7, "2026-11-21T11:00:00Z");
  Observe(IamTarget(kOrders), 9, "2026-11-21T11:59:00Z");
  Observe(Dashboard(), 2, "2026-11-21T11:30:00Z");
  store::TargetRecord undeclared;
  undeclared.target = IamTarget();
  undeclared.observed = true;
  undeclared.grants = 7;
  undeclared.undeclared = 3;
  undeclared.observed_at = At("2026-11-21T11:00:00Z");
  store::StoreChange change;
  change.upsert_targets = {undeclared};
  Apply(std::move(change));
  const auto names = [&](const TargetQuery& query) {
    std::vector<std::string> list;
    const auto report = TargetsReport(*store_, query, {});
    EXPECT_THAT(report, IsOk());
    for (const TargetLine& line : report->targets) {
      list.push_back(line.target.substr(line.target.find_last_of("/:") + 1));
    }
    return list;
  };
  const auto sorted = [&](TargetOrder order) {
    TargetQuery query;
    query.order = order;
    return names(query);
  };
  EXPECT_THAT(sorted(TargetOrder::kKind), ElementsAre("orders", "payments", "abc-def-ghi"));
  EXPECT_THAT(sorted(TargetOrder::kTarget), ElementsAre("abc-def-ghi", "orders", "payments"));
  EXPECT_THAT(sorted(TargetOrder::kDifferences), ElementsAre("payments", "abc-def-ghi", "orders"));
  EXPECT_THAT(sorted(TargetOrder::kUndeclared), ElementsAre("payments", "orders", "abc-def-ghi"));
  EXPECT_THAT(sorted(TargetOrder::kGrants), ElementsAre("orders", "payments", "abc-def-ghi"));
  EXPECT_THAT(sorted(TargetOrder::kRead), ElementsAre("orders", "abc-def-ghi", "payments"));
  TargetQuery query;
  query.differing = true;
  EXPECT_THAT(names(query), ElementsAre("payments", "abc-def-ghi"));
  query.undeclared = true;
  EXPECT_THAT(names(query), ElementsAre("payments"));
  query = {};
  query.within = "projects/acme";
  query.descending = true;
  EXPECT_THAT(names(query), ElementsAre("payments", "orders"));
}

TEST_F(ListQueries, ProblemsComeByCodeErrorsFirst) {
  store::StoreChange change;
  change.problems = {{"a.yaml", 1, 1, "", "warning", "Old", "w", ""},
                     {"b.yaml", 1, 1, "", "error", "Rare", "e1", "r"},
                     {"c.yaml", 1, 1, "", "error", "Often", "e2", ""},
                     {"d.yaml", 1, 1, "", "error", "Often", "E3", ""}};
  Apply(std::move(change));
  const auto files = [&](const ProblemQuery& query) {
    std::vector<std::string> list;
    const auto report = ProblemsReport(*store_, {}, {}, query);
    EXPECT_THAT(report, IsOk());
    EXPECT_EQ(report->summary.errors, 3U);
    for (const auto& problem : report->problems) list.push_back(problem.file);
    return list;
  };
  EXPECT_THAT(files({}), ElementsAre("c.yaml", "d.yaml", "b.yaml", "a.yaml"));
  EXPECT_THAT(files({"", "", {}, ProblemOrder::kMessage, true}),
              ElementsAre("c.yaml", "d.yaml", "b.yaml", "a.yaml"))
      << "\"e2\" comes after \"E3\", and codes stay together";
  EXPECT_THAT(files({"", "", {}, ProblemOrder::kManifest, true}),
              ElementsAre("d.yaml", "c.yaml", "b.yaml", "a.yaml"));
  EXPECT_THAT(files({"e3"}), ElementsAre("d.yaml"));
  EXPECT_THAT(files({"", "Rare"}), ElementsAre("b.yaml"));
  EXPECT_THAT(files({"", "", manifests::ProblemSeverity::kWarning}), ElementsAre("a.yaml"));
  const auto groups = ProblemsReport(*store_, {}, {0, 1})->groups;
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[0].code, "Often");
  EXPECT_EQ(groups[0].count, 2U);
}

TEST_F(ListQueries, PlacesSumUpTheirTargets) {
  Observe(IamTarget(), 7, "2026-11-21T11:00:00Z");
  Observe(IamTarget(kOrders), 9, "2026-11-21T11:59:00Z");
  const auto places = ReadPlaces(*store_);
  ASSERT_THAT(places, IsOk());
  EXPECT_EQ(places->total, 1) << "the dashboard was never read";
  const PlaceLine& acme = places->first.front();
  EXPECT_EQ(acme.place, "projects/acme");
  EXPECT_EQ(acme.targets, 2);
  EXPECT_EQ(acme.differing, 1);
  EXPECT_EQ(acme.differences, 2);
  EXPECT_EQ(acme.grants, 16);
  EXPECT_EQ(acme.severity, Severity::kCritical);
}

TEST_F(ListQueries, WhatIsNotReadyIsCountedByItsCause) {
  std::vector<store::ResourceRecord> records;
  for (const char* name : {"c", "b", "a"}) {
    store::ResourceRecord record = Binding(name, std::string("roles/") + name);
    record.status = {ResourceState::kStalled, "GuardHeld", std::string("of ") + name};
    records.push_back(record);
  }
  records.back().status_since = At("2026-11-21T10:00:00Z");
  store::ResourceRecord busy = Binding("d", "roles/d");
  busy.status = {ResourceState::kReconciling, "Progressing", ""};
  records.push_back(busy);
  Put(std::move(records));
  const auto front = ReadResourceFront(*store_);
  ASSERT_THAT(front, IsOk());
  ASSERT_EQ(front->causes.size(), 2U);
  const AttentionCause& held = front->causes[0];
  EXPECT_EQ(held.reason, "GuardHeld");
  EXPECT_EQ(held.resources, 3);
  EXPECT_EQ(held.example, "a");
  EXPECT_EQ(held.message, "of a");
  EXPECT_EQ(held.since, At("2026-11-21T10:00:00Z"));
  EXPECT_EQ(front->causes[1].reason, "Progressing");
}

TEST_F(ListQueries, TablesHoldWhatListsHold) {
  EXPECT_THAT(ListCsv(Listing({})), HasSubstr("\r\ncritical,open,new,undeclared,"));
  const auto targets = TargetsReport(*store_, {}, {});
  ASSERT_THAT(targets, IsOk());
  EXPECT_THAT(ListCsv(*targets), HasSubstr("AuthorizationPolicyIamBinding,cloudnative,"));
  EventList events;
  events.events.emplace_back();
  events.events.back().message = "=HYPERLINK(\"x\")";
  EXPECT_THAT(ListCsv(events), HasSubstr("\"'=HYPERLINK(\"\"x\"\")\""))
      << "no formula in a spreadsheet";
}

}  // namespace
}  // namespace bindery::report
