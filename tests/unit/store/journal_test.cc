#include "fixture.h"
#include "support/begin_write.h"

namespace bindery::store {
namespace {

using testing::At;
using ::testing::ElementsAre;
using testing::EventChange;
using testing::EventNamed;
using testing::FailsWith;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::LongText;
using testing::PolicyTarget;
using ::testing::SizeIs;
using testing::StoreTest;

class StoreEvents : public StoreTest {
 protected:
  void Add(const std::string& reason, const std::string& resource) {
    StoreChange change;
    change.events.push_back(EventNamed(reason));
    change.events.back().resource = resource;
    ASSERT_THAT(store().Apply(std::move(change)), IsOk());
  }
  std::vector<std::string> Reasons(const EventFilter& filter) {
    std::vector<std::string> reasons;
    for (const auto& [id, event] : Value(store().Events(filter))) reasons.push_back(event.reason);
    return reasons;
  }
};

TEST_F(StoreEvents, EveryFieldComesBack) {
  StoreChange change;
  change.events.push_back({At(3), EventType::kWarning, "RoleConflict", "payments", "projects/p",
                           "two claims", "ana", Severity::kHigh});
  ASSERT_THAT(store().Apply(change), IsOk());
  const auto found = Value(store().Events({}));
  ASSERT_THAT(found, SizeIs(1));
  const Event& event = found[0].second;
  EXPECT_EQ(event.time, At(3));
  EXPECT_EQ(event.type, EventType::kWarning);
  EXPECT_EQ(event.reason, "RoleConflict");
  EXPECT_EQ(event.resource, "payments");
  EXPECT_EQ(event.target, "projects/p");
  EXPECT_EQ(event.message, "two claims");
  EXPECT_EQ(event.actor, "ana");
  EXPECT_EQ(event.severity, Severity::kHigh);
}

TEST_F(StoreEvents, ALongTextMayComeAgain) {
  StoreChange change = EventChange("Repeated");
  change.events[0].message = LongText();
  for (int i = 0; i < 3; ++i) ASSERT_THAT(store().Apply(change), IsOk());
  EXPECT_EQ(Count("words WHERE length(text) > 10000"), 1);
  for (const auto& [id, event] : Value(store().Events({}))) EXPECT_EQ(event.message, LongText());
}

TEST_F(StoreEvents, TheNewestAreGivenOldestFirst) {
  for (const char* reason : {"1", "2", "3", "4"})
    Add(reason, reason == std::string("2") ? "b" : "a");
  EventFilter filter;
  filter.limit = 2;
  EXPECT_THAT(Reasons(filter), ElementsAre("3", "4"));
  filter.resource = "a";
  filter.limit = 10;
  EXPECT_THAT(Reasons(filter), ElementsAre("1", "3", "4"));
  filter.resource = "b";
  EXPECT_THAT(Reasons(filter), ElementsAre("2"));
}

TEST_F(StoreEvents, AreFollowedById) {
  Add("1", "a");
  const std::int64_t seen = Value(store().Events({})).back().first;
  EventFilter filter;
  filter.after_id = seen;
  EXPECT_THAT(Reasons(filter), IsEmpty());
  Add("2", "a");
  EXPECT_THAT(Reasons(filter), ElementsAre("2"));
  filter.resource = "a";
  EXPECT_THAT(Reasons(filter), ElementsAre("2"));
}

TEST_F(StoreEvents, OfAResourceAreThoseOfItsTargetToo) {
  StoreChange change;
  change.upsert_resources.push_back(testing::Binding("a", "t", "roles/viewer"));
  change.upsert_resources.push_back(testing::Binding("b", "u", "roles/viewer"));
  const auto add = [&change](const char* reason, const char* resource, const std::string& target) {
    change.events.push_back({At(1), EventType::kNormal, reason, resource, target, "", "ana", {}});
  };
  const std::string target = PolicyTarget("t").name;
  add("OfItself", "a", target);
  add("OfItsTarget", "", target);
  add("OfAnotherOnIt", "c", target);
  add("OfAnotherTarget", "", PolicyTarget("u").name);
  add("OfNothing", "", "");
  ASSERT_THAT(store().Apply(change), IsOk());
  EventFilter filter;
  filter.resource = "a";
  EXPECT_THAT(Reasons(filter), ElementsAre("OfItself", "OfItsTarget"));
  filter.limit = 1;
  EXPECT_THAT(Reasons(filter), ElementsAre("OfItsTarget"));
  filter.resource = "nobody";
  EXPECT_THAT(Reasons(filter), IsEmpty());
}

TEST_F(StoreEvents, AreFilteredByEachField) {
  StoreChange change;
  change.events = {
      {At(1), EventType::kNormal, "Written", "a", "projects/p", "the first", "bindery", {}},
      {At(2), EventType::kWarning, "Held", "b", "", "wait", "bindery", {}},
      {At(3), EventType::kNormal, "Written", "c", "", "The Second", "ana", {}}};
  ASSERT_THAT(store().Apply(change), IsOk());
  struct Case {
    const char* what;
    EventFilter filter;
    std::vector<std::string> messages;
  };
  std::vector<Case> cases(9);
  cases[0] = {"type", {}, {"wait"}};
  cases[0].filter.type = EventType::kWarning;
  cases[1] = {"reason", {}, {"the first", "The Second"}};
  cases[1].filter.reason = "Written";
  cases[2] = {"actor", {}, {"The Second"}};
  cases[2].filter.actor = "ana";
  cases[3] = {"text of a message", {}, {"The Second"}};
  cases[3].filter.text = "sECOND";
  cases[4] = {"text of a target", {}, {"the first"}};
  cases[4].filter.text = "projects/";
  cases[5] = {"since", {}, {"wait", "The Second"}};
  cases[5].filter.since = At(2);
  cases[6] = {"until", {}, {"the first", "wait"}};
  cases[6].filter.until = At(2);
  cases[7] = {"text, the newest", {}, {"The Second"}};
  cases[7].filter.text = "the";
  cases[7].filter.limit = 1;
  cases[8] = {"of a resource", {}, {}};
  cases[8].filter.resource = "a";
  cases[8].filter.type = EventType::kWarning;
  for (const Case& c : cases) {
    std::vector<std::string> messages;
    for (const auto& [id, event] : Value(store().Events(c.filter))) {
      messages.push_back(event.message);
    }
    EXPECT_EQ(messages, c.messages) << c.what;
  }
}

TEST_F(StoreEvents, ArePagedInBothDirections) {
  for (const char* reason : {"1", "2", "3", "4", "5"}) Add(reason, "a");
  for (const char* resource : {"", "a"}) {
    EventFilter filter;
    filter.resource = resource;
    filter.limit = 2;
    filter.before_id = Value(store().Events({})).back().first;
    EXPECT_THAT(Reasons(filter), ElementsAre("3", "4"));
    EventFilter next;
    next.resource = resource;
    next.limit = 2;
    next.oldest = true;
    next.after_id = Value(store().Events({})).front().first;
    EXPECT_THAT(Reasons(next), ElementsAre("2", "3"));
  }
}

class StoreRollbacks : public StoreTest {};

TEST_F(StoreRollbacks, AreOneATargetUntilTheyAreOver) {
  StoreChange change;
  change.upsert_rollbacks = {{PolicyTarget("a"), 3, "ana", {"viewers", "editors"}},
                             {PolicyTarget("b"), 4, "bob", {}}};
  ASSERT_THAT(store().Apply(change), IsOk());
  EXPECT_EQ(Value(store().Rollbacks()), change.upsert_rollbacks);

  StoreChange next;
  next.upsert_rollbacks = {{PolicyTarget("a"), 5, "eve", {}}};
  next.forget_rollbacks = {PolicyTarget("b"), PolicyTarget("unknown")};
  ASSERT_THAT(store().Apply(next), IsOk());
  EXPECT_EQ(Value(store().Rollbacks()), next.upsert_rollbacks);

  StoreChange gone;
  gone.forget_targets = {PolicyTarget("a")};
  ASSERT_THAT(store().Apply(gone), IsOk());
  EXPECT_THAT(Value(store().Rollbacks()), IsEmpty());
}

class StoreIntents : public StoreTest {
 protected:
  Expected<void> Finish(std::int64_t id, const std::string& outcome) {
    StoreChange change;
    change.finished_intents.push_back({id, At(2), outcome});
    return store().Apply(std::move(change));
  }
};

IntentRecord Intent(const std::string& target) {
  IntentRecord intent;
  intent.target = PolicyTarget(target);
  intent.started = At(1);
  intent.etag_before = "etag";
  intent.digest_before = "before";
  intent.digest_desired = "desired";
  intent.actor = "ana";
  return intent;
}

TEST_F(StoreIntents, AreOpenUntilTheirOutcomeIsKnown) {
  const std::int64_t first = Value(testing::BeginWrite(store(), Intent("a")));
  const std::int64_t second = Value(testing::BeginWrite(store(), Intent("b")));
  EXPECT_LT(first, second);
  Reopen();
  auto open = Value(store().OpenIntents());
  ASSERT_THAT(open, SizeIs(2));
  EXPECT_EQ(open[0].id, first);
  EXPECT_EQ(open[0].target, PolicyTarget("a"));
  EXPECT_EQ(open[0].started, At(1));
  EXPECT_EQ(open[0].etag_before, "etag");
  EXPECT_EQ(open[0].digest_before, "before");
  EXPECT_EQ(open[0].digest_desired, "desired");
  EXPECT_EQ(open[0].actor, "ana");

  ASSERT_THAT(Finish(first, "landed"), IsOk());
  open = Value(store().OpenIntents());
  ASSERT_THAT(open, SizeIs(1));
  EXPECT_EQ(open[0].id, second);
}

TEST_F(StoreIntents, ConditionalGrantsOfAnIntentAreKeptAsTheyAre) {
  IntentRecord intent;
  intent.target = PolicyTarget("t");
  const Condition odd{"request.time < timestamp(\"2030-01-01T00:00:00Z\")", "bis \"März\"", "\\"};
  intent.conditional = {{{"roles/viewer", "user:ana@example.com", odd}, std::string(64, 'a')},
                        {{"roles/viewer", "user:bob@example.com", odd}}};
  ASSERT_THAT(testing::BeginWrite(store(), intent), IsOk());
  Reopen();
  const auto open = Value(store().OpenIntents());
  ASSERT_EQ(open.size(), 1U);
  EXPECT_EQ(open[0].conditional, intent.conditional);
}

TEST_F(StoreIntents, FinishingTwiceIsHarmlessAndAnUnknownOneIsABug) {
  const std::int64_t id = Value(testing::BeginWrite(store(), Intent("a")));
  ASSERT_THAT(Finish(id, "landed"), IsOk());
  EXPECT_THAT(Finish(id, "refused"), IsOk());
  EXPECT_THAT(Finish(id + 1, "landed"),
              FailsWith(Code::kInternal, "there is no intent " + std::to_string(id + 1)));
  EXPECT_THAT(Finish(0, "landed"), FailsWith(Code::kInternal, "there is no intent 0"));
}

TEST_F(StoreIntents, OneThatWasGivenUpIsClosedByTheNextOfItsTarget) {
  static_cast<void>(Value(testing::BeginWrite(store(), Intent("a"))));
  const std::int64_t other = Value(testing::BeginWrite(store(), Intent("b")));
  const std::int64_t next = Value(testing::BeginWrite(store(), Intent("a")));
  Reopen();
  const auto open = Value(store().OpenIntents());
  ASSERT_THAT(open, SizeIs(2));
  EXPECT_EQ(open[0].id, other);
  EXPECT_EQ(open[1].id, next);
}

TEST_F(StoreIntents, IdsAreNeverGivenTwice) {
  const std::int64_t first = Value(testing::BeginWrite(store(), Intent("a")));
  ASSERT_THAT(Finish(first, "landed"), IsOk());
  ASSERT_THAT(store().Retain(At(100), 10), IsOk());
  EXPECT_GT(Value(testing::BeginWrite(store(), Intent("a"))), first);
  EXPECT_THAT(Finish(first, "landed"), IsOk()) << "it was given, though it is cleared away";
}

using StoreHolds = StoreTest;

TEST_F(StoreHolds, AreReplacedByDigestAndReadOldestFirst) {
  HoldRecord late{"aaa", At(2), HoldState::kOpen, "50 grants", {}, "[]", ""};
  HoldRecord early{"bbb", At(1), HoldState::kOpen, "25 %", {7}, R"([{"target":"t"}])", ""};
  StoreChange change;
  change.upsert_holds = {late, early};
  ASSERT_THAT(store().Apply(change), IsOk());
  early.state = HoldState::kApproved;
  early.actor = "ana";
  change.upsert_holds = {early};
  ASSERT_THAT(store().Apply(change), IsOk());

  const auto found = Value(store().Holds());
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].digest, "bbb");
  EXPECT_EQ(found[0].created, At(1));
  EXPECT_EQ(found[0].state, HoldState::kApproved);
  EXPECT_EQ(found[0].reason, "25 %");
  EXPECT_EQ(found[0].purpose, HoldPurpose{7});
  EXPECT_EQ(found[0].items, R"([{"target":"t"}])");
  EXPECT_EQ(found[0].actor, "ana");
  EXPECT_EQ(found[1].digest, "aaa");
}

using StoreGenerations = StoreTest;

TEST_F(StoreGenerations, TheOlderOnesAreTheLastOfEachOtherContent) {
  for (const auto& [digest, seconds] :
       {std::pair("a", 1), std::pair("b", 2), std::pair("a", 3), std::pair("c", 4)}) {
    GenerationRecord record;
    record.digest = digest;
    record.time = At(seconds);
    StoreChange change;
    change.generation = record;
    ASSERT_THAT(store().Apply(change), IsOk());
  }
  std::vector<std::pair<std::string, WallTime>> older;
  for (const GenerationRecord& record : Value(store().OlderGenerations())) {
    older.emplace_back(record.digest, record.time);
  }
  EXPECT_THAT(older, ElementsAre(std::pair("b", At(2)), std::pair("a", At(3))));
}

TEST_F(StoreGenerations, TheLastOneIsGiven) {
  EXPECT_EQ(Value(store().LastGeneration()), std::nullopt);
  for (const char* digest : {"one", "two"}) {
    StoreChange change;
    change.generation = GenerationRecord{0, At(1), digest, 3, 4, 5, "rules"};
    ASSERT_THAT(store().Apply(change), IsOk());
  }
  const auto found = Value(store().LastGeneration());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->id, 2);
  EXPECT_EQ(found->time, At(1));
  EXPECT_EQ(found->digest, "two");
  EXPECT_EQ(found->files, 3);
  EXPECT_EQ(found->manifests, 4);
  EXPECT_EQ(found->problems, 5);
  EXPECT_EQ(found->rules, "rules");
}

using StoreProblems = StoreTest;

TEST_F(StoreProblems, AreReplacedAsAWholeAndKeepTheirOrder) {
  const ManifestProblemRecord second{"b.yaml", 2, 3, "spec.role", "error", "bad-role", "no", "x"};
  const ManifestProblemRecord first{"z.yaml", 1, 1, "", "warning", "preview", "yes", ""};
  StoreChange change;
  change.problems = {first, second};
  ASSERT_THAT(store().Apply(change), IsOk());
  ASSERT_THAT(store().Apply(testing::EventChange("Other")), IsOk());
  const auto found = Value(store().Problems());
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].file, "z.yaml");
  EXPECT_EQ(found[1].file, "b.yaml");
  EXPECT_EQ(found[1].line, 2);
  EXPECT_EQ(found[1].column, 3);
  EXPECT_EQ(found[1].path, "spec.role");
  EXPECT_EQ(found[1].severity, "error");
  EXPECT_EQ(found[1].code, "bad-role");
  EXPECT_EQ(found[1].message, "no");
  EXPECT_EQ(found[1].resource, "x");

  change.problems->clear();
  ASSERT_THAT(store().Apply(change), IsOk());
  EXPECT_THAT(Value(store().Problems()), IsEmpty());
}

class StoreFiles : public StoreTest {
 protected:
  Expected<void> Change(std::vector<FileRecord> upserted, std::vector<std::string> forgotten = {}) {
    StoreChange change;
    change.upsert_files = std::move(upserted);
    change.forget_files = std::move(forgotten);
    return store().Apply(std::move(change));
  }
};

TEST_F(StoreFiles, EveryFieldComesBackWhateverBytesTheStampHas) {
  const std::vector<FileRecord> files = {{"a.yaml", std::string("\0\xff\x01", 3), Sha256Hex("a")},
                                         {"b/c.yaml", "", "no digest"}};
  ASSERT_THAT(Change(files), IsOk());
  Reopen();
  EXPECT_EQ(Files(), files);
}

TEST_F(StoreFiles, AreReplacedAndForgottenByPath) {
  ASSERT_THAT(Change({{"a", "1", "d"}, {"b", "1", "d"}, {"c", "1", "d"}}), IsOk());
  ASSERT_THAT(Change({{"b", "2", "e"}, {"c", "3", "f"}}, {"a", "c", "unknown"}), IsOk());
  EXPECT_THAT(Files(), ElementsAre(FileRecord{"b", "2", "e"}, FileRecord{"c", "3", "f"}));
}

TEST(StoreChangeEmpty, IsTrueOnlyWithoutAnyContent) {
  EXPECT_TRUE(StoreChange{}.empty());
  StoreChange problems;
  problems.problems.emplace();
  EXPECT_FALSE(problems.empty()) << "no problems any more is news";
  EXPECT_FALSE(testing::EventChange("A").empty());
  StoreChange touched;
  touched.touch_targets.emplace_back();
  EXPECT_FALSE(touched.empty());
  StoreChange rollbacks;
  rollbacks.forget_rollbacks.emplace_back();
  EXPECT_FALSE(rollbacks.empty());
  StoreChange files;
  files.forget_files.emplace_back();
  EXPECT_FALSE(files.empty());
}

}  // namespace
}  // namespace bindery::store
