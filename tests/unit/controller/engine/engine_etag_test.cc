// When the etag of a policy stands for the policy, and when the policy is read.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text/time_text.h"
#include "fakes/engine_world.h"

namespace bindery::testing {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;

constexpr const char* kDeletedAna = "deleted:user:ana@example.com?uid=123456789012345678901";

/// A policy that is as declared, and was read so.
class EngineEtag : public ::testing::Test {
 protected:
  EngineEtag() { Begin(100); }

  void Begin(int full_read_every) {
    world.settings.full_read_every = full_read_every;
    world.Configure();
    world.cloud->AddTarget(kT);
    world.Declare("m", "t", kViewer, {kAna});
    world.Pass();
    world.NextInterval();  // The answer to its own write is confirmed by this check.
    Forget();
  }
  void Forget() {
    world.cloud->ResetCounts();
    world.observer.etag_reads = 0;
    world.observer.full_reads = 0;
  }
  /// How the policy was read since Forget(): checks by etag alone, checks by the policy, requests.
  [[nodiscard]] std::vector<int> Reads() {
    return {world.observer.etag_reads, world.observer.full_reads, world.Reads()};
  }
  /// The same, of the next interval.
  [[nodiscard]] std::vector<int> NextReads() {
    Forget();
    world.NextInterval();
    return Reads();
  }

  const std::string kT = EngineWorld::TargetName("t");
  EngineWorld world;
};

TEST_F(EngineEtag, AnIdleCheckReadsTheEtagAlone) {
  const WallTime before = world.store.state.targets.begin()->second.observed_at;
  EXPECT_THAT(NextReads(), ElementsAre(1, 0, 1));
  EXPECT_EQ(world.cloud->EtagReads(), 1);
  EXPECT_EQ(world.Status("m"), kReady);
  world.Advance(seconds(1));
  EXPECT_GT(world.store.state.targets.begin()->second.observed_at, before) << "it was observed";
}

TEST_F(EngineEtag, AMovedEtagHasThePolicyReadAndRepairedInTheSameCheck) {
  world.cloud->Grant(kT, kEditor, kEve);
  std::ignore = NextReads();
  EXPECT_EQ(world.cloud->EtagReads(), 1);
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
  EXPECT_EQ(world.Writes(), 1);
  EXPECT_EQ(world.Events("EtagStoodStill"), 0);
}

TEST_F(EngineEtag, AMovedEtagOfTheSamePolicyIsTheKnownOneFromThenOn) {
  world.cloud->SetEtag(kT, "BwBucket=");
  EXPECT_THAT(NextReads(), ElementsAre(0, 1, 2));
  EXPECT_THAT(NextReads(), ElementsAre(1, 0, 1));
  EXPECT_EQ(world.Writes(), 0);
  EXPECT_TRUE(world.observer.found.empty() || world.observer.found.back().grant.principal == kAna);
}

TEST_F(EngineEtag, AnEtagThatGoesBackIsAnotherEtag) {
  const std::string old = StringMember(world.cloud->Policy(kT), "etag");
  world.cloud->SetEtag(kT, "BwNew=");
  std::ignore = NextReads();
  world.cloud->GrantUnderTheSameEtag(kT, kEditor, kEve);
  world.cloud->SetEtag(kT, old);
  std::ignore = NextReads();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
}

TEST_F(EngineEtag, AfterAWriteAndAfterAChangeOfTheManifestThePolicyIsRead) {
  Forget();
  world.Declare("m", "t", kViewer, {kAna, kBob});
  world.Pass();
  EXPECT_EQ(world.cloud->EtagReads(), 0) << "the manifest changed";
  EXPECT_EQ(world.Writes(), 1);
  EXPECT_THAT(NextReads(), ElementsAre(0, 1, 1)) << "it was written";
  EXPECT_THAT(NextReads(), ElementsAre(1, 0, 1));
}

TEST_F(EngineEtag, AfterARestartAndAfterAReloadThePolicyIsRead) {
  world.Configure();
  EXPECT_THAT(NextReads(), ElementsAre(0, 1, 1));
  EXPECT_THAT(NextReads(), ElementsAre(1, 0, 1));
  world.Restart();
  Forget();
  world.Pass();
  EXPECT_THAT(Reads(), ElementsAre(0, 1, 1));
  EXPECT_THAT(NextReads(), ElementsAre(1, 0, 1));
}

TEST_F(EngineEtag, WhatSomebodyAsksForIsRead) {
  world.Reconcile("m");
  EXPECT_THAT(Reads(), ElementsAre(0, 1, 1));
}

TEST_F(EngineEtag, AfterAFailureThePolicyIsRead) {
  world.cloud->Fail({.operation = "getIamPolicy", .status = 503, .code = "UNAVAILABLE"});
  Forget();
  world.MoveOn(world.settings.recheck.interval + seconds(1));
  world.Work();
  EXPECT_THAT(Reads(), ElementsAre(0, 0, 1)) << "a service that is away is not asked twice";
  world.Advance(seconds(5));
  EXPECT_THAT(Reads(), ElementsAre(0, 1, 2));
  EXPECT_EQ(world.cloud->EtagReads(), 1);
  EXPECT_EQ(world.Status("m"), kReady);
}

TEST_F(EngineEtag, APolicyThatIsNotAsDeclaredIsRead) {
  world.settings.catalog.mode = Mode::kObserve;
  world.Configure();
  world.cloud->Grant(kT, kEditor, kEve);
  std::ignore = NextReads();
  EXPECT_THAT(NextReads(), ElementsAre(0, 1, 1)) << "the difference stands";
  EXPECT_THAT(NextReads(), ElementsAre(0, 1, 1));
}

TEST_F(EngineEtag, EveryFewChecksReadThePolicy) {
  world.settings.full_read_every = 3;
  world.Configure();
  world.NextInterval();
  Forget();
  int in_a_row = 0;
  for (int check = 0; check < 12; ++check) {
    const int before = world.observer.full_reads;
    world.NextInterval();
    in_a_row = world.observer.full_reads == before ? in_a_row + 1 : 0;
    EXPECT_LE(in_a_row, 2);
  }
  EXPECT_THAT(Reads(), ElementsAre(8, 4, 12));
}

TEST_F(EngineEtag, TheFullReadsOfManyTargetsAreSpread) {
  world.settings.full_read_every = 10;
  world.Configure();
  for (int i = 0; i < 100; ++i) {
    const std::string id = "p" + std::to_string(i);
    world.cloud->AddTarget(EngineWorld::TargetName(id));
    world.Declare("m" + id, id, kViewer, {kAna});
  }
  world.Pass();
  world.NextInterval();
  for (int check = 0; check < 20; ++check) {
    const std::vector<int> reads = NextReads();
    // Each once; the jitter of the interval brings some of them twice.
    EXPECT_NEAR(reads[0] + reads[1], 101, 3);
    EXPECT_GT(reads[1], 0);
    EXPECT_LT(reads[1], 40);
  }
}

TEST_F(EngineEtag, OneSwitchesItOff) {
  world.settings.full_read_every = 1;
  world.Configure();
  for (int check = 0; check < 5; ++check) EXPECT_THAT(NextReads(), ElementsAre(0, 1, 1));
  EXPECT_EQ(world.cloud->EtagReads(), 0);
}

TEST_F(EngineEtag, APolicyThatChangesUnderItsEtagIsNoticedAndReadFromThenOn) {
  world.settings.full_read_every = 3;
  world.Configure();
  world.cloud->AddTarget(EngineWorld::TargetName("u"));
  world.Declare("n", "u", kViewer, {kAna});
  world.Pass();
  world.NextInterval();
  world.NextInterval();
  world.cloud->GrantUnderTheSameEtag(kT, kEditor, kEve);
  for (int check = 0; check < 3; ++check) world.NextInterval();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews)) << "no later than the next full read";
  EXPECT_EQ(world.Events("EtagStoodStill"), 1);
  for (int check = 0; check < 5; ++check) {
    EXPECT_THAT(NextReads(), ElementsAre(0, 2, 2)) << "all policies of the service";
  }
  world.cloud->GrantUnderTheSameEtag(kT, kEditor, kEve);
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews)) << "noticed by the next check";
  EXPECT_EQ(world.Events("EtagStoodStill"), 1) << "told once";
  const auto& events = world.store.state.events;
  const auto told = std::find_if(events.begin(), events.end(), [](const auto& event) {
    return event.second.reason == "EtagStoodStill";
  });
  ASSERT_NE(told, events.end());
  EXPECT_EQ(told->second.message,
            "the policy changed, and its etag did not: all policies of the kind "
            "AuthorizationPolicyIamBinding are read in full by every check, until bindery "
            "restarts");
}

TEST_F(EngineEtag, SinceWhenAPolicyChangedUnderItsEtagIsNotKnown) {
  world.settings.catalog.mode = Mode::kObserve;
  world.settings.full_read_every = 2;
  world.Configure();
  world.NextInterval();
  world.NextInterval();
  world.cloud->GrantUnderTheSameEtag(kT, kEditor, kEve);
  world.NextInterval();
  world.NextInterval();
  ASSERT_EQ(world.store.state.drift.size(), 2U);
  EXPECT_EQ(world.store.state.drift.back().item.grant.principal, kEve);
  EXPECT_FALSE(world.store.state.drift.back().read_before.has_value())
      << "the last read, of the etag, did not see it";
}

TEST_F(EngineEtag, AServiceOfOneEtagIsNoticedByTheFirstWriteThatIsReadBack) {
  world.cloud->FreezeEtags();
  std::ignore = NextReads();
  world.Declare("m", "t", kViewer, {kAna, kBob});
  world.Pass();
  EXPECT_EQ(world.Events("EtagStoodStill"), 1);
  world.NextInterval();
  EXPECT_THAT(NextReads(), ElementsAre(0, 1, 1));
  EXPECT_EQ(world.Status("m"), kReady);
}

TEST_F(EngineEtag, APrincipalThatIsDeletedIsNoChangeOfThePolicy) {
  world.settings.full_read_every = 2;
  world.Configure();
  world.NextInterval();
  world.NextInterval();
  world.cloud->Rename(kT, kAna, kDeletedAna);
  world.NextInterval();
  world.NextInterval();
  ASSERT_FALSE(world.observer.found.empty());
  EXPECT_EQ(world.observer.found.back().drift_class, DriftClass::kPrincipalDeleted);
  EXPECT_EQ(world.Events("EtagStoodStill"), 0) << "services show that without a write";
}

TEST_F(EngineEtag, AnEmptiedPolicyIsDoubtedWhateverItsEtag) {
  world.settings.confirm_emptied = seconds(10);
  world.Configure();
  world.NextInterval();
  world.NextInterval();
  world.cloud->Fail({.operation = "getIamPolicy", .times = 4, .body = R"({"etag":"BwOther="})"});
  world.NextInterval();
  EXPECT_EQ(world.Events("AnswerDoubted"), 1);
  world.Advance(seconds(20));
  EXPECT_EQ(world.Writes(), 0);
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
  EXPECT_EQ(world.Status("m"), kReady);
}

TEST_F(EngineEtag, TheEndOfAConditionNeedsNoRead) {
  manifests::Manifest& manifest = world.Declare("m", "t", kViewer, {kAna});
  manifest.options.remove_expired = true;
  Json spec = *ParseJson(manifest.spec);
  const auto end = world.settings.recheck.interval * 4;
  spec["condition"] = {
      {"title", "for a while"},
      {"expression", "request.time < timestamp('" + FormatRfc3339(world.now.wall + end) + "')"}};
  manifest.spec = CanonicalJson(spec);
  world.Pass();
  world.NextInterval();
  EXPECT_THAT(NextReads(), ElementsAre(1, 0, 1));
  world.Advance(end);
  EXPECT_EQ(world.Events("GrantExpired"), 1);
  EXPECT_THAT(world.Grants("t"), ElementsAre());
}

/// Answers to a request for the etag that are no etag alone.
class EngineNoEtag : public EngineEtag,
                     public ::testing::WithParamInterface<cloud::HttpResponse> {};

TEST_P(EngineNoEtag, ThePolicyIsReadAtOnceAndAfterAFewTheEtagIsAskedForNoMore) {
  world.cloud->AnswerEtagsWith(GetParam());
  for (int check = 0; check < 3; ++check) {
    EXPECT_EQ(world.Events("EtagNotAnswered"), 0);
    EXPECT_THAT(NextReads(), ElementsAre(0, 1, 2));
    EXPECT_EQ(world.Status("m"), kReady);
  }
  EXPECT_EQ(world.Events("EtagNotAnswered"), 1);
  for (int check = 0; check < 3; ++check) EXPECT_THAT(NextReads(), ElementsAre(0, 1, 1));
  EXPECT_EQ(world.Events("EtagNotAnswered"), 1);
}

TEST_P(EngineNoEtag, OneOfThemInAWhileChangesNothing) {
  for (int round = 0; round < 5; ++round) {
    world.cloud->AnswerEtagsWith(GetParam());
    EXPECT_THAT(NextReads(), ElementsAre(0, 1, 2));
    world.cloud->AnswerEtagsWith(std::nullopt);
    EXPECT_THAT(NextReads(), ElementsAre(1, 0, 1));
  }
  EXPECT_EQ(world.Events("EtagNotAnswered"), 0);
}

TEST_P(EngineNoEtag, WhatChangedMeanwhileIsRepaired) {
  world.cloud->AnswerEtagsWith(GetParam());
  world.cloud->Grant(kT, kEditor, kEve);
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
}

cloud::HttpResponse BodyOfEtag(const char* body) { return {200, {}, body}; }
cloud::HttpResponse EtagRefusal(int status, const char* code) {
  return {
      status, {}, Json{{"error", {{"code", status}, {"status", code}, {"message", "no"}}}}.dump()};
}

INSTANTIATE_TEST_SUITE_P(
    Answers, EngineNoEtag,
    ::testing::Values(BodyOfEtag("{}"), BodyOfEtag(""), BodyOfEtag(R"({"etag":""})"),
                      BodyOfEtag(R"({"etag":null})"), BodyOfEtag(R"({"etag":7})"),
                      BodyOfEtag(R"({"etag":"BwX10)"), BodyOfEtag("[]"), BodyOfEtag(R"("BwX101=")"),
                      BodyOfEtag("<html><body>Sign in</body></html>"),
                      BodyOfEtag(R"({"etag":"BwX101=","bindings":[]})"),
                      BodyOfEtag(R"({"etag":"BwX102=","version":1})"),
                      cloud::HttpResponse{204, {}, ""}, cloud::HttpResponse{304, {}, ""},
                      EtagRefusal(400, "INVALID_ARGUMENT"), EtagRefusal(403, "PERMISSION_DENIED"),
                      EtagRefusal(404, "NOT_FOUND"), EtagRefusal(412, "FAILED_PRECONDITION"),
                      EtagRefusal(501, "UNIMPLEMENTED")));

}  // namespace
}  // namespace bindery::testing
