#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <thread>

#include "fixture.h"
#include "store/sql/digest_bytes.h"
#include "store/sql/placeholders.h"

namespace bindery::store {
namespace {

using testing::At;
using testing::Binding;
using ::testing::ElementsAre;
using testing::EventNamed;
using testing::FailsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::Observed;
using testing::PolicyTarget;
using testing::RevisionOf;
using ::testing::SizeIs;
using testing::StoreTest;

struct ShortenCase {
  const char* name;
  std::string text;
  std::string shortened;
  bool verbatim = false;
};

class Placeholders : public ::testing::TestWithParam<ShortenCase> {};

TEST_P(Placeholders, StandForTheTargetAndTheRole) {
  const ShortenCase& tested = GetParam();
  const Shortened shortened = Shorten(tested.text, "projects/p", "roles/viewer");
  EXPECT_EQ(shortened.text, tested.shortened);
  EXPECT_EQ(shortened.verbatim, tested.verbatim);
  std::string lengthened = "of another row";
  Lengthen(shortened.text, shortened.verbatim, "projects/p", "roles/viewer", lengthened);
  EXPECT_EQ(lengthened, tested.text);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Placeholders,
    ::testing::Values(ShortenCase{"Neither", "{}", "{}"}, ShortenCase{"Empty", "", ""},
                      ShortenCase{"Both", R"({"n":"projects/p","r":"roles/viewer"})",
                                  "{\"n\":\"\x01\",\"r\":\"\x02\"}"},
                      ShortenCase{"InALongerText", "//host/projects/p/x", "//host/\x01/x"},
                      ShortenCase{"InARow", "projects/pprojects/p", "\x01\x01"},
                      ShortenCase{"NoJson", "\x01projects/p", "\x01projects/p", true}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(PlaceholdersOfShortNames, AreNotUsed) { EXPECT_EQ(Shorten("a*b", "", "*").text, "a*b"); }

TEST(DigestBytes, AreThoseOfSixtyFourLowerCaseHexDigitsOnly) {
  std::array<char, kDigestBytes> bytes{};
  const std::string digest = Sha256Hex("x");
  ASSERT_TRUE(BytesOfDigest(digest, bytes));
  EXPECT_EQ(HexOfDigest({bytes.data(), bytes.size()}), digest);
  for (const std::string& other : {std::string(), digest.substr(1), digest + "0",
                                   std::string(64, 'A'), std::string(64, 'g')}) {
    EXPECT_FALSE(BytesOfDigest(other, bytes)) << other;
  }
}

using CompactStore = StoreTest;

TEST_F(CompactStore, ASpecOfAnyBytesComesBack) {
  ResourceRecord odd = Binding("odd", "t", "roles/viewer");
  odd.spec = "\x01\x02 roles/viewer";
  odd.outputs = R"({"id":")" + odd.target.name + R"("})";
  StoreChange change;
  change.upsert_resources = {odd};
  ASSERT_THAT(store().Apply(change), IsOk());
  EXPECT_THAT(Value(store().Resources()), ElementsAre(odd));
}

TEST_F(CompactStore, TextsThatComeAgainAreKeptOnce) {
  StoreChange change;
  for (int i = 0; i < 50; ++i) change.events.push_back(EventNamed("Same"));
  change.events.push_back(EventNamed("Once"));
  change.events.back().message = "a message of its own";
  ASSERT_THAT(store().Apply(change), IsOk());
  EXPECT_EQ(Count("events WHERE typeof(message) = 'text'"), 2) << "the first and the single one";
  for (const auto& [id, event] : Value(store().Events({}))) {
    EXPECT_EQ(event.message,
              event.reason == "Same" ? "something happened" : "a message of its own");
  }
}

TEST_F(CompactStore, WhatAFailedChangeNamedFirstIsNamedAnewByTheNext) {
  StoreChange bad;
  bad.events = {EventNamed("NewReason")};
  bad.upsert_targets = {Observed(PolicyTarget("new"), "")};
  bad.upsert_resources = {Binding("a", "t", "new-role"), Binding("b", "t", "new-role")};
  ASSERT_THAT(store().Apply(bad), FailsWith(Code::kAlreadyExists, HasSubstr("holds")));

  StoreChange other;
  other.events = {EventNamed("Other")};
  other.upsert_targets = {Observed(PolicyTarget("other"), "")};
  ASSERT_THAT(store().Apply(other), IsOk());
  bad.upsert_resources.pop_back();
  ASSERT_THAT(store().Apply(bad), IsOk());
  EXPECT_THAT(EventReasons(), ElementsAre("Other", "NewReason"));
  EXPECT_THAT(Claims(), ElementsAre("a new-role"));
  const auto targets = Value(store().Targets());
  ASSERT_THAT(targets, SizeIs(2));
  EXPECT_EQ(targets[0].target, PolicyTarget("new"));
}

TEST_F(CompactStore, RetentionSweepsWhatNothingNamesAnyMoreAndNothingElse) {
  DriftItem item;
  item.resource = "drifting";
  item.grant.role = "drift-role";
  StoreChange change;
  change.upsert_resources = {Binding("kept", "t", "kept-role"), Binding("gone", "t", "gone-role")};
  change.upsert_targets = {Observed(PolicyTarget("t"), "")};
  change.drift = {{PolicyTarget("t"), At(9), {item}}};
  change.events = {EventNamed("OldReason", At(1)), EventNamed("NewReason", At(9))};
  change.events[0].resource = "old-resource";
  change.events[1].target = "target-of-an-event";
  ASSERT_THAT(store().Apply(change), IsOk());
  change = {};
  change.forget_resources = {"gone"};
  ASSERT_THAT(store().Apply(change), IsOk());

  ASSERT_THAT(store().Retain(At(5), 10), IsOk());
  EXPECT_EQ(Count("words WHERE text IN ('gone-role', 'OldReason')"), 0);
  EXPECT_EQ(Count("words WHERE text IN ('kept-role', 'NewReason', 'drift-role')"), 3);
  EXPECT_EQ(Count("names WHERE name IN ('gone', 'old-resource')"), 0);
  EXPECT_EQ(Count("names WHERE name IN ('kept', 'drifting', 'target-of-an-event')"), 3);
  EXPECT_THAT(Claims(), ElementsAre("kept kept-role"));
  EXPECT_THAT(EventReasons(), ElementsAre("NewReason"));
  EXPECT_EQ(Value(store().Drift({})).at(0).item.resource, "drifting");

  // Numbers that are free again must not be mistaken for what they named before.
  change = {};
  change.upsert_resources = {Binding("heir", "t", "gone-role"), Binding("late", "u", "late-role")};
  change.touch_targets = {TargetKey(PolicyTarget("t"))};
  change.touched_at = At(60);
  ASSERT_THAT(store().Apply(change), IsOk());
  EXPECT_THAT(Claims(), ElementsAre("heir gone-role", "kept kept-role", "late late-role"));
  EXPECT_EQ(Value(store().Targets()).at(0).observed_at, At(60));
}

TEST_F(CompactStore, TheWriteAheadLogShrinksAgainAfterALargeChange) {
  StoreChange large;
  for (int i = 0; i < 20; ++i) {
    Event event = EventNamed("Large");
    event.message.assign(1U << 20U, static_cast<char>('a' + i));
    large.events.push_back(std::move(event));
  }
  ASSERT_THAT(store().Apply(large), IsOk());
  ASSERT_THAT(store().Apply(testing::EventChange("Small")), IsOk());
  EXPECT_LE(std::filesystem::file_size(path() + "-wal"), 8U << 20U);
}

class StreamedStore : public StoreTest {};

TEST_F(StreamedStore, GivesEachRecordAsTheListsDo) {
  StoreChange change;
  change.upsert_resources = {Binding("a", "t", "r"), Binding("b", "u", "r")};
  change.revisions = {RevisionOf(PolicyTarget("t"), "{}")};
  change.upsert_targets = {Observed(PolicyTarget("t"), "{}"), Observed(PolicyTarget("u"), "")};
  change.upsert_files = {{"a.yaml", "1", "d"}, {"b.yaml", "2", "e"}};
  ASSERT_THAT(store().Apply(change), IsOk());

  std::vector<ResourceRecord> resources;
  std::vector<ResourceRecord> after_targets;
  std::vector<std::string> targets;
  std::vector<FileRecord> files;
  std::thread second([&] {
    EXPECT_THAT(store().ReadCatalog(
                    [&](TargetRecord&& record) {
                      EXPECT_THAT(after_targets, IsEmpty());
                      targets.push_back(record.policy_digest);
                    },
                    [&](ResourceRecord&& record) { after_targets.push_back(std::move(record)); }),
                IsOk());
    EXPECT_THAT(store().ReadFiles([&](FileRecord&& record) { files.push_back(std::move(record)); }),
                IsOk());
  });
  EXPECT_THAT(store().ReadResources(
                  [&](ResourceRecord&& record) { resources.push_back(std::move(record)); }),
              IsOk());
  second.join();
  EXPECT_EQ(resources, change.upsert_resources);
  EXPECT_EQ(after_targets, change.upsert_resources);
  EXPECT_THAT(targets, ElementsAre(Sha256Hex("{}"), ""));
  EXPECT_EQ(files, change.upsert_files);
}

TEST_F(StreamedStore, MayBeUsedWhileItIsRead) {
  StoreChange change;
  change.upsert_resources = {Binding("a", "t", "r")};
  ASSERT_THAT(store().Apply(change), IsOk());
  EXPECT_THAT(store().ReadResources([&](const ResourceRecord& record) {
    EXPECT_THAT(store().Apply(testing::EventChange(record.name)), IsOk());
    EXPECT_THAT(Value(store().Resources()), SizeIs(1));
  }),
              IsOk());
  EXPECT_THAT(EventReasons(), ElementsAre("a"));
}

}  // namespace
}  // namespace bindery::store
