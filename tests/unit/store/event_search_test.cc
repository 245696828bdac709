// A text among more events than are read at once.

#include "fixture.h"

namespace bindery::store {
namespace {

using testing::At;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::IsOk;
using ::testing::SizeIs;
using testing::StoreTest;

class StoreEventSearch : public StoreTest {
 protected:
  std::vector<std::string> Reasons(const EventFilter& filter) {
    std::vector<std::string> reasons;
    for (const auto& [id, event] : Value(store().Events(filter))) reasons.push_back(event.reason);
    return reasons;
  }
};

TEST_F(StoreEventSearch, ATextIsFoundFarAway) {
  constexpr int kEvents = 2'500;  // Read in more than one part.
  StoreChange change;
  for (int i = 1; i <= kEvents; ++i) {
    const std::string place = i % 1'000 == 1 ? "far" : "near";
    change.events.push_back({At(i), EventType::kNormal, std::to_string(i), "a", "", place, "", {}});
  }
  ASSERT_THAT(store().Apply(change), IsOk());
  for (const char* resource : {"", "a"}) {
    EventFilter filter;
    filter.resource = resource;
    filter.text = "FAR";
    EXPECT_THAT(Reasons(filter), ElementsAre("1", "1001", "2001"));
    filter.limit = 2;
    EXPECT_THAT(Reasons(filter), ElementsAre("1001", "2001"));
    filter.oldest = true;
    EXPECT_THAT(Reasons(filter), ElementsAre("1", "1001"));
    filter.text = "near";
    filter.limit = 1'500;
    EXPECT_THAT(Reasons(filter), SizeIs(1'500));
    filter.text = "nowhere";
    EXPECT_THAT(Reasons(filter), IsEmpty());
  }
}

}  // namespace
}  // namespace bindery::store
