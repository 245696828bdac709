#include "cel/types/types.h"

#include <algorithm>
#include <array>

namespace bindery::cel {
namespace {

constexpr std::array<std::string_view, 13> kNames = {
    "dyn",   "null_type", "bool",     "int",  "uint", "double", "string",
    "bytes", "timestamp", "duration", "list", "map",  "type"};

bool KindsAgree(TypeKind one, TypeKind other) {
  return one == other || one == TypeKind::kDyn || other == TypeKind::kDyn;
}

std::string_view NameOfKind(TypeKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

}  // namespace

std::string ToString(const Type& type) {
  std::string text(NameOfKind(type.kind));
  if (type.kind == TypeKind::kList) text += "(" + std::string(NameOfKind(type.item)) + ")";
  if (type.kind == TypeKind::kMap) {
    text +=
        "(" + std::string(NameOfKind(type.key)) + ", " + std::string(NameOfKind(type.item)) + ")";
  }
  return text;
}

bool IsTypeName(std::string_view name) {
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

Type TypeNamed(std::string_view name) {
  if (name == "list(string)") return {TypeKind::kList, TypeKind::kString};
  const auto* const found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return {};
  return {static_cast<TypeKind>(found - kNames.begin())};
}

bool Agree(const Type& one, const Type& other) {
  return KindsAgree(one.kind, other.kind) &&
         (one.kind != other.kind ||
          (KindsAgree(one.item, other.item) && KindsAgree(one.key, other.key)));
}

Type Join(const Type& one, const Type& other) {
  if (one == other) return one;
  if (one.kind != other.kind) return {};
  return {one.kind, one.item == other.item ? one.item : TypeKind::kDyn,
          one.key == other.key ? one.key : TypeKind::kDyn};
}

}  // namespace bindery::cel
