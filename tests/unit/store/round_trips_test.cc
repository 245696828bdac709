#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fixture.h"
#include "store/open_store.h"
#include "support/postgres_proxy.h"

namespace bindery::store {
namespace {

using testing::At;
using testing::Binding;
using testing::EventNamed;
using testing::FixedClock;
using testing::IsOk;
using testing::Observed;
using testing::PolicyTarget;
using testing::PostgresProxy;
using testing::RevisionOf;

/// What is recorded of many targets at once, in a database at the end of a network.
class RoundTrips : public testing::PostgresDatabaseTest {
 protected:
  static constexpr int kTargets = 100;
  /// Of a group, however many changes it has. One a change would be 100.
  static constexpr int kMost = 30;

  void SetUp() override {
    testing::PostgresDatabaseTest::SetUp();
    if (IsSkipped()) return;
    proxy_ = std::make_unique<PostgresProxy>(server_->Socket());
    StoreLocation location;
    location.database = proxy_->MakeUrl(database_);
    auto opened = OpenStore(location, StoreAccess::kReadWrite, clock_);
    ASSERT_THAT(opened, IsOk());
    store_ = std::move(*opened);
  }

  static std::string Name(const std::string& round, int i) { return round + std::to_string(i); }
  static Target ToTarget(const std::string& round, int i) { return PolicyTarget(Name(round, i)); }
  static std::string Policy(const std::string& round, int i, const std::string& member) {
    return Name(round, i) + ": " + member + testing::LongText();
  }
  static DriftItem Missing(const std::string& resource) {
    DriftItem item;
    item.resource = resource;
    item.grant = {"roles/viewer", "user:ann@acme.example", {}};
    return item;
  }

  /// Counts the round trips of what `submit` submits, which is written as one group.
  int TripsOf(const std::function<void()>& submit) {
    std::promise<void> blocked;
    std::promise<void> released;
    store_->Submit(testing::EventChange("Blocks"), [&](const Expected<void>& result) {
      EXPECT_THAT(result, IsOk());
      blocked.set_value();
      released.get_future().wait();
    });
    blocked.get_future().wait();
    const int before = proxy_->round_trips();
    submit();
    released.set_value();
    EXPECT_THAT(store_->Flush(), IsOk());
    return proxy_->round_trips() - before;
  }
  void Submit(StoreChange change) {
    store_->Submit(std::move(change),
                   [](const Expected<void>& done) { EXPECT_THAT(done, IsOk()); });
  }

  int Declare(const std::string& round) {
    return TripsOf([&] {
      StoreChange change;
      for (int i = 0; i < kTargets; ++i) {
        change.upsert_resources.push_back(
            Binding(Name(round, i) + "-binding", Name(round, i), "roles/viewer"));
      }
      Submit(std::move(change));
    });
  }

  int BeginWrites(const std::string& round) {
    intents_.assign(kTargets, 0);
    return TripsOf([&] {
      for (int i = 0; i < kTargets; ++i) {
        IntentRecord intent;
        intent.target = ToTarget(round, i);
        intent.digest_before = Sha256Hex(Policy(round, i, "found"));
        store_->BeginWrite(intent, [this, i](const Expected<std::int64_t>& id) {
          EXPECT_THAT(id, IsOk());
          if (id) intents_[static_cast<std::size_t>(i)] = *id;
        });
      }
    });
  }

  /// Policies that were seen or written, in this order, and drift that is open or corrected.
  int Record(const std::string& round, const std::vector<std::string>& members, bool corrected) {
    return TripsOf([&] {
      for (int i = 0; i < kTargets; ++i) {
        const Target target = ToTarget(round, i);
        const std::string resource = Name(round, i) + "-binding";
        StoreChange change;
        for (const std::string& member : members) {
          change.revisions.push_back(RevisionOf(target, Policy(round, i, member)));
        }
        change.upsert_targets.push_back(Observed(target, Policy(round, i, members.back())));
        change.drift.push_back({target, At(2), {}, corrected});
        if (!corrected) change.drift.back().items.push_back(Missing(resource));
        StandingRecord standing;
        standing.name = resource;
        standing.target = target;
        change.standings.push_back(standing);
        change.finished_intents.push_back(
            {intents_.at(static_cast<std::size_t>(i)), At(2), "landed"});
        change.events.push_back(EventNamed("Written"));
        change.events.back().resource = resource;
        Submit(std::move(change));
      }
    });
  }

  FixedClock clock_;
  std::unique_ptr<PostgresProxy> proxy_;
  std::unique_ptr<Store> store_;
  std::vector<std::int64_t> intents_;
};

TEST_F(RoundTrips, OfAGroupAreFewHoweverManyTargetsItIsAbout) {
  // Statements are prepared at their first use.
  Declare("first-");
  BeginWrites("first-");
  Record("first-", {"found", "ann"}, /*corrected=*/false);
  Record("first-", {"bob"}, /*corrected=*/true);

  EXPECT_LE(Declare("second-"), kMost);
  EXPECT_LE(BeginWrites("second-"), kMost);
  EXPECT_LE(Record("second-", {"found", "ann"}, /*corrected=*/false), kMost);
  EXPECT_LE(Record("second-", {"bob"}, /*corrected=*/true), kMost);

  const std::string targets = std::to_string(2 * kTargets);
  EXPECT_EQ(Ask("SELECT count(*) FROM policies WHERE base = 0"), targets);
  EXPECT_EQ(Ask("SELECT count(*) FROM policies WHERE base <> 0"), std::to_string(4 * kTargets));
  EXPECT_EQ(Ask("SELECT count(*) FROM drift WHERE resolved_after IS NOT NULL"), targets);
  EXPECT_EQ(Ask("SELECT count(*) FROM drift WHERE resolved_after IS NULL"), "0");
  EXPECT_EQ(Ask("SELECT count(*) FROM intents WHERE finished_after IS NULL"), "0");
  EXPECT_EQ(Ask("SELECT count(DISTINCT target_id) FROM resources"), targets);
}

TEST_F(RoundTrips, OfAReportAreFewHoweverManyTargetsItTellsOf) {
  Declare("any-");
  BeginWrites("any-");
  Record("any-", {"found"}, /*corrected=*/false);

  const int before = proxy_->round_trips();
  const auto snapshot = store_->SnapshotDrift();
  ASSERT_THAT(snapshot, IsOk());
  std::vector<std::int64_t> ids;
  ASSERT_THAT((*snapshot)->EachSince(
                  std::nullopt, [&](const DriftEntry& entry) { ids.push_back(entry.record.id); }),
              IsOk());
  std::vector<std::int64_t> told;
  ASSERT_THAT((*snapshot)->VisitEach(
                  ids, [&](const DriftEntry& entry) { told.push_back(entry.record.id); }),
              IsOk());
  // A new session and its statements too.
  EXPECT_LE(proxy_->round_trips() - before, kTargets / 2);
  EXPECT_THAT(ids, ::testing::SizeIs(kTargets));
  EXPECT_EQ(told, ids);
}

}  // namespace
}  // namespace bindery::store
