// The hours of the history: summed up, bounded, and whole after another start.

#include "fixture.h"
#include "store/ports/hour_store.h"

namespace bindery {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::IsOk;
using ::testing::SizeIs;
using testing::StoreTest;

constexpr WallTime kMidnight{std::chrono::sys_days(std::chrono::year(2026) / 11 / 21)};

WallTime Hour(int hours) { return kMidnight + std::chrono::hours(hours); }

HourRecord RecordOf(int hours, std::int64_t open, std::int64_t counted) {
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
  Add(RecordOf(1, 5, 1));
  Add(RecordOf(1, 0, 0));
  Add(RecordOf(1, 3, 10));
  HourRecord expected = RecordOf(1, 0, 11);
  expected.open = {0, 5, 3};
  expected.undeclared = {0, 10, 6};
  EXPECT_THAT(All(), ElementsAre(expected));
}

TEST_F(StoreHours, AnotherStartGoesOnInTheSameHour) {
  Add(RecordOf(1, 5, 1));
  Reopen();
  Add(RecordOf(1, 5, 2));
  Add(RecordOf(2, 0, 1));
  EXPECT_THAT(All(), ElementsAre(RecordOf(1, 5, 3), RecordOf(2, 0, 1)));
}

TEST_F(StoreHours, AreReadWithinATimeWithItsEnds) {
  for (int hour = 0; hour < 5; ++hour) Add(RecordOf(hour, 0, 1));
  EXPECT_THAT(Value(store().hours().Hours(Hour(1), Hour(3))),
              ElementsAre(RecordOf(1, 0, 1), RecordOf(2, 0, 1), RecordOf(3, 0, 1)));
  EXPECT_THAT(Value(store().hours().Hours(Hour(7), Hour(9))), IsEmpty());
}

TEST_F(StoreHours, AClockThatIsSetBackAddsToTheHourOfThen) {
  Add(RecordOf(5, 0, 1));
  Add(RecordOf(3, 0, 1));
  Add(RecordOf(3, 0, 1));
  EXPECT_THAT(All(), ElementsAre(RecordOf(3, 0, 2), RecordOf(5, 0, 1)));
}

TEST_F(StoreHours, TheNearestStayWhenThereAreTooMany) {
  constexpr int kYear = 365 * 24;
  constexpr int kMost = HourStore::kMostHours;
  // As left by a clock that was a year ahead, and was set right.
  for (int hour = 0; hour < 30; ++hour) store().hours().AddToHour(RecordOf(kYear + hour, 0, 1));
  for (int hour = 0; hour < kMost; ++hour) store().hours().AddToHour(RecordOf(hour, 0, 1));
  ASSERT_THAT(store().Flush(), IsOk());
  const auto hours = All();
  ASSERT_THAT(hours, SizeIs(kMost));
  EXPECT_EQ(hours.front().hour, Hour(0));
  EXPECT_EQ(hours.back().hour, Hour(kMost - 1));
  Add(RecordOf(kMost, 0, 1));
  EXPECT_EQ(All().front().hour, Hour(1));
}

TEST_F(StoreHours, AStoreThatIsOnlyReadTakesNone) {
  Add(RecordOf(1, 5, 1));
  const auto reader = OpenStore(location_, StoreAccess::kReadOnly, clock_);
  ASSERT_THAT(reader, IsOk());
  (*reader)->hours().AddToHour(RecordOf(1, 5, 1));
  EXPECT_THAT(Value((*reader)->hours().Hours(Hour(0), Hour(9))), ElementsAre(RecordOf(1, 5, 1)));
}

}  // namespace
}  // namespace bindery
