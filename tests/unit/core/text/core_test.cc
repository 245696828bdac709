#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/access/canonical_json.h"
#include "core/access/drift.h"
#include "core/access/event.h"
#include "core/access/grant.h"
#include "core/access/hold.h"
#include "core/access/revision.h"
#include "core/access/status.h"
#include "core/access/target_key.h"
#include "core/base/error.h"
#include "core/base/expected.h"
#include "core/base/json.h"
#include "core/text/count.h"
#include "core/text/digest.h"
#include "core/text/nearest.h"
#include "core/text/time_text.h"
#include "core/text/type_token.h"
#include "support/matchers.h"

namespace bindery {
namespace {

using namespace std::chrono_literals;
using testing::FailsWith;
using testing::IsOk;
using ::testing::Optional;

// --- time ---------------------------------------------------------------------------------------

TEST(TimeText, FormatsUtcWithThreeFractionalDigits) {
  EXPECT_EQ(FormatRfc3339(WallTime{}), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(FormatRfc3339(WallTime{} + 1795256430s + 7ms), "2026-11-21T10:20:30.007Z");
  EXPECT_EQ(FormatRfc3339(WallTime{} - 1ms), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(FormatRfc3339(WallTime{} - 1ns), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(FormatRfc3339(WallTime::min()), "1677-09-21T00:12:43.145Z");
  EXPECT_EQ(FormatRfc3339(WallTime::max()), "2262-04-11T23:47:16.854Z");
}

TEST(TimeText, WhatLiesBeyondTheClockIsItsLastTime) {
  for (const char* text :
       {"2262-04-12T00:00:00Z", "2500-01-01T00:00:00Z", "9999-12-31T23:59:59Z"}) {
    EXPECT_EQ(*ParseRfc3339(text), WallTime::max()) << text;
    EXPECT_EQ(FormatRfc3339(*ParseRfc3339(text)).substr(0, 4), "2262") << text;
  }
  EXPECT_EQ(*ParseRfc3339("1600-01-01T00:00:00Z"), WallTime::min());
  EXPECT_LT(*ParseRfc3339("2262-04-11T00:00:00Z"), WallTime::max());
}

TEST(TimeText, ReadsRfc3339) {
  struct Case {
    const char* text;
    const char* utc;
  };
  const Case cases[] = {
      {"2026-11-21T10:20:30Z", "2026-11-21T10:20:30.000Z"},
      {"2026-11-21t10:20:30z", "2026-11-21T10:20:30.000Z"},
      {"2026-11-21T10:20:30.5Z", "2026-11-21T10:20:30.500Z"},
      {"2026-11-21T10:20:30.123456789Z", "2026-11-21T10:20:30.123Z"},
      {"2026-11-21T10:20:30+02:30", "2026-11-21T07:50:30.000Z"},
      {"2026-11-21T10:20:30-01:00", "2026-11-21T11:20:30.000Z"},
      {"2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"},
      {"1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"},
  };
  for (const Case& test : cases) {
    const Expected<WallTime> time = ParseRfc3339(test.text);
    ASSERT_THAT(time, IsOk()) << test.text;
    EXPECT_EQ(FormatRfc3339(*time), test.utc);
  }
}

TEST(TimeText, RefusesWhatIsNoTime) {
  for (const char* text :
       {"", "2026-11-21", "2026-11-21T10:20:30", "2026-13-01T00:00:00Z", "2023-02-29T00:00:00Z",
        "2026-11-21T24:00:00Z", "2026-11-21T10:60:00Z", "2026-11-21T10:20:30.Z",
        "2026-11-21T10:20:30.1234567890Z", "2026-11-21T10:20:30+24:00", "2026-11-21T10:20:30+1:00",
        "2026-11-21T10:20:30Zx", "26-11-21T10:20:30Z", "2026-11-21T10:20:3xZ"}) {
    EXPECT_THAT(ParseRfc3339(text),
                FailsWith(Code::kInvalidArgument, "\"" + std::string(text) +
                                                      "\" is not a time such as "
                                                      "2026-11-21T10:20:30Z"));
  }
}

TEST(TimeText, ReadsDurationsAndWritesTheShortestForm) {
  struct Case {
    const char* text;
    std::chrono::milliseconds duration;
    const char* shortest;
  };
  const Case cases[] = {{"200ms", 200ms, "200ms"}, {"30s", 30s, "30s"},         {"5m", 5min, "5m"},
                        {"60s", 60s, "1m"},        {"90s", 90s, "90s"},         {"1h", 1h, "1h"},
                        {"24h", 24h, "1d"},        {"90d", 24h * 90, "90d"},    {"0s", 0s, "0s"},
                        {"0ms", 0s, "0s"},         {"1500ms", 1500ms, "1500ms"}};
  for (const Case& test : cases) {
    const Expected<std::chrono::milliseconds> duration = ParseDuration(test.text);
    ASSERT_THAT(duration, IsOk()) << test.text;
    EXPECT_EQ(*duration, test.duration);
    EXPECT_EQ(FormatDuration(*duration), test.shortest);
  }
}

TEST(TimeText, RefusesWhatIsNoDuration) {
  for (const char* text : {"", "5", "m", "-1s", "+1s", "1.5s", "1 s", "1w", "5M", "5m ", "1h30m",
                           "9223372036854775807d", "9223372036854775808ms"}) {
    EXPECT_THAT(ParseDuration(text),
                FailsWith(Code::kInvalidArgument,
                          "\"" + std::string(text) +
                              "\" is not a duration such as 200ms, 30s, 5m, 1h or 90d"));
  }
}

TEST(TimeText, TellsAgesInTwoUnitsAtMost) {
  struct Case {
    std::chrono::milliseconds age;
    const char* text;
  };
  const Case cases[] = {{-5s, "0ms"},        {0ms, "0ms"},     {999ms, "999ms"},
                        {3s + 400ms, "3s"},  {60s, "1m"},      {4min + 10s, "4m10s"},
                        {2h + 5min, "2h5m"}, {2h + 59s, "2h"}, {147h + 20min, "6d3h"},
                        {24h * 400, "400d"}};
  for (const Case& test : cases) EXPECT_EQ(FormatAge(test.age), test.text);
}

// --- words --------------------------------------------------------------------------------------

TEST(Nearest, FindsWhatWasMeant) {
  const std::vector<std::string> words = {"resourceId", "bindings", "role", "name", "members"};
  EXPECT_THAT(NearestSpelling("resource_id", words), Optional(std::string("resourceId")));
  EXPECT_THAT(NearestSpelling("RESOURCE-ID", words), Optional(std::string("resourceId")));
  EXPECT_THAT(NearestSpelling("binding", words), Optional(std::string("bindings")));
  EXPECT_THAT(NearestSpelling("mebmers", words), Optional(std::string("members")));
  EXPECT_THAT(NearestSpelling("rol", words), Optional(std::string("role")));
  EXPECT_THAT(NearestSpelling("rloe", words), Optional(std::string("role")));
  EXPECT_THAT(NearestSpelling("role", words), Optional(std::string("role")));
}

TEST(Nearest, FindsNothingWhenNothingIsNear) {
  const std::vector<std::string> words = {"resourceId", "role", "name"};
  EXPECT_EQ(NearestSpelling("", words), std::nullopt);
  EXPECT_EQ(NearestSpelling("condition", words), std::nullopt);
  EXPECT_EQ(NearestSpelling("rxyz", words), std::nullopt);
  EXPECT_EQ(NearestSpelling("nxmx", words), std::nullopt);
  EXPECT_EQ(NearestSpelling(std::string(65, 'a'), words), std::nullopt);
  EXPECT_EQ(NearestSpelling("role", {}), std::nullopt);
}

TEST(TypeToken, AcceptsTheSpellingsOfTheInterface) {
  for (const char* text : {"monitoring:RestrictionPolicy", "monitoring:index:RestrictionPolicy",
                           "monitoring:index/restrictionPolicy:RestrictionPolicy"}) {
    const std::optional<TypeToken> token = ParseTypeToken(text);
    ASSERT_TRUE(token.has_value()) << text;
    EXPECT_EQ(token->Text(), "monitoring:RestrictionPolicy");
  }
  const auto token = ParseTypeToken("cloudnative:backupdr/v1:ManagementServerIamBinding");
  ASSERT_TRUE(token.has_value());
  EXPECT_EQ(token->api_version, "cloudnative:backupdr/v1");
  EXPECT_EQ(token->kind, "ManagementServerIamBinding");
  EXPECT_EQ(ParseTypeToken("RestrictionPolicy"), (TypeToken{"", "RestrictionPolicy"}));
  EXPECT_EQ(ParseTypeToken("monitoring:index/other:RestrictionPolicy").value().api_version,
            "monitoring:index/other");
}

TEST(TypeToken, RefusesWhatLacksAPart) {
  for (const char* text : {"", ":", "a:", ":a"}) {
    EXPECT_EQ(ParseTypeToken(text), std::nullopt) << text;
  }
}

// --- errors -------------------------------------------------------------------------------------

constexpr Code kAllCodes[] = {
    Code::kInvalidArgument,   Code::kNotFound,      Code::kPermissionDenied,
    Code::kAborted,           Code::kAlreadyExists, Code::kFailedPrecondition,
    Code::kResourceExhausted, Code::kUnavailable,   Code::kUnauthenticated,
    Code::kDeadlineExceeded,  Code::kCancelled,     Code::kUnimplemented,
    Code::kInternal};

TEST(Error, EveryCodeHasItsCanonicalName) {
  std::set<std::string_view> names;
  for (const Code code : kAllCodes) {
    EXPECT_EQ(CodeFromString(ToString(code)), code);
    names.insert(ToString(code));
  }
  EXPECT_EQ(names.size(), std::size(kAllCodes));
  EXPECT_EQ(ToString(Code::kResourceExhausted), "RESOURCE_EXHAUSTED");
  EXPECT_EQ(CodeFromString("not_found"), std::nullopt);
  EXPECT_EQ(CodeFromString(""), std::nullopt);
}

TEST(Error, WhatTryingAgainCannotMendIsTerminal) {
  for (const Code code : {Code::kInvalidArgument, Code::kNotFound, Code::kPermissionDenied,
                          Code::kAlreadyExists, Code::kFailedPrecondition, Code::kUnimplemented}) {
    EXPECT_TRUE(IsTerminal(code)) << ToString(code);
  }
  for (const Code code :
       {Code::kAborted, Code::kResourceExhausted, Code::kUnavailable, Code::kUnauthenticated,
        Code::kDeadlineExceeded, Code::kCancelled, Code::kInternal}) {
    EXPECT_FALSE(IsTerminal(code)) << ToString(code);
  }
}

TEST(Error, WrapKeepsEverythingButAddsContext) {
  Error error;
  error.code = Code::kUnavailable;
  error.message = "no route";
  error.http_status = 503;
  error.retry_after = 2s;
  error.outcome_unknown = true;
  const Error wrapped = error.Wrap("read policy");
  EXPECT_EQ(ToString(wrapped), "UNAVAILABLE: read policy: no route (HTTP 503)");
  EXPECT_EQ(wrapped.retry_after, 2s);
  EXPECT_TRUE(wrapped.outcome_unknown);
  error.http_status = 0;
  EXPECT_EQ(ToString(error), "UNAVAILABLE: no route");
}

TEST(Expected, HoldsAValueOrAnError) {
  const Expected<int> good = 7;
  EXPECT_THAT(good, IsOk());
  const Expected<int> bad = Fail(Code::kNotFound, "no such thing");
  EXPECT_THAT(bad, FailsWith(Code::kNotFound, "no such thing"));
  EXPECT_THAT(Expected<void>(Fail(bad.error())), FailsWith(Code::kNotFound, "no such thing"));
}

// --- digests -------------------------------------------------------------------------------------

TEST(Digest, IsSha256InHex) {
  EXPECT_EQ(Sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

// --- grants and the rest of the vocabulary

TEST(Grant, GoesToJsonInTheWordsOfItsKind) {
  const Grant plain{"roles/viewer", "user:a@example.com"};
  EXPECT_EQ(ToJson(plain, kIamWords).dump(),
            R"({"role":"roles/viewer","member":"user:a@example.com"})");
  EXPECT_EQ(ToJson(Grant{"editor", "org:1"}, kRestrictionWords).dump(),
            R"({"relation":"editor","principal":"org:1"})");
  const Grant conditional{"roles/x", "allUsers", Condition{"true", "always", ""}};
  EXPECT_EQ(ToJson(conditional, kIamWords).dump(),
            R"({"role":"roles/x","member":"allUsers","condition":{"expression":"true","title":)"
            R"("always"}})");
}

TEST(Grant, ComesBackInAllWords) {
  for (const GrantWords& words : kGrantWords) {
    const Grant grant{"editor", "org:1"};
    EXPECT_EQ(GrantFromJson(ToJson(grant, words)), grant) << words.role;
  }
  const Grant conditional{"roles/x", "allUsers", Condition{"true", "always", "why"}};
  EXPECT_EQ(GrantFromJson(ToJson(conditional, kIamWords)), conditional);
  EXPECT_EQ(GrantFromJson(Json::object()), Grant{});
}

TEST(Grant, IsToldByItsCanonicalJson) {
  for (const Grant& grant : std::vector<Grant>{
           {},
           {"roles/viewer", "user:a@example.com"},
           {"roles/\"x\"", "user:é@example.com"},
           {"roles/x", "allUsers", Condition{}},
           {"roles/x", "allUsers", Condition{"true", "always", ""}},
           {"roles/x", "allUsers", Condition{"a < \"b\"", "tab\there", "back\\slash\n\xFF"}}}) {
    EXPECT_EQ(CanonicalGrant(grant), CanonicalJson(ToJson(grant, kIamWords)));
  }
}

TEST(Grant, ConditionsAreTheSameWhenAllTheirTextsAre) {
  const Condition condition{"true", "t", "d"};
  EXPECT_EQ(condition, (Condition{"true", "t", "d"}));
  EXPECT_NE(condition, (Condition{"true", "t", ""}));
  EXPECT_NE(condition, (Condition{"true", "u", "d"}));
  EXPECT_NE(condition, (Condition{"false", "t", "d"}));
}

TEST(Grant, RoleTextNamesTheCondition) {
  EXPECT_EQ(RoleText({"roles/x", "m"}), "roles/x");
  EXPECT_EQ(RoleText({"roles/x", "m", Condition{"e", "t", ""}}), "roles/x if t");
  EXPECT_EQ(RoleText({"roles/x", "m", Condition{"e", "", ""}}), "roles/x if e");
}

TEST(Target, KeyTellsScopesApart) {
  EXPECT_EQ((Target{"K", "", "n"}.Key()), "K|n");
  EXPECT_EQ((Target{"K", "s", "n"}.Key()), "K|s|n");
}

TEST(TargetKey, EqualsByWhatItNamesWhoeverMadeIt) {
  const TargetKey key(Target{"K", "s", "n"});
  const TargetKey copy = key;
  EXPECT_EQ(copy, key);
  EXPECT_EQ(TargetKey(Target{"K", "s", "n"}), key);
  EXPECT_EQ(TargetKey::Hash()(Target{"K", "s", "n"}), TargetKey::Hash()(key));
  for (const Target& other :
       {Target{"L", "s", "n"}, Target{"K", "t", "n"}, Target{"K", "s", "m"}}) {
    EXPECT_NE(TargetKey(other), key) << other.Key();
  }
  EXPECT_EQ(key->name, "n");
  EXPECT_EQ((*key).scope.str(), "s");
}

TEST(TargetKey, ThatOfNoTargetComesFirst) {
  const TargetKey none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none, TargetKey());
  EXPECT_LT(none, TargetKey(Target{}));
  EXPECT_LT(TargetKey(Target{"A", "", "z"}), TargetKey(Target{"B", "", "a"}));
}

TEST(TargetKey, AMapIsAskedForATargetThatHasNoKey) {
  std::unordered_map<TargetKey, int, TargetKey::Hash, TargetKey::Equal> map;
  map[TargetKey()] = 1;
  map[TargetKey(Target{"K", "", "n"})] = 2;
  EXPECT_EQ(map.at(TargetKey(Target{"K", "", "n"})), 2);
  const auto found = map.find(Target{"K", "", "n"});
  ASSERT_NE(found, map.end());
  EXPECT_EQ(found->second, 2);
  EXPECT_EQ(map.find(Target{"K", "", "m"}), map.end());
}

TEST(Enums, TextsGoBothWays) {
  for (const auto value :
       {DriftClass::kMissing, DriftClass::kUndeclared, DriftClass::kConditionChanged,
        DriftClass::kPrincipalDeleted, DriftClass::kTargetMissing, DriftClass::kLookupChanged,
        DriftClass::kJustInTime}) {
    EXPECT_EQ(DriftClassFromString(ToString(value)), value);
  }
  for (const auto value :
       {Severity::kLow, Severity::kMedium, Severity::kHigh, Severity::kCritical}) {
    EXPECT_EQ(SeverityFromString(ToString(value)), value);
  }
  for (const auto value : {DriftState::kOpen, DriftState::kCorrected, DriftState::kHeld}) {
    EXPECT_EQ(DriftStateFromString(ToString(value)), value);
  }
  for (const auto value :
       {ResourceState::kReady, ResourceState::kReconciling, ResourceState::kStalled}) {
    EXPECT_EQ(ResourceStateFromString(ToString(value)), value);
  }
  for (const auto value : {EventType::kNormal, EventType::kWarning}) {
    EXPECT_EQ(EventTypeFromString(ToString(value)), value);
  }
  for (const auto value :
       {Origin::kObserved, Origin::kWritten, Origin::kForeign, Origin::kRollback}) {
    EXPECT_EQ(OriginFromString(ToString(value)), value);
  }
  EXPECT_EQ(ToString(DriftClass::kConditionChanged), "condition-changed");
  for (const auto value : kAllHoldStates) {
    EXPECT_EQ(HoldStateFromString(ToString(value)), value);
  }
  EXPECT_EQ(HoldStateFromString("no such state"), HoldState::kWithdrawn);
  for (const HoldPurpose purpose : {HoldPurpose{}, HoldPurpose{7}}) {
    EXPECT_EQ(HoldPurposeFromString(ToString(purpose)), purpose);
  }
  for (const char* text : {"", "no such purpose", "rollback:", "rollback:x"}) {
    EXPECT_EQ(HoldPurposeFromString(text), HoldPurpose{}) << text;
  }
  EXPECT_EQ(ToString(HoldPurpose{7}), "rollback:7");
  EXPECT_EQ(DriftClassFromString("no such class"), DriftClass::kMissing);
}

TEST(Count, IsOfOneOrOfSeveral) {
  EXPECT_EQ(Count(0, "grant"), "0 grants");
  EXPECT_EQ(Count(1U, "grant"), "1 grant");
  EXPECT_EQ(Count(std::size_t{12}, "open difference"), "12 open differences");
  EXPECT_EQ(Count(2, "policy"), "2 policies");
  EXPECT_EQ(Count(1, "policy"), "1 policy");
  EXPECT_EQ(Count(2, "day"), "2 days");
}

}  // namespace
}  // namespace bindery
