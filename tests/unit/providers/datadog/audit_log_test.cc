#include "providers/datadog/audit_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "unit/attribution/log_lines.h"
#include "unit/providers/log_variation.h"

namespace bindery::datadog {
namespace {

using bindery::testing::At;
using bindery::testing::IsNone;
using bindery::testing::LogLine;
using bindery::testing::Variation;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(DatadogAuditLog, AnEventOfTheApiTellsWho) {
  const auto entry = ReadDatadogEntry(LogLine("datadog.jsonl", 1));
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->id, "AwAAAZCk-api");
  EXPECT_EQ(entry->target, "dashboard:abc-def-ghi");
  EXPECT_EQ(entry->time, At("11:29:41.337"));
  EXPECT_EQ(entry->actor, "mallory@example.com");
  EXPECT_EQ(entry->method, "POST /api/v2/restriction_policy/dashboard:abc-def-ghi");
  EXPECT_EQ(entry->agent, "Mozilla/5.0 (X11; Linux x86_64)");
  EXPECT_EQ(entry->detail, AuditDetail::kNone);
  EXPECT_THAT(entry->grants, IsEmpty());
}

TEST(DatadogAuditLog, AnEventOfAnArchiveToo) {
  const auto entry = ReadDatadogEntry(LogLine("datadog.jsonl", 2));
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->id, "AwAAAZCk-archive");
  EXPECT_EQ(entry->target, "notebook:42");
  EXPECT_EQ(entry->time, At("11:31:00"));
  EXPECT_EQ(entry->actor, "API_KEY k-17");
}

TEST(DatadogAuditLog, ValuesBeforeAndAfterTellWhatChanged) {
  const auto entry = ReadDatadogEntry(LogLine("datadog.jsonl", 3));
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->method, "restriction_policy modified");
  EXPECT_EQ(entry->detail, AuditDetail::kChanges);
  EXPECT_THAT(entry->grants, ElementsAre(AuditedGrant{{"editor", "team:dev"}, true},
                                         AuditedGrant{{"editor", "role:r1"}, false}));
}

bool IsRead(const std::optional<AuditEntry>& entry) {
  return entry && entry->target == "dashboard:abc-def-ghi";
}

class DatadogVariation : public ::testing::TestWithParam<Variation> {};

TEST_P(DatadogVariation, IsReadAsItIs) {
  Json event = LogLine("datadog.jsonl", 1);
  GetParam().make(event, event["attributes"]["attributes"]);
  EXPECT_TRUE(GetParam().holds(ReadDatadogEntry(event)));
}

const Variation kDatadogVariations[] = {
    {"ARefusedCall", [](Json&, Json& a) { a["http"]["status_code"] = 403; }, IsNone},
    {"OneThatWasLookedAt", [](Json&, Json& a) { a["action"] = "accessed"; }, IsNone},
    {"AnotherAsset",
     [](Json&, Json& a) {
       a["asset"]["type"] = "dashboard";
       a["http"]["url_details"]["path"] = "/api/v1/dashboard/abc-def-ghi";
     },
     IsNone},
    {"TheRequestItself",
     [](Json&, Json& a) {
       a["evt"]["name"] = "Request";
       a["action"] = "accessed";
       a.erase("asset");
     },
     IsRead},
    {"ARequestToRead",
     [](Json&, Json& a) {
       a.erase("asset");
       a["http"]["method"] = "GET";
     },
     IsNone},
    {"AnAssetWithoutItsType", [](Json&, Json& a) { a["asset"]["id"] = "abc-def-ghi"; }, IsRead},
    {"ATimeInMilliseconds",
     [](Json& event, Json&) { event["attributes"]["timestamp"] = 1795260581337; },
     [](const auto& entry) { return entry && entry->time == At("11:29:41.337"); }},
    {"NoTime", [](Json& event, Json&) { event["attributes"].erase("timestamp"); }, IsNone},
    {"NoAttributes", [](Json& event, Json&) { event["attributes"] = "x"; }, IsNone},
    {"ATypeOfActorIsNobody", [](Json&, Json& a) { a.erase("usr"); },
     [](const auto& entry) { return entry && entry->actor.empty(); }},
    {"NobodyAtAll",
     [](Json&, Json& a) {
       a.erase("usr");
       a.erase("evt");
     },
     [](const auto& entry) { return entry && entry->actor.empty(); }},
};

INSTANTIATE_TEST_SUITE_P(Cases, DatadogVariation, ::testing::ValuesIn(kDatadogVariations),
                         [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace bindery::datadog
