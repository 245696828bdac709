#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "convert/convert.h"
#include "convert/names.h"
#include "convert/shapes/shape.h"
#include "manifests/schema/expression.h"

namespace bindery::convert {

/// What a name of a program stands for. Exactly one of `manifest`, `literal` and `reason` is set.
struct Symbol {
  std::string manifest = {};  ///< Name of a draft.
  const manifests::KindSchema* kind = nullptr;
  manifests::FieldPath below = {};         ///< The field of it that is meant.
  bool short_name = false;                 ///< The program knows `name` as something shorter.
  std::optional<yaml::Node> literal = {};  ///< A value that takes the place of the name.
  std::string reason = {};                 ///< Why it has no counterpart.
};

/// What an expression stands for: a field of a draft, or a value.
struct Meaning {
  std::string manifest = {};
  manifests::FieldPath below = {};
  const yaml::Node* literal = nullptr;
};

/// Why a resource is left out of which something cannot be carried over.
inline constexpr std::string_view kIncomplete =
    "the whole resource, as some of it cannot be carried over";

/// What the converters of all forms have in common: names, values and the drafts made of them.
class Translator {
 public:
  Translator(Conversion& conversion, const manifests::KindSchemas& table);
  virtual ~Translator() = default;
  Translator(const Translator&) = delete;
  Translator& operator=(const Translator&) = delete;

 protected:
  /// A text in this language.
  [[nodiscard]] virtual tl::expected<manifests::Template, manifests::TextFault> Parse(
      std::string_view text) const = 0;
  /// The meaning of a reference, or why the reference cannot be converted.
  [[nodiscard]] virtual tl::expected<Meaning, std::string> Find(
      const manifests::FieldPath& path) const = 0;
  /// The meaning of a map that is a call; nothing when the map is no call.
  [[nodiscard]] virtual std::optional<tl::expected<Meaning, std::string>> Call(
      const yaml::Node& /*node*/, const std::string& /*path*/) {
    return std::nullopt;
  }

  /// The value as a manifest has it; the drafts it refers to are added to `refers_to`. Nothing, and
  /// a remark, when some of it cannot be carried over.
  [[nodiscard]] std::optional<yaml::Node> Value(const yaml::Node& node, const std::string& path,
                                                std::vector<std::string>& refers_to);

  /// The value of a tree without expressions and calls; nothing when it has some.
  [[nodiscard]] std::optional<yaml::Node> Literal(const yaml::Node& node) const;

  /// The value as far as it is known, with kUnknownPart in the place of the rest.
  [[nodiscard]] yaml::Node Known(const yaml::Node& node) const;

  /// What a symbol stands for, and the steps behind it.
  [[nodiscard]] tl::expected<Meaning, std::string> Follow(const Symbol& symbol,
                                                          const manifests::FieldPath& path,
                                                          std::size_t steps) const;

  /// A name for the program's name; reports a changed name.
  [[nodiscard]] std::string NewName(const std::string& wish, yaml::Position at,
                                    const std::string& path);

  void LeaveOut(yaml::Position at, std::string path, std::string reason);
  /// The same of something that grants no access.
  void LeaveOutHarmless(yaml::Position at, std::string path, std::string reason);
  /// Of a resource that is left out: what it grants is not to be taken by others.
  void Hold(HeldClaim claim) { conversion_.held.push_back(std::move(claim)); }
  void Note(yaml::Position at, std::string path, std::string reason);
  /// `labels`: of the metadata.
  void AddDraft(Draft draft, yaml::Node spec, yaml::Node options, yaml::Position at,
                yaml::Node labels = {});

  [[nodiscard]] Conversion& conversion() { return conversion_; }
  /// Finds a kind by any spelling of its token.
  [[nodiscard]] const manifests::KindSchemas& table() const { return table_; }
  /// All kinds of the table.
  [[nodiscard]] std::span<const manifests::KindSchema* const> kinds() const { return kinds_; }

 private:
  [[nodiscard]] yaml::Node KnownText(const yaml::Node& node) const;
  [[nodiscard]] std::optional<yaml::Node> Text(const yaml::Node& node, const std::string& path,
                                               std::vector<std::string>& refers_to);
  [[nodiscard]] std::optional<yaml::Node> Inlined(const yaml::Node& literal, const yaml::Node& node,
                                                  const std::string& path);
  [[nodiscard]] bool FitsWithin(const yaml::Node& literal, const std::string& name,
                                const yaml::Node& node, const std::string& path);
  [[nodiscard]] bool Spend(std::size_t bytes, const yaml::Node& node, const std::string& path);

  Conversion& conversion_;
  const manifests::KindSchemas& table_;
  std::vector<const manifests::KindSchema*> kinds_;
  NameMaker names_;
  std::size_t inlined_ = 0;  ///< Bytes that took the place of names.
};

/// Counts values and keys that a format does not have as left out. Returns whether there is one.
bool ReportWrong(std::vector<WrongShape> wrong, Conversion& conversion);

/// Whether some of it is kUnknownPart.
[[nodiscard]] bool HasUnknown(const yaml::Node& node);

/// "${name.field}"
[[nodiscard]] std::string ReferenceText(const std::string& manifest,
                                        const manifests::FieldPath& below);

}  // namespace bindery::convert
