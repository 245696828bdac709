// Groups whose members a service tells: nested, in circles, cut off, refused, and for how long
// answers are kept.

#include "access/known_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "support/fake_clock.h"
#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::access {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Tells what the test puts in, and counts the questions.
class FakeDirectory final : public providers::GroupDirectory {
 public:
  [[nodiscard]] std::string_view name() const override { return "The Directory"; }
  [[nodiscard]] std::string_view needs() const override { return "a permission"; }
  [[nodiscard]] Expected<providers::DirectMembers> Read(
      const cloud::Connection& /*connection*/, const std::string& group,
      providers::GroupBudget& budget) const override {
    --budget.calls;
    asked.push_back(group);
    const auto found = groups.find(group);
    if (found == groups.end()) return Fail(Code::kPermissionDenied, "no, or no such group");
    return found->second;
  }

  std::map<std::string, Expected<providers::DirectMembers>> groups;
  mutable std::vector<std::string> asked;
};

class KnownGroupsTest : public ::testing::Test {
 protected:
  std::shared_ptr<GroupAsker> Asker() {
    return std::make_shared<GroupAsker>(
        std::vector<GroupAsker::Service>{
            {&directory_, [] { return std::make_shared<const cloud::Connection>(); },
             std::chrono::minutes(10)}},
        clock_);
  }
  std::vector<std::string> Members(KnownGroups& groups, const std::string& group) {
    const KnownMembers* known = groups.FindMembers(group);
    return known == nullptr ? std::vector<std::string>{"unknown"} : known->members;
  }

  FakeDirectory directory_;
  testing::FakeClock clock_;
};

TEST_F(KnownGroupsTest, MembersOfGroupsInsideAreMembersAndCirclesEnd) {
  directory_.groups = {
      {"eng@x.y", providers::DirectMembers{{"user:ana@x.y", "group:leads@x.y", "group:ops@x.y"}}},
      {"leads@x.y", providers::DirectMembers{{"user:lea@x.y", "group:eng@x.y", "user:ANA@x.y"}}},
      {"ops@x.y", providers::DirectMembers{{"serviceAccount:robot@p.iam.gserviceaccount.com"}}}};
  KnownGroups groups(nullptr, Asker());
  EXPECT_THAT(Members(groups, "group:Eng@x.y"),
              ElementsAre("user:ana@x.y", "user:lea@x.y",
                          "serviceAccount:robot@p.iam.gserviceaccount.com"));
  EXPECT_THAT(groups.FindMembers("group:eng@x.y")->groups,
              ElementsAre("group:leads@x.y", "group:ops@x.y"));
  EXPECT_THAT(groups.FindMembers("group:eng@x.y")->origin, HasSubstr("The Directory at 20"));
  EXPECT_THAT(groups.Gaps(), IsEmpty());
  EXPECT_THAT(directory_.asked, SizeIs(3)) << "each group once";
  EXPECT_EQ(groups.FindMembers("user:ana@x.y"), nullptr);
  EXPECT_EQ(groups.FindMembers("domain:x.y"), nullptr);
}

TEST_F(KnownGroupsTest, WhatIsRefusedOrCutOffStandsForItselfAndIsSaid) {
  directory_.groups = {
      {"eng@x.y",
       providers::DirectMembers{{"user:ana@x.y", "group:secret@x.y", "group:large@x.y"}}},
      {"large@x.y", providers::DirectMembers{{"user:lea@x.y"}, "the list is too long"}}};
  KnownGroups groups(nullptr, Asker());
  EXPECT_THAT(Members(groups, "group:eng@x.y"),
              ElementsAre("user:ana@x.y", "group:secret@x.y", "group:large@x.y", "user:lea@x.y"));
  EXPECT_THAT(groups.FindMembers("group:eng@x.y")->groups, IsEmpty())
      << "these stand for themselves";
  EXPECT_EQ(groups.FindMembers("group:secret@x.y"), nullptr);
  EXPECT_THAT(groups.DescribeGap("group:secret@x.y"),
              HasSubstr("The Directory: PERMISSION_DENIED"));
  EXPECT_EQ(groups.DescribeGap("group:eng@x.y"), "");
  EXPECT_THAT(groups.Gaps(), ElementsAre("members of group:large@x.y: the list is too long",
                                         HasSubstr("members of group:secret@x.y: The Directory")));
}

TEST_F(KnownGroupsTest, GroupsAreFollowedToALimitOfDepth) {
  constexpr int kLevels = 15;
  for (int i = 0; i < kLevels; ++i) {
    const std::string next = "group:g" + std::to_string(i + 1) + "@x.y";
    directory_.groups.emplace("g" + std::to_string(i) + "@x.y", providers::DirectMembers{{next}});
  }
  KnownGroups groups(nullptr, Asker());
  EXPECT_THAT(Members(groups, "group:g0@x.y"), ElementsAre("group:g10@x.y"));
  EXPECT_THAT(groups.Gaps(), ElementsAre(HasSubstr("group:g10@x.y: not asked: nested too deeply")));
}

TEST_F(KnownGroupsTest, AServiceThatIsAwayOrAtItsQuotaIsAskedOnceInAQuestion) {
  for (const Code code : {Code::kUnavailable, Code::kResourceExhausted, Code::kUnauthenticated}) {
    directory_.asked.clear();
    directory_.groups = {{"a@x.y", Fail(code, "not now")}};
    const auto asker = Asker();
    KnownGroups groups(nullptr, asker);
    EXPECT_EQ(groups.FindMembers("group:a@x.y"), nullptr);
    EXPECT_EQ(groups.FindMembers("group:b@x.y"), nullptr);
    EXPECT_THAT(directory_.asked, ElementsAre("a@x.y"));
    EXPECT_THAT(groups.DescribeGap("group:b@x.y"), HasSubstr("not asked after The Directory: "));
    directory_.groups = {{"a@x.y", providers::DirectMembers{{"user:ana@x.y"}}}};
    KnownGroups next(nullptr, asker);
    EXPECT_THAT(Members(next, "group:a@x.y"), ElementsAre("user:ana@x.y")) << "not kept";
  }
}

TEST_F(KnownGroupsTest, OneQuestionAsksALimitedNumberOfTimes) {
  KnownGroups groups(nullptr, Asker());
  const std::size_t limit = providers::GroupBudget().calls;
  for (std::size_t i = 0; i < limit + 5; ++i) {
    EXPECT_EQ(groups.FindMembers("group:g" + std::to_string(i) + "@x.y"), nullptr);
  }
  EXPECT_THAT(directory_.asked, SizeIs(limit));
  EXPECT_THAT(groups.DescribeGap("group:g" + std::to_string(limit) + "@x.y"),
              HasSubstr("a limited number of groups"));
  EXPECT_THAT(groups.Gaps(), SizeIs(11));
  EXPECT_THAT(groups.Gaps().back(), HasSubstr("more groups"));
}

TEST_F(KnownGroupsTest, AnswersAreKeptForTheirTimeAndRefusalsForAMinute) {
  directory_.groups = {{"a@x.y", providers::DirectMembers{{"user:ana@x.y"}}}};
  const auto asker = Asker();
  const auto ask = [&](const std::string& group) {
    KnownGroups groups(nullptr, asker);
    return Members(groups, group);
  };
  ask("group:a@x.y");
  ask("group:no@x.y");
  directory_.groups = {{"a@x.y", providers::DirectMembers{{"user:eve@x.y"}}},
                       {"no@x.y", providers::DirectMembers{{"user:eve@x.y"}}}};
  clock_.Pass(std::chrono::seconds(61));
  EXPECT_THAT(ask("group:a@x.y"), ElementsAre("user:ana@x.y"));
  EXPECT_THAT(ask("group:no@x.y"), ElementsAre("user:eve@x.y"));
  clock_.Pass(std::chrono::minutes(10));
  EXPECT_THAT(ask("group:a@x.y"), ElementsAre("user:eve@x.y"));
}

TEST_F(KnownGroupsTest, AnAnswerInThePlaceOfAnOldOneTakesNoRoomOfOthers) {
  // A list that is cut off is read again each minute, and fills nearly half of the room.
  providers::DirectMembers many{std::vector<std::string>(400'000, "user:ana@x.y"),
                                "the list is cut off"};
  directory_.groups = {{"many@x.y", many}, {"few@x.y", providers::DirectMembers{{"user:eve@x.y"}}}};
  const auto asker = Asker();
  const auto read = [&](const std::string& group) {
    providers::GroupBudget budget;
    std::ignore = asker->Read(group, budget);
  };
  read("group:few@x.y");
  for (int minute = 0; minute < 4; ++minute) {
    read("group:many@x.y");
    clock_.Pass(std::chrono::seconds(61));
  }
  directory_.asked.clear();
  read("group:few@x.y");
  EXPECT_THAT(directory_.asked, IsEmpty());
}

TEST_F(KnownGroupsTest, FilesComeBeforeTheService) {
  const testing::TempDir dir;
  dir.Write("g.yaml", R"(
groups:
  eng@x.y: ["user:ana@x.y", "group:Leads@x.y", "group:far@x.y"]
  leads@x.y: ["group:far@x.y"]
)");
  auto files = GroupMembers::Read({dir / "g.yaml"});
  ASSERT_THAT(files, testing::IsOk());
  directory_.groups = {{"far@x.y", providers::DirectMembers{{"user:fay@x.y", "group:leads@x.y"}}}};
  KnownGroups groups(std::make_shared<const GroupMembers>(*std::move(files)), Asker());
  EXPECT_THAT(Members(groups, "group:eng@x.y"), ElementsAre("user:ana@x.y", "user:fay@x.y"));
  EXPECT_THAT(directory_.asked, ElementsAre("far@x.y"));
  EXPECT_THAT(groups.FindMembers("group:eng@x.y")->groups,
              ElementsAre("group:leads@x.y", "group:far@x.y"));
  EXPECT_THAT(groups.FindMembers("group:eng@x.y")->origin,
              HasSubstr("a list of groups and The Directory at "));
}

}  // namespace
}  // namespace bindery::access
