#pragma once

#include <span>
#include <string_view>

namespace bindery {

/// A type as google-native spells it where that differs from all spellings of its row, or where the
/// type is gone. Made by `./dev kinds`.
struct IamAlias {
  std::string_view token;     ///< "iap/v1beta1:V1beta1"
  std::string_view row;       ///< The id of its row; empty: it is gone.
  std::string_view sentence;  ///< Of one that is gone, for people: why, and what to use instead.
};

/// All of them, sorted by token.
[[nodiscard]] std::span<const IamAlias> IamAliases();

/// The alias of a token without IamBinding and the like at its end; nullptr where there is none.
[[nodiscard]] const IamAlias* FindIamAlias(std::string_view token_without_suffix);

}  // namespace bindery
