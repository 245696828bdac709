// Which of several additions a service refuses is found out with few writes, whatever it says.

#include "controller/watch/refusal_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "unit/controller/refused_writer.h"

namespace bindery::controller {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::Not;
using testing::RefusedWriter;
using testing::RefusesNames;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

using Names = std::vector<std::string>;

Names AllBut(int n, const Names& bad) {
  std::set<std::string> names;
  for (int i = 0; i < n; ++i) names.insert("a" + std::to_string(i));
  for (const std::string& name : bad) names.erase(name);
  return {names.begin(), names.end()};
}

struct SearchCase {
  const char* name;
  int additions;
  Names bad;
  bool named;
  int writes;  ///< Of the first pass.
};

class RefusalSearchTest : public ::testing::TestWithParam<SearchCase> {};

TEST_P(RefusalSearchTest, FindsWhatIsRefusedAndWritesTheRest) {
  const SearchCase& param = GetParam();
  RefusedWriter writer(RefusesNames(param.bad, param.named));
  writer.Declare(param.additions);
  EXPECT_EQ(writer.Pass(), param.writes);
  EXPECT_EQ(writer.Stored(), AllBut(param.additions, param.bad));
  EXPECT_THAT(writer.LeftOut(LeftOutAs::kRefused), ::testing::UnorderedElementsAreArray(param.bad));
  EXPECT_EQ(writer.Pass(), 0) << "it is known by now";
}

/// With removals in the write it takes two writes more: without additions, and with them again.
TEST_P(RefusalSearchTest, RemovalsGoNextThatNeedNoneOfIt) {
  const SearchCase& param = GetParam();
  RefusedWriter writer(RefusesNames(param.bad, param.named));
  writer.Declare(param.additions);
  writer.Put("leaver");
  writer.Remove("leaver");
  const int round = RefusalMemory::GetRound(static_cast<std::size_t>(param.additions));
  EXPECT_LE(writer.Pass(), std::min(param.writes + 2, round));
  EXPECT_FALSE(std::ranges::count(writer.Stored(), "leaver"));
  writer.Wait(RefusalMemory::kSearchWait);
  writer.Pass();
  EXPECT_EQ(writer.Stored(), AllBut(param.additions, param.bad));
}

INSTANTIATE_TEST_SUITE_P(Additions, RefusalSearchTest,
                         ::testing::Values(SearchCase{"TheOnlyOne", 1, {"a0"}, false, 1},
                                           SearchCase{"TheOnlyOneNamed", 1, {"a0"}, true, 1},
                                           SearchCase{"TheFirstOfTwo", 2, {"a0"}, false, 3},
                                           SearchCase{"TheLastOfTwo", 2, {"a1"}, false, 3},
                                           SearchCase{"BothOfTwo", 2, {"a0", "a1"}, false, 3},
                                           SearchCase{"TheFirst", 8, {"a0"}, false, 5},
                                           SearchCase{"OneInTheMiddle", 8, {"a4"}, false, 5},
                                           SearchCase{"TheLast", 8, {"a7"}, false, 5},
                                           SearchCase{"TheFirstNamed", 8, {"a0"}, true, 2},
                                           SearchCase{"TwoSideBySide", 8, {"a2", "a3"}, false, 9},
                                           SearchCase{"TwoNamed", 8, {"a0", "a7"}, true, 3},
                                           SearchCase{"AllNamed", 6, AllBut(6, {}), true, 6},
                                           SearchCase{"OneOfMany", 300, {"a222"}, false, 11}),
                         [](const auto& param) { return std::string(param.param.name); });

TEST(RefusalMemory, AnySingleOneIsFoundWithinOneRound) {
  for (int n = 1; n <= 40; ++n) {
    for (int bad = 0; bad < n; ++bad) {
      RefusedWriter writer(RefusesNames({"a" + std::to_string(bad)}, false));
      writer.Declare(n);
      writer.Put("leaver");
      writer.Remove("leaver");
      ASSERT_LE(writer.Pass(), RefusalMemory::GetRound(static_cast<std::size_t>(n)))
          << n << " " << bad;
      ASSERT_EQ(writer.Stored(), AllBut(n, {"a" + std::to_string(bad)})) << n << " " << bad;
    }
  }
}

TEST(RefusalMemory, ManyAreFoundOverSeveralRoundsOfBoundedLength) {
  Names bad;
  for (int i = 0; i < 64; i += 7) bad.push_back("a" + std::to_string(i));
  RefusedWriter writer(RefusesNames(bad, false));
  writer.Declare(64);
  writer.Put("leaver");
  writer.Remove("leaver");
  int rounds = 0;
  for (; writer.Stored() != AllBut(64, bad) && rounds < 40; ++rounds) {
    ASSERT_LE(writer.Pass(), RefusalMemory::GetRound(64) + 1);
    EXPECT_FALSE(std::ranges::count(writer.Stored(), "leaver")) << "removals need no addition";
    writer.Wait(minutes(1));
  }
  EXPECT_THAT(rounds, Le(10));
}

TEST(RefusalMemory, RemovalsGoAtOnceThoughAllAdditionsAreRefused) {
  for (const bool named : {false, true}) {
    RefusedWriter writer(RefusesNames(AllBut(200, {}), named));
    writer.Declare(200);
    writer.Put("leaver");
    writer.Remove("leaver");
    EXPECT_LE(writer.Pass(), RefusalMemory::GetRound(200) + 1);
    EXPECT_THAT(writer.Stored(), IsEmpty());
  }
}

TEST(RefusalMemory, AServiceThatRefusesEverythingIsAskedEverLessOften) {
  RefusedWriter writer(RefusesNames(AllBut(20, {}), false));
  writer.Declare(20);
  int writes = 0;
  for (const MonoTime end = writer.now + hours(24); writer.now < end; writer.WaitForNextTry()) {
    writes += writer.Pass();
  }
  EXPECT_LE(writes, 20 * 12) << "a grant takes some to be found, and is tried again rarely";
}

TEST(RefusalMemory, WhatFitsIntoAQuotaIsWritten) {
  RefusedWriter writer(
      [](const std::set<std::string>& policy) -> std::optional<RefusedWriter::Fault> {
        if (policy.size() <= 20) return std::nullopt;
        return RefusedWriter::Fault{"the number of members (" + std::to_string(policy.size()) +
                                    ") is larger than 20"};
      });
  writer.Declare(30);
  writer.Pass();
  EXPECT_EQ(writer.Stored().size(), 20U);
}

/// Policies of at most three principals.
std::optional<RefusedWriter::Fault> RefusesMoreThanThree(const std::set<std::string>& policy) {
  if (policy.size() <= 3) return std::nullopt;
  return RefusedWriter::Fault{"The number of members in the policy (4) is larger than 3."};
}

TEST(RefusalMemory, ARemovalThatMakesRoomIsFollowedByWhatDidNotFit) {
  RefusedWriter writer(RefusesMoreThanThree);
  for (const char* name : {"b0", "b1", "leaver"}) writer.Put(name);
  writer.Declare(1);
  writer.Pass();
  EXPECT_THAT(writer.Stored(), ElementsAre("b0", "b1", "leaver"));
  // The removal was not settled before.
  writer.Remove("leaver");
  EXPECT_EQ(writer.Pass(), 2) << "the removal, and the addition that fits by now";
  EXPECT_THAT(writer.Stored(), ElementsAre("a0", "b0", "b1"));
}

TEST(RefusalMemory, ARemovalThatMakesRoomIsFollowedByASearchThatPaused) {
  RefusedWriter writer(RefusesMoreThanThree);
  for (const char* name : {"b0", "leaver0", "leaver1"}) writer.Put(name);
  writer.Declare(20);
  writer.Pass();
  ASSERT_THAT(writer.Stored(), ElementsAre("b0", "leaver0", "leaver1"));
  for (const char* name : {"leaver0", "leaver1"}) writer.Remove(name);
  writer.Pass();
  EXPECT_THAT(writer.Stored(), AllOf(SizeIs(3), Contains("b0"), Not(Contains("leaver0"))));
}

TEST(RefusalMemory, ARemovalIsNoReasonToTryWhatIsRefusedForOtherReasons) {
  RefusedWriter writer(RefusesNames({"a0"}, true));
  writer.Declare(1);
  writer.Pass();
  writer.Put("foreign");
  writer.Remove("foreign");
  EXPECT_EQ(writer.Pass(), 1) << "the removal";
}

TEST(RefusalMemory, AGrantIsTriedAgainAfterTwiceTheTimeEachAndWhenItsManifestChanges) {
  RefusedWriter writer(RefusesNames({"a0"}, true));
  writer.Declare(2);
  EXPECT_EQ(writer.Pass(), 2);
  std::vector<std::int64_t> waits;
  for (int i = 0; i < 9; ++i) {
    waits.push_back(std::chrono::duration_cast<minutes>(writer.WaitForNextTry()).count());
    EXPECT_EQ(writer.Pass(), 1);
  }
  EXPECT_THAT(waits, ElementsAre(10, 20, 40, 80, 160, 320, 640, 720, 720));
  writer.manifests = "2";
  EXPECT_EQ(writer.Pass(), 1);
  writer.memory.MakeDue();
  EXPECT_EQ(writer.Pass(), 1) << "somebody asks for it";
}

TEST(RefusalMemory, WhatTheServiceTakesByNowIsWrittenAndForgotten) {
  bool refuses = true;
  RefusedWriter writer(
      [&refuses](const std::set<std::string>& policy) -> std::optional<RefusedWriter::Fault> {
        if (!refuses || !policy.contains("a1")) return std::nullopt;
        return RefusedWriter::Fault{"no such user", "a1"};
      });
  writer.Declare(2);
  writer.Pass();
  refuses = false;
  EXPECT_EQ(writer.Pass(), 0);
  writer.Wait(RefusalMemory::kFirstWait);
  EXPECT_EQ(writer.Pass(), 1);
  EXPECT_THAT(writer.Stored(), ElementsAre("a0", "a1"));
  EXPECT_TRUE(writer.memory.empty());
}

TEST(RefusalMemory, ARefusalThatPassesIsTriedAgainForMinutes) {
  RefusedWriter writer(
      [](const std::set<std::string>& policy) -> std::optional<RefusedWriter::Fault> {
        if (!policy.contains("a0")) return std::nullopt;
        return RefusedWriter::Fault{"Service account a0 does not exist", "a0", /*passes=*/true};
      });
  writer.Declare(2);
  writer.Pass();
  EXPECT_THAT(writer.LeftOut(LeftOutAs::kNew), ElementsAre("a0"));
  EXPECT_EQ(writer.memory.NextTry(), writer.now + seconds(15));
  int writes = 0;
  for (int i = 0; i < 240; ++i) {
    writer.Wait(seconds(15));
    writes += writer.Pass();
  }
  EXPECT_THAT(writes, Le(45)) << "four a minute for ten minutes, and three more in the hour";
  EXPECT_THAT(writer.LeftOut(LeftOutAs::kRefused), ElementsAre("a0"));
}

TEST(RefusalMemory, WhatWasThereBeforeIsNoAdditionsFault) {
  for (const bool named : {false, true}) {
    RefusedWriter writer(
        [named](const std::set<std::string>& policy) -> std::optional<RefusedWriter::Fault> {
          if (!policy.contains("foreign")) return std::nullopt;
          return RefusedWriter::Fault{"is not valid", named ? "foreign" : ""};
        });
    writer.Put("foreign");
    writer.Put("leaver");
    writer.Remove("leaver");
    writer.Declare(5);
    EXPECT_LE(writer.Pass(), 2);
    EXPECT_EQ(writer.verdict, RefusalMemory::Verdict::kPolicy);
    EXPECT_TRUE(writer.memory.empty()) << "no addition is blamed";
  }
}

TEST(RefusalMemory, SomebodyElsesNameIsNoAdditionsFaultUnlessOthersAreAccepted) {
  RefusedWriter all([](const std::set<std::string>& /*policy*/) {
    return std::optional<RefusedWriter::Fault>({"no such user", "stranger"});
  });
  all.Declare(3);
  all.Pass();
  EXPECT_EQ(all.verdict, RefusalMemory::Verdict::kPolicy);
  EXPECT_TRUE(all.memory.empty());
  RefusedWriter one([](const std::set<std::string>& policy) -> std::optional<RefusedWriter::Fault> {
    if (!policy.contains("a1")) return std::nullopt;
    return RefusedWriter::Fault{"no such user", "stranger"};
  });
  one.Declare(3);
  one.Pass();
  EXPECT_THAT(one.Stored(), ElementsAre("a0", "a2"));
  EXPECT_THAT(one.LeftOut(LeftOutAs::kRefused), ElementsAre("a1"));
  one.Wait(RefusalMemory::kFirstWait);
  one.Pass();
  EXPECT_THAT(one.LeftOut(LeftOutAs::kRefused), ElementsAre("a1")) << "it is known";
}

TEST(RefusalMemory, APartThatNeedsAnotherIsNotBlamed) {
  // A policy without a2 locks its writer out.
  for (const bool restricts : {false, true}) {
    for (int n = 3; n < 12; ++n) {
      RefusedWriter writer(
          [](const std::set<std::string>& policy) -> std::optional<RefusedWriter::Fault> {
            if (policy.contains("a1")) return RefusedWriter::Fault{"one or more do not exist"};
            if (!policy.empty() && !policy.contains("a2"))
              return RefusedWriter::Fault{"cannot decrease"};
            return std::nullopt;
          });
      writer.restricts = restricts;
      writer.Declare(n);
      EXPECT_LE(writer.Pass(), RefusalMemory::GetRound(static_cast<std::size_t>(n)) + 1) << n;
      EXPECT_EQ(writer.Stored(), AllBut(n, {"a1"})) << n << " " << restricts;
    }
  }
}

TEST(RefusalMemory, OneThatIsLeftOutOfAPolicyThatRestrictsIsFoundWithoutAPartialPolicy) {
  std::vector<std::size_t> stored;
  RefusedWriter writer(
      [&stored](const std::set<std::string>& policy) -> std::optional<RefusedWriter::Fault> {
        if (policy.contains("a3")) return RefusedWriter::Fault{"one or more do not exist"};
        stored.push_back(policy.size());
        return std::nullopt;
      });
  writer.restricts = true;
  writer.Declare(5);
  writer.Pass();
  EXPECT_THAT(stored, ElementsAre(4U));
  EXPECT_THAT(writer.LeftOut(LeftOutAs::kRefused), ElementsAre("a3"));
}

TEST(RefusalMemory, RemovalsThatCannotGoAloneHoldUpNoSearch) {
  for (const bool restricts : {false, true}) {
    RefusedWriter writer(RefusesNames({"a1"}, false));
    writer.restricts = restricts;
    writer.may_be_empty = false;
    writer.Put("leaver");
    writer.Remove("leaver");
    writer.Declare(4);
    EXPECT_LE(writer.Pass(), RefusalMemory::GetRound(4));
    EXPECT_THAT(writer.Stored(), ElementsAre("a0", "a2", "a3"));
  }
}

TEST(RefusalMemory, NothingIsTriedByWhoOnlyForesees) {
  RefusedWriter writer(RefusesNames({"a0"}, true));
  writer.Declare(2);
  writer.Pass();
  writer.Wait(hours(100));
  writer.memory.StopTrying();
  EXPECT_EQ(writer.Pass(), 0);
  EXPECT_THAT(writer.LeftOut(LeftOutAs::kRefused), ElementsAre("a0"));
}

}  // namespace
}  // namespace bindery::controller
