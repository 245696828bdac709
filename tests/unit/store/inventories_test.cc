// What scans of clouds found: page by page, one finished scan for each scope.

#include "fixture.h"

namespace bindery::store {
namespace {

using testing::At;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::IsOk;
using ::testing::SizeIs;
using testing::StoreTest;

InventoryRecord MakeScan(const std::string& scope, int seconds) {
  InventoryRecord scan;
  scan.provider = "cloudnative";
  scan.scope = scope;
  scan.started = At(seconds);
  return scan;
}

InventoryPolicy Policy(const std::string& resource, const std::string& bindings = "[]") {
  return {resource,        "pubsub.googleapis.com/Topic",
          "pubsub:Topic",  "topics/" + resource,
          "projects/acme", bindings};
}

class StoreInventory : public StoreTest {
 protected:
  InventoryRecord Begin(InventoryRecord scan) {
    scan.id = Value(store().inventory().BeginInventory(scan));
    return scan;
  }
  InventoryRecord Add(InventoryRecord scan, const InventoryPage& page) {
    ++scan.pages;
    scan.token = page.next;
    scan.policies += static_cast<std::int64_t>(page.policies.size());
    EXPECT_THAT(store().inventory().AddInventoryPage(scan, page), IsOk());
    return scan;
  }
  InventoryRecord Finish(InventoryRecord scan, int seconds) {
    scan.finished = At(seconds);
    EXPECT_THAT(store().inventory().FinishInventory(scan), IsOk());
    return scan;
  }
};

TEST_F(StoreInventory, PagesComeBackAsTheyWere) {
  InventoryRecord scan = Begin(MakeScan("organizations/1", 5));
  scan.others = {{"iam.googleapis.com/PolicyV2", 3}};
  scan.unread = {"hierarchy: refused"};
  const InventoryContainer project = {"projects/acme", "projects/42", "folders/20", "Acme",
                                      "ACTIVE"};
  scan = Add(scan, {{Policy("b"), Policy("a")}, {project}, {}, "next"});
  scan = Add(scan, {{Policy("a", R"([{"role":"r"}])"), Policy("c")}, {}, {}, ""});
  const InventoryFacts facts = Value(store().inventory().Inventory(scan.id));
  EXPECT_EQ(facts.scan, scan);
  EXPECT_THAT(facts.policies,
              ElementsAre(Policy("a", R"([{"role":"r"}])"), Policy("b"), Policy("c")));
  EXPECT_THAT(facts.containers, ElementsAre(project));
}

TEST_F(StoreInventory, AFinishedScanTakesThePlaceOfTheOneBefore) {
  InventoryRecord old = Begin(MakeScan("organizations/1", 1));
  old = Finish(Add(old, {{Policy("old")}, {}, {}, ""}), 2);
  const InventoryRecord elsewhere = Finish(Begin(MakeScan("folders/20", 1)), 2);
  const InventoryRecord next = Begin(MakeScan("organizations/1", 3));
  EXPECT_THAT(Value(store().inventory().Inventories()), ElementsAre(next, elsewhere, old));
  const InventoryRecord done = Finish(next, 4);
  EXPECT_THAT(Value(store().inventory().Inventories()), ElementsAre(done, elsewhere));
  EXPECT_THAT(store().inventory().Inventory(old.id),
              testing::FailsWith(Code::kNotFound, ::testing::HasSubstr("no scan")));
  EXPECT_THAT(store().inventory().FinishInventory(old),
              testing::FailsWith(Code::kNotFound, ::testing::HasSubstr("no scan")));
  EXPECT_THAT(store().inventory().AddInventoryPage(old, {}),
              testing::FailsWith(Code::kNotFound, ::testing::HasSubstr("no scan")));
}

TEST_F(StoreInventory, PlacesAreThoseOfFinishedScansTheLatestFirst) {
  const auto bucket = [](const std::string& name, const std::string& place) {
    return InventoryPolicy{
        "//" + name, "storage.googleapis.com/Bucket", "storage:Bucket", "b/" + name, place, "[]"};
  };
  InventoryPolicy topic = Policy("t");
  topic.target = "projects/acme/topics/t";
  InventoryPolicy other = bucket("x", "projects/x");
  other.kind = "";
  const InventoryContainer acme = {"projects/acme", "projects/42", "", "", ""};
  const InventoryRecord old = Begin(MakeScan("organizations/1", 1));
  Finish(Add(old, {{bucket("logs", "projects/old"), topic, other}, {}, {}, ""}), 2);
  const InventoryRecord next = Begin(MakeScan("folders/20", 3));
  Finish(Add(next, {{bucket("logs", "projects/42")}, {acme}, {}, ""}), 4);
  Add(Begin(MakeScan("folders/30", 5)), {{bucket("logs", "projects/cut-off")}, {}, {}, ""});
  std::vector<ScannedPlace> places;
  const auto read =
      store().EachScannedPlace([&](ScannedPlace&& place) { places.push_back(std::move(place)); });
  ASSERT_THAT(read, IsOk());
  EXPECT_THAT(places, ElementsAre(ScannedPlace{"storage:Bucket", "b/logs", "projects/acme"},
                                  ScannedPlace{"storage:Bucket", "b/logs", "projects/old"}));
}

TEST_F(StoreInventory, AScanThatWasCutOffIsThereUntilTheNextOneBegins) {
  const InventoryRecord cut =
      Add(Begin(MakeScan("organizations/1", 1)), {{Policy("a")}, {}, {}, "t"});
  EXPECT_THAT(Value(store().inventory().Inventories()), ElementsAre(cut));
  EXPECT_FALSE(Value(store().inventory().Inventories()).front().finished);
  const InventoryRecord next = Begin(MakeScan("organizations/1", 2));
  EXPECT_THAT(Value(store().inventory().Inventories()), ElementsAre(next));
  EXPECT_THAT(Value(store().inventory().Inventory(next.id)).policies, IsEmpty());
}

TEST_F(StoreInventory, RetentionForgetsScansOfThatAge) {
  Finish(Begin(MakeScan("organizations/1", 1)), 2);
  Begin(MakeScan("folders/20", 9));
  ASSERT_THAT(store().Retain(At(5), 100), IsOk());
  ASSERT_THAT(Value(store().inventory().Inventories()), SizeIs(1));
  EXPECT_EQ(Value(store().inventory().Inventories()).front().scope, "folders/20");
}

}  // namespace
}  // namespace bindery::store
