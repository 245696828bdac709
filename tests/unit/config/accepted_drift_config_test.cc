#include "cel/expiry/condition_end.h"
#include "config/config_json.h"
#include "core/text/time_text.h"
#include "unit/config/config_fixture.h"

namespace bindery::config {
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

/// The rule of docs/drift.md for Google's jit-access.
constexpr const char* kJitAccess = R"(
drift:
  accept:
    - match:
        class: undeclared
        condition:
          title: JIT access activation
          expression: '(request.time >= timestamp("*") && request.time < timestamp("*"))*'
          endsWithin: 24h
      reason: activated by jit-access
      owner: security@example.com
)";

TEST(AcceptedDriftConfig, TheRuleForJitAccessFitsItsActivationsAlone) {
  const auto config = Parse(kJitAccess);
  ASSERT_THAT(Problems(config), IsEmpty());
  const auto now = *ParseRfc3339("2026-11-29T10:00:00Z");
  const auto fits = [&](const std::string& expression, const std::string& title) {
    DriftItem item;
    item.drift_class = DriftClass::kUndeclared;
    item.grant = {"roles/viewer", "user:a@example.com", Condition{expression, title, ""}};
    return FindAcceptance(config->drift.accept, "projects/acme", item, {now, now}, cel::FindEnd)
               .state == AcceptanceState::kHolds;
  };
  const std::string title = "JIT access activation";
  const std::string within = R"((request.time >= timestamp("2026-11-29T09:00:00Z") && )"
                             R"(request.time < timestamp("2026-11-29T14:00:00Z")))";
  EXPECT_TRUE(fits(within, title));
  EXPECT_TRUE(fits(within + R"( && resource.name == "x")", title));
  EXPECT_FALSE(fits(within, "expires soon"));
  EXPECT_FALSE(fits(within + " || true", title));
  EXPECT_FALSE(fits(R"((request.time >= timestamp("2026-11-29T09:00:00Z") && )"
                    R"(request.time < timestamp("2027-11-29T14:00:00Z")))",
                    title));
  const Json shown = ConfigReport(*config).at("config").at("drift").at("accept").at(0);
  EXPECT_EQ(shown.at("match").at("condition").at("endsWithin"), "1d");
}

TEST(AcceptedDriftConfig, OtherRulesMatchConditionsToo) {
  const auto config = Parse(R"(
targets:
  - {match: "projects/*", undeclaredRoles: keep, condition: {title: "temp_*", endsWithin: 12h}}
protectedPrincipals:
  grants: [{principal: "user:*", condition: {expression: "request.time < *"}}]
)");
  ASSERT_THAT(Problems(config), IsEmpty());
  EXPECT_EQ(config->targets.at(0).condition,
            (ConditionMatch{"temp_*", "", std::chrono::hours(12)}));
  EXPECT_EQ(config->protected_principals.grants,
            (std::vector<ProtectedGrants>{{"user:*", {"", "request.time < *"}}}));
  const Json shown = ConfigReport(*config).at("config");
  EXPECT_EQ(shown.at("targets").at(0).at("condition").at("endsWithin"), "12h");
  EXPECT_EQ(shown.at("protectedPrincipals").at("grants").at(0).at("principal"), "user:*");
  for (const char* wrong :
       {"targets: [{match: a, condition: {title: b}}]",
        "targets: [{match: a, undeclaredRoles: keep, condition: {title: \"*\"}}]",
        "targets: [{match: a, undeclaredRoles: keep, lastOwner: allow, condition: {title: b}}]",
        "protectedPrincipals: {grants: [{principal: a}]}",
        "protectedPrincipals: {grants: [{condition: {endsWithin: 0s}}]}"}) {
    EXPECT_THAT(Problems(Parse(wrong)), ::testing::SizeIs(1)) << wrong;
  }
}

}  // namespace
}  // namespace bindery::config
