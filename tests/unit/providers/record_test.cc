// A record of whichever form, and texts fit to be kept.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "attribution/audit_log.h"
#include "attribution/entry_text.h"
#include "providers/registry/providers.h"
#include "support/matchers.h"
#include "unit/attribution/log_lines.h"

namespace bindery::attribution {
namespace {

using bindery::testing::At;
using bindery::testing::IsOk;
using bindery::testing::LogLine;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

Expected<std::vector<AuditEntry>> Read(std::string_view record) {
  return ReadRecord(record, providers::AuditLogReaders());
}

TEST(Record, OfEitherCloudIsRead) {
  EXPECT_THAT(*Read(LogLine("google.jsonl", 1).dump()), SizeIs(1));
  EXPECT_THAT(*Read(LogLine("datadog.jsonl", 1).dump()), SizeIs(1));
}

TEST(Record, AnAnswerOfTheApiHasMany) {
  const Json page = {{"data", Json::array({LogLine("datadog.jsonl", 1), 7, Json::object(),
                                           LogLine("datadog.jsonl", 3)})},
                     {"meta", {{"status", "done"}}}};
  EXPECT_THAT(*Read(page.dump()), SizeIs(2));
}

TEST(Record, WithoutAnIdIsNamedByItsContent) {
  Json line = LogLine("google.jsonl", 1);
  line.erase("insertId");
  const auto entries = Read(line.dump());
  EXPECT_THAT(entries->at(0).id, StartsWith("sha256-"));
  EXPECT_EQ(entries->at(0).id, Read(line.dump())->at(0).id);
  line["protoPayload"]["resourceName"] = "projects/p/locations/l/authorizationPolicies/other";
  EXPECT_NE(entries->at(0).id, Read(line.dump())->at(0).id);
}

TEST(Record, NoneOfOursIsNoFault) {
  EXPECT_THAT(*Read(R"({"textPayload": "hello"})"), IsEmpty());
  EXPECT_THAT(*Read(R"({"textPayload": "SetIamPolicy"})"), IsEmpty());
}

TEST(Record, WhatIsNoneIsAFault) {
  for (const char* text :
       {"", "hello", "[1]", "{\"a\": 1", "{SetIamPolicy}", "{\"a\": \"SetIamPolicy\xff\"}"}) {
    EXPECT_THAT(Read(text), Not(IsOk())) << text;
  }
}

TEST(Record, ItsTimeIsFoundWithoutReadingIt) {
  EXPECT_EQ(TimestampIn(LogLine("google.jsonl", 1).dump()), At("11:29:41.337"));
  EXPECT_EQ(TimestampIn(LogLine("datadog.jsonl", 1).dump(2)), At("11:29:41.337"));
  for (const char* text : {"{}", R"({"timestamp"})", R"({"timestamp": )", R"({"timestamp": "20)",
                           R"({"timestamp": 7})"}) {
    EXPECT_EQ(TimestampIn(text), std::nullopt) << text;
  }
}

TEST(EntryText, LosesWhatCouldSteerAReader) {
  EXPECT_EQ(CleanText("a\tb\r\nc\x7f"), "abc");
  EXPECT_EQ(CleanText("a\xc2\x9b"
                      "b\xe2\x80\xae"
                      "c\xe2\x81\xa6"
                      "d\xe2\x80\x93"),
            "abcd\xe2\x80\x93");
}

TEST(EntryText, IsCutBetweenCharacters) {
  const std::string text = CleanText(std::string(kLongestText - 1, 'a') + "\xc3\xa4");
  EXPECT_EQ(text, std::string(kLongestText - 1, 'a'));
}

}  // namespace
}  // namespace bindery::attribution
