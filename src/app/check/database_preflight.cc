#include "app/check/database_preflight.h"

#include <string>
#include <utility>

#include "core/settings/store_location.h"
#include "core/text/time_text.h"

namespace bindery::app {
namespace {

constexpr int kOldestVersion = 130'000;
/// The lease compares no clocks; times in the store and in reports are wrong by so much.
constexpr std::chrono::seconds kSkew(30);

report::PreflightCheck Check(const std::string& what, const std::string& subject,
                             report::CheckState state, std::string message,
                             std::string action = "") {
  return {what, subject, state, std::move(message), std::move(action)};
}

report::PreflightCheck CheckVersion(const std::string& subject, const store::DatabaseFacts& facts) {
  const std::string found = "PostgreSQL " + facts.version_text + ", " + facts.encoding +
                            (facts.pooler.empty() ? "" : ", through " + facts.pooler);
  if (facts.version < kOldestVersion) {
    return Check("database", subject, report::CheckState::kFailed, found,
                 "use PostgreSQL 13 or newer");
  }
  if (facts.encoding != "UTF8") {
    return Check("database", subject, report::CheckState::kFailed, found,
                 "make the database with the encoding UTF8");
  }
  return Check("database", subject, report::CheckState::kOk, found);
}

report::PreflightCheck CheckProtection(const std::string& subject,
                                       const store::DatabaseFacts& facts) {
  const auto check = [&subject](report::CheckState state, const char* message,
                                const char* action = "") {
    return Check("database connection", subject, state, message, action);
  };
  // A man in the middle can forge approvals and the state behind removals.
  constexpr const char* kVerify = "add sslmode=verify-full and sslrootcert=FILE to store.url";
  switch (facts.protection) {
    case store::LinkProtection::kLocal:
      return check(report::CheckState::kOk, "on this machine");
    case store::LinkProtection::kVerified:
      return check(report::CheckState::kOk, "encrypted, and the server is verified");
    case store::LinkProtection::kEncrypted:
      return check(report::CheckState::kWarning, "encrypted, but the server is not verified",
                   kVerify);
    case store::LinkProtection::kNone:
      break;
  }
  return check(report::CheckState::kWarning, "not encrypted, and the server is not verified",
               kVerify);
}

report::PreflightCheck CheckRights(const std::string& subject, const store::DatabaseFacts& facts) {
  if (facts.missing_right.empty()) {
    return Check("database rights", subject, report::CheckState::kOk, "all that a daemon needs");
  }
  return Check("database rights", subject, report::CheckState::kFailed,
               "the user lacks " + facts.missing_right,
               "grant it, or let the user own the database");
}

report::PreflightCheck CheckDatabaseClock(const std::string& subject,
                                          const store::DatabaseFacts& facts) {
  const bool ahead = facts.clock_ahead.count() >= 0;
  const auto size = ahead ? facts.clock_ahead : -facts.clock_ahead;
  if (size < std::chrono::seconds(1)) {
    return Check("database clock", subject, report::CheckState::kOk,
                 "within a second of this machine's");
  }
  const std::string text = FormatAge(size) + (ahead ? " ahead of" : " behind") + " this machine's";
  if (size < kSkew) return Check("database clock", subject, report::CheckState::kOk, text);
  return Check("database clock", subject, report::CheckState::kWarning, text,
               "synchronize the clocks: times of replicas are the database's, other times are not");
}

report::PreflightCheck CheckDurability(const std::string& subject,
                                       const store::DatabaseFacts& facts) {
  const std::string standbys =
      std::to_string(facts.standbys) + (facts.standbys == 1 ? " standby" : " standbys");
  if (!facts.commits_are_durable) {
    return Check("database durability", subject, report::CheckState::kWarning,
                 "synchronous_commit is off",
                 "switch it on for this user: what is told to be recorded may be lost by a crash");
  }
  if (facts.standbys > 0 && !facts.standby_confirms) {
    return Check("database durability", subject, report::CheckState::kWarning,
                 standbys + ", none of which confirms commits",
                 "set synchronous_standby_names, or accept that a fail-over may lose the last "
                 "entries of the history");
  }
  if (facts.standby_confirms) {
    return Check("database durability", subject, report::CheckState::kOk,
                 standbys + ", commits wait");
  }
  return Check("database durability", subject, report::CheckState::kOk,
               "one server, no standby seen");
}

report::PreflightCheck CheckPooler(const std::string& subject, const store::DatabaseFacts& facts) {
  if (facts.balances_reads) {
    return Check(
        "database pooler", subject, report::CheckState::kWarning,
        facts.pooler + " balances reads: what a standby answers is refused, and read again",
        "set load_balance_mode = off in pgpool.conf, or name the servers themselves in "
        "store.url");
  }
  return Check("database pooler", subject, report::CheckState::kOk,
               facts.pooler + ", no balancing of reads is known of it");
}

}  // namespace

std::vector<report::PreflightCheck> ChecksOfDatabase(const std::string& subject,
                                                     const store::DatabaseFacts& facts) {
  std::vector<report::PreflightCheck> checks = {
      CheckVersion(subject, facts), CheckProtection(subject, facts), CheckRights(subject, facts),
      CheckDatabaseClock(subject, facts), CheckDurability(subject, facts)};
  if (!facts.pooler.empty()) checks.push_back(CheckPooler(subject, facts));
  return checks;
}

std::vector<report::PreflightCheck> PreflightOfDatabase(const std::string& url) {
  const auto facts = store::LookAtDatabase(url);
  if (!facts) {
    return {Check("database", RedactedUrl(url), report::CheckState::kFailed, facts.error().message,
                  "see the line of the store")};
  }
  return ChecksOfDatabase(RedactedUrl(url), *facts);
}

}  // namespace bindery::app
