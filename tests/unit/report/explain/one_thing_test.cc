// The answer about one thing costs the same however much else is on record.

#include <gmock/gmock.h>
#include <sqlite3.h>

#include <atomic>
#include <cstdint>
#include <string>

#include "report/explain/explain_report.h"
#include "report/reports/target_report.h"
#include "unit/report/report_fixture.h"

namespace bindery::report {
namespace {

using testing::Binding;
using testing::IamTarget;
using testing::IsOk;
using testing::Now;

/// What SQLite did since it was reset, for all connections that were opened meanwhile.
struct Work {
  std::atomic<std::int64_t> statements = 0;
  std::atomic<std::int64_t> steps = 0;  ///< Of SQLite's machine: so many for each row looked at.
};

Work& WorkDone() {
  static Work work;
  return work;
}

int NoteWork(unsigned /*event*/, void* /*context*/, void* statement, void* /*nanoseconds*/) {
  Work& work = WorkDone();
  ++work.statements;
  work.steps += sqlite3_stmt_status(static_cast<sqlite3_stmt*>(statement),
                                    SQLITE_STMTSTATUS_VM_STEP, /*reset=*/1);
  return 0;
}

int WatchConnection(sqlite3* connection, char** /*error*/, const void* /*functions*/) {
  return sqlite3_trace_v2(connection, SQLITE_TRACE_PROFILE, NoteWork, nullptr);
}

class OneThingTest : public testing::ReportTest {
 protected:
  static void SetUpTestSuite() {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): as SQLite takes it
    sqlite3_auto_extension(reinterpret_cast<void (*)()>(WatchConnection));
  }
  static void TearDownTestSuite() { sqlite3_reset_auto_extension(); }

  void SetUp() override {
    ReportTest::SetUp();
    Fill(0, 1);
  }

  static std::string Name(int number) { return "binding-" + std::to_string(number); }
  static Target ToTarget(int number) { return IamTarget("target-" + std::to_string(number)); }

  /// Puts on record a resource for each number, with all there may be about it.
  void Fill(int first, int last) {
    store::StoreChange change;
    change.problems.emplace();
    for (int i = 0; i < last; ++i) {
      change.problems->push_back({Name(i) + ".yaml", 1, 1, "", "warning", "code", "no", Name(i)});
      change.problems->push_back({Name(i) + ".yaml", 2, 1, "", "warning", "code", "no", ""});
    }
    for (int i = first; i < last; ++i) {
      store::ResourceRecord resource = Binding(Name(i));
      resource.target = ToTarget(i);
      resource.source_file = Name(i) + ".yaml";
      change.upsert_resources.push_back(resource);
      store::RevisionRecord revision;
      revision.target = ToTarget(i);
      revision.time = Now();
      revision.policy = R"({"bindings":[],"number":)" + std::to_string(i) + "}";
      revision.digest = "digest of " + std::to_string(i);
      change.revisions.push_back(revision);
      store::TargetRecord target;
      target.target = ToTarget(i);
      target.observed = true;
      target.exists = true;
      target.observed_at = Now();
      target.policy_digest = revision.digest;
      change.upsert_targets.push_back(target);
      DriftItem item;
      item.drift_class = DriftClass::kMissing;
      item.resource = Name(i);
      item.grant = {"roles/viewer", "user:ana@example.com"};
      change.drift.push_back({ToTarget(i), Now(), {item}});
      Event event;
      event.time = Now();
      event.reason = "Declared";
      event.resource = Name(i);
      change.events.push_back(event);
    }
    Apply(std::move(change));
  }

  struct Cost {
    std::int64_t statements = 0;
    std::int64_t steps = 0;
  };

  static constexpr int kMany = 400;

  /// The number of rows makes a step more or less; a look at each row would be a step at least.
  static void ExpectSame(const Cost& few, const Cost& many) {
    EXPECT_GT(few.steps, 0);
    EXPECT_EQ(many.statements, few.statements);
    EXPECT_LT(many.steps, few.steps + kMany / 10);
  }

  /// What `ask` costs, once all that is kept of statements and words is there.
  template <typename Ask>
  static Cost CostOf(Ask ask) {
    EXPECT_THAT(ask(), IsOk());
    WorkDone().statements = 0;
    WorkDone().steps = 0;
    EXPECT_THAT(ask(), IsOk());
    return {WorkDone().statements, WorkDone().steps};
  }
};

TEST_F(OneThingTest, OfAResourceReadsTheSameHoweverManyThereAre) {
  const auto ask = [this] { return ExplainReport(*store_, {Name(0), Now(), true, 20}); };
  const Cost few = CostOf(ask);
  Fill(1, kMany);
  ExpectSame(few, CostOf(ask));
  // The transaction is begun and ended once.
  EXPECT_LE(few.statements, 20);
}

TEST_F(OneThingTest, OfATargetReadsTheSameHoweverManyThereAre) {
  const Target target = ToTarget(0);
  const auto ask = [&] {
    return TargetReport(*store_, {target.kind.str(), target.name, ""}, Now(), {true});
  };
  const Cost few = CostOf(ask);
  Fill(1, kMany);
  ExpectSame(few, CostOf(ask));
  EXPECT_LE(few.statements, 18);
}

}  // namespace
}  // namespace bindery::report
