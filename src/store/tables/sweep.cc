#include "store/tables/sweep.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace bindery::store {
namespace {

/// Numbers of rows. The numbers are given in sequence, so a bit for each is little.
class IdSet {
 public:
  /// Adds all integers in all columns of a statement's rows.
  void AddAll(Connection& connection, const char* sql, int columns) {
    Query query(connection, sql);
    while (query.Next()) {
      for (int column = 0; column < columns; ++column) {
        if (query.IsInt(column)) Add(query.Int(column));
      }
    }
  }
  [[nodiscard]] bool Has(std::int64_t id) const {
    return static_cast<std::size_t>(id) < ids_.size() && ids_[static_cast<std::size_t>(id)];
  }

 private:
  void Add(std::int64_t id) {
    const auto index = static_cast<std::size_t>(id);
    if (index >= ids_.size()) ids_.resize(index + 1);
    ids_[index] = true;
  }
  std::vector<bool> ids_;
};

struct Source {
  const char* sql;
  int columns;
};

IdSet Named(Connection& connection, std::initializer_list<Source> sources) {
  IdSet named;
  for (const Source& source : sources) named.AddAll(connection, source.sql, source.columns);
  return named;
}

/// Deletes the unnamed ids from `all`.
void DeleteOthers(Connection& connection, const IdSet& named, const char* all, const char* remove) {
  std::vector<std::int64_t> others;
  {
    Query query(connection, all);
    while (query.Next()) {
      if (!named.Has(query.Int(0))) others.push_back(query.Int(0));
    }
  }
  for (const std::int64_t id : others) Run(connection, remove, id);
}

void SweepPolicies(Connection& connection) {
  constexpr const char* kRemove = "DELETE FROM policies WHERE id = ?1";
  IdSet named = Named(connection, {{"SELECT policy_id FROM revisions", 1},
                                   {"SELECT policy_id FROM targets", 1},
                                   {"SELECT digest_before, digest_desired FROM intents", 2},
                                   // Stored since the intent named the policy by its digest.
                                   {"SELECT p.id FROM intents i JOIN policies p "
                                    "ON p.digest IN (i.digest_before, i.digest_desired) "
                                    "WHERE typeof(i.digest_before) <> 'integer' "
                                    "OR typeof(i.digest_desired) <> 'integer'",
                                    1}});
  DeleteOthers(connection, named, "SELECT id FROM policies WHERE base <> 0", kRemove);
  // The bases of remaining differences stay, named or not.
  named.AddAll(connection, "SELECT base FROM policies", 1);
  DeleteOthers(connection, named, "SELECT id FROM policies WHERE base = 0", kRemove);
}

void SweepTargets(Connection& connection) {
  const IdSet named = Named(connection, {{"SELECT target_id FROM resources", 1},
                                         {"SELECT target_id FROM targets", 1},
                                         {"SELECT target_id FROM revisions", 1},
                                         {"SELECT target_id FROM drift", 1},
                                         {"SELECT target_id FROM intents", 1},
                                         {"SELECT target_id FROM rollbacks", 1}});
  DeleteOthers(connection, named, "SELECT id FROM target_keys",
               "DELETE FROM target_keys WHERE id = ?1");
}

void SweepNames(Connection& connection) {
  const IdSet named = Named(connection, {{"SELECT id FROM resources", 1},
                                         {"SELECT name FROM target_keys", 1},
                                         {"SELECT resource FROM drift", 1},
                                         {"SELECT resource, target FROM events", 2}});
  DeleteOthers(connection, named, "SELECT id FROM names", "DELETE FROM names WHERE id = ?1");
}

void SweepWords(Connection& connection) {
  const IdSet named = Named(
      connection,
      {{"SELECT kind, scope FROM target_keys", 2},
       {"SELECT api_version, kind, provider, role, options, labels, annotations, source_file, "
        "state, reason, message FROM resources",
        11},
       {"SELECT provider FROM targets", 1},
       {"SELECT origin, actor FROM revisions", 2},
       {"SELECT class, role, severity, state, desired, observed, resolved_by FROM drift", 7},
       {"SELECT type, reason, message, actor FROM events", 4},
       {"SELECT actor, outcome FROM intents", 2}});
  DeleteOthers(connection, named, "SELECT id FROM words", "DELETE FROM words WHERE id = ?1");
}

}  // namespace

void SweepUnnamed(Connection& connection) {
  SweepPolicies(connection);
  SweepTargets(connection);
  SweepNames(connection);
  SweepWords(connection);
  connection.ForgetIds();
}

}  // namespace bindery::store
