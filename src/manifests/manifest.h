#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "core/digest.h"
#include "core/mode.h"
#include "core/type_token.h"

namespace bindery {

/// Where a manifest stands. `file` is relative to the manifests directory.
struct SourceRef {
  std::string file;
  int line = 0;  ///< Of the document's first line; counts from 1.
  auto operator<=>(const SourceRef&) const = default;

  /// "teams/payments.yaml:12"
  [[nodiscard]] std::string Text() const { return file + ":" + std::to_string(line); }
};

/// The `options` of a manifest. Absent fields fall back to the configuration.
struct Options {
  std::optional<Mode> mode;
  std::optional<std::chrono::milliseconds> interval;  ///< At least 1 s.
  std::string provider;                               ///< Empty: the kind's default provider.
  bool suspend = false;
  bool protect = false;
  bool retain_on_delete = false;
  bool operator==(const Options&) const = default;
};

/// One valid manifest. Immutable once loaded, and kept as long as it is in force: one of perhaps a
/// hundred thousand.
struct Manifest {
  std::string name;                  ///< metadata.name
  const TypeToken* token = nullptr;  ///< Of its kind's schema, which is never destroyed.
  std::string labels;                ///< Canonical JSON object of strings; empty: none.
  std::string annotations;           ///< Likewise.
  Options options;
  std::string spec;     ///< The inputs as canonical JSON, checked against the kind's schema.
  Sha256Digest digest;  ///< Of everything but the source: equal digests, equal manifests.
  SourceRef source;
};

}  // namespace bindery
