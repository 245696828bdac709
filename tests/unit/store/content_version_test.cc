// What is kept of the store's content is outdated when that changes, and not when it is looked at.

#include <functional>

#include "fixture.h"

namespace bindery::store {
namespace {

using testing::At;
using testing::Binding;
using testing::IsOk;
using testing::PolicyTarget;

class StoreContentVersion : public testing::StoreTest {
 protected:
  void SetUp() override {
    testing::StoreTest::SetUp();
    if (IsSkipped()) return;
    StoreChange change;
    change.upsert_resources = {Binding("a", "a", "roles/viewer")};
    change.upsert_targets = {Read(PolicyTarget("a"))};
    change.drift.push_back({PolicyTarget("a"), At(0), {Item()}});
    ASSERT_THAT(store().Apply(std::move(change)), IsOk());
  }

  static TargetRecord Read(const Target& target) {
    TargetRecord record;
    record.target = target;
    record.observed = true;
    record.exists = true;
    record.observed_at = At(0);
    return record;
  }

  static DriftItem Item() {
    DriftItem item;
    item.drift_class = DriftClass::kUndeclared;
    item.grant = {"roles/viewer", "user:ana@example.com"};
    return item;
  }

  /// Whether the version is another one after the change.
  bool ChangesWith(const std::function<void(StoreChange&)>& fill) {
    StoreChange change;
    fill(change);
    const auto before = store().ContentVersion();
    EXPECT_TRUE(before.has_value());
    EXPECT_THAT(store().Apply(std::move(change)), IsOk());
    return store().ContentVersion() != before;
  }
};

TEST_F(StoreContentVersion, IsAnotherOneAfterEachChangeOfContent) {
  struct Case {
    const char* name;
    std::function<void(StoreChange&)> fill;
    bool changes = true;
  };
  const std::vector<Case> cases = {
      {"the same resource",
       [](auto& c) { c.upsert_resources = {Binding("a", "a", "roles/viewer")}; }, false},
      {"a resource", [](auto& c) { c.upsert_resources = {Binding("b", "b", "roles/viewer")}; }},
      {"the state of a resource",
       [](auto& c) {
         StandingRecord standing;
         standing.name = "a";
         standing.target = PolicyTarget("a");
         standing.role = "roles/viewer";
         standing.status.state = ResourceState::kStalled;
         c.standings = {standing};
       }},
      {"a look at a target",
       [](auto& c) {
         c.touch_targets = {TargetKey(PolicyTarget("a"))};
         c.touched_at = At(5);
       },
       false},
      {"what a target has", [](auto& c) { c.upsert_targets = {Read(PolicyTarget("a"))}; }},
      {"the same differences",
       [](auto& c) {
         c.drift.push_back({PolicyTarget("a"), At(6), {Item()}});
       },
       false},
      {"other differences",
       [](auto& c) {
         c.drift.push_back({PolicyTarget("a"), At(7), {}});
       }},
      {"an event",
       [](auto& c) {
         Event event;
         event.time = At(8);
         event.reason = "Reconciled";
         c.events = {event};
       },
       false},
      {"a target that is forgotten", [](auto& c) { c.forget_targets = {PolicyTarget("a")}; }},
      {"a resource that is forgotten", [](auto& c) { c.forget_resources = {"a"}; }},
  };
  for (const Case& c : cases) EXPECT_EQ(ChangesWith(c.fill), c.changes) << c.name;
}

TEST_F(StoreContentVersion, IsUnknownWhereAnotherProcessMayWrite) {
  auto reader = OpenStore(location_, StoreAccess::kReadOnly, clock_);
  ASSERT_THAT(reader, IsOk());
  EXPECT_FALSE((*reader)->ContentVersion().has_value());
}

}  // namespace
}  // namespace bindery::store
