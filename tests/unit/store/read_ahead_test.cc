#include "store/tables/read_ahead.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "support/matchers.h"

namespace bindery::store {
namespace {

using ::bindery::testing::FailsWith;
using ::bindery::testing::IsOk;
using ::testing::ElementsAre;

/// Gives 0, 1, … as records.
std::function<Expected<void>(const NextRecord<int>&)> Counting(int most) {
  return [most](const NextRecord<int>& next) -> Expected<void> {
    for (int i = 0; i < most; ++i) next() = i;
    return {};
  };
}

class ReadAheadOf : public ::testing::TestWithParam<int> {};

TEST_P(ReadAheadOf, GivesEachRecordOnceAndInOrder) {
  std::vector<int> taken;
  const auto own = std::this_thread::get_id();
  ASSERT_THAT(ReadAhead<int>(Counting(GetParam()),
                             [&](int&& record) {
                               EXPECT_EQ(std::this_thread::get_id(), own);
                               taken.push_back(record);
                             }),
              IsOk());
  std::vector<int> all(static_cast<std::size_t>(GetParam()));
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(taken, all);
}

INSTANTIATE_TEST_SUITE_P(Counts, ReadAheadOf, ::testing::Values(0, 1, 256, 257, 1024, 1025, 5000));

TEST(ReadAhead, FailsAsTheReadingDoesAfterWhatCameBefore) {
  std::vector<int> taken;
  const auto result = ReadAhead<int>(
      [](const NextRecord<int>& next) -> Expected<void> {
        next() = 1;
        next() = 2;
        next();  // Half read.
        return Fail(Code::kInternal, "it is damaged");
      },
      [&](int&& record) { taken.push_back(record); });
  EXPECT_THAT(result, FailsWith(Code::kInternal, "it is damaged"));
  EXPECT_THAT(taken, ElementsAre(1, 2));
}

TEST(ReadAhead, EndsTheReadingWhenTakingFails) {
  EXPECT_THROW(std::ignore = ReadAhead<int>(Counting(100'000),
                                            [](int&&) { throw std::runtime_error("no memory"); }),
               std::runtime_error);
}

using Next = NextRecord<int>;

/// Takes both kinds, the second as negative numbers.
Expected<void> TakeBoth(const std::function<Expected<void>(const Next&, const Next&)>& read,
                        std::vector<int>& taken) {
  return ReadBothAhead<int, int>(
      read, [&](int&& record) { taken.push_back(record); },
      [&](int&& record) { taken.push_back(-record); });
}

TEST(ReadBothAhead, GivesAllOfTheFirstThenAllOfTheSecond) {
  for (const int count : {0, 1, 256, 1025}) {
    std::vector<int> taken;
    const auto read = [&](const Next& first, const Next& second) -> Expected<void> {
      for (int i = 1; i <= count; ++i) first() = i;
      for (int i = 1; i <= count; ++i) second() = i;
      return {};
    };
    ASSERT_THAT(TakeBoth(read, taken), IsOk());
    std::vector<int> all;
    for (int i = 1; i <= count; ++i) all.push_back(i);
    for (int i = 1; i <= count; ++i) all.push_back(-i);
    EXPECT_EQ(taken, all);
  }
}

TEST(ReadBothAhead, EitherMayBeMissing) {
  std::vector<int> taken;
  const auto none = [](const Next&, const Next&) -> Expected<void> { return {}; };
  ASSERT_THAT(TakeBoth(none, taken), IsOk());
  const auto second = [](const Next&, const Next& next) -> Expected<void> {
    next() = 1;
    return {};
  };
  ASSERT_THAT(TakeBoth(second, taken), IsOk());
  const auto first = [](const Next& next, const Next&) -> Expected<void> {
    next() = 2;
    return {};
  };
  ASSERT_THAT(TakeBoth(first, taken), IsOk());
  EXPECT_THAT(taken, ElementsAre(-1, 2));
}

TEST(ReadBothAhead, FailsAsTheReadingDoesAfterWhatCameBefore) {
  for (const bool in_first : {true, false}) {
    std::vector<int> taken;
    const auto read = [&](const Next& first, const Next& second) -> Expected<void> {
      first() = 1;
      if (!in_first) second() = 2;
      (in_first ? first : second)();  // Half read.
      return Fail(Code::kInternal, "it is damaged");
    };
    EXPECT_THAT(TakeBoth(read, taken), FailsWith(Code::kInternal, "it is damaged"));
    EXPECT_EQ(taken, in_first ? std::vector{1} : (std::vector{1, -2}));
  }
}

TEST(ReadBothAhead, EndsTheReadingWhenTakingFails) {
  const auto read = [](const Next& first, const Next& second) -> Expected<void> {
    for (int i = 0; i < 100'000; ++i) first() = i;
    for (int i = 0; i < 100'000; ++i) second() = i;
    return {};
  };
  const auto fail = [](int&&) { throw std::runtime_error("no memory"); };
  EXPECT_THROW(std::ignore = (ReadBothAhead<int, int>(read, fail, fail)), std::runtime_error);
}

TEST(ReadAhead, LeavesRecordsTheirRoom) {
  std::size_t kept = 0;
  ASSERT_THAT(ReadAhead<std::string>(
                  [&](const NextRecord<std::string>& next) -> Expected<void> {
                    for (int i = 0; i < 5000; ++i) {
                      std::string& record = next();
                      if (record.capacity() >= 100) ++kept;
                      record.assign(100, 'x');
                    }
                    return {};
                  },
                  [](std::string&& record) { EXPECT_EQ(record.size(), 100U); }),
              IsOk());
  EXPECT_GT(kept, 3000U);
}

}  // namespace
}  // namespace bindery::store
