#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace bindery::manifests {

enum class ProblemSeverity { kError, kWarning };

[[nodiscard]] inline std::string_view ToString(ProblemSeverity severity) {
  return severity == ProblemSeverity::kWarning ? "warning" : "error";
}

/// One error of a manifest file.
struct Problem {
  std::string file;
  int line = 0;      ///< From 1; 0 when it concerns the whole file.
  int column = 0;    ///< From 1.
  std::string path;  ///< The field: "spec.members[1]"; empty when it concerns the document.
  ProblemSeverity severity = ProblemSeverity::kError;
  std::string code;  ///< CamelCase, stable: "UnknownField", "MissingField", "DuplicateName", …
  std::string message;
  /// metadata.name of the document, where that much could be read.
  std::string resource;
  /// Further lines that show the place within a longer text; empty for most.
  std::string excerpt = {};

  [[nodiscard]] bool is_error() const { return severity == ProblemSeverity::kError; }
  /// "file:line:column: path: message", leaving out what is unknown.
  [[nodiscard]] std::string Text() const;
  /// The same and, on lines of their own, the excerpt.
  [[nodiscard]] std::string Lines() const;
};

/// Why a manifest cannot be used, and the place to fix.
struct ManifestError : Error {
  // NOLINTNEXTLINE(google-explicit-constructor): an error without a place is one too
  ManifestError(Error error, std::vector<Problem> found = {})
      : Error(std::move(error)), problems(std::move(found)) {}

  std::vector<Problem> problems;  ///< Empty: of the whole manifest.
};

}  // namespace bindery::manifests
