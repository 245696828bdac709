#include "controller/removals/awaiting_evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using ::testing::ElementsAre;
using testing::EngineWorld;
using ::testing::IsEmpty;
using testing::kViewer;
using ::testing::SizeIs;
using namespace std::chrono_literals;

/// A manifest whose members have just become fewer, in a directory that has not settled.
class AwaitingEvidenceTest : public ::testing::Test {
 protected:
  AwaitingEvidenceTest() {
    world.settings.settle = 5s;
    world.Configure();
    world.cloud->AddTarget(EngineWorld::TargetName("t"));
    world.Declare("m", "t", kViewer, {"user:ana@example.com", "user:bob@example.com"});
    world.Pass();
    world.Advance(1min);
    world.Scan();
    world.Advance(1min);
    world.Declare("m", "t", kViewer, {"user:ana@example.com"});
    world.Scan();
  }
  TargetEntry& Entry() {
    return *catalog.claims().FindTarget(catalog.claims().FindResource("m")->place.target);
  }
  /// Work whose plan removes Bob.
  TargetUnderWork Work() {
    TargetUnderWork work;
    work.job = std::make_shared<CheckJob>(catalog.treatments().MakeJob(Entry()));
    work.reading.desired = MakeDesired(*work.job);
    work.plan = reconcilers::ComposePlan({}, {{kViewer, "user:bob@example.com"}});
    return work;
  }

  EngineWorld world;
  Catalog& catalog = world.engine->catalog();
  AwaitingEvidence withheld{catalog};
};

TEST_F(AwaitingEvidenceTest, ARemovalLeavesThePlanWhileTheDirectorySettles) {
  TargetUnderWork work = Work();
  withheld.Weigh(Entry(), work, /*oscillates=*/false, world.now);
  EXPECT_THAT(work.plan.removes(), IsEmpty());
  ASSERT_THAT(work.plan.changes, SizeIs(1));
  EXPECT_TRUE(work.plan.changes[0].IsStoppedBy(reconcilers::Gate::kEvidence));
  EXPECT_EQ(work.plan.changes[0].reason.code, reconcilers::ReasonCode::kEvidencePending);
  EXPECT_EQ(work.awaits_evidence.at("m").answer, EvidenceAnswer::kPending);
  EXPECT_EQ(withheld.Summarise().pending, 1U);
  EXPECT_TRUE(withheld.NextLook(world.now));
}

TEST_F(AwaitingEvidenceTest, OnceItIsAllowedItsTargetIsReadAgain) {
  TargetUnderWork work = Work();
  withheld.Weigh(Entry(), work, /*oscillates=*/false, world.now);
  EXPECT_THAT(withheld.TakeChanged(world.now), IsEmpty());
  catalog.ages().WaiveSettling("m");
  EXPECT_THAT(withheld.TakeChanged(world.now), ElementsAre(Entry().target));
  EXPECT_THAT(withheld.TakeChanged(world.now), IsEmpty()) << "told once";
  work = Work();
  withheld.Weigh(Entry(), work, /*oscillates=*/false, world.now);
  EXPECT_THAT(work.plan.removes(), SizeIs(1));
  EXPECT_EQ(withheld.Summarise().pending, 0U);
}

TEST_F(AwaitingEvidenceTest, EveryGateOfTheStageIsAsked) {
  TargetUnderWork work = Work();
  work.plan = reconcilers::ComposePlan({{kViewer, "user:ana@example.com"}}, {});
  withheld.Weigh(Entry(), work, /*oscillates=*/true, world.now);
  ASSERT_THAT(work.plan.changes, SizeIs(1));
  EXPECT_TRUE(work.plan.changes[0].IsStoppedBy(reconcilers::Gate::kOscillation));
  EXPECT_FALSE(work.plan.writes());
}

TEST_F(AwaitingEvidenceTest, ARollbackIsNotWeighed) {
  TargetUnderWork work = Work();
  work.reading.desired.restore = Json::object();
  withheld.Weigh(Entry(), work, /*oscillates=*/false, world.now);
  EXPECT_THAT(work.plan.removes(), SizeIs(1)) << "an operator asked for exactly that policy";
}

}  // namespace
}  // namespace bindery::controller
