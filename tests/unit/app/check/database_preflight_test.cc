#include "app/check/database_preflight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery {
namespace {

using ::testing::HasSubstr;

DatabaseFacts SoundFacts() {
  DatabaseFacts facts;
  facts.version = 150018;
  facts.version_text = "15.18";
  facts.encoding = "UTF8";
  return facts;
}

TEST(DatabasePreflight, ASoundDatabaseIsFine) {
  for (const PreflightCheck& check : ChecksOfDatabase("db", SoundFacts())) {
    EXPECT_EQ(check.state, CheckState::kOk) << check.check << ": " << check.message;
    EXPECT_EQ(check.action, "") << check.check;
  }
}

TEST(DatabasePreflight, APoolerIsNoFaultAndIsNamed) {
  DatabaseFacts facts = SoundFacts();
  facts.pooler = "a pooler like pgbouncer";
  EXPECT_EQ(ChecksOfDatabase("db", facts)[0].message,
            "PostgreSQL 15.18, UTF8, through a pooler like pgbouncer");
  EXPECT_EQ(ChecksOfDatabase("db", facts)[0].state, CheckState::kOk);
  EXPECT_EQ(ChecksOfDatabase("db", facts).back().state, CheckState::kOk);
}

TEST(DatabasePreflight, APoolerThatBalancesReadsIsAWarning) {
  DatabaseFacts facts = SoundFacts();
  facts.pooler = "pgpool-II 4.3.5";
  facts.balances_reads = true;
  const PreflightCheck check = ChecksOfDatabase("db", facts).back();
  EXPECT_EQ(check.state, CheckState::kWarning);
  EXPECT_THAT(check.message, HasSubstr("pgpool-II 4.3.5 balances reads"));
  EXPECT_THAT(check.action, HasSubstr("load_balance_mode = off"));
}

TEST(DatabasePreflight, AVerifiedServerElsewhereIsFine) {
  DatabaseFacts facts = SoundFacts();
  facts.protection = LinkProtection::kVerified;
  EXPECT_EQ(ChecksOfDatabase("db", facts)[1].message, "encrypted, and the server is verified");
  EXPECT_EQ(ChecksOfDatabase("db", facts)[1].state, CheckState::kOk);
}

struct FaultCase {
  const char* name;
  void (*alter)(DatabaseFacts& facts);
  const char* check;
  CheckState state;
  const char* message;
};

class DatabaseFaults : public ::testing::TestWithParam<FaultCase> {};

TEST_P(DatabaseFaults, IsToldWithWhatHelps) {
  DatabaseFacts facts = SoundFacts();
  GetParam().alter(facts);
  int found = 0;
  for (const PreflightCheck& check : ChecksOfDatabase("db", facts)) {
    if (check.state == CheckState::kOk) continue;
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
                  [](DatabaseFacts& facts) {
                    facts.version = 120004;
                    facts.version_text = "12.4";
                  },
                  "database", CheckState::kFailed, "PostgreSQL 12.4"},
        FaultCase{"Encoding", [](DatabaseFacts& facts) { facts.encoding = "LATIN1"; }, "database",
                  CheckState::kFailed, "LATIN1"},
        FaultCase{"NotEncrypted",
                  [](DatabaseFacts& facts) { facts.protection = LinkProtection::kNone; },
                  "database connection", CheckState::kWarning, "not encrypted"},
        FaultCase{"NotVerified",
                  [](DatabaseFacts& facts) { facts.protection = LinkProtection::kEncrypted; },
                  "database connection", CheckState::kWarning, "the server is not verified"},
        FaultCase{"Right",
                  [](DatabaseFacts& facts) { facts.missing_right = "CREATE on the schema public"; },
                  "database rights", CheckState::kFailed, "lacks CREATE on the schema public"},
        FaultCase{"ClockAhead",
                  [](DatabaseFacts& facts) { facts.clock_ahead = std::chrono::minutes(5); },
                  "database clock", CheckState::kWarning, "5m ahead of"},
        FaultCase{"ClockBehind",
                  [](DatabaseFacts& facts) { facts.clock_ahead = -std::chrono::hours(1); },
                  "database clock", CheckState::kWarning, "1h behind"},
        FaultCase{"CommitsOff", [](DatabaseFacts& facts) { facts.commits_are_durable = false; },
                  "database durability", CheckState::kWarning, "synchronous_commit is off"},
        FaultCase{"StandbyThatConfirmsNothing", [](DatabaseFacts& facts) { facts.standbys = 2; },
                  "database durability", CheckState::kWarning, "2 standbys, none"}),
    [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace bindery
