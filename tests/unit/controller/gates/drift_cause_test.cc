#include "controller/gates/drift_cause.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controller/catalog/catalog.h"

namespace bindery::controller {
namespace {

using Known = PolicyHistory::Known;

const Condition kUntilJune{"request.time < timestamp('2027-06-01T00:00:00Z')", "until-june", ""};

Grant Viewer(const std::string& principal, std::optional<Condition> condition = std::nullopt) {
  return {"roles/viewer", principal, std::move(condition)};
}

DriftItem Item(DriftClass drift_class, Grant grant, std::optional<Grant> before = std::nullopt) {
  DriftItem item;
  item.drift_class = drift_class;
  item.grant = std::move(grant);
  item.before = std::move(before);
  return item;
}

reconcilers::GrantChange FindChange(const DriftItem& item) {
  reconcilers::GrantChange change;
  change.drift_class = item.drift_class;
  change.grant = item.grant;
  change.before = item.before;
  return change;
}

const DriftItem kMissing = Item(DriftClass::kMissing, Viewer("user:ana@example.com"));
const DriftItem kExtra = Item(DriftClass::kUndeclared, Viewer("user:ana@example.com"));
const DriftItem kCondition =
    Item(DriftClass::kConditionChanged, Viewer("user:ana@example.com", kUntilJune),
         Viewer("user:ana@example.com"));
const DriftItem kDeleted = Item(DriftClass::kPrincipalDeleted, Viewer("user:ana@example.com"),
                                Viewer("deleted:user:ana@example.com?uid=1"));
const DriftItem kNoTarget = Item(DriftClass::kTargetMissing, {});

struct CauseCase {
  const char* name;
  DriftItem item;
  PolicyHistory history;
  DriftCause cause;
  bool expired = false;
};

class DriftCauseTest : public ::testing::TestWithParam<CauseCase> {};

TEST_P(DriftCauseTest, IsJudgedFromWhatWasKnownAndWhatIsSeen) {
  const CauseCase& c = GetParam();
  EXPECT_EQ(ToString(GetCause(FindChange(c.item), c.history, c.expired)), ToString(c.cause));
}

const Grant kAnaMayView = Viewer("user:ana@example.com");
const Grant kBobsGrant = Viewer("user:bob@example.com");

INSTANTIATE_TEST_SUITE_P(
    All, DriftCauseTest,
    ::testing::Values(
        CauseCase{"NewMember", kMissing, {Known::kUnchanged, {}, {}}, DriftCause::kManifest},
        CauseCase{"NewMemberBesideAForeignChange",
                  kMissing,
                  {Known::kChanged, {}, {kBobsGrant}},
                  DriftCause::kManifest},
        CauseCase{
            "TakenAway", kMissing, {Known::kChanged, {kAnaMayView}, {}}, DriftCause::kForeign},
        CauseCase{"TakenAwayInAnotherSpelling",
                  kMissing,
                  {Known::kChanged, {Viewer("user:Ana@Example.com")}, {}},
                  DriftCause::kForeign},
        CauseCase{"AnotherConditionWent",
                  kMissing,
                  {Known::kChanged, {Viewer("user:ana@example.com", kUntilJune)}, {}},
                  DriftCause::kManifest},
        CauseCase{"MemberGoneFromTheManifest",
                  kExtra,
                  {Known::kUnchanged, {}, {}},
                  DriftCause::kManifest},
        CauseCase{"MemberGoneBesideAForeignChange",
                  kExtra,
                  {Known::kChanged, {kBobsGrant}, {}},
                  DriftCause::kManifest},
        CauseCase{
            "AddedByOthers", kExtra, {Known::kChanged, {}, {kAnaMayView}}, DriftCause::kForeign},
        CauseCase{"Ended", kExtra, {Known::kUnchanged, {}, {}}, DriftCause::kExpiry, true},
        CauseCase{"AddedByOthersAfterItEnded",
                  kExtra,
                  {Known::kChanged, {}, {kAnaMayView}},
                  DriftCause::kForeign,
                  true},
        CauseCase{"ConditionOfTheManifestChanged",
                  kCondition,
                  {Known::kUnchanged, {}, {}},
                  DriftCause::kManifest},
        CauseCase{"ConditionTakenOffByOthers",
                  kCondition,
                  {Known::kChanged, {Viewer("user:ana@example.com", kUntilJune)}, {kAnaMayView}},
                  DriftCause::kForeign},
        CauseCase{"ADeletedPrincipalIsDeclared",
                  kDeleted,
                  {Known::kChanged, {}, {}, R"({"m":["deleted:user:ana@example.com?uid=1"]})"},
                  DriftCause::kManifest},
        CauseCase{"APrincipalWasDeleted",
                  kDeleted,
                  {Known::kChanged, {}, {}, R"({"m":["user:ana@example.com"]})"},
                  DriftCause::kForeign},
        CauseCase{"FirstContactMissing", kMissing, {Known::kNever, {}, {}}, DriftCause::kManifest},
        CauseCase{"FirstContactUndeclared", kExtra, {Known::kNever, {}, {}}, DriftCause::kUnknown},
        CauseCase{
            "FirstContactCondition", kCondition, {Known::kNever, {}, {}}, DriftCause::kUnknown},
        CauseCase{
            "FirstContactNoTarget", kNoTarget, {Known::kNever, {}, {}}, DriftCause::kManifest},
        CauseCase{"LastPolicyLost", kMissing, {Known::kUnreadable, {}, {}}, DriftCause::kUnknown},
        CauseCase{"LastPolicyLostAndEnded",
                  kExtra,
                  {Known::kUnreadable, {}, {}},
                  DriftCause::kUnknown,
                  true}),
    [](const ::testing::TestParamInfo<CauseCase>& test) { return std::string(test.param.name); });

TEST(DriftCause, ADifferenceOnRecordKeepsItsCauseWhoeverDeclaresTheRole) {
  TargetEntry::Differences known;
  known[DriftKey(kExtra)] = {DriftClass::kUndeclared, Severity::kHigh, DriftCause::kForeign};
  std::vector<DriftItem> items = {kExtra, kExtra, kMissing};
  items[1].resource = "viewers";
  for (DriftItem& item : items) item.cause = DriftCause::kManifest;
  KeepCauses(known, items);
  EXPECT_EQ(items[0].cause, DriftCause::kForeign);
  EXPECT_EQ(items[1].cause, DriftCause::kForeign);
  EXPECT_EQ(items[2].cause, DriftCause::kManifest);
}

TEST(DriftCause, TheRestOfAChangeHasTheCauseOfTheWhole) {
  DriftItem whole = kCondition;
  whole.cause = DriftCause::kForeign;
  std::vector<DriftItem> rest = {kExtra,
                                 Item(DriftClass::kUndeclared, Viewer("user:bob@example.com"))};
  TakeCauses({whole}, DriftCause::kUnknown, rest);
  EXPECT_EQ(rest[0].cause, DriftCause::kForeign);
  EXPECT_EQ(rest[1].cause, DriftCause::kUnknown);
}

}  // namespace
}  // namespace bindery::controller
