#include "web/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery::web {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

report::RevisionLine Read(bool with_change) {
  report::RevisionLine revision;
  revision.id = 7;
  revision.origin = Origin::kObserved;
  revision.actor = "mallory@example.com";
  revision.changes = report::GrantChanges{};
  if (with_change) revision.changes->added.emplace_back();
  return revision;
}

TEST(Timeline, CallsAChangeThatIsNotOursForeign) {
  EXPECT_THAT(Timeline({}, "payments", {Read(true)}).markup(),
              AllOf(HasSubstr("foreign"), HasSubstr(" by mallory@example.com"),
                    HasSubstr("/resources/payments/revisions/7")));
  EXPECT_THAT(Timeline({}, "payments", {Read(false)}).markup(), Not(HasSubstr("foreign")));
}

}  // namespace
}  // namespace bindery::web
