#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/interned.h"
#include "core/base/shared_text.h"
#include "core/settings/mode.h"
#include "core/text/digest.h"
#include "core/text/type_token.h"
#include "manifests/schema/source_path.h"

namespace bindery::manifests {

struct Field;

/// The position of a manifest. `file` is relative to the manifests directory.
struct SourceRef {
  SourcePath file;
  int line = 0;  ///< Of the document's first line; counts from 1.
  auto operator<=>(const SourceRef&) const = default;

  /// "teams/payments.yaml:12"
  [[nodiscard]] std::string Text() const { return file.str() + ":" + std::to_string(line); }
};

/// The options that few manifests have, kept apart to keep those without any small: perhaps a
/// hundred thousand.
struct ExtraOptions {
  /// The position of a text in its file.
  struct Place {
    int line = 0;
    int column = 0;
  };

  std::vector<std::string> depends_on;      ///< Names of manifests.
  std::vector<std::string> ignore_changes;  ///< Paths of inputs: "bindings[0].principals".
  std::vector<std::string> aliases;         ///< Former names of this manifest.
  std::string import_id;                    ///< Empty: nothing to adopt.
  std::optional<std::chrono::milliseconds> create_timeout;  ///< 1 s to 24 h, as the next two.
  std::optional<std::chrono::milliseconds> update_timeout;
  std::optional<std::chrono::milliseconds> delete_timeout;
  std::vector<Place> depends_on_at = {};  ///< As many as `depends_on`; none from the store.
  std::vector<Place> aliases_at = {};

  /// Whether the options are equal, apart from places.
  bool operator==(const ExtraOptions& other) const;
};

/// The `options` of a manifest. Absent fields fall back to the configuration.
struct Options {
  std::optional<Mode> mode;
  std::optional<std::chrono::milliseconds> interval;  ///< At least 1 s.
  Interned provider;                                  ///< Empty: the kind's default provider.
  bool suspend = false;
  bool protect = false;
  std::optional<bool> retain_on_delete;  ///< Not set: as the kind does it.
  bool remove_expired = false;  ///< What its condition does not grant any more is taken away.
  std::shared_ptr<const ExtraOptions> rare = {};  ///< Null: none of them.
  ExtraOptions::Place provider_at = {};           ///< Of the provider; unknown from the store.

  /// The rare options, all empty if none exists.
  [[nodiscard]] const ExtraOptions& extra_options() const;
  bool operator==(const Options& other) const;
};

/// One `${…}` of a spec.
struct Reference {
  /// The meaning of its value.
  enum class Part {
    kWhole,   ///< The field.
    kItem,    ///< An item of the list, or a value of the map, that the field is.
    kWithin,  ///< A piece of a text.
  };

  std::string text;  ///< As written, braces included: "${me.orgId}".
  std::string path;  ///< Of the field: "spec.members[0]".
  int line = 0;
  int column = 0;
  const Field* field = nullptr;  ///< Of the kind's schema; null where its type does not matter.
  Part part = Part::kWhole;
};

/// One valid manifest. Immutable once loaded, and kept while in force: up to a hundred thousand
/// exist.
struct Manifest {
  std::string name;                  ///< metadata.name
  const TypeToken* token = nullptr;  ///< Of its kind's schema, which is never destroyed.
  SharedText labels;                 ///< Canonical JSON object of strings; empty: none.
  SharedText annotations;            ///< Likewise.
  Options options;
  /// The inputs as canonical JSON, checked against the kind's schema. With references it is the
  /// template: all texts as written, and nothing checked yet that depends on a reference.
  std::string spec;
  Sha256Digest digest;  ///< Of everything but the source: equal digests, equal manifests.
  SourceRef source;
  /// The references of the spec, in the order written; null if none exists.
  std::shared_ptr<const std::vector<Reference>> references = {};

  /// The manifest names further manifests, or its own former names.
  [[nodiscard]] bool linked() const;
};

}  // namespace bindery::manifests
