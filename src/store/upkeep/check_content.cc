#include "store/upkeep/check_content.h"

#include <array>

#include "core/base/json.h"
#include "core/text/digest.h"
#include "store/sql/engine_error.h"
#include "store/sql/policies.h"

namespace bindery::store {
namespace {

struct Reference {
  const char* what;
  const char* sql;  ///< Gives the number of each row whose reference leads nowhere.
};

constexpr std::array kReferences = {
    Reference{"resource",
              "SELECT id FROM resources WHERE id NOT IN (SELECT id FROM names) "
              "OR target_id NOT IN (SELECT id FROM target_keys) "
              "OR api_version NOT IN (SELECT id FROM words) OR kind NOT IN (SELECT id FROM words) "
              "OR provider NOT IN (SELECT id FROM words) "
              "OR (role <> 0 AND role NOT IN (SELECT id FROM words)) "
              "OR state NOT IN (SELECT id FROM words) OR reason NOT IN (SELECT id FROM words)"},
    Reference{"target key",
              "SELECT id FROM target_keys WHERE (name <> 0 AND name NOT IN (SELECT id FROM names)) "
              "OR kind NOT IN (SELECT id FROM words) OR scope NOT IN (SELECT id FROM words)"},
    Reference{"target",
              "SELECT target_id FROM targets WHERE target_id NOT IN (SELECT id FROM target_keys) "
              "OR (policy_id <> 0 AND policy_id NOT IN (SELECT id FROM policies))"},
    Reference{"revision",
              "SELECT id FROM revisions WHERE target_id NOT IN (SELECT id FROM target_keys) "
              "OR origin NOT IN (SELECT id FROM words) OR actor NOT IN (SELECT id FROM words) "
              "OR (policy_id <> 0 AND policy_id NOT IN (SELECT id FROM policies))"},
    Reference{"difference",
              "SELECT id FROM drift WHERE target_id NOT IN (SELECT id FROM target_keys) "
              "OR class NOT IN (SELECT id FROM words) OR role NOT IN (SELECT id FROM words) "
              "OR severity NOT IN (SELECT id FROM words) OR state NOT IN (SELECT id FROM words)"},
    Reference{"intent",
              "SELECT id FROM intents WHERE target_id NOT IN (SELECT id FROM target_keys)"},
    Reference{"rollback",
              "SELECT target_id FROM rollbacks WHERE target_id NOT IN (SELECT id FROM target_keys) "
              "OR revision NOT IN (SELECT id FROM revisions)"},
    Reference{
        "event",
        "SELECT id FROM events WHERE (resource <> 0 AND resource NOT IN (SELECT id FROM names)) "
        "OR (target <> 0 AND target NOT IN (SELECT id FROM names))"},
};

/// Adds a finding as long as there are not too many; the last says how many more there are.
class Findings {
 public:
  Findings(const char* check, std::vector<StoreFinding>& findings)
      : check_(check), findings_(findings) {}
  ~Findings() {
    if (count_ <= kMostFindings) return;
    findings_.push_back({check_, std::to_string(count_ - kMostFindings) + " more"});
  }
  Findings(const Findings&) = delete;
  Findings& operator=(const Findings&) = delete;

  void Add(std::string message) {
    if (++count_ <= kMostFindings) findings_.push_back({check_, std::move(message)});
  }

 private:
  const char* check_;
  std::vector<StoreFinding>& findings_;
  std::size_t count_ = 0;
};

/// As it was made when the policy was stored; of what is no JSON, the text's.
std::string DigestOfBody(const std::string& body) {
  const auto document = ParseJson(body);
  return Sha256Hex(document ? CanonicalJson(*document) : body);
}

/// " (revisions 4, 7)": by what an operator meets the policy.
std::string NamedBy(Connection& connection, std::int64_t policy) {
  constexpr int kMost = 5;
  std::string text;
  int count = 0;
  Query query(connection, "SELECT id FROM revisions WHERE policy_id = ?1 ORDER BY id", policy);
  while (query.Next()) {
    if (++count > kMost) continue;
    text += (count == 1 ? "" : ", ") + std::to_string(query.Int(0));
  }
  if (count == 0) return " (of no revision)";
  if (count > kMost) text += " and " + std::to_string(count - kMost) + " more";
  return (count == 1 ? " (revision " : " (revisions ") + text + ")";
}

void CheckPolicy(Connection& connection, std::int64_t id, const std::string& digest,
                 Findings& findings) {
  try {
    if (DigestOfBody(ReadPolicyBody(connection, id)) == digest) return;
    findings.Add("policy " + std::to_string(id) + " does not match its digest" +
                 NamedBy(connection, id));
  } catch (const EngineError& failure) {
    if (failure.cause() != EngineError::Cause::kDamaged) throw;
    findings.Add(failure.what() + NamedBy(connection, id));
  }
}

}  // namespace

void CheckReferences(Connection& connection, std::vector<StoreFinding>& findings) {
  Findings found("references", findings);
  for (const Reference& reference : kReferences) {
    Query query(connection, reference.sql);
    while (query.Next()) {
      found.Add(std::string(reference.what) + " " + std::to_string(query.Int(0)) +
                " names a row that is not there");
    }
  }
}

std::int64_t CheckPolicies(Connection& connection, std::vector<StoreFinding>& findings) {
  Findings found("content", findings);
  std::int64_t count = 0;
  Query query(connection, "SELECT id, digest FROM policies ORDER BY id");
  while (query.Next()) {
    ++count;
    CheckPolicy(connection, query.Int(0), query.Digest(1), found);
  }
  return count;
}

}  // namespace bindery::store
