#include "config/config_json.h"
#include "core/time_text.h"
#include "unit/config/config_fixture.h"

namespace bindery {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Parse;
using testing::Problems;

TEST(ParseConfig, AcceptedDriftIsReadInItsOrder) {
  const auto config = Parse(R"(
drift:
  accept:
    - match: {target: "projects/acme/*", role: roles/viewer, member: "user:*", class: undeclared}
      reason: incident 42
      owner: ana
      until: 2026-11-25
    - {match: {class: missing}, reason: r, owner: o, until: 2026-11-25T10:20:30+01:00}
    - {match: {member: "*eve*"}, reason: r, owner: o}
)");
  ASSERT_THAT(Problems(config), IsEmpty());
  const auto at = [](const char* time) { return *ParseRfc3339(time); };
  EXPECT_THAT(
      config->drift.accept,
      ElementsAre(AcceptedDriftRule{DriftClass::kUndeclared,
                                    "projects/acme/*",
                                    "roles/viewer",
                                    "user:*",
                                    {"incident 42", "ana", at("2026-11-25T00:00:00Z")}},
                  AcceptedDriftRule{
                      DriftClass::kMissing, "", "", "", {"r", "o", at("2026-11-25T09:20:30Z")}},
                  AcceptedDriftRule{std::nullopt, "", "", "*eve*", {"r", "o", std::nullopt}}));
  const Json shown = ConfigReport(*config).at("config").at("drift").at("accept");
  EXPECT_EQ(shown.at(0).at("match").at("class"), "undeclared");
  EXPECT_EQ(shown.at(0).at("until"), "2026-11-25T00:00:00.000Z");
  EXPECT_FALSE(shown.at(2).contains("until"));
}

}  // namespace
}  // namespace bindery
