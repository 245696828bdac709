// Who made a difference, as reports say it.

#include <gmock/gmock.h>

#include "report/explain_report.h"
#include "report/target_report.h"
#include "report_fixture.h"

namespace bindery {
namespace {

using testing::At;
using testing::Binding;
using testing::IamTarget;
using testing::Now;
using ::testing::SizeIs;

const Grant kEve{"roles/viewer", "user:eve@example.com"};

class AttributionsTest : public testing::ReportTest {
 protected:
  /// Eve holds what nobody declares; found at 11:30, last read before at 11:00.
  void FindEve() {
    Put({Binding("payments-viewers")});
    StoreChange change;
    DriftItem item;
    item.drift_class = DriftClass::kUndeclared;
    item.resource = "payments-viewers";
    item.grant = kEve;
    change.drift.push_back({IamTarget(), At("2026-11-21T11:30:00Z"), {item}});
    change.drift.back().read_before = At("2026-11-21T11:00:00Z");
    Apply(std::move(change));
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
    StoreChange change;
    change.audit_entries = std::move(entries);
    Apply(std::move(change));
  }

  [[nodiscard]] Json Attribution(bool wanted = true) const {
    DriftScope scope;
    scope.now = Now();
    scope.attribution = wanted;
    const Json report = DriftReport(*store_, scope).value();
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
  StoreChange change;
  RevisionRecord revision;
  revision.target = IamTarget();
  revision.time = At("2026-11-21T11:20:01Z");
  revision.origin = Origin::kWritten;
  revision.digest = "d";
  revision.policy = "{}";
  change.revisions.push_back(revision);
  Apply(std::move(change));
  EXPECT_EQ(Attribution(), Json({{"actor", "unknown"}}));
}

TEST_F(AttributionsTest, ResourceAndTargetSayItWhereTheyDiffer) {
  FindEve();
  StoreChange change;
  RevisionRecord revision;
  revision.target = IamTarget();
  revision.time = At("2026-11-21T11:30:00Z");
  revision.digest = "d";
  revision.policy = R"({"bindings":[{"role":"roles/viewer",
      "members":["user:ana@example.com","user:eve@example.com"]}]})";
  change.revisions.push_back(revision);
  TargetRecord seen;
  seen.target = IamTarget();
  seen.observed = seen.exists = true;
  seen.policy_digest = "d";
  seen.observed_at = revision.time;
  change.upsert_targets.push_back(seen);
  Apply(std::move(change));
  Log({Entry("mallory@example.com", "2026-11-21T11:20:00Z")});

  const TargetName name{IamTarget().kind, IamTarget().name, ""};
  for (const bool wanted : {true, false}) {
    const Json target = TargetReport(*store_, name, Now(), wanted).value();
    const Json resource = ExplainReport(*store_, "payments-viewers", Now(), wanted).value();
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
}  // namespace bindery
