#pragma once

#include <memory>
#include <string>
#include <vector>

#include "manifests/schema/manifest.h"
#include "manifests/schema/problem.h"

namespace bindery::manifests {

/// What one file holds. Immutable once loaded and shared between scans: an unchanged file is not
/// read again.
struct FileContent {
  std::string path;                                        ///< Relative to the manifests directory.
  std::string digest;                                      ///< SHA-256 of its bytes.
  std::vector<std::shared_ptr<const Manifest>> manifests;  ///< The valid documents.
  std::vector<Problem> problems;                           ///< Of the others; and warnings.
  /// The invalid manifests with known names, perhaps without a name of their own: enough to check
  /// references.
  std::vector<std::shared_ptr<const Manifest>> invalid = {};
  /// The file holds no document: white space, comments, `---`, `null`. A failed write is more
  /// likely than an intended empty declaration: the content counts as unknown.
  bool blank = false;
};

}  // namespace bindery::manifests
