#pragma once

#include <span>
#include <string_view>

namespace bindery::google {

/// A type name of google-native that FindIamRow() does not know: a different spelling, or a type
/// that Google removed. `./dev kinds` generates the aliases.
struct IamAlias {
  std::string_view token;     ///< "iap/v1beta1:V1beta1"
  std::string_view row;       ///< Id of its row. Empty: Google removed the type.
  std::string_view sentence;  ///< For a removed type: what happened and what to use instead.
};

/// All aliases, sorted by token.
[[nodiscard]] std::span<const IamAlias> IamAliases();

/// Finds the alias for a token without the ending IamBinding, IamMember or IamPolicy. Returns
/// nullptr if none exists.
[[nodiscard]] const IamAlias* FindIamAlias(std::string_view token_without_suffix);

}  // namespace bindery::google
