// The hours of the history: summed up, bounded, and whole after another start.

#include "fixture.h"
#include "store/ports/hour_store.h"

namespace bindery::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::IsOk;
using ::testing::SizeIs;
using testing::StoreTest;

constexpr WallTime kMidnight{std::chrono::sys_days(std::chrono::year(2026) / 11 / 21)};

WallTime Hour(int hours) { return kMidnight + std::chrono::hours(hours); }

HourRecord MakeRecord(int hours, std::int64_t open, std::int64_t counted) {
  HourRecord record;
  record.hour = Hour(hours);
  record.open = {open, open, open};
  record.undeclared = {2 * open, 2 * open, 2 * open};
  record.found = counted;
  record.writes = 2 * counted;
  record.errors = 3 * counted;
  record.calls = 4 * counted;
  return record;
}

class StoreHours : public StoreTest {
 protected:
  void Add(const HourRecord& record) {
    store().hours().AddToHour(record);
    EXPECT_THAT(store().Flush(), IsOk());
  }
  std::vector<HourRecord> All() {
    return Value(store().hours().Hours(Hour(-100'000), Hour(100'000)));
  }
};

TEST_F(StoreHours, CountsAreSummedUpAndRangesWidened) {
  Add(MakeRecord(1, 5, 1));
  Add(MakeRecord(1, 0, 0));
  Add(MakeRecord(1, 3, 10));
  HourRecord expected = MakeRecord(1, 0, 11);
  expected.open = {0, 5, 3};
  expected.undeclared = {0, 10, 6};
  EXPECT_THAT(All(), ElementsAre(expected));
}

TEST_F(StoreHours, AnotherStartGoesOnInTheSameHour) {
  Add(MakeRecord(1, 5, 1));
  Reopen();
  Add(MakeRecord(1, 5, 2));
  Add(MakeRecord(2, 0, 1));
  EXPECT_THAT(All(), ElementsAre(MakeRecord(1, 5, 3), MakeRecord(2, 0, 1)));
}

TEST_F(StoreHours, AreReadWithinATimeWithItsEnds) {
  for (int hour = 0; hour < 5; ++hour) Add(MakeRecord(hour, 0, 1));
  EXPECT_THAT(Value(store().hours().Hours(Hour(1), Hour(3))),
              ElementsAre(MakeRecord(1, 0, 1), MakeRecord(2, 0, 1), MakeRecord(3, 0, 1)));
  EXPECT_THAT(Value(store().hours().Hours(Hour(7), Hour(9))), IsEmpty());
}

TEST_F(StoreHours, AClockThatIsSetBackAddsToTheHourOfThen) {
  Add(MakeRecord(5, 0, 1));
  Add(MakeRecord(3, 0, 1));
  Add(MakeRecord(3, 0, 1));
  EXPECT_THAT(All(), ElementsAre(MakeRecord(3, 0, 2), MakeRecord(5, 0, 1)));
}

TEST_F(StoreHours, TheNearestStayWhenThereAreTooMany) {
  constexpr int kYear = 365 * 24;
  constexpr int kMost = HourStore::kMostHours;
  // As left by a clock that was a year ahead, and was set right.
  for (int hour = 0; hour < 30; ++hour) store().hours().AddToHour(MakeRecord(kYear + hour, 0, 1));
  for (int hour = 0; hour < kMost; ++hour) store().hours().AddToHour(MakeRecord(hour, 0, 1));
  ASSERT_THAT(store().Flush(), IsOk());
  const auto hours = All();
  ASSERT_THAT(hours, SizeIs(kMost));
  EXPECT_EQ(hours.front().hour, Hour(0));
  EXPECT_EQ(hours.back().hour, Hour(kMost - 1));
  Add(MakeRecord(kMost, 0, 1));
  EXPECT_EQ(All().front().hour, Hour(1));
}

TEST_F(StoreHours, AStoreThatIsOnlyReadTakesNone) {
  Add(MakeRecord(1, 5, 1));
  const auto reader = OpenStore(location_, StoreAccess::kReadOnly, clock_);
  ASSERT_THAT(reader, IsOk());
  (*reader)->hours().AddToHour(MakeRecord(1, 5, 1));
  EXPECT_THAT(Value((*reader)->hours().Hours(Hour(0), Hour(9))), ElementsAre(MakeRecord(1, 5, 1)));
}

}  // namespace
}  // namespace bindery::store
