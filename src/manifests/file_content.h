#pragma once

#include <memory>
#include <string>
#include <vector>

#include "manifests/manifest.h"
#include "manifests/problem.h"

namespace bindery {

/// What one file holds. Immutable once loaded and shared between scans: an unchanged file is not
/// read again.
struct FileContent {
  std::string path;                                        ///< Relative to the manifests directory.
  std::string digest;                                      ///< SHA-256 of its bytes.
  std::vector<std::shared_ptr<const Manifest>> manifests;  ///< The valid documents.
  std::vector<Problem> problems;                           ///< Of the others; and warnings.
  /// Of the others those that name manifests: what can be said of that is said here. Perhaps
  /// without a name of their own.
  std::vector<std::shared_ptr<const Manifest>> invalid = {};
  /// It holds no document: white space, comments, `---`, `null`. More likely its writing went wrong
  /// than that it says that nothing is declared any more: its content counts as unknown.
  bool blank = false;
};

}  // namespace bindery
