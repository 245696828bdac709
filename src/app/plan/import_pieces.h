#pragma once

#include <string>
#include <vector>

#include "core/settings/mode.h"
#include "reconcilers/kind.h"

namespace bindery::app {

/// A part of a policy that one manifest declares, with the kind of the manifest.
struct ImportPiece {
  const reconcilers::Kind* kind = nullptr;
  std::string part;  ///< As Placement::role.
};

/// The kind whose manifests declare one grant each on the policies of `kind`; null: none.
[[nodiscard]] const reconcilers::Kind* FindMemberKind(const reconcilers::Kind& kind);

/// The manifests that declare `role` as in `seen`: one of `kind`; for a role held under several
/// conditions one of `kind` for each condition if the key allows, else one of its member kind for
/// each grant. Pure.
[[nodiscard]] std::vector<ImportPiece> MakePieces(const reconcilers::Kind& kind,
                                                  const std::string& role,
                                                  const reconcilers::Observation& seen,
                                                  BindingKey key);

/// All grants of `role` that `seen` holds belong to one of the parts. Tombstones and access on
/// request do not count.
/// Pure.
[[nodiscard]] bool AreCovered(const reconcilers::Kind& kind, const std::string& role,
                              const std::vector<std::string>& parts,
                              const reconcilers::Observation& seen);

/// What no manifest declares of the grants that `seen` holds in `role` (empty: in all roles): those
/// of deleted principals, and access on request by the mark of its service. A sentence for each:
/// "2 deleted principals (deleted:…) are left aside: they hold nothing". Pure.
[[nodiscard]] std::vector<std::string> ListLeftAside(const reconcilers::Kind& kind,
                                                     const std::string& role,
                                                     const reconcilers::Observation& seen);

}  // namespace bindery::app
