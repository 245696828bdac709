#pragma once

#include <string>
#include <string_view>

namespace bindery::cel {

enum class TypeKind {
  kDyn,  ///< Anything: known only when it is evaluated.
  kNull,
  kBool,
  kInt,
  kUint,
  kDouble,
  kString,
  kBytes,
  kTimestamp,
  kDuration,
  kList,
  kMap,
  kType,
};

/// The type of an expression. What lists of lists hold is not kept.
struct Type {
  TypeKind kind = TypeKind::kDyn;
  TypeKind item = TypeKind::kDyn;  ///< Of a list's items, of a map's values.
  TypeKind key = TypeKind::kDyn;   ///< Of a map's keys.
  bool operator==(const Type&) const = default;
};

/// "int", "list(string)", "map(string, dyn)".
[[nodiscard]] std::string ToString(const Type& type);

/// The type of the name, without its content but for "list(string)"; kDyn for any other word.
[[nodiscard]] Type TypeNamed(std::string_view name);

/// Whether the name is a type name.
[[nodiscard]] bool IsTypeName(std::string_view name);

/// Whether values of the two can be the same; dyn goes with everything.
[[nodiscard]] bool Agree(const Type& one, const Type& other);

/// The common type of two alternatives.
[[nodiscard]] Type Join(const Type& one, const Type& other);

}  // namespace bindery::cel
