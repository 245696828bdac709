#pragma once

#include <string>
#include <vector>

#include "app/plan/manifest_import.h"
#include "config/config.h"
#include "core/base/expected.h"
#include "store/ports/records.h"

namespace bindery {

/// The change of one file that makes a difference declared.
struct AdoptionEdit {
  std::string file;      ///< Below the manifests directory.
  std::string manifest;  ///< The manifest that is new or changed.
  std::string text;      ///< All of the file afterwards.
  bool is_new = false;   ///< The file does not exist yet.
  std::string change;    ///< For people: "user:eve@example.com is added to spec.members".
};

/// The edit that declares what the difference shows: an undeclared grant joins the manifest that
/// declares its role, or gets a manifest of its own; a missing grant, or that of a deleted
/// principal, leaves its manifest. Comments and order of an existing file stay. Reads the files of
/// the manifests directory, writes nothing.
///
/// kAlreadyExists: the manifests say so already. kFailedPrecondition: no such edit, or none that is
/// safe; the message names the manifest and what a person is to do.
[[nodiscard]] Expected<AdoptionEdit> EditForDifference(
    const Config& config, const DriftRecord& difference,
    const std::vector<DeclaredManifest>& declared);

}  // namespace bindery
