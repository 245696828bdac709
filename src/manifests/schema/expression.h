#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "manifests/schema/manifest.h"

namespace bindery::manifests {

/// One step of a path: a member by its name, or an item by its index.
struct PathStep {
  std::string name;                       ///< Empty for an index.
  std::optional<std::size_t> index = {};  ///< From 0.
  bool quoted = false;                    ///< The name was written as ["name"].
  bool operator==(const PathStep&) const = default;
};
using FieldPath = std::vector<PathStep>;

/// The error of a text, and at which byte.
struct TextFault {
  std::size_t offset = 0;
  std::string message;
};

/// Reads "bindings[0].principals" or "headers[\"odd key\"].x"; it begins with a name.
[[nodiscard]] tl::expected<FieldPath, TextFault> ParseFieldPath(std::string_view text);

/// The path in a readable form, for parsing.
[[nodiscard]] std::string PathText(const FieldPath& path);

/// A piece of a template: a literal text, or one `${…}`.
struct TemplatePiece {
  std::string text;               ///< Literal; of an expression as written, braces included.
  std::optional<FieldPath> path;  ///< Of an expression: name of a manifest, then field by field.
  std::size_t offset = 0;         ///< Where it begins.
};
using Template = std::vector<TemplatePiece>;

/// Reads a text where `${…}` is an expression, `$${` a literal "${", and any other `$` itself.
/// Without an expression the result has at most one piece.
[[nodiscard]] tl::expected<Template, TextFault> ParseTemplate(std::string_view text);

/// Whether a template holds an expression.
[[nodiscard]] bool HasExpression(const Template& pieces);
/// Whether the template is a single expression: the expression then takes the type of its value.
[[nodiscard]] bool IsLoneExpression(const Template& pieces);
/// The text of a template without expressions.
[[nodiscard]] std::string LiteralText(const Template& pieces);

/// Whether a manifest of the name exists.
using KnownName = std::function<bool(const std::string& name)>;

/// The meaning of an expression.
struct NamedPath {
  std::string name;  ///< Of a manifest, known or not.
  FieldPath below;   ///< Empty when nothing is behind the name.
};

/// Divides a path into name and fields. Names may hold dots: the longest known one counts that
/// leaves a field, else the longest known one, else the first step.
[[nodiscard]] NamedPath SplitName(const FieldPath& path, const KnownName& known);
/// What a reference of a loaded manifest names, undivided.
[[nodiscard]] FieldPath MakePath(const Reference& reference);
/// All names that the path may begin with, the longest first; names that leave no field only if no
/// further names exist.
[[nodiscard]] std::vector<std::string> PossibleNames(const FieldPath& path);

/// The names of all manifests that `manifest` refers to or depends on, each once, in the order
/// written.
[[nodiscard]] std::vector<std::string> ListDependencies(const Manifest& manifest,
                                                        const KnownName& known);

}  // namespace bindery::manifests
