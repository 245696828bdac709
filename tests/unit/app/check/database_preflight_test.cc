#include "app/check/database_preflight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery::app {
namespace {

using ::testing::HasSubstr;

store::DatabaseFacts SoundFacts() {
  store::DatabaseFacts facts;
  facts.version = 150018;
  facts.version_text = "15.18";
  facts.encoding = "UTF8";
  return facts;
}

TEST(DatabasePreflight, ASoundDatabaseIsFine) {
  for (const report::PreflightCheck& check : ChecksOfDatabase("db", SoundFacts())) {
    EXPECT_EQ(check.state, report::CheckState::kOk) << check.check << ": " << check.message;
    EXPECT_EQ(check.action, "") << check.check;
  }
}

TEST(DatabasePreflight, APoolerIsNoFaultAndIsNamed) {
  store::DatabaseFacts facts = SoundFacts();
  facts.pooler = "a pooler like pgbouncer";
  EXPECT_EQ(ChecksOfDatabase("db", facts)[0].message,
            "PostgreSQL 15.18, UTF8, through a pooler like pgbouncer");
  EXPECT_EQ(ChecksOfDatabase("db", facts)[0].state, report::CheckState::kOk);
  EXPECT_EQ(ChecksOfDatabase("db", facts).back().state, report::CheckState::kOk);
}

TEST(DatabasePreflight, APoolerThatBalancesReadsIsAWarning) {
  store::DatabaseFacts facts = SoundFacts();
  facts.pooler = "pgpool-II 4.3.5";
  facts.balances_reads = true;
  const report::PreflightCheck check = ChecksOfDatabase("db", facts).back();
  EXPECT_EQ(check.state, report::CheckState::kWarning);
  EXPECT_THAT(check.message, HasSubstr("pgpool-II 4.3.5 balances reads"));
  EXPECT_THAT(check.action, HasSubstr("load_balance_mode = off"));
}

TEST(DatabasePreflight, AVerifiedServerElsewhereIsFine) {
  store::DatabaseFacts facts = SoundFacts();
  facts.protection = store::LinkProtection::kVerified;
  EXPECT_EQ(ChecksOfDatabase("db", facts)[1].message, "encrypted, and the server is verified");
  EXPECT_EQ(ChecksOfDatabase("db", facts)[1].state, report::CheckState::kOk);
}

struct FaultCase {
  const char* name;
  void (*alter)(store::DatabaseFacts& facts);
  const char* check;
  report::CheckState state;
  const char* message;
};

class DatabaseFaults : public ::testing::TestWithParam<FaultCase> {};

TEST_P(DatabaseFaults, IsToldWithWhatHelps) {
  store::DatabaseFacts facts = SoundFacts();
  GetParam().alter(facts);
  int found = 0;
  for (const report::PreflightCheck& check : ChecksOfDatabase("db", facts)) {
    if (check.state == report::CheckState::kOk) continue;
    ++found;
    EXPECT_EQ(check.check, GetParam().check);
    EXPECT_EQ(check.state, GetParam().state);
    EXPECT_THAT(check.message, HasSubstr(GetParam().message));
    EXPECT_NE(check.action, "");
  }
  EXPECT_EQ(found, 1);
}

INSTANTIATE_TEST_SUITE_P(
    Each, DatabaseFaults,
    ::testing::Values(
        FaultCase{"Version",
                  [](store::DatabaseFacts& facts) {
                    facts.version = 120004;
                    facts.version_text = "12.4";
                  },
                  "database", report::CheckState::kFailed, "PostgreSQL 12.4"},
        FaultCase{"Encoding", [](store::DatabaseFacts& facts) { facts.encoding = "LATIN1"; },
                  "database", report::CheckState::kFailed, "LATIN1"},
        FaultCase{
            "NotEncrypted",
            [](store::DatabaseFacts& facts) { facts.protection = store::LinkProtection::kNone; },
            "database connection", report::CheckState::kWarning, "not encrypted"},
        FaultCase{"NotVerified",
                  [](store::DatabaseFacts& facts) {
                    facts.protection = store::LinkProtection::kEncrypted;
                  },
                  "database connection", report::CheckState::kWarning,
                  "the server is not verified"},
        FaultCase{"Right",
                  [](store::DatabaseFacts& facts) {
                    facts.missing_right = "CREATE on the schema public";
                  },
                  "database rights", report::CheckState::kFailed,
                  "lacks CREATE on the schema public"},
        FaultCase{"ClockAhead",
                  [](store::DatabaseFacts& facts) { facts.clock_ahead = std::chrono::minutes(5); },
                  "database clock", report::CheckState::kWarning, "5m ahead of"},
        FaultCase{"ClockBehind",
                  [](store::DatabaseFacts& facts) { facts.clock_ahead = -std::chrono::hours(1); },
                  "database clock", report::CheckState::kWarning, "1h behind"},
        FaultCase{"CommitsOff",
                  [](store::DatabaseFacts& facts) { facts.commits_are_durable = false; },
                  "database durability", report::CheckState::kWarning, "synchronous_commit is off"},
        FaultCase{"StandbyThatConfirmsNothing",
                  [](store::DatabaseFacts& facts) { facts.standbys = 2; }, "database durability",
                  report::CheckState::kWarning, "2 standbys, none"}),
    [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace bindery::app
