#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/settings/mode.h"
#include "reconcilers/kind.h"

namespace bindery {

/// A part of a policy that one manifest declares, with the kind of the manifest.
struct ImportPiece {
  const Kind* kind = nullptr;
  std::string part;  ///< As Placement::role.
};

/// The kind whose manifests declare one grant each on the policies of `kind`; null: none.
[[nodiscard]] const Kind* FindMemberKind(const Kind& kind);

/// The manifests that declare `role` as in `seen`: one of `kind`; for a role held under several
/// conditions one of `kind` for each condition if the key allows, else one of its member kind for
/// each grant. Pure.
[[nodiscard]] std::vector<ImportPiece> MakePieces(const Kind& kind, const std::string& role,
                                                  const Observation& seen, BindingKey key);

/// All grants of `role` that `seen` holds belong to one of the parts. Tombstones do not count.
/// Pure.
[[nodiscard]] bool AreCovered(const Kind& kind, const std::string& role,
                              const std::vector<std::string>& parts, const Observation& seen);

/// How many grants of deleted principals `seen` holds in `role`; empty: in all roles. Pure.
[[nodiscard]] std::size_t CountTombstones(const Kind& kind, const std::string& role,
                                          const Observation& seen);

/// "2 deleted principals (deleted:…) are left aside: they hold nothing"
[[nodiscard]] std::string TombstonesLeftAside(std::size_t count);

}  // namespace bindery
