// The projects of targets, also of those whose names tell none.

#include "report/reports/places.h"

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

#include "core/access/inventory.h"
#include "report/access/target_places.h"
#include "report/reports/drift_selection.h"
#include "report/reports/kept_reports.h"
#include "report/reports/target_lines.h"
#include "unit/report/report_fixture.h"

namespace bindery::report {
namespace {

using testing::At;
using testing::Dashboard;
using ::testing::ElementsAre;
using testing::IamTarget;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::Now;

Target Bucket(const std::string& name) { return {"storage:Bucket", "", "b/" + name}; }

/// Says of two buckets that a finished scan found them in projects, one of them by its number.
void ScanBuckets(store::Store& store) {
  InventoryRecord scan;
  scan.provider = "cloudnative";
  scan.scope = "organizations/1";
  scan.started = At("2026-11-21T10:00:00Z");
  scan.id = *store.inventory().BeginInventory(scan);
  InventoryPage page;
  page.containers = {{"projects/acme", "projects/42", "", "", ""}};
  const std::string type = "storage.googleapis.com/Bucket";
  const auto add = [&](const std::string& name, const std::string& place) {
    page.policies.push_back({"//" + name, type, "storage:Bucket", "b/" + name, place, "[]"});
  };
  add("logs", "projects/42");
  add("other", "projects/else");
  ASSERT_THAT(store.inventory().AddInventoryPage(scan, page), IsOk());
  scan.finished = scan.started;
  ASSERT_THAT(store.inventory().FinishInventory(scan), IsOk());
}

/// The targets of the differences that the query lets through.
std::vector<std::string> ListWithin(const store::Store& store, const DriftQuery& query) {
  KeptReports kept;
  const auto listing = SelectedDrift(store, {Now(), Now()}, query, {}, kept);
  EXPECT_THAT(listing, IsOk());
  std::vector<std::string> targets;
  for (const DriftReportItem& item : listing->items) targets.push_back(item.target);
  return targets;
}

using PlacesOfTargets = testing::ReportTest;

TEST_F(PlacesOfTargets, ATargetWhoseNameTellsNoProjectIsWhereAScanFoundIt) {
  ScanBuckets(*store_);
  const auto places = TargetPlaces::Read(*store_);
  ASSERT_THAT(places, IsOk());
  const Target object = {"storage:Object", "", "b/logs/o/2026/november"};
  const struct {
    Target target;
    const char* place;
  } cases[] = {{IamTarget(), "projects/acme"},
               {{"cloudresourcemanager:Project", "", "projects/acme"}, "projects/acme"},
               {{"cloudresourcemanager:Folder", "", "folders/20"}, "folders/20"},
               {Bucket("logs"), "projects/acme"},
               {Bucket("other"), "projects/else"},
               {object, "projects/acme"},
               {Bucket("never-scanned"), "unknown"},
               {Dashboard(), ""},
               {IamTarget("projects//x"), "unknown"}};
  for (const auto& [target, place] : cases) EXPECT_EQ(places->Find(target), place) << target.name;
  EXPECT_TRUE(places->IsTargetWithin(object, "b/logs"));
  EXPECT_TRUE(places->IsTargetWithin(object, "projects/acme"));
  EXPECT_FALSE(places->IsTargetWithin(object, "projects/else"));
}

TEST_F(PlacesOfTargets, BucketsCountInTheirProjectsOrInOneRow) {
  ScanBuckets(*store_);
  for (const char* name : {"logs", "other", "a", "b", "c"}) {
    Observe(Bucket(name), 1, "2026-11-21T11:00:00Z");
  }
  const auto places = ReadPlaces(*store_);
  ASSERT_THAT(places, IsOk());
  std::vector<std::string> counted;
  for (const PlaceLine& line : places->first) {
    counted.push_back(line.place + " " + std::to_string(line.targets));
  }
  EXPECT_THAT(counted, ElementsAre("projects/acme 1", "projects/else 1", "unknown 3"));
  TargetQuery query;
  query.within = "projects/acme";
  EXPECT_EQ(TargetsReport(*store_, query, {})->total, 1U);
  query.within = kUnknownPlace;
  EXPECT_EQ(TargetsReport(*store_, query, {})->total, 3U) << "a link leads to what a row counts";
}

TEST_F(PlacesOfTargets, DifferencesAreFoundByTheProjectOfABucket) {
  ScanBuckets(*store_);
  store::StoreChange change;
  for (const char* name : {"logs", "a"}) {
    change.drift.push_back({Bucket(name), Now(), {}});
    change.drift.back().items.emplace_back().grant.principal = name;
  }
  Apply(std::move(change));
  DriftQuery query;
  query.within = "projects/acme";
  EXPECT_THAT(ListWithin(*store_, query), IsEmpty()) << "by names alone";
  query.places = std::make_shared<const TargetPlaces>(*TargetPlaces::Read(*store_));
  EXPECT_THAT(ListWithin(*store_, query), ElementsAre("b/logs"));
  query.within = kUnknownPlace;
  EXPECT_THAT(ListWithin(*store_, query), ElementsAre("b/a"));
}

}  // namespace
}  // namespace bindery::report
