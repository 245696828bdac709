// Who made a difference, as reports say it.

#include "report/values/attributions.h"

#include <gmock/gmock.h>

#include "report/access/observed_access.h"
#include "report/explain/explain_report.h"
#include "report/reports/target_report.h"
#include "unit/report/json_document.h"
#include "unit/report/report_fixture.h"

namespace bindery::report {
namespace {

using testing::At;
using testing::Binding;
using testing::IamTarget;
using testing::Now;
using ::testing::SizeIs;

const Grant kEve{"roles/viewer", "user:eve@example.com"};

const char* const kAna = "user:ana@example.com";
const char* const kBob = "user:bob@example.com";

/// A policy on record: these hold roles/viewer, under a condition where it is not null.
store::RevisionRecord Policy(const std::string& time, const std::vector<std::string>& members,
                             const Json& condition = nullptr) {
  Json binding = {{"role", "roles/viewer"}, {"members", members}};
  if (!condition.is_null()) binding["condition"] = condition;
  store::RevisionRecord revision;
  revision.target = IamTarget();
  revision.time = At(time);
  revision.policy = Json{{"bindings", Json::array({binding})}}.dump();
  revision.digest = "digest of " + revision.policy;
  return revision;
}

Json If(const std::string& title) { return {{"title", title}, {"expression", "1 < 2"}}; }

/// Found at 11:30, last read before at 11:00.
store::DriftUpdate Found(DriftClass drift_class, const Grant& grant,
                         const Target& target = IamTarget()) {
  DriftItem item;
  item.drift_class = drift_class;
  item.resource = "payments-viewers";
  item.grant = grant;
  store::DriftUpdate update{target, At("2026-11-21T11:30:00Z"), {item}};
  update.read_before = At("2026-11-21T11:00:00Z");
  return update;
}

class AttributionsTest : public testing::ReportTest {
 protected:
  void Find(store::DriftUpdate update, std::vector<store::RevisionRecord> revisions) {
    Put({Binding("payments-viewers")});
    store::StoreChange change;
    change.drift.push_back(std::move(update));
    change.revisions = std::move(revisions);
    Apply(std::move(change));
  }

  /// Eve holds what nobody declares, and did not at 11:00.
  void FindEve() {
    Find(Found(DriftClass::kUndeclared, kEve), {Policy("2026-11-21T10:00:00Z", {kAna})});
  }

  static AuditEntry Entry(const std::string& actor, const std::string& time) {
    AuditEntry entry;
    entry.id = actor + time;
    entry.target = IamTarget().name;
    entry.time = At(time);
    entry.actor = actor;
    entry.method = "SetIamPolicy";
    entry.source = "a.json:1";
    entry.detail = AuditDetail::kChanges;
    entry.grants = {{{kEve.role, "user:EVE@example.com"}, true}};
    return entry;
  }

  void Log(std::vector<AuditEntry> entries) {
    store::StoreChange change;
    change.audit_entries = std::move(entries);
    Apply(std::move(change));
  }

  [[nodiscard]] Json Attribution(bool wanted = true) const {
    DriftScope scope;
    scope.now = Now();
    scope.attribution = wanted;
    const Json report = ToJson(*DriftReport(*store_, scope));
    const Json* attribution = FindMember(report.at("items").at(0), "attribution");
    return attribution == nullptr ? Json() : *attribution;
  }
};

TEST_F(AttributionsTest, TheActorIsNamed) {
  FindEve();
  Log({Entry("mallory@example.com", "2026-11-21T11:20:00Z")});
  EXPECT_EQ(Attribution(), Json({{"actor", "mallory@example.com"},
                                 {"time", "2026-11-21T11:20:00.000Z"},
                                 {"method", "SetIamPolicy"},
                                 {"how", "exact"},
                                 {"entry", "mallory@example.com2026-11-21T11:20:00Z"},
                                 {"source", "a.json:1"}}));
}

TEST_F(AttributionsTest, WithoutAFeedNothingIsSaid) {
  FindEve();
  Log({Entry("mallory@example.com", "2026-11-21T11:20:00Z")});
  EXPECT_EQ(Attribution(false), Json());
}

TEST_F(AttributionsTest, UnknownIsSaidToo) {
  FindEve();
  EXPECT_EQ(Attribution(), Json({{"actor", "unknown"}}));
  Log({Entry("mallory@example.com", "2026-11-21T10:20:00Z")});
  EXPECT_EQ(Attribution(), Json({{"actor", "unknown"}})) << "that was before the last reading";
  Log({Entry("", "2026-11-21T11:20:00Z")});
  EXPECT_EQ(Attribution().at("actor"), "unknown") << "the log does not say who";
  EXPECT_EQ(Attribution().at("how"), "exact");
}

TEST_F(AttributionsTest, EveryFormOfOneReportSaysTheSame) {
  FindEve();
  DriftScope scope;
  scope.now = Now();
  scope.attribution = true;
  const auto document = ReadDriftDocument(*store_, scope).value();
  const std::string before = testing::DriftIn(ReportFormat::kCsv, *document);
  Log({Entry("mallory@example.com", "2026-11-21T11:20:00Z")});
  EXPECT_EQ(testing::DriftIn(ReportFormat::kCsv, *document), before);
  EXPECT_EQ(Attribution().at("actor"), "mallory@example.com") << "the next report does";
}

TEST_F(AttributionsTest, WhoActedAsAServiceAccountIsNamed) {
  FindEve();
  AuditEntry entry = Entry("deploy@acme.iam.gserviceaccount.com", "2026-11-21T11:20:00Z");
  entry.impersonator = "ana@example.com";
  Log({entry});
  EXPECT_EQ(Attribution().at("impersonator"), "ana@example.com");
}

TEST_F(AttributionsTest, OurOwnWriteIsNobodys) {
  FindEve();
  AuditEntry entry = Entry("bindery@acme.iam.gserviceaccount.com", "2026-11-21T11:20:00Z");
  entry.agent = "bindery/0.1.0";
  Log({entry});
  EXPECT_NE(Attribution().at("actor"), "unknown") << "no write of ours is on record";
  store::StoreChange change;
  change.revisions.push_back(Policy("2026-11-21T11:20:01Z", {kAna, kEve.principal}));
  change.revisions.back().origin = Origin::kWritten;
  Apply(std::move(change));
  EXPECT_EQ(Attribution(), Json({{"actor", "unknown"}}));
}

struct LastReading {
  const char* name;
  DriftClass drift_class;
  std::vector<std::string> members;  ///< Of the policy then.
  const char* expected;              ///< Of an entry that only says that bob changed something.
};

class AttributionsAfter : public AttributionsTest,
                          public ::testing::WithParamInterface<LastReading> {};

TEST_P(AttributionsAfter, ALastReadingWithTheDifferenceShowsNobody) {
  const LastReading& one = GetParam();
  Find(Found(one.drift_class, kEve),
       {Policy("2026-11-21T10:00:00Z", one.members), Policy("2026-11-21T11:20:01Z", {kAna, kBob})});
  AuditEntry entry = Entry("bob@example.com", "2026-11-21T11:20:00Z");
  entry.detail = AuditDetail::kNone;
  entry.grants.clear();
  Log({entry});
  EXPECT_EQ(Attribution().at("actor"), one.expected);
  Log({Entry("mallory@example.com", "2026-11-21T10:20:00Z")});
  const bool added = one.drift_class == DriftClass::kUndeclared;
  if (added && one.expected == std::string("unknown")) {
    EXPECT_EQ(Attribution().at("actor"), "mallory@example.com") << "an entry that names the grant";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, AttributionsAfter,
    ::testing::Values(
        LastReading{"Undeclared", DriftClass::kUndeclared, {kAna}, "bob@example.com"},
        LastReading{"UndeclaredSinceAManifestWent",
                    DriftClass::kUndeclared,
                    {"user:Eve@example.com"},
                    "unknown"},
        LastReading{"Missing", DriftClass::kMissing, {kEve.principal}, "bob@example.com"},
        LastReading{"MissingSinceAManifestCame", DriftClass::kMissing, {kAna}, "unknown"}),
    [](const auto& param) { return std::string(param.param.name); });

TEST_F(AttributionsTest, WithoutAPolicyOnRecordTheLastReadingShowsNobody) {
  Find(Found(DriftClass::kUndeclared, kEve), {});
  AuditEntry entry = Entry("bob@example.com", "2026-11-21T11:20:00Z");
  entry.detail = AuditDetail::kNone;
  Log({entry});
  EXPECT_EQ(Attribution(), Json({{"actor", "unknown"}}));
}

TEST_F(AttributionsTest, AConditionChangedTwiceIsNobodys) {
  const Condition june{"1 < 2", "june", ""};
  const Condition may{"1 < 2", "may", ""};
  const Grant declared{kEve.role, kEve.principal, june};
  store::DriftUpdate found = Found(DriftClass::kConditionChanged, declared);
  found.items[0].observed = "granted if may: 1 < 2";
  Find(found, {Policy("2026-11-21T10:00:00Z", {kEve.principal}, If("june")),
               Policy("2026-11-21T11:30:00Z", {kEve.principal}, If("may"))});
  AuditEntry entry = Entry("mallory@example.com", "2026-11-21T11:20:00Z");
  entry.grants = {{declared, false}, {{kEve.role, kEve.principal, may}, true}};
  Log({entry});
  EXPECT_EQ(Attribution().at("actor"), "mallory@example.com");
  found.items[0].observed = "granted";
  found.time = At("2026-11-21T11:40:00Z");
  Find(found, {Policy("2026-11-21T11:40:00Z", {kEve.principal})});
  EXPECT_EQ(Attribution(), Json({{"actor", "unknown"}}));
}

TEST_F(AttributionsTest, ANameOfSeveralProvidersIsNobodys) {
  const Grant dev{"editor", "team:dev"};
  AuditEntry entry = Entry("mallory@example.com", "2026-11-21T11:20:00Z");
  entry.target = testing::Dashboard().name;
  entry.grants = {{dev, true}};
  Find(Found(DriftClass::kUndeclared, dev, testing::Dashboard()), {});
  Observe(testing::Dashboard(), 1, "2026-11-21T11:30:00Z");
  Log({entry});
  EXPECT_EQ(Attribution().at("actor"), "mallory@example.com");
  Target other = testing::Dashboard();
  other.scope = "elsewhere";
  Observe(other, 1, "2026-11-21T11:30:00Z");
  EXPECT_EQ(Attribution(), Json({{"actor", "unknown"}}));
}

TEST_F(AttributionsTest, MoreEntriesThanAreGoneThroughNameNobody) {
  FindEve();
  std::vector<AuditEntry> entries;
  for (int i = 0; i < 1001; ++i) {
    entries.push_back(Entry("mallory@example.com", "2026-11-21T11:20:00Z"));
    entries.back().id = std::to_string(i);
  }
  Log(std::move(entries));
  EXPECT_EQ(Attribution(), Json({{"actor", "unknown"}}));
}

/// Holds what one log tells of one target, and no policy of it.
class FakeHistory final : public store::HistoryReader {
 public:
  std::vector<AuditEntry> entries;
  bool lose_revisions = false;

  [[nodiscard]] Expected<std::vector<store::TargetRecord>> Targets() const override {
    return std::vector<store::TargetRecord>();
  }
  [[nodiscard]] Expected<std::vector<store::RevisionRecord>> Revisions(const Target&,
                                                                       bool) const override {
    if (lose_revisions) return Fail(Code::kInternal, "the store is damaged");
    return std::vector<store::RevisionRecord>();
  }
  Expected<void> ReadRevisionsInForce(
      WallTime, const std::function<void(store::RevisionRecord&&)>&) const override {
    return {};
  }
  [[nodiscard]] Expected<std::vector<store::RevisionRecord>> FirstRevisions(
      const std::vector<Target>&) const override {
    return std::vector<store::RevisionRecord>();
  }
  [[nodiscard]] Expected<store::RevisionRecord> Revision(std::int64_t) const override {
    return Fail(Code::kNotFound, "no such revision");
  }
  [[nodiscard]] Expected<std::string> Policy(const std::string&) const override {
    return Fail(Code::kNotFound, "no such policy");
  }
  [[nodiscard]] Expected<std::vector<std::string>> Policies(
      const std::vector<std::string>&) const override {
    return Fail(Code::kNotFound, "no such policy");
  }
  [[nodiscard]] Expected<std::vector<AuditEntry>> AuditEntries(
      const store::AuditFilter&) const override {
    return entries;
  }
};

TEST(Attributions, OfAStoreThatFailsAreUnknown) {
  FakeHistory store;
  store::DriftRecord record;
  record.target = IamTarget();
  record.item.drift_class = DriftClass::kUndeclared;
  record.item.grant = kEve;
  record.first_seen = At("2026-11-21T11:30:00Z");
  AuditEntry entry;
  entry.target = record.target.name;
  entry.time = At("2026-11-21T11:20:00Z");
  entry.actor = "bindery@acme.iam.gserviceaccount.com";
  entry.agent = "bindery/0.1.0";
  entry.detail = AuditDetail::kChanges;
  entry.grants = {{kEve, true}};
  store.entries = {entry};
  for (const bool lost : {false, true}) {
    store.lose_revisions = lost;
    const auto found = report::Attributions(store, true).Find(record);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->actor == "unknown", lost);
  }
}

/// A grant that is there without its condition, and under another one that nobody declares.
TEST(DriftByGrant, ALineIsPartOfTheDifferenceWithItsCondition) {
  const auto eve_if = [](const char* title) {
    return Grant{kEve.role, kEve.principal, Condition{"1 < 2", title, ""}};
  };
  std::vector<store::DriftRecord> drift(3);
  drift[0].item.drift_class = DriftClass::kConditionChanged;
  drift[0].item.grant = eve_if("june");
  drift[1].item.drift_class = DriftClass::kUndeclared;
  drift[1].item.grant = eve_if("may");
  drift[2].item.drift_class = DriftClass::kUndeclared;
  drift[2].item.grant = {"roles/editor", kEve.principal, Condition{"1 < 2", "may", ""}};
  const Target target = IamTarget();
  const DriftByGrant by_grant(target, drift);
  const auto of = [&by_grant](const Grant& grant) { return by_grant.Find(grant); };
  EXPECT_EQ(of(eve_if("june")), &drift[0]);
  EXPECT_EQ(of(eve_if("may")), &drift[1]);
  EXPECT_EQ(of(kEve), &drift[0]) << "found instead of the declared one";
  EXPECT_EQ(of({"roles/editor", kEve.principal}), nullptr);
  EXPECT_EQ(of({"roles/viewer", kAna}), nullptr);
}

TEST_F(AttributionsTest, ResourceAndTargetSayItWhereTheyDiffer) {
  FindEve();
  store::StoreChange change;
  store::RevisionRecord revision;
  revision.target = IamTarget();
  revision.time = At("2026-11-21T11:30:00Z");
  revision.digest = "d";
  revision.policy = R"({"bindings":[{"role":"roles/viewer",
      "members":["user:ana@example.com","user:eve@example.com"]}]})";
  change.revisions.push_back(revision);
  store::TargetRecord seen;
  seen.target = IamTarget();
  seen.observed = seen.exists = true;
  seen.policy_digest = "d";
  seen.observed_at = revision.time;
  change.upsert_targets.push_back(seen);
  Apply(std::move(change));
  Log({Entry("mallory@example.com", "2026-11-21T11:20:00Z")});

  const TargetName name{IamTarget().kind, IamTarget().name, ""};
  for (const bool wanted : {true, false}) {
    const Json target = ToJson(TargetReport(*store_, name, Now(), {wanted}).value());
    EXPECT_EQ(target.at("revisions").at(0).at("actor"), wanted ? "mallory@example.com" : "");
    const Json resource =
        ToJson(ExplainReport(*store_, {"payments-viewers", Now(), wanted}).value());
    for (const Json& rows : {target.at("lines"), resource.at("grants")}) {
      ASSERT_THAT(rows, SizeIs(2));
      for (const Json& row : rows) {
        const bool differs = wanted && row.at("state") == "undeclared";
        const Json* attribution = FindMember(row, "attribution");
        ASSERT_EQ(attribution != nullptr, differs) << row;
        if (!differs) continue;
        EXPECT_EQ(attribution->at("actor"), "mallory@example.com");
      }
    }
  }
}

}  // namespace
}  // namespace bindery::report
