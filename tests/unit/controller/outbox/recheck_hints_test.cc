// Which targets a scan keeps from being read, and for how long.

#include "controller/outbox/recheck_hints.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <utility>

namespace bindery::controller {
namespace {

using namespace std::chrono_literals;

class RecheckHintsTest : public ::testing::Test {
 protected:
  RecheckHintsTest() {
    hints.SetExact(12h);
    TargetEntry& entry = claims.ObtainTarget(TargetKey(target));
    entry.provider = Interned("cloud");
    entry.reading.policy_digest = policy;
    entry.last_synced_digest = Sha256Digest::Of("as declared");
    entry.calls.checked = true;
  }
  TargetEntry& Entry() { return *claims.FindTarget(target); }
  bool Hint() { return Hint(std::make_shared<const TargetPolicies>(1, std::pair(target, policy))); }
  bool Hint(std::shared_ptr<const TargetPolicies> shown) {
    return hints.Set({"cloud", std::move(shown), until}, claims.targets());
  }
  void Read() { hints.NoteRead(Entry(), now.mono, 0ms); }
  [[nodiscard]] bool PutsOff() { return hints.PutsOff(Entry(), 5min, now).has_value(); }

  const Target target{"K", "", "t"};
  const Sha256Digest policy = Sha256Digest::Of("policy");
  Claims claims;
  RecheckHints hints;
  Now now{MonoTime(1000h), WallTime(500'000h)};
  Now until{now.mono + 24h, now.wall + 24h};
};

TEST_F(RecheckHintsTest, ReadsArePutOffAfterAReadThatFollowsTheHint) {
  EXPECT_FALSE(PutsOff());
  Hint();
  EXPECT_FALSE(PutsOff()) << "the time of the last read is not known";
  Read();
  EXPECT_TRUE(PutsOff());
  Hint();
  EXPECT_TRUE(PutsOff()) << "the next scan knows of the read";
}

TEST_F(RecheckHintsTest, NoLongerThanTheExactIntervalAfterTheLastRead) {
  Hint();
  Read();
  EXPECT_EQ(hints.PutsOff(Entry(), 5min, now), now.mono + 12h - 5min);
  now.mono += 12h - 5min;
  EXPECT_TRUE(PutsOff());
  now.mono += 1ms;
  EXPECT_FALSE(PutsOff()) << "the turn after this one would be too late";
  hints.SetExact(0ms);
  now.mono -= 1h;
  EXPECT_FALSE(PutsOff());
}

TEST_F(RecheckHintsTest, AReadOfAnotherPolicyEndsTheHintForGood) {
  Hint();
  Read();
  hints.NoteSeen(Entry(), policy);
  EXPECT_TRUE(PutsOff());
  hints.NoteSeen(Entry(), Sha256Digest::Of("another"));
  EXPECT_FALSE(PutsOff());
  EXPECT_TRUE(hints.empty()) << "it was the only hint";
}

TEST_F(RecheckHintsTest, WhatIsDroppedIsReadUntilAReadFollowsTheNextHint) {
  Hint();
  Read();
  hints.Drop(Entry());
  EXPECT_FALSE(PutsOff());
  Hint();
  EXPECT_FALSE(PutsOff());
}

TEST_F(RecheckHintsTest, AScanThatShowsTheSameOnlyMakesHintsHoldLonger) {
  const auto shown = std::make_shared<const TargetPolicies>(1, std::pair(target, policy));
  EXPECT_TRUE(Hint(shown));
  EXPECT_EQ(hints.Judge(Entry(), now), RecheckHints::Watch::kUnread);
  Read();
  EXPECT_EQ(hints.Judge(Entry(), now), RecheckHints::Watch::kRead);
  now.mono = until.mono - 1h;
  until.mono += 1h;
  EXPECT_FALSE(Hint(shown));
  EXPECT_EQ(hints.Judge(Entry(), now), RecheckHints::Watch::kRead) << "the read is still known";
  now.mono = until.mono - 1ms;
  EXPECT_FALSE(hints.AnyOld(now));
  EXPECT_TRUE(hints.Watches(Entry(), now));
  now.mono = until.mono;
  EXPECT_TRUE(hints.AnyOld(now));
  EXPECT_FALSE(hints.Watches(Entry(), now));
}

TEST_F(RecheckHintsTest, AScanThatShowsTheSameHintsAgainWhatWasDroppedOrTakenBack) {
  const auto shown = std::make_shared<const TargetPolicies>(1, std::pair(target, policy));
  TargetEntry& other = claims.ObtainTarget(TargetKey(Target{"K", "", "other"}));
  other.provider = Interned("cloud");
  const auto both = std::make_shared<const TargetPolicies>(
      TargetPolicies{{target, policy}, {*other.target, policy}});
  for (const auto& list : {shown, both}) {
    Hint(list);
    Read();
    hints.Drop(Entry());
    EXPECT_TRUE(Hint(list));
    EXPECT_EQ(hints.Judge(Entry(), now), RecheckHints::Watch::kUnread);
    hints.Set({"cloud"}, claims.targets());
    EXPECT_TRUE(Hint(list));
    EXPECT_EQ(hints.Judge(Entry(), now), RecheckHints::Watch::kUnread);
  }
}

TEST_F(RecheckHintsTest, TheFirstPeriodIsShorterSoThatReadsAreSpread) {
  Hint();
  hints.NoteRead(Entry(), now.mono, 11h);
  now.mono += 1h;
  EXPECT_FALSE(PutsOff());
  hints.NoteRead(Entry(), now.mono, 11h);
  now.mono += 11h;
  EXPECT_TRUE(PutsOff()) << "only the first";
}

TEST_F(RecheckHintsTest, AnOldScanSaysNothingByEitherClock) {
  Hint();
  Read();
  now.wall = until.wall;
  EXPECT_FALSE(PutsOff()) << "the machine slept, or its clock was set";
  now.wall -= 48h;
  EXPECT_TRUE(PutsOff()) << "a clock that was set back makes no hint longer";
  now.mono = until.mono;
  EXPECT_FALSE(PutsOff());
  hints.DropOld(now);
  EXPECT_TRUE(hints.empty());
}

TEST_F(RecheckHintsTest, OnlyHintsAboutTheSameProviderCount) {
  hints.Set({"other", std::make_shared<const TargetPolicies>(1, std::pair(target, policy)), until},
            claims.targets());
  EXPECT_TRUE(hints.empty());
  Hint();
  Read();
  hints.Set({"other", {}, until}, claims.targets());
  EXPECT_TRUE(PutsOff());
  hints.Set({"cloud"}, claims.targets());
  EXPECT_FALSE(PutsOff()) << "hints are taken back";
}

TEST_F(RecheckHintsTest, WhateverIsNotInOrderIsRead) {
  const TargetEntry before = Entry();
  const std::vector<std::pair<const char*, std::function<void(TargetEntry&)>>> cases = {
      {"another policy was read", [](auto& t) { t.reading.policy_digest = Sha256Digest::Of("x"); }},
      {"not as declared at the last check", [](auto& t) { t.last_synced_digest = {}; }},
      {"not checked by this process", [](auto& t) { t.calls.checked = false; }},
      {"the last call failed", [](auto& t) { t.calls.failures = 1; }},
      {"it drifts",
       [](auto& t) {
         t.drift.open.Set({{"x", {}}});
       }},
      {"it drifted lately", [](auto& t) { t.habit.level = 1; }},
      {"the outcome of a write is not known",
       [](auto& t) { t.unresolved = std::make_shared<const store::IntentRecord>(); }},
  };
  Hint();
  Read();
  for (const auto& [name, change] : cases) {
    EXPECT_TRUE(PutsOff()) << name;
    change(Entry());
    EXPECT_FALSE(PutsOff()) << name;
    EXPECT_FALSE(hints.Watches(Entry(), now)) << name;
    Entry() = before;
  }
}

TEST_F(RecheckHintsTest, ManifestsMaySayMoreThanAScanShows) {
  Hint();
  Read();
  ResourceEntry resource;
  auto manifest = std::make_shared<manifests::Manifest>();
  resource.manifest = manifest;
  Entry().resources = {&resource};
  for (const char* role : {"roles/viewer", "*", "roles/viewer user:ana@example.com"}) {
    resource.place.role = Interned(role);
    EXPECT_TRUE(PutsOff()) << role;
  }
  for (const char* role : {"*+", "auditConfigs/storage.googleapis.com"}) {
    resource.place.role = Interned(role);
    EXPECT_FALSE(PutsOff()) << role;
  }
  resource.place.role = Interned("roles/viewer");
  manifest->options.interval = 1min;
  EXPECT_FALSE(PutsOff()) << "an interval of its own is kept";
}

}  // namespace
}  // namespace bindery::controller
