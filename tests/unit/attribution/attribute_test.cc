#include "attribution/attribute.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "log_lines.h"

namespace bindery::attribution {
namespace {

using bindery::testing::At;

const Grant kEve{"roles/viewer", "user:eve@example.com"};
const Grant kBob{"roles/viewer", "user:bob@example.com"};
const Condition kJune{"request.time < timestamp(\"2026-06-30T00:00:00Z\")", "june", ""};

AuditEntry Entry(const char* time, const std::string& actor, AuditDetail detail,
                 std::vector<AuditedGrant> grants = {}) {
  AuditEntry entry;
  entry.id = actor + time;
  entry.time = At(time);
  entry.actor = actor;
  entry.detail = detail;
  entry.grants = std::move(grants);
  return entry;
}

AuditEntry Changed(const char* time, const std::string& actor, std::vector<AuditedGrant> grants) {
  return Entry(time, actor, AuditDetail::kChanges, std::move(grants));
}

/// Whole policies.
AuditEntry Set(const char* time, const std::string& actor, const std::vector<Grant>& grants) {
  std::vector<AuditedGrant> audited;
  for (const Grant& grant : grants) audited.push_back({grant, true});
  return Entry(time, actor, AuditDetail::kPolicy, std::move(audited));
}

AuditEntry Unsaid(const char* time, const std::string& actor) {
  return Entry(time, actor, AuditDetail::kNone);
}

AuditEntry As(const std::string& impersonator, AuditEntry entry) {
  entry.impersonator = impersonator;
  return entry;
}

AuditEntry Removed(const char* time, const std::string& actor) {
  return Entry(time, actor, AuditDetail::kTargetRemoved);
}

AuditEntry Ours(AuditEntry entry) {
  entry.agent = "bindery/0.1.0 (+https://github.com/bindery/bindery),gzip(gfe)";
  return entry;
}

struct Case {
  const char* name;
  DriftClass drift_class;
  std::vector<AuditEntry> entries;
  std::string expected;  ///< "ACTOR how"; "unknown".
  Grant grant = kEve;
  bool read_before = true;  ///< At 11:00; found at 12:00.
  std::vector<WallTime> own_writes = {};
  std::optional<Grant> observed = {};
};

class AttributeCase : public ::testing::TestWithParam<Case> {};

TEST_P(AttributeCase, NamesWhoMadeIt) {
  const Case& one = GetParam();
  DriftItem item;
  item.drift_class = one.drift_class;
  item.grant = one.grant;
  Question question{item, one.observed, {}, At("12:00:00"), {}, one.own_writes};
  if (one.read_before) question.read_before = At("11:00:00");
  question.normal = [](const std::string& principal) {
    std::string normal = principal;
    std::transform(normal.begin(), normal.end(), normal.begin(), ::tolower);
    return normal;
  };
  const auto answer = Attribute(question, one.entries);
  EXPECT_EQ(answer ? answer->entry->actor + " " + std::string(ToString(answer->how)) : "unknown",
            one.expected);
}

constexpr DriftClass kUndeclared = DriftClass::kUndeclared;
constexpr DriftClass kMissing = DriftClass::kMissing;

std::vector<Case> Cases() {
  const Grant eve_in_june{kEve.role, kEve.principal, kJune};
  const Grant shouted{kEve.role, "user:EVE@example.com"};
  return {
      {"NoEntry", kUndeclared, {}, "unknown"},
      {"TheOneThatAddedIt", kUndeclared, {Changed("11:30:00", "m", {{kEve, true}})}, "m exact"},
      {"InAnotherSpelling", kUndeclared, {Changed("11:30:00", "m", {{shouted, true}})}, "m exact"},
      {"TheOneThatRemovedIt", kMissing, {Changed("11:30:00", "m", {{kEve, false}})}, "m exact"},
      {"AnotherGrant", kUndeclared, {Changed("11:30:00", "m", {{kBob, true}})}, "unknown"},
      {"AnotherCondition",
       kUndeclared,
       {Changed("11:30:00", "m", {{eve_in_june, true}})},
       "unknown"},
      {"TheSameCondition",
       kUndeclared,
       {Changed("11:30:00", "m", {{eve_in_june, true}})},
       "m exact",
       eve_in_june},
      {"ThatDidTheOpposite", kUndeclared, {Changed("11:30:00", "m", {{kEve, false}})}, "unknown"},
      {"TheLastOfSeveral",
       kUndeclared,
       {Changed("11:10:00", "a", {{kEve, true}}), Changed("11:20:00", "b", {{kEve, false}}),
        Changed("11:30:00", "m", {{kEve, true}}), Changed("11:40:00", "c", {{kBob, true}})},
       "m exact"},
      {"BeforeTheLastReading", kUndeclared, {Changed("10:59:54", "m", {{kEve, true}})}, "unknown"},
      {"JustBeforeTheLastReadingByAnotherClock",
       kUndeclared,
       {Changed("10:59:56", "m", {{kEve, true}})},
       "m exact"},
      {"AfterItWasFound", kUndeclared, {Changed("12:00:06", "m", {{kEve, true}})}, "unknown"},
      {"LongAgoWhereItWasNeverRead",
       kUndeclared,
       {Changed("01:00:00", "m", {{kEve, true}})},
       "m exact",
       kEve,
       false},
      {"AConditionTakenAway",
       DriftClass::kConditionChanged,
       {Changed("11:30:00", "m", {{eve_in_june, false}, {kEve, true}})},
       "m exact",
       eve_in_june,
       true,
       {},
       kEve},
      {"ATargetThatWasDeleted",
       DriftClass::kTargetMissing,
       {Unsaid("11:20:00", "a"), Entry("11:30:00", "m", AuditDetail::kTargetRemoved)},
       "m exact",
       {}},
      {"ATargetThatWasThereAgainAfterwards",
       DriftClass::kTargetMissing,
       {Removed("11:20:00", "a"), Unsaid("11:30:00", "m")},
       "unknown",
       {}},
      {"WhoRemovedTheTarget", kMissing, {Removed("11:30:00", "m")}, "m policy"},
      {"WhoSetThePolicyAgainOrRemovedTheTarget",
       kMissing,
       {Removed("11:20:00", "a"), Unsaid("11:30:00", "m")},
       "unknown"},
      {"BeforeTheTargetWasRemoved",
       kUndeclared,
       {Unsaid("11:10:00", "a"), Removed("11:20:00", "b"), Unsaid("11:30:00", "m")},
       "m policy"},
      {"ADeletedPrincipal",
       DriftClass::kPrincipalDeleted,
       {Changed("11:30:00", "m", {{kEve, true}})},
       "unknown"},
      {"TheOnlyOneThatDoesNotSay", kUndeclared, {Unsaid("11:30:00", "m")}, "m policy"},
      {"BesideOneThatChangedSomethingElse",
       kUndeclared,
       {Unsaid("11:30:00", "m"), Changed("11:40:00", "a", {{kBob, true}})},
       "m policy"},
      {"OneOfTwo", kUndeclared, {Unsaid("11:30:00", "m"), Unsaid("11:31:00", "a")}, "unknown"},
      {"TwoOfTheSameActor",
       kUndeclared,
       {Unsaid("11:30:00", "m"), Unsaid("11:31:00", "m")},
       "m policy"},
      {"TwoWhoActedAsTheSameActor",
       kUndeclared,
       {As("ana", Unsaid("11:30:00", "m")), As("bob", Unsaid("11:31:00", "m"))},
       "unknown"},
      {"TwoOfNobody", kUndeclared, {Unsaid("11:30:00", ""), Unsaid("11:31:00", "")}, "unknown"},
      {"BeforeItWasFoundRatherThanAfter",
       kUndeclared,
       {Changed("11:30:00", "m", {{kEve, true}}), Changed("12:00:01", "a", {{kEve, false}}),
        Changed("12:00:03", "b", {{kEve, true}})},
       "m exact"},
      {"OnlyJustAfterItWasFound",
       kUndeclared,
       {Changed("12:00:03", "m", {{kEve, true}})},
       "m exact"},
      {"SomethingAfterOurRepair",
       kUndeclared,
       {Ours(Changed("12:00:01", "b", {{kEve, false}})), Unsaid("12:00:03", "m")},
       "unknown",
       kEve,
       true,
       {At("12:00:02")}},
      {"OurOwnRemovalBeforeAManifestDeclaresItAgain",
       kMissing,
       {Changed("11:10:00", "m", {{kEve, false}}), Changed("11:20:00", "a", {{kEve, true}}),
        Ours(Changed("11:30:00", "b", {{kEve, false}}))},
       "unknown",
       kEve,
       false,
       {At("11:30:01")}},
      {"SomeCallOfOursWhereItWasNeverRead",
       kUndeclared,
       {Changed("11:10:00", "m", {{kEve, true}}), Ours(Unsaid("11:30:00", "b"))},
       "unknown",
       kEve,
       false,
       {At("11:30:01")}},
      {"TheOnlyOneWhereItWasNeverRead",
       kUndeclared,
       {Unsaid("11:30:00", "m")},
       "unknown",
       kEve,
       false},
      {"TheFirstPolicyWithIt",
       kUndeclared,
       {Set("11:10:00", "a", {kBob}), Set("11:20:00", "m", {kBob, kEve}),
        Set("11:30:00", "c", {kEve})},
       "m policy"},
      {"TheFirstPolicyWithIt_NeverRead",
       kUndeclared,
       {Set("11:10:00", "a", {kBob}), Set("11:20:00", "m", {kBob, kEve})},
       "m policy",
       kEve,
       false},
      {"SomePolicyWithIt_NeverRead",
       kUndeclared,
       {Set("11:20:00", "m", {kBob, kEve})},
       "unknown",
       kEve,
       false},
      {"TheFirstPolicyWithoutIt",
       kMissing,
       {Set("11:10:00", "a", {kEve}), Set("11:20:00", "m", {}), Set("11:30:00", "c", {kBob})},
       "m policy"},
      {"APolicyWithoutIt", kUndeclared, {Set("11:30:00", "m", {kBob})}, "unknown"},
      {"OurOwnCall",
       kUndeclared,
       {Ours(Unsaid("11:30:00", "b"))},
       "unknown",
       kEve,
       true,
       {At("11:30:01")}},
      {"BesideOurOwnCall",
       kUndeclared,
       {Unsaid("11:30:00", "m"), Ours(Unsaid("11:30:01", "b"))},
       "m policy",
       kEve,
       true,
       {At("11:30:02")}},
      {"OneThatOnlyCallsItselfOurs",
       kUndeclared,
       {Ours(Changed("11:30:00", "m", {{kEve, true}}))},
       "m exact",
       kEve,
       true,
       {At("11:50:00")}},
  };
}

/// Eve is declared with june, and was found with march.
std::vector<Case> ConditionCases() {
  const auto eve_if = [](const char* title) {
    return Grant{kEve.role, kEve.principal, Condition{"1 < 2", title, ""}};
  };
  const Grant june = eve_if("june");
  const Grant march = eve_if("march");
  const Grant may = eve_if("may");
  const auto one = [&](const char* name, std::vector<AuditEntry> entries,
                       const std::string& expected) {
    return Case{name, DriftClass::kConditionChanged, std::move(entries), expected, june, true, {},
                march};
  };
  return {
      one("BothHalves", {Changed("11:30:00", "m", {{june, false}, {march, true}})}, "m exact"),
      one("TheRemovalOfTheDeclaredOne", {Changed("11:30:00", "m", {{june, false}})}, "m exact"),
      one("TheAdditionOfTheOtherOne", {Changed("11:30:00", "m", {{march, true}})}, "m exact"),
      one("TheRemovalOfAThirdOne", {Changed("11:30:00", "m", {{may, false}})}, "unknown"),
      one("TheAdditionOfAThirdOne",
          {Changed("11:20:00", "m", {{june, false}, {march, true}}),
           Changed("11:30:00", "a", {{may, true}})},
          "m exact"),
      one("TheDeclaredOneAddedBack",
          {Changed("11:20:00", "m", {{june, false}, {march, true}}),
           Changed("11:30:00", "a", {{june, true}, {march, false}})},
          "unknown"),
      one("TheFirstPolicyWithTheOtherOne",
          {Set("11:20:00", "a", {june}), Set("11:30:00", "m", {march}),
           Set("11:40:00", "b", {march, kBob})},
          "m policy"),
      one("APolicyWithAThirdOne", {Set("11:30:00", "m", {may})}, "unknown"),
  };
}

INSTANTIATE_TEST_SUITE_P(Conditions, AttributeCase, ::testing::ValuesIn(ConditionCases()),
                         [](const auto& param) { return std::string(param.param.name); });

INSTANTIATE_TEST_SUITE_P(Cases, AttributeCase, ::testing::ValuesIn(Cases()),
                         [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace bindery::attribution
