#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"

namespace bindery::emulator {

/// True when `text` matches `pattern`, in which `*` stands for any text and `?` for one character.
[[nodiscard]] bool MatchesGlob(std::string_view pattern, std::string_view text);

/// Some permissions, perhaps on some resources only.
struct PermissionRule {
  std::string permission;              ///< Glob over permission or operation names.
  std::vector<std::string> resources;  ///< Globs over resource names; empty: every resource.
};

/// A caller's permissions. Without a list: everything.
class Permissions {
 public:
  [[nodiscard]] bool Allow(std::string_view permission, std::string_view resource) const;
  [[nodiscard]] const std::optional<std::vector<PermissionRule>>& rules() const { return rules_; }

  /// Reads the kept form, which the seed reader has checked: a list of globs and of
  /// {"permission", "resources"}; null for everything.
  [[nodiscard]] static Permissions FromJson(const Json* list);

 private:
  std::optional<std::vector<PermissionRule>> rules_;
};

}  // namespace bindery::emulator
