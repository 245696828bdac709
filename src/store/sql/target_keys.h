#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/access/target.h"
#include "core/access/target_key.h"
#include "store/sql/connection.h"
#include "store/sql/neighbours.h"
#include "store/sql/words.h"

namespace bindery::store {

/// The id of a target that is on record; 0 if none exists. For the writer, which remembers the id.
[[nodiscard]] std::int64_t FindTargetId(Connection& connection, const Target& target);

/// The same for readers, by one statement: an id that a reader remembered might be another target's
/// after a sweep.
[[nodiscard]] std::int64_t ReadTargetId(Connection& connection, const Target& target);

/// One text for a target. A byte that no name, kind or scope holds separates the parts.
[[nodiscard]] std::string TargetText(const Target& target);

/// Tells the id of each of the targets that is on record, by few statements.
void ReadTargetIds(Connection& connection, std::span<const Target* const> targets,
                   const std::function<void(const Target&, std::int64_t)>& take);

/// The same of a list.
void ReadTargetIds(Connection& connection, const std::vector<Target>& targets,
                   const std::function<void(const Target&, std::int64_t)>& take);

/// The ids of the recorded targets, in any order, by few statements.
[[nodiscard]] std::vector<std::int64_t> FindTargetIds(Connection& connection,
                                                      const std::vector<TargetKey>& targets);

/// The id of a target, put on record when it is new.
[[nodiscard]] std::int64_t InternTarget(Connection& connection, const Target& target);

/// Reads targets back by id, each from the database once. For one read.
class TargetReader {
 public:
  TargetReader(Connection& connection, WordReader& words)
      : connection_(connection), words_(words) {}

  /// The target of the id, of a row with the columns kind and scope of target_keys, the name as a
  /// text and as an id in this order from `first` on. Nothing is kept; valid until the next call.
  /// Throws as At().
  [[nodiscard]] const Target& Take(const Query& query, std::int64_t id, int first);

  /// The target of the id is this one.
  void Know(std::int64_t id, const Target& target) {
    rows_.try_emplace(id, Row{0, 0, target, true});
  }

  /// Throws when the target is missing: the store is damaged.
  [[nodiscard]] const Target& At(std::int64_t id);

 private:
  /// A row. Its words are looked up when the target is asked for: damage to a different one is no
  /// matter of the read.
  struct Row {
    std::int64_t kind = 0;
    std::int64_t scope = 0;
    Target target;  ///< Its name; the rest once it is complete.
    bool complete = false;
  };

  void Keep(Query& query);
  void SetWords(std::int64_t kind, std::int64_t scope, Target& target);
  const Target& Complete(Row& row);

  Connection& connection_;
  WordReader& words_;
  Neighbours neighbours_;
  Interned kind_;  ///< Of the target asked for last, as `scope_`: most have the same.
  Interned scope_;
  std::unordered_map<std::int64_t, Row> rows_;
  Target taken_;
};

}  // namespace bindery::store
