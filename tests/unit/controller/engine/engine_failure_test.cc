// What fails is tried again where that can mend it, and never twice without looking.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using testing::EngineWorld;
using ::testing::IsEmpty;
using testing::kAna;
using testing::kEditor;
using testing::kViewer;
using ::testing::SizeIs;

class EngineFailure : public ::testing::Test {
 protected:
  EngineFailure() {
    world.cloud->AddTarget(EngineWorld::TargetName("t"));
    world.Declare("m", "t", kViewer, {kAna});
  }
  EngineWorld world;
};

TEST_F(EngineFailure, OnAnEtagThatMovedTheTargetIsReadAgainAndRedone) {
  world.cloud->Fail({"setIamPolicy", "", 409, "ABORTED"});
  world.Pass();
  EXPECT_EQ(world.Status("m"), "Reconciling ProgressingWithRetry");
  EXPECT_THAT(world.Message("m"), ::testing::StartsWith("ABORTED: write: "));
  world.Advance(seconds(1));
  EXPECT_EQ(world.Reads(), 2);
  EXPECT_EQ(world.Writes(), 2);
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
  EXPECT_THAT(world.store.state.intents, IsEmpty());
  EXPECT_THAT(world.store.state.outcomes, SizeIs(2));
  EXPECT_EQ(world.observer.reports.at(0).result, WorkResult::kRequeue);
}

TEST_F(EngineFailure, WhatIsRefusedForSomebodyWhoIsNotInItStallsWithAReasonAndIsTriedEachInterval) {
  world.cloud->Fail({.operation = "setIamPolicy",
                     .status = 400,
                     .code = "INVALID_ARGUMENT",
                     .times = 1000,
                     .message = "User eve@example.com does not exist."});
  world.Pass();
  EXPECT_EQ(world.Status("m"), "Stalled INVALID_ARGUMENT");
  EXPECT_EQ(world.Message("m"),
            "INVALID_ARGUMENT: write: networksecurity.setIamPolicy: User eve@example.com does not "
            "exist. (HTTP 400); no manifest is the cause: the service names eve@example.com, "
            "which the write neither adds nor finds in the policy");
  EXPECT_EQ(world.Writes(), 1);
  world.Advance(10 * world.settings.recheck.interval);
  EXPECT_THAT(world.Writes(), ::testing::AllOf(::testing::Ge(10), ::testing::Le(12)));
  world.cloud->EndFaults();
  world.Declare("m", "t", kEditor, {kAna});
  world.cloud->ResetCounts();
  world.Scan();
  world.Work();
  EXPECT_EQ(world.Writes(), 1) << "a corrected manifest goes at once";
}

TEST_F(EngineFailure, ANewServiceAccountIsTriedAgainForMinutesAndThenCountsAsRefused) {
  world.cloud->Fail({.operation = "setIamPolicy",
                     .status = 400,
                     .code = "INVALID_ARGUMENT",
                     .times = 1000,
                     .message = "Service account a@p.iam.gserviceaccount.com does not exist."});
  world.Pass();
  EXPECT_EQ(world.Status("m"), "Reconciling ProgressingWithRetry");
  EXPECT_EQ(world.Writes(), 1);
  world.Advance(std::chrono::minutes(1));
  EXPECT_THAT(world.Writes(), ::testing::AllOf(::testing::Ge(2), ::testing::Le(5)));
  EXPECT_EQ(world.Status("m"), "Reconciling ProgressingWithRetry");
  world.Advance(std::chrono::minutes(20));
  EXPECT_EQ(world.Status("m"), "Stalled INVALID_ARGUMENT");
}

TEST_F(EngineFailure, AnEtagThatTheServiceRefusesIsNoManifestsFault) {
  world.cloud->Fail({.operation = "setIamPolicy",
                     .status = 400,
                     .code = "INVALID_ARGUMENT",
                     .times = 1000,
                     .message = "Invalid Etag."});
  world.Pass();
  EXPECT_EQ(world.Status("m"), "Stalled INVALID_ARGUMENT");
  EXPECT_EQ(
      world.Message("m"),
      "INVALID_ARGUMENT: write: networksecurity.setIamPolicy: Invalid Etag. (HTTP 400); no "
      "manifest is the cause: the service refuses the etag that came with the policy; look for "
      "a proxy between bindery and the service that changes answers");
}

TEST_F(EngineFailure, AWriteThatLandedWithoutAnAnswerIsNotRepeated) {
  world.cloud->Fail({"setIamPolicy", "", 0, "", /*lost=*/true});
  world.Pass();
  EXPECT_THAT(world.store.state.intents, SizeIs(1));
  world.Advance(seconds(2));
  EXPECT_EQ(world.Writes(), 1);
  EXPECT_EQ(world.Reads(), 2);
  EXPECT_EQ(world.Events("WriteConfirmed"), 1);
  EXPECT_THAT(world.store.state.intents, IsEmpty());
  EXPECT_EQ(world.store.state.outcomes.begin()->second, "found-landed");
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
  EXPECT_EQ(world.store.state.revisions.back().origin, Origin::kWritten);
  ASSERT_THAT(world.store.state.drift, SizeIs(1));
  EXPECT_EQ(world.store.state.drift[0].resolved_by, "bindery");
}

TEST_F(EngineFailure, AWriteThatGotLostIsLookedUpAndRepeated) {
  world.cloud->Fail({"setIamPolicy", "", 0, "", false, /*unsent=*/true});
  world.Pass();
  world.Advance(seconds(2));
  EXPECT_EQ(world.Writes(), 2);
  EXPECT_EQ(world.Reads(), 2);
  EXPECT_EQ(world.Events("WriteNotLanded"), 1);
  EXPECT_EQ(world.store.state.outcomes.begin()->second, "found-not-landed");
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/viewer user:ana@example.com"));
}

TEST_F(EngineFailure, WithoutAJournalNothingIsWritten) {
  world.store.refuse_intents = true;
  world.Pass();
  EXPECT_EQ(world.Writes(), 0);
  EXPECT_EQ(world.Message("m"),
            "INTERNAL: write: nothing was written, as the store cannot record it: disk full");
  world.store.refuse_intents = false;
  world.Advance(seconds(5));
  EXPECT_EQ(world.Writes(), 1);
}

struct TerminalCase {
  const char* name;
  const char* operation;
  int status;
  const char* code;
  int retries = 0;  ///< Of refused content within ten intervals: each is read again after it.
};
class EngineTerminal : public EngineFailure, public ::testing::WithParamInterface<TerminalCase> {};

TEST_P(EngineTerminal, IsReCheckedAtTheIntervalWithoutAStorm) {
  world.cloud->Fail(
      {GetParam().operation, "", GetParam().status, GetParam().code, false, false, 1000});
  world.Pass();
  EXPECT_EQ(world.Status("m"), std::string("Stalled ") + GetParam().code);
  const int again = GetParam().retries > 0 ? 1 : 0;
  EXPECT_EQ(world.Reads(), 1 + again);
  for (int i = 0; i < 10; ++i) world.NextInterval();
  EXPECT_LE(world.Reads(), 12 + again + GetParam().retries);
  EXPECT_GE(world.Reads(), 10);
  EXPECT_TRUE(world.engine->Settled(3));
  const int changes = world.changes_with_content;
  world.NextInterval();
  if (std::string(GetParam().operation) == "getIamPolicy") {
    EXPECT_EQ(world.changes_with_content, changes) << "the status is stable";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Errors, EngineTerminal,
    ::testing::Values(TerminalCase{"ReadForbidden", "getIamPolicy", 403, "PERMISSION_DENIED"},
                      TerminalCase{"ReadMissing", "getIamPolicy", 404, "NOT_FOUND"},
                      TerminalCase{"WriteInvalid", "setIamPolicy", 400, "INVALID_ARGUMENT", 3},
                      TerminalCase{"WriteForbidden", "setIamPolicy", 403, "PERMISSION_DENIED"}),
    [](const auto& param) { return std::string(param.param.name); });

TEST_F(EngineFailure, ATerminalErrorEndsWithTheNextChangeOfTheManifest) {
  world.cloud->Fail({"setIamPolicy", "", 400, "INVALID_ARGUMENT"});
  world.Pass();
  ASSERT_EQ(world.Status("m"), "Stalled INVALID_ARGUMENT");
  world.Declare("m", "t", kViewer, {"user:bob@example.com"});
  world.Pass();
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
  EXPECT_EQ(world.Record("m").generation, 2);
  EXPECT_EQ(world.Record("m").observed_generation, 2);
}

TEST_F(EngineFailure, TransientErrorsBackOff) {
  world.cloud->Fail({"getIamPolicy", "", 503, "UNAVAILABLE", false, false, 1000});
  world.Pass();
  world.Advance(seconds(60));
  // 0.5, 1, 2, 4, 8, 16, 32 s, each at least half of it.
  EXPECT_GE(world.Reads(), 6);
  EXPECT_LE(world.Reads(), 10);
  EXPECT_EQ(world.Status("m"), "Reconciling ProgressingWithRetry");
  EXPECT_TRUE(world.engine->Settled(3));
  EXPECT_FALSE(world.engine->Settled(100));
}

TEST_F(EngineFailure, WhatAServicePutsOffForLongIsNotWaitedForByOnePass) {
  world.cloud->AddTarget(EngineWorld::TargetName("other"));
  world.Declare("behind-it", "other", kEditor, {kAna});
  world.settings.concurrency = 1;
  world.Configure();
  world.cloud->Fail({.operation = "getIamPolicy",
                     .status = 429,
                     .code = "RESOURCE_EXHAUSTED",
                     .headers = {{"retry-after", "3600"}}});
  world.Pass();
  EXPECT_EQ(world.Reads(), 1) << "the quota is theirs together";
  EXPECT_FALSE(world.engine->Settled(3)) << "unless there is a bound";
  EXPECT_TRUE(world.engine->Settled(3, world.now.mono + std::chrono::minutes(2)));
  EXPECT_FALSE(world.engine->Settled(3, world.now.mono + std::chrono::hours(3)));
}

TEST_F(EngineFailure, WhateverIsReadWasQueuedBeforeAndOnlyFailuresAreRetries) {
  world.Pass();
  world.NextInterval();
  world.NextInterval();
  EXPECT_EQ(world.observer.queued, world.Reads() + 1) << "and the next one waits";
  EXPECT_EQ(world.observer.retries, 0);
  world.cloud->Fail({.operation = "getIamPolicy", .status = 503, .code = "UNAVAILABLE"});
  world.NextInterval();
  EXPECT_EQ(world.observer.retries, 1);
  EXPECT_EQ(world.observer.queued, world.Reads() + 1);
}

TEST_F(EngineFailure, AMissingTargetIsDriftOfItsOwnAndHealsByItself) {
  world.Pass();
  world.cloud->RemoveTarget(EngineWorld::TargetName("t"));
  world.NextInterval();
  EXPECT_EQ(world.Status("m"), "Stalled NOT_FOUND");
  const store::DriftRecord& record = world.store.state.drift.back();
  EXPECT_EQ(record.item.drift_class, DriftClass::kTargetMissing);
  EXPECT_FALSE(record.resolved_at.has_value());
  EXPECT_FALSE(world.store.state.targets.begin()->second.exists);

  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.NextInterval();
  world.NextInterval();
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
  EXPECT_TRUE(world.store.state.targets.begin()->second.exists);
  for (const store::DriftRecord& drift : world.store.state.drift) EXPECT_TRUE(drift.resolved_at);
}

TEST_F(EngineFailure, ADeletedPrincipalThatTheServiceRefusesIsReported) {
  world.cloud->AddTarget(
      EngineWorld::TargetName("t"),
      R"([{"role":"roles/viewer","members":["deleted:user:ana@example.com?uid=123"]}])");
  world.cloud->StoreAs("user:ana@example.com", "");
  world.Pass();
  world.NextInterval();
  EXPECT_EQ(world.Writes(), 1);
  EXPECT_EQ(world.Status("m"), "Stalled PrincipalDeleted");
  EXPECT_THAT(
      world.Message("m"),
      ::testing::StartsWith(
          "\"user:ana@example.com\" was deleted (the policy shows "
          "\"deleted:user:ana@example.com?uid=123\"): take it out of the manifest, or restore "
          "it; INVALID_ARGUMENT: "));
}

TEST_F(EngineFailure, OneTargetsFailureLeavesTheOthersAlone) {
  world.cloud->AddTarget(EngineWorld::TargetName("other"));
  world.Declare("fine", "other", kEditor, {kAna});
  world.cloud->Fail({"getIamPolicy", "authorizationPolicies/t", 500, "INTERNAL"});
  world.Pass();
  EXPECT_EQ(world.Status("fine"), "Ready ReconciliationSucceeded");
  EXPECT_EQ(world.Status("m"), "Reconciling ProgressingWithRetry");
}

TEST_F(EngineFailure, AServiceThatStoresSomethingElseIsNotFoughtWith) {
  // Both spellings are one to us, so this is no difference at all.
  world.cloud->AddTarget(EngineWorld::TargetName("t"),
                         R"([{"role":"roles/viewer","members":["user:ANA@Example.com"]}])");
  world.Pass();
  world.NextInterval();
  EXPECT_EQ(world.Writes(), 0);
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
}

}  // namespace
}  // namespace bindery::controller
