#include "notify/message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text/time_text.h"
#include "support/matchers.h"

namespace bindery::notify {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::IsOk;
using ::testing::Not;
using ::testing::SizeIs;

Notice Entry(std::int64_t id) {
  Notice entry;
  entry.id = id;
  entry.event.time = *ParseRfc3339("2026-11-21T10:20:30Z") + std::chrono::seconds(id);
  entry.event.type = EventType::kWarning;
  entry.event.reason = "DriftFound";
  entry.event.target = "projects/acme/p";
  entry.event.message = "1 difference: 1 undeclared (worst: high)";
  entry.event.actor = "bindery";
  entry.event.severity = Severity::kHigh;
  entry.resources = {{"viewers", "IamBinding", R"({"team":"payments"})", "a.yaml", 7}};
  return entry;
}

std::vector<Notice> One(Notice entry) { return {std::move(entry)}; }

std::vector<Notice> Entries(int count) {
  std::vector<Notice> entries;
  for (int i = 1; i <= count; ++i) entries.push_back(Entry(i));
  return entries;
}

Json MakeBody(config::WebhookFormat format, const std::vector<Notice>& entries) {
  return ParseJson(Compose(format, entries, "/bindery/test").body).value_or(Json());
}

TEST(CloudEvents, AnEventHasAllThatIsRequired) {
  const Message message =
      Compose(config::WebhookFormat::kCloudEvents, One(Entry(12)), "/bindery/test");
  EXPECT_EQ(message.content_type, "application/cloudevents+json");
  const Json event = *ParseJson(message.body);
  EXPECT_EQ(event.at("specversion"), "1.0");
  EXPECT_EQ(event.at("id"), message.id);
  EXPECT_EQ(event.at("source"), "/bindery/test");
  EXPECT_EQ(event.at("type"), "io.bindery.DriftFound");
  EXPECT_EQ(event.at("subject"), "projects/acme/p");
  EXPECT_EQ(event.at("time"), "2026-11-21T10:20:42.000Z");
  const char* const data = R"json({"id": 12, "time": "2026-11-21T10:20:42.000Z",
    "type": "Warning", "reason": "DriftFound", "resource": "", "target": "projects/acme/p",
    "message": "1 difference: 1 undeclared (worst: high)", "actor": "bindery",
    "severity": "high", "resources": [{"name": "viewers", "kind": "IamBinding",
    "labels": {"team": "payments"}, "source": {"file": "a.yaml", "line": 7}}]})json";
  EXPECT_EQ(event.at("data"), *ParseJson(data));
}

TEST(CloudEvents, NoAttributeIsEmpty) {
  Notice entry = Entry(1);
  entry.event.target.clear();
  EXPECT_FALSE(MakeBody(config::WebhookFormat::kCloudEvents, {entry}).contains("subject"));
  entry.event.resource = "viewers";
  EXPECT_EQ(MakeBody(config::WebhookFormat::kCloudEvents, {entry}).at("subject"), "viewers");
}

TEST(CloudEvents, SeveralEventsAreOneWithEachInIt) {
  const Json event = MakeBody(config::WebhookFormat::kCloudEvents, Entries(3));
  EXPECT_EQ(event.at("type"), "io.bindery.Summary");
  EXPECT_EQ(event.at("data").at("count"), 3);
  ASSERT_THAT(event.at("data").at("events"), SizeIs(3));
  const Json alone = MakeBody(config::WebhookFormat::kCloudEvents, {Entry(2)});
  EXPECT_EQ(event.at("data").at("events").at(1).at("messageId"), alone.at("id"));
}

TEST(CloudEvents, OfManyResourcesSomeAreNamed) {
  store::JournalEntry of_many;
  of_many.resources.resize(50);
  const Notice entry = MakeNotice(std::move(of_many));
  EXPECT_THAT(entry.resources, SizeIs(20)) << "what waits is as small";
  const Json data = MakeBody(config::WebhookFormat::kCloudEvents, {entry}).at("data");
  EXPECT_THAT(data.at("resources"), SizeIs(20));
  EXPECT_EQ(data.at("moreResources"), 30);
}

TEST(MessageIds, AreTheEventsWhateverTheForm) {
  const std::string id = MessageId(One(Entry(1)));
  EXPECT_EQ(Compose(config::WebhookFormat::kSlack, One(Entry(1)), "a").id, id);
  EXPECT_EQ(Compose(config::WebhookFormat::kCloudEvents, One(Entry(1)), "b").id, id);
  EXPECT_NE(MessageId(One(Entry(2))), id);
  Notice of_another_store = Entry(1);
  of_another_store.event.time += std::chrono::hours(1);
  EXPECT_NE(MessageId(One(of_another_store)), id);
}

TEST(Messages, WhatIsNoUtf8HoldsNothingUp) {
  Notice entry = Entry(1);
  entry.event.message = "bad \xff byte";
  EXPECT_THAT(ParseJson(Compose(config::WebhookFormat::kCloudEvents, One(entry), "s").body),
              IsOk());
  EXPECT_THAT(ParseJson(Compose(config::WebhookFormat::kSlack, One(entry), "s").body), IsOk());
}

TEST(Slack, AnEventIsALineAndWhereItStands) {
  const Json message = MakeBody(config::WebhookFormat::kSlack, {Entry(1)});
  EXPECT_EQ(message.at("text"),
            ":warning: *DriftFound* (high) projects/acme/p: 1 difference: 1 undeclared (worst: "
            "high)");
  const Json& blocks = message.at("blocks");
  EXPECT_EQ(blocks.at(0).at("text").at("text"), message.at("text"));
  EXPECT_EQ(blocks.at(1).at("elements").at(0).at("text"),
            "/bindery/test · 2026-11-21T10:20:31.000Z · viewers (a.yaml:7)");
}

TEST(Slack, MarkupInAMessageStandsForItself) {
  Notice entry = Entry(1);
  entry.event.message = "<!channel> a & b";
  EXPECT_THAT(MakeBody(config::WebhookFormat::kSlack, {entry}).at("text").get<std::string>(),
              EndsWith("&lt;!channel&gt; a &amp; b"));
}

TEST(Slack, OfManyEventsTheRestIsCounted) {
  const std::string text = MakeBody(config::WebhookFormat::kSlack, Entries(22)).at("text");
  EXPECT_THAT(text, HasSubstr("*22 events*"));
  EXPECT_THAT(text, EndsWith("and 12 more: bindery events"));
  EXPECT_THAT(MakeBody(config::WebhookFormat::kSlack, Entries(3)).at("text").get<std::string>(),
              Not(HasSubstr("more")));
}

TEST(Slack, ALongTextIsCutBetweenCharacters) {
  Notice entry = Entry(1);
  entry.event.message.clear();
  for (int i = 0; i < 2'000; ++i) entry.event.message += "ä";
  const std::string text = MakeBody(config::WebhookFormat::kSlack, {entry}).at("text");
  EXPECT_LT(text.size(), 3'000U);
  EXPECT_THAT(text, EndsWith("ä…"));
}

}  // namespace
}  // namespace bindery::notify
