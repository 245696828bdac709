#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/access/target.h"
#include "store/ports/change.h"
#include "store/ports/records.h"
#include "store/sql/connection.h"

namespace bindery::store {

/// Asks at once for what a group of changes is going to look up one by one, as each question to a
/// remote database costs a round trip. The answers are in the connection's caches until
/// Connection::ForgetForeseen(). What it does not ask for is asked for when it is needed: it is a
/// matter of speed alone. Single-threaded and one transaction.
class Foresight {
 public:
  void Note(const StoreChange& change);
  void Note(const IntentRecord& intent);

  /// Throws EngineError.
  void Load(Connection& connection) const;

 private:
  using Texts = std::unordered_set<std::string>;
  using Targets = std::unordered_map<std::string, Target>;

  void NoteResource(const ResourceRecord& record);
  void NoteStatus(const ResourceStatus& status);
  void NoteRevision(const RevisionRecord& revision);
  void NoteDrift(const DriftUpdate& update);
  /// Returns TargetText() of the target.
  const std::string& NoteTarget(const Target& target);
  void NoteWord(std::string_view text) { words_.emplace(text); }
  void NoteName(std::string_view name);

  void LoadTargets(Connection& connection) const;
  void LoadDrift(Connection& connection) const;
  void LoadLastPolicies(Connection& connection) const;

  Texts words_, names_, digests_;
  Targets targets_;  ///< By TargetText(), like those of which more is needed:
  Texts drifting_;
  std::unordered_map<std::string, std::string> packed_;  ///< The digest of a policy to be packed.
};

}  // namespace bindery::store
