#include "fixture.h"

namespace bindery::store {
namespace {

using testing::At;
using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::PolicyTarget;
using ::testing::SizeIs;
using testing::StoreTest;

DriftItem Item(const std::string& member, DriftState state = DriftState::kOpen,
               const std::string& observed = "absent") {
  DriftItem item;
  item.drift_class = DriftClass::kMissing;
  item.severity = Severity::kHigh;
  item.state = state;
  item.resource = "payments";
  item.grant = {"roles/viewer", member, {}};
  item.desired = "granted";
  item.observed = observed;
  return item;
}

DriftItem Conditional(const std::string& member, const std::string& title) {
  DriftItem item = Item(member);
  item.grant.condition = Condition{"request.time < x", title, ""};
  return item;
}

std::string GetCause(const DriftRecord& record) { return std::string(ToString(record.item.cause)); }

std::string Seconds(WallTime time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time - At(0)).count());
}

/// "ana open 1-3", "ana corrected 1-3 5 by bindery".
std::string Text(const DriftRecord& record) {
  std::string text = record.item.grant.principal;
  if (record.item.grant.condition) text += "/" + record.item.grant.condition->title;
  text += " " + std::string(ToString(record.item.state)) + " " + Seconds(record.first_seen) + "-" +
          Seconds(record.last_seen);
  if (record.resolved_at) text += " " + Seconds(*record.resolved_at);
  if (!record.resolved_by.empty()) text += " by " + record.resolved_by;
  return text;
}

class StoreDrift : public StoreTest {
 protected:
  void Update(int seconds, std::vector<DriftItem> items, bool corrected = false,
              const std::string& target = "a") {
    StoreChange change;
    change.drift.push_back({PolicyTarget(target), At(seconds), std::move(items), corrected});
    ASSERT_THAT(store().Apply(std::move(change)), IsOk());
  }
  std::vector<std::string> Texts(const DriftFilter& filter = {}) {
    std::vector<std::string> texts;
    for (const DriftRecord& record : Value(store().Drift(filter))) texts.push_back(Text(record));
    return texts;
  }
};

struct Step {
  std::vector<DriftItem> items;
  bool corrected = false;
};

struct UpdateCase {
  const char* name;
  const char* why;
  std::vector<Step> steps;  ///< At the seconds 1, 2, 3, …
  std::vector<std::string> expected;
};

const DriftState kHeld = DriftState::kHeld;
const DriftState kCorrected = DriftState::kCorrected;

std::vector<UpdateCase> UpdateCases() {
  return {
      {"New", "what is seen first is open since then", {{{Item("ana")}}}, {"ana open 1-1"}},
      {"SeenAgain", "the first sight stays", {{{Item("ana")}}, {{Item("ana")}}}, {"ana open 1-2"}},
      {"SeenAgainInOtherWords",
       "state and words follow, the difference is the same",
       {{{Item("ana")}}, {{Item("ana", kHeld, "other")}}},
       {"ana held 1-2"}},
      {"GoneElsewhere",
       "nobody here did it",
       {{{Item("ana")}}, {{}, false}},
       {"ana corrected 1-1 2 by elsewhere"}},
      {"GoneByUs",
       "the pass that wrote says so",
       {{{Item("ana")}}, {{}, true}},
       {"ana corrected 1-1 2 by bindery"}},
      {"OneOfTwoGone",
       "what is still there is seen again",
       {{{Item("ana"), Item("ben")}}, {{Item("ben")}, true}},
       {"ana corrected 1-1 2 by bindery", "ben open 1-2"}},
      {"FoundAndCorrectedAtOnce",
       "drift that a pass found and mended is on record, closed",
       {{{Item("ana", kCorrected)}, true}},
       {"ana corrected 1-1 1 by bindery"}},
      {"OpenThenCorrected",
       "the record that was open is closed, no second one is made",
       {{{Item("ana")}}, {{Item("ana", kCorrected)}, true}},
       {"ana corrected 1-2 2 by bindery"}},
      {"HeldThenCorrected",
       "an approved hold ends like that",
       {{{Item("ana", kHeld)}}, {{Item("ana", kCorrected)}, true}},
       {"ana corrected 1-2 2 by bindery"}},
      {"BackAgain",
       "drift that comes back is a new record",
       {{{Item("ana")}}, {{}, true}, {{Item("ana")}}},
       {"ana corrected 1-1 2 by bindery", "ana open 3-3"}},
      {"OtherCondition",
       "the condition is part of the grant",
       {{{Conditional("ana", "x")}}, {{Conditional("ana", "y")}}},
       {"ana/x corrected 1-1 2 by elsewhere", "ana/y open 2-2"}},
      {"WithAndWithoutCondition",
       "an absent condition is another grant than an empty one",
       {{{Item("ana"), Conditional("ana", "")}}, {{Conditional("ana", "")}}},
       {"ana corrected 1-1 2 by elsewhere", "ana/ open 1-2"}},
      {"ListedTwice",
       "one difference is one record; the last word counts",
       {{{Item("ana"), Item("ana", kHeld)}}},
       {"ana held 1-1"}},
      {"NothingToNothing", "an idle pass leaves no trace", {{{}}, {{}, true}}, {}},
  };
}

class StoreDriftUpdate : public StoreDrift, public ::testing::WithParamInterface<UpdateCase> {};

TEST_P(StoreDriftUpdate, LeavesTheseRecords) {
  SCOPED_TRACE(GetParam().why);
  int seconds = 0;
  for (const Step& step : GetParam().steps) Update(++seconds, step.items, step.corrected);
  std::vector<std::string> found = Texts();
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(Cases, StoreDriftUpdate, ::testing::ValuesIn(UpdateCases()),
                         [](const ::testing::TestParamInfo<UpdateCase>& tested) {
                           return std::string(tested.param.name);
                         });

TEST_F(StoreDrift, IsReadThoughTheKeyOfATargetBesideItIsDamaged) {
  Update(1, {Item("ana")}, false, "a");
  Update(2, {Item("bob")}, false, "b");
  Update(3, {}, true, "b");
  Update(4, {Item("cyd")}, false, "c");
  Alter([](Connection& connection) {
    store::Run(connection,
               "UPDATE target_keys SET kind = 999999 WHERE id = (SELECT target_id FROM drift "
               "WHERE resolved_after IS NOT NULL)");
  });
  Reopen();
  DriftFilter unresolved;
  unresolved.unresolved_only = true;
  EXPECT_THAT(Texts(unresolved), SizeIs(2));
  EXPECT_THAT(
      store().Drift({}),
      FailsWith(Code::kInternal,
                HasSubstr("the table words has no row 999999, which another table names; bindery "
                          "store check lists such faults: restore a backup")));
}

TEST_F(StoreDrift, EveryFieldComesBack) {
  DriftItem item;
  item.drift_class = DriftClass::kConditionChanged;
  item.severity = Severity::kCritical;
  item.state = DriftState::kHeld;
  item.resource = "payments";
  item.grant = {"roles/viewer", "user:é@example.com", Condition{"a < \"b\"", "t", "d"}};
  item.desired = "until-june";
  item.observed = "always";
  Update(1, {item});
  const auto found = Value(store().Drift({}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].target, PolicyTarget("a"));
  EXPECT_EQ(found[0].item.drift_class, item.drift_class);
  EXPECT_EQ(found[0].item.severity, item.severity);
  EXPECT_EQ(found[0].item.state, item.state);
  EXPECT_EQ(found[0].item.resource, item.resource);
  EXPECT_EQ(found[0].item.grant, item.grant);
  EXPECT_EQ(found[0].item.desired, item.desired);
  EXPECT_EQ(found[0].item.observed, item.observed);
}

TEST_F(StoreDrift, AnAcceptanceIsKeptWhileItHolds) {
  DriftItem accepted = Item("ana", DriftState::kAccepted);
  accepted.acceptance = {"incident 42", "ops", At(100)};
  Update(1, {Item("ana")});
  Update(2, {accepted});
  EXPECT_THAT(Texts(), ElementsAre("ana accepted 1-2"));
  EXPECT_EQ(Value(store().Drift({})).at(0).item.acceptance, accepted.acceptance);
  accepted.acceptance->until.reset();
  Update(3, {accepted});
  EXPECT_EQ(Value(store().Drift({})).at(0).item.acceptance, accepted.acceptance);
  Update(4, {Item("ana")});
  EXPECT_THAT(Texts(), ElementsAre("ana open 1-4"));
  EXPECT_EQ(Value(store().Drift({})).at(0).item.acceptance, std::nullopt);
}

TEST_F(StoreDrift, TheWordsFollowWhatIsSeen) {
  Update(1, {Item("ana")});
  Update(2, {Item("ana", DriftState::kOpen, "deleted")});
  EXPECT_EQ(Value(store().Drift({})).at(0).item.observed, "deleted");
}

TEST_F(StoreDrift, ASnapshotIsOfOneMomentHoweverOftenItIsRead) {
  Update(1, {Item("ana"), Item("ben"), Item("cem")});
  Update(2, {Item("ben"), Item("cem")}, true);
  Update(4, {Item("cem")}, true);
  const auto snapshot = Value(store().SnapshotDrift());
  Update(5, {}, true);
  const auto since = [&](std::optional<WallTime> time) {
    std::vector<std::string> texts;
    EXPECT_THAT(
        snapshot->EachSince(time, [&](const auto& entry) { texts.push_back(Text(entry.record)); }),
        IsOk());
    return texts;
  };
  EXPECT_THAT(since(std::nullopt), ElementsAre("cem open 1-4"));
  EXPECT_THAT(since(At(3)), ElementsAre("ben corrected 1-2 4 by bindery", "cem open 1-4"));
  EXPECT_THAT(since(At(2)), ElementsAre("ana corrected 1-1 2 by bindery",
                                        "ben corrected 1-2 4 by bindery", "cem open 1-4"));
  std::vector<std::string> texts;
  EXPECT_THAT(snapshot->VisitEach({3, 99, 1},
                                  [&](const auto& entry) { texts.push_back(Text(entry.record)); }),
              IsOk());
  EXPECT_THAT(texts, ElementsAre("cem open 1-4", "ana corrected 1-1 2 by bindery"));
  EXPECT_THAT(Texts(),
              ElementsAre("ana corrected 1-1 2 by bindery", "ben corrected 1-2 4 by bindery",
                          "cem corrected 1-4 5 by bindery"));
}

TEST_F(StoreDrift, WhatStandsOnOneTargetIsReadAlone) {
  Update(1, {Item("ana"), Item("ben")});
  Update(2, {Item("ben")}, true);
  Update(3, {Item("cem")}, false, "another");
  const auto principals_on = [this](const Target& target) {
    DriftFilter filter;
    filter.unresolved_only = true;
    filter.target = target;
    std::vector<std::string> principals;
    for (const DriftRecord& record : Value(store().Drift(filter))) {
      principals.push_back(record.item.grant.principal);
    }
    return principals;
  };
  EXPECT_THAT(principals_on(PolicyTarget("a")), ElementsAre("ben"));
  EXPECT_THAT(principals_on(PolicyTarget("another")), ElementsAre("cem"));
  EXPECT_THAT(principals_on(PolicyTarget("unknown")), ElementsAre());
}

TEST_F(StoreDrift, ReadsEndWithTheProcessAndWritesDoNot) {
  constexpr int kRows = 3000;
  std::vector<DriftItem> items;
  for (int i = 0; i < kRows; ++i) items.push_back(Item("user" + std::to_string(i)));
  Update(1, items);
  int read = 0;
  const auto snapshot = Value(store().SnapshotDrift());
  const auto ended = snapshot->EachSince(std::nullopt, [&](const DriftEntry& /*entry*/) {
    if (++read == 1) store().EndReads();
  });
  EXPECT_FALSE(ended.has_value());
  EXPECT_LT(read, kRows / 2) << "in the middle of it";
  EXPECT_FALSE(store().Drift({}).has_value()) << "a later one too";
  StoreChange change;
  change.upsert_resources.push_back(testing::Binding("payments", "a", "roles/viewer"));
  EXPECT_THAT(store().Apply(std::move(change)), IsOk());
}

TEST_F(StoreDrift, ASnapshotTellsWhatIsOnRecordOfTheResource) {
  DriftItem stranger = Item("ben");
  stranger.resource = "gone";
  Update(1, {Item("ana"), stranger});
  ResourceRecord record = testing::Binding("payments", "a", "roles/viewer");
  record.source_file = "teams/payments.yaml";
  record.source_line = 7;
  record.status.reason = "PERMISSION_DENIED";
  StoreChange change;
  change.upsert_resources.push_back(record);
  ASSERT_THAT(store().Apply(std::move(change)), IsOk());
  std::map<std::string, std::optional<DriftEntry::Resource>> resources;
  EXPECT_THAT(Value(store().SnapshotDrift())
                  ->EachSince(std::nullopt,
                              [&](const DriftEntry& entry) {
                                resources[entry.record.item.resource] = entry.resource;
                              }),
              IsOk());
  ASSERT_EQ(resources.size(), 2U);
  ASSERT_TRUE(resources["payments"].has_value());
  EXPECT_EQ(resources["payments"]->source_file, "teams/payments.yaml");
  EXPECT_EQ(resources["payments"]->source_line, 7);
  EXPECT_EQ(resources["payments"]->reason, "PERMISSION_DENIED");
  EXPECT_FALSE(resources["gone"].has_value());
}

TEST_F(StoreDrift, OfOtherTargetsIsLeftAlone) {
  Update(1, {Item("ana")}, false, "a");
  Update(2, {}, true, "b");
  EXPECT_THAT(Texts(), ElementsAre("ana open 1-1"));
}

TEST_F(StoreDrift, FiltersByResolutionAndAge) {
  Update(1, {Item("ana"), Item("ben"), Item("cem")});
  Update(2, {Item("ben"), Item("cem")}, true);
  Update(3, {Item("cem")}, true);

  DriftFilter unresolved;
  unresolved.unresolved_only = true;
  EXPECT_THAT(Texts(unresolved), ElementsAre("cem open 1-3"));
  DriftFilter recent;
  recent.resolved_since = At(3);
  EXPECT_THAT(Texts(recent), ElementsAre("ben corrected 1-2 3 by bindery", "cem open 1-3"));
  DriftFilter one;
  one.limit = 1;
  EXPECT_THAT(Texts(one), ElementsAre("cem open 1-3")) << "what is unresolved goes first";
  unresolved.limit = 0;
  EXPECT_THAT(Texts(unresolved), ElementsAre());
}

TEST_F(StoreDrift, ADifferenceKeepsTheCauseItWasFoundWith) {
  std::vector<DriftItem> items = {Item("ana"), Item("bob"), Item("cyd"), Item("dan")};
  items[0].cause = DriftCause::kManifest;
  items[1].cause = DriftCause::kForeign;
  items[2].cause = DriftCause::kExpiry;
  Update(1, items);
  for (DriftItem& item : items) {
    item.state = DriftState::kCorrected;
    item.cause = DriftCause::kUnknown;
  }
  Update(2, items, true);
  std::vector<std::string> causes;
  for (const DriftRecord& record : Value(store().Drift({}))) {
    causes.push_back(record.item.grant.principal + " " + GetCause(record));
  }
  EXPECT_THAT(causes, ::testing::UnorderedElementsAre("ana manifest", "bob foreign", "cyd expiry",
                                                      "dan unknown"));
}

}  // namespace
}  // namespace bindery::store
