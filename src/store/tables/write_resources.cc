#include <algorithm>

#include "store/sql/engine_error.h"
#include "store/sql/placeholders.h"
#include "store/sql/target_keys.h"
#include "store/sql/words.h"
#include "store/tables/writes.h"

namespace bindery::store {
namespace {

constexpr const char* kInsertResource = R"sql(
INSERT INTO resources (id, api_version, kind, target_id, provider, role, accepted, spec, options,
  labels, annotations, digest, source_file, source_line, generation, observed_generation, state,
  reason, message, status_since, outputs, suspended, missing_scans, grants, untouched, age)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
  ?21, ?22, ?23, ?24, ?25, ?26)
)sql";

constexpr const char* kUpdateResource = R"sql(
UPDATE resources SET api_version = ?2, kind = ?3, target_id = ?4, provider = ?5, role = ?6,
  accepted = ?7, spec = ?8, options = ?9, labels = ?10, annotations = ?11, digest = ?12,
  source_file = ?13, source_line = ?14, generation = ?15, observed_generation = ?16, state = ?17,
  reason = ?18, message = ?19, status_since = ?20, outputs = ?21, suspended = ?22,
  missing_scans = ?23, grants = ?24, untouched = ?25, age = ?26
WHERE id = ?1
)sql";

// Nearly always the claim stays, with its row in the index.
constexpr const char* kUpdateResourceBesideClaim = R"sql(
UPDATE resources SET api_version = ?2, kind = ?3, provider = ?5, spec = ?8, options = ?9,
  labels = ?10, annotations = ?11, digest = ?12, source_file = ?13, source_line = ?14,
  generation = ?15, observed_generation = ?16, state = ?17, reason = ?18, message = ?19,
  status_since = ?20, outputs = ?21, suspended = ?22, missing_scans = ?23, grants = ?24,
  untouched = ?25, age = ?26
WHERE id = ?1 AND (target_id, role, accepted) IS NOT DISTINCT FROM (?4, ?6, ?7)
)sql";

constexpr const char* kStored = R"sql(
SELECT api_version, kind, target_id, provider, role, accepted, spec, options, labels, annotations,
  digest, source_file, source_line, generation, observed_generation, state, reason, message,
  status_since, outputs, suspended, missing_scans, grants, untouched, age
FROM resources WHERE id = ?1
)sql";

constexpr const char* kSetStanding = R"sql(
UPDATE resources SET observed_generation = ?2, state = ?3, reason = ?4, message = ?5,
  status_since = ?6, outputs = ?7, untouched = ?8, age = ?9
WHERE id = ?1
)sql";

// Releases a claim that its holder is about to exchange.
constexpr const char* kReleaseClaim = R"sql(
UPDATE resources SET accepted = 0
WHERE id = ?1 AND accepted = 1 AND (target_id, role) IS DISTINCT FROM (?2, ?3)
)sql";

/// Both flags in one column: 1 untouched, 2 gave up.
template <typename Record>
std::int64_t UntouchedNumber(const Record& record) {
  return (record.untouched ? 1 : 0) + (record.gave_up ? 2 : 0);
}

constexpr const char* kHolder = R"sql(
SELECT n.name FROM resources r JOIN names n ON n.id = r.id
WHERE target_id = ?1 AND role = ?2 AND accepted = 1 AND r.id <> ?3
)sql";

/// A record with the numbers its row has.
struct Row {
  const ResourceRecord& record;
  std::int64_t id = 0;
  bool known = false;  ///< The name was on record before; perhaps the resource too.
  std::int64_t target_id = 0;
  std::int64_t role = 0;
};

Row MakeRow(Connection& connection, const ResourceRecord& record) {
  Row row{record};
  row.id = FindName(connection, record.name);
  row.known = row.id != 0;
  if (!row.known) row.id = AddName(connection, record.name);
  row.target_id = InternTarget(connection, record.target);
  row.role = record.role.empty() ? 0 : InternWord(connection, record.role);
  return row;
}

/// Goes through the columns of kStored and tells whether all are as they would be written.
class Comparison {
 public:
  Comparison(Connection& connection, const Query& stored)
      : connection_(connection), stored_(stored) {}

  Comparison& Int(std::int64_t value) {
    same_ = same_ && stored_.Int(column_) == value;
    return Next();
  }
  Comparison& Word(std::string_view text) {
    same_ = same_ && stored_.Int(column_) == InternWord(connection_, text);
    return Next();
  }
  Comparison& Shared(std::string_view text) {
    same_ = same_ && (stored_.IsInt(column_) ? stored_.Int(column_) == FindWord(connection_, text)
                                             : stored_.View(column_) == text);
    return Next();
  }
  Comparison& Short(std::string_view text, const Shortened& shortened) {
    same_ = same_ && stored_.View(column_) == (stored_.IsBlob(column_) ? text : shortened.text);
    return Next();
  }
  Comparison& Digest(const std::string& text) {
    same_ = same_ && stored_.Digest(column_) == text;
    return Next();
  }
  [[nodiscard]] bool same() const { return same_; }

 private:
  Comparison& Next() {
    ++column_;
    return *this;
  }

  Connection& connection_;
  const Query& stored_;
  int column_ = 0;
  bool same_ = true;
};

enum class Stored { kNot, kSame, kOther, kOtherClaim };

Stored Compare(Connection& connection, const Row& row, const Shortened& spec,
               const Shortened& outputs) {
  Query stored(connection, kStored, row.id);
  if (!stored.Next()) return Stored::kNot;
  const ResourceRecord& record = row.record;
  const bool same_claim = stored.Int(2) == row.target_id && stored.Int(4) == row.role &&
                          stored.Bool(5) == record.accepted;
  if (!same_claim) return Stored::kOtherClaim;
  Comparison comparison(connection, stored);
  comparison.Word(record.token.api_version).Word(record.token.kind).Int(row.target_id);
  comparison.Word(record.provider).Int(row.role).Int(record.accepted ? 1 : 0);
  comparison.Short(record.spec, spec).Shared(record.options).Shared(record.labels);
  comparison.Shared(record.annotations).Digest(record.digest).Shared(record.source_file);
  comparison.Int(record.source_line).Int(record.generation).Int(record.observed_generation);
  comparison.Word(ToString(record.status.state)).Word(record.status.reason);
  comparison.Shared(record.status.message).Int(ToMillis(record.status_since));
  comparison.Short(record.outputs, outputs).Int(record.suspended ? 1 : 0);
  comparison.Int(record.missing_scans).Int(record.grants).Int(UntouchedNumber(record));
  comparison.Int(record.age);
  return comparison.same() ? Stored::kSame : Stored::kOther;
}

/// A row that would not change is left alone: an idle pass writes nothing.
void Upsert(Connection& connection, const Row& row) {
  const ResourceRecord& record = row.record;
  const Shortened spec = Shorten(record.spec, record.target.name, record.role);
  const Shortened outputs = Shorten(record.outputs, record.target.name, record.role);
  const Stored stored = row.known ? Compare(connection, row, spec, outputs) : Stored::kNot;
  if (stored == Stored::kSame) return;
  connection.NoteContent();
  const auto word = [&connection](std::string_view text) { return InternWord(connection, text); };
  const auto shared = [&connection](const std::string& text) { return Shared(connection, text); };
  const char* const sql = stored == Stored::kNot     ? kInsertResource
                          : stored == Stored::kOther ? kUpdateResourceBesideClaim
                                                     : kUpdateResource;
  Run(connection, sql, row.id, word(record.token.api_version), word(record.token.kind),
      row.target_id, word(record.provider), row.role, record.accepted,
      TextOrBlob{spec.text, spec.verbatim}, shared(record.options), shared(record.labels),
      shared(record.annotations), MakeDigest{record.digest}, shared(record.source_file),
      record.source_line, record.generation, record.observed_generation,
      word(ToString(record.status.state)), word(record.status.reason),
      shared(record.status.message), record.status_since,
      TextOrBlob{outputs.text, outputs.verbatim}, record.suspended, record.missing_scans,
      record.grants, UntouchedNumber(record), record.age);
}

Error ClaimConflict(Connection& connection, const Row& row) {
  Query query(connection, kHolder, row.target_id, row.role, row.id);
  const std::string holder = query.Next() ? query.Text(0) : "another resource";
  Error error;
  error.code = Code::kAlreadyExists;
  error.message = "resource \"" + row.record.name + "\" claims role \"" + row.record.role +
                  "\" on \"" + row.record.target.name + "\", which \"" + holder + "\" holds";
  return error;
}

bool ClaimIsTaken(Connection& connection, const Row& row) {
  const bool claims = row.record.accepted && row.role != 0;
  if (!claims || !connection.AsksBefore()) return false;
  return Query(connection, kHolder, row.target_id, row.role, row.id).Next();
}

Expected<void> UpsertAccepted(Connection& connection, const Row& row) {
  if (ClaimIsTaken(connection, row)) return Fail(ClaimConflict(connection, row));
  try {
    Upsert(connection, row);
    return {};
  } catch (const EngineError& failure) {
    if (failure.cause() != EngineError::Cause::kNotUnique) throw;
  }
  return Fail(ClaimConflict(connection, row));
}

/// Two resources that exchange their claims would block each other.
void ReleaseMovingClaim(Connection& connection, const Row& row) {
  if (row.known) Run(connection, kReleaseClaim, row.id, row.target_id, row.role);
}

/// Frees what the resource holds and gives up. Most are new to the store: nothing
/// to free, and no record to be made for that.
void GiveUpClaim(Connection& connection, const ResourceSnapshot& snapshot) {
  if (FindName(connection, snapshot.Name()) == 0) return;
  const ResourceRecord record = snapshot.Record();
  const Row row = MakeRow(connection, record);
  if (record.accepted) {
    ReleaseMovingClaim(connection, row);
  } else {
    Upsert(connection, row);
  }
}

}  // namespace

void ForgetResources(Connection& connection, const std::vector<std::string>& names) {
  if (!names.empty()) connection.NoteContent();
  for (const std::string& name : names) {
    Run(connection, "DELETE FROM resources WHERE id = ?1", FindName(connection, name));
  }
}

Expected<void> UpsertResources(Connection& connection, const StoreChange& change) {
  // First all released claims are given up, so that new holders can take them over. A single claim,
  // as after most edits, blocks nobody.
  const bool several = change.upsert_snapshots.size() + change.upsert_resources.size() > 1;
  if (several) {
    for (const auto& snapshot : change.upsert_snapshots) GiveUpClaim(connection, *snapshot);
  }
  std::vector<Row> accepted;
  for (const ResourceRecord& record : change.upsert_resources) {
    if (record.accepted) {
      accepted.push_back(MakeRow(connection, record));
    } else {
      Upsert(connection, MakeRow(connection, record));
    }
  }
  if (several) {
    for (const Row& row : accepted) ReleaseMovingClaim(connection, row);
  }
  for (const auto& snapshot : change.upsert_snapshots) {
    const ResourceRecord record = snapshot->Record();
    if (auto done = UpsertAccepted(connection, MakeRow(connection, record)); !done) return done;
  }
  for (const Row& row : accepted) {
    if (auto done = UpsertAccepted(connection, row); !done) return done;
  }
  return {};
}

void SetStandings(Connection& connection, const std::vector<StandingRecord>& standings) {
  if (!standings.empty()) connection.NoteContent();
  for (const StandingRecord& standing : standings) {
    const std::int64_t id = FindName(connection, standing.name);
    if (id == 0) continue;
    const Shortened outputs = Shorten(standing.outputs, standing.target.name, standing.role);
    Run(connection, kSetStanding, id, standing.observed_generation,
        InternWord(connection, ToString(standing.status.state)),
        InternWord(connection, standing.status.reason), Shared(connection, standing.status.message),
        standing.status_since, TextOrBlob{outputs.text, outputs.verbatim},
        UntouchedNumber(standing), standing.age);
  }
}

}  // namespace bindery::store
