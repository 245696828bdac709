#include "controller/calls/project_questions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery::controller {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;
using Outcome = ProjectQuestions::Outcome;

const ProjectNames::Question kQuestion{"p", "123"};

class ProjectQuestionsTest : public ::testing::Test {
 protected:
  ProjectQuestionsTest() {
    names.BeginScan();
    names.NoteName("p", "projects/123/locations/global/things/t");
    (void)names.Canonical("p", "projects/123/locations/global/things/t");
  }
  auto Due() { return questions.TakeDue(connections, 30s, now); }

  ProjectNames names;
  ProjectQuestions questions{names};
  ProjectQuestions::Connections connections{{"p", std::make_shared<cloud::Connection>()}};
  Now now{MonoTime(1h), WallTime(std::chrono::hours(500'000))};
};

TEST_F(ProjectQuestionsTest, AreAskedOnce) {
  EXPECT_FALSE(questions.any_under_way());
  const auto due = Due();
  ASSERT_THAT(due.ask, SizeIs(1));
  EXPECT_EQ(due.ask[0].question.number, "123");
  EXPECT_TRUE(questions.any_under_way());
  EXPECT_THAT(Due().ask, IsEmpty());
  EXPECT_EQ(questions.Answered(kQuestion, reconcilers::ProjectIdentity{"acme", "123"}, now),
            Outcome::kKnown);
  EXPECT_FALSE(questions.any_under_way());
}

TEST_F(ProjectQuestionsTest, WithoutAnAnswerAreAskedAgainAfterHalfAMinute) {
  (void)Due();
  const Expected<reconcilers::ProjectIdentity> away = Fail(Code::kUnavailable, "away");
  EXPECT_EQ(questions.Answered(kQuestion, away, now), Outcome::kLater);
  EXPECT_EQ(questions.due(), now.mono + 30s);
  now.mono += 29s;
  EXPECT_THAT(Due().ask, IsEmpty());
  now.mono += 1s;
  EXPECT_THAT(Due().ask, SizeIs(1));
  EXPECT_FALSE(questions.due());
}

TEST_F(ProjectQuestionsTest, ThatTheServiceRefusesAreGivenUp) {
  (void)Due();
  const Expected<reconcilers::ProjectIdentity> refused = Fail(Code::kPermissionDenied, "no");
  EXPECT_EQ(questions.Answered(kQuestion, refused, now), Outcome::kGivenUp);
  EXPECT_TRUE(names.HasGivenUp());
  const Event event = ProjectQuestions::GivenUpEvent(kQuestion, refused.error(), now);
  EXPECT_EQ(event.reason, "ProjectUnknown");
  EXPECT_EQ(event.target, "projects/123");
}

TEST_F(ProjectQuestionsTest, ForTheNumberOfAnIdAreAskedOnceAndKeepNobodyWaiting) {
  ProjectNames by_id;
  ProjectQuestions asking(by_id);
  const std::string policy = "projects/acme/topics/t";
  by_id.WantNumber("p", policy);
  by_id.WantNumber("p", "projects/_/buckets/b");
  EXPECT_FALSE(by_id.waits());
  const auto due = asking.TakeDue(connections, 1s, now);
  ASSERT_THAT(due.ask, SizeIs(1));
  EXPECT_EQ(due.ask[0].question.number, "acme");
  by_id.WantNumber("p", policy);
  EXPECT_THAT(asking.TakeDue(connections, 1s, now).ask, IsEmpty());
  const Expected<reconcilers::ProjectIdentity> refused = Fail(Code::kPermissionDenied, "no");
  EXPECT_EQ(asking.Answered(due.ask[0].question, refused, now), Outcome::kGivenUp);
  EXPECT_TRUE(by_id.RefusesNumber(policy));
  EXPECT_FALSE(by_id.HasGivenUp()) << "no manifest is in doubt";
  by_id.Learn("123", "acme");
  EXPECT_EQ(by_id.GetNumber(policy), "123");
  EXPECT_FALSE(by_id.RefusesNumber(policy));
}

TEST_F(ProjectQuestionsTest, ToAProviderThatDoesNotExistAreGivenUp) {
  connections.clear();
  const auto due = Due();
  EXPECT_THAT(due.ask, IsEmpty());
  EXPECT_TRUE(due.gave_up);
  EXPECT_FALSE(questions.any_under_way());
}

}  // namespace
}  // namespace bindery::controller
