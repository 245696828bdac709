// The authors of the revisions on a target's page.

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "core/access/audit_entry.h"
#include "report/reports/target_report.h"
#include "unit/report/report_fixture.h"

namespace bindery::report {
namespace {

using testing::At;
using ::testing::ElementsAre;
using testing::IamTarget;
using testing::IsOk;
using testing::Now;

class RevisionAuthors : public testing::ReportTest {
 protected:
  /// At that time roles/viewer is held by the members.
  void Record(const std::string& time, const std::vector<std::string>& members) {
    store::RevisionRecord revision;
    revision.target = IamTarget();
    revision.time = At(time);
    const Json binding = {{"role", "roles/viewer"}, {"members", members}};
    revision.policy = Json{{"bindings", Json::array({binding})}}.dump();
    revision.digest = "digest of " + revision.policy;
    store::TargetRecord target;
    target.target = IamTarget();
    target.observed = true;
    store::StoreChange change;
    change.revisions.push_back(revision);
    change.upsert_targets.push_back(target);
    Apply(std::move(change));
  }

  /// That many entries in which the actor adds the member.
  void Log(const std::string& actor, const std::string& time, const std::string& member,
           int count = 1) {
    store::StoreChange change;
    for (int i = 0; i < count; ++i) {
      AuditEntry entry;
      entry.id = actor + time + std::to_string(i);
      entry.target = IamTarget().name;
      entry.time = At(time);
      entry.actor = actor;
      entry.method = "SetIamPolicy";
      entry.source = "a.json:1";
      entry.detail = AuditDetail::kChanges;
      entry.grants = {{{"roles/viewer", member}, true}};
      change.audit_entries.push_back(entry);
    }
    Apply(std::move(change));
  }

  /// The newest first.
  [[nodiscard]] std::vector<std::string> Authors() const {
    const TargetName name{IamTarget().kind.str(), IamTarget().name, ""};
    const auto report = TargetReport(*store_, name, Now(), {true});
    EXPECT_THAT(report, IsOk());
    std::vector<std::string> actors;
    for (const RevisionLine& line : report->revisions) actors.push_back(line.actor);
    return actors;
  }
};

TEST_F(RevisionAuthors, AreInTheEntriesSinceTheRevisionBefore) {
  Record("2026-11-21T10:00:00Z", {"user:ana"});
  Record("2026-11-21T11:30:00Z", {"user:ana", "user:eve"});
  Log("mallory", "2026-11-21T11:20:00Z", "user:eve");
  Log("old", "2026-11-21T09:00:00Z", "user:eve", 1'100);
  EXPECT_THAT(Authors(), ElementsAre("mallory", "")) << "whatever happened before";
}

TEST_F(RevisionAuthors, OfSomeThousandEntriesAreThoseOfTheNewestRevisions) {
  std::vector<std::string> members = {"user:ana"};
  for (int hour = 0; hour < 7; ++hour) {
    Record("2026-11-21T0" + std::to_string(hour) + ":50:00Z", members);
    members.push_back("user:m" + std::to_string(hour));
    Log("mallory", "2026-11-21T0" + std::to_string(hour + 1) + ":30:00Z", members.back(), 900);
  }
  EXPECT_THAT(Authors(),
              ElementsAre("mallory", "mallory", "mallory", "mallory", "mallory", "", ""));
}

}  // namespace
}  // namespace bindery::report
