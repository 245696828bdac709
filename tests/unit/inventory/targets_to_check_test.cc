// How declared targets in a scan compare with what bindery read last.

#include "inventory/targets_to_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "store/open_store.h"
#include "support/fake_clock.h"
#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::inventory {
namespace {

using ::testing::ElementsAre;
using testing::FakeClock;
using ::testing::IsEmpty;
using testing::IsOk;
using ::testing::Pair;
using testing::TempDir;

constexpr const char* kReadTopic = "projects/acme/topics/orders";
constexpr const char* kRead =
    R"([{"role": "roles/viewer", "members": ["user:a@x.com", "user:b@x.com"]}])";

class TargetsToCheck : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened =
        store::OpenStore(StoreLocation(dir_ / "state.db"), store::StoreAccess::kReadWrite, clock_);
    ASSERT_THAT(opened, IsOk());
    store_ = std::move(*opened);
    store::ResourceRecord resource;
    resource.name = "viewers";
    resource.token = {"cloudnative:pubsub/v1", "TopicIamBinding"};
    resource.target = target_;
    resource.provider = "cloud";
    resource.role = "roles/viewer";
    resource.accepted = true;
    resource.spec =
        R"({"name": "projects/acme/topics/orders", "role": "roles/viewer", "members": []})";
    const std::string body = std::string(R"({"bindings": )") + kRead + "}";
    digest_ = Sha256Digest::Of(body);
    store::RevisionRecord revision;
    revision.target = target_;
    revision.time = clock_.Wall();
    revision.digest = digest_.Hex();
    revision.policy = body;
    store::StoreChange change;
    change.upsert_resources = {resource};
    change.upsert_targets = {Record(true)};
    change.revisions = {revision};
    ASSERT_THAT(store_->Apply(std::move(change)), IsOk());
  }
  [[nodiscard]] store::TargetRecord Record(bool exists) const {
    store::TargetRecord record;
    record.target = target_;
    record.provider = "cloud";
    record.observed = true;
    record.exists = exists;
    record.policy_digest = digest_.Hex();
    record.observed_at = clock_.Wall();
    return record;
  }
  /// The index shows these lists of bindings for the topic, one for each resource.
  ComparedTargets Shown(const std::vector<std::string>& bindings,
                        const std::string& name = kReadTopic) const {
    InventoryFacts facts;
    facts.scan.provider = "cloud";
    facts.containers = {{"projects/acme", "projects/42", "organizations/1", "", "ACTIVE"}};
    for (const std::string& list : bindings) {
      facts.policies.push_back({"//pubsub.googleapis.com/" + name, "pubsub.googleapis.com/Topic",
                                "pubsub:Topic", name, "projects/42", list});
    }
    auto compared = CompareTargets(*store_, facts, {});
    EXPECT_THAT(compared, IsOk());
    return compared.value_or(ComparedTargets());
  }

  TempDir dir_;
  FakeClock clock_;
  std::unique_ptr<store::Store> store_;
  const Target target_{"pubsub:Topic", "", kReadTopic};
  Sha256Digest digest_;
};

TEST_F(TargetsToCheck, TheSameGrantsAreUnchangedInWhateverOrder) {
  const auto compared = Shown({R"([{"members": ["user:b@x.com"], "role": "roles/viewer"},
                 {"role": "roles/viewer", "members": ["user:a@x.com"]}])"});
  EXPECT_THAT(compared.changed, IsEmpty());
  EXPECT_THAT(compared.unchanged, ElementsAre(Pair(target_, digest_)));
  EXPECT_EQ(Shown({kRead}, "projects/42/topics/orders").unchanged.size(), 1U) << "by its number";
}

TEST_F(TargetsToCheck, AnyOtherGrantIsAChange) {
  for (const char* shown :
       {"[]", R"([{"role": "roles/viewer", "members": ["user:a@x.com"]}])",
        R"([{"role": "roles/editor", "members": ["user:a@x.com", "user:b@x.com"]}])",
        R"([{"role": "roles/viewer", "members": ["user:a@x.com", "user:b@x.com"],
             "condition": {"title": "t", "expression": "true"}}])"}) {
    const auto compared = Shown({shown});
    EXPECT_THAT(compared.changed, ElementsAre("viewers")) << shown;
    EXPECT_THAT(compared.unchanged, IsEmpty()) << shown;
  }
}

TEST_F(TargetsToCheck, WhatIsNotClearIsNeitherChangedNorUnchanged) {
  const std::string unknown =
      std::string(kRead).insert(1, R"({"role": "roles/viewer", "group": "x"}, )");
  for (const std::string& shown : {std::string("no list"), std::string("{}"), unknown}) {
    const auto compared = Shown({shown});
    EXPECT_THAT(compared.changed, IsEmpty()) << shown;
    EXPECT_THAT(compared.unchanged, IsEmpty()) << shown;
  }
}

TEST_F(TargetsToCheck, OfTwoResourcesForOneTargetBothCount) {
  EXPECT_EQ(Shown({kRead, kRead}).unchanged.size(), 1U);
  const auto compared = Shown({kRead, "[]"});
  EXPECT_THAT(compared.changed, ElementsAre("viewers"));
  EXPECT_THAT(compared.unchanged, IsEmpty());
}

TEST_F(TargetsToCheck, TargetsThatTheScanDoesNotShowAreInNeitherList) {
  for (const char* name : {"projects/acme/topics/other", "projects/43/topics/orders"}) {
    const auto compared = Shown({kRead}, name);
    EXPECT_THAT(compared.changed, IsEmpty()) << name;
    EXPECT_THAT(compared.unchanged, IsEmpty()) << name;
  }
}

TEST_F(TargetsToCheck, ATargetThatWasNotThereAndIsShownIsAChange) {
  store::StoreChange change;
  change.upsert_targets = {Record(false)};
  ASSERT_THAT(store_->Apply(std::move(change)), IsOk());
  EXPECT_THAT(Shown({kRead}).changed, ElementsAre("viewers"));
}

}  // namespace
}  // namespace bindery::inventory
