#pragma once

#include <string>
#include <vector>

#include "app/directory/declared_manifests.h"
#include "config/config.h"
#include "core/base/expected.h"
#include "store/ports/records.h"

namespace bindery::app {

/// The change of one file that makes a difference declared.
struct AdoptionEdit {
  std::string file;               ///< Below the manifests directory.
  std::string manifest;           ///< The manifest that is new or changed.
  std::string text;               ///< All of the file afterwards.
  bool is_new = false;            ///< The file does not exist yet.
  std::string change;             ///< For people: "user:eve@example.com is added to spec.members".
  bool removes_manifest = false;  ///< The manifest declares nothing but the grant.
  bool removes_file = false;      ///< The file has nothing but the manifest.
};

/// The edit that declares a difference. An undeclared grant joins the manifest of the role, or gets
/// a new manifest; a missing grant, and a grant of a deleted principal, leaves the manifest. A
/// manifest of this grant alone is removed, with its file if the file has nothing else. Comments
/// and order of an existing file stay. Reads the files of the manifests directory, writes nothing.
///
/// kAlreadyExists: the manifests declare the difference already. kFailedPrecondition: no edit, or
/// no safe edit, exists; the message names the manifest and the step that a person has to take.
[[nodiscard]] Expected<AdoptionEdit> EditForDifference(
    const config::Config& config, const store::DriftRecord& difference,
    const std::vector<DeclaredManifest>& declared);

}  // namespace bindery::app
