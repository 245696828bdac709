#pragma once

#include <span>
#include <string_view>

namespace bindery {

/// A type as google-native spells it where that differs from all spellings of its row, or where the
/// type is gone. Generated (tools/kinds).
struct IamAlias {
  std::string_view token;     ///< "accesscontextmanager/v1beta:AccessPolicy"
  std::string_view row;       ///< The id of its row; empty: it is gone.
  std::string_view sentence;  ///< Of one that is gone, for people: why, and what to use instead.
};

/// All of them, sorted by token.
[[nodiscard]] std::span<const IamAlias> IamAliases();

/// The alias of that token ("dns/v1beta2:ManagedZone", without IamBinding and the like at its end);
/// nullptr where there is none.
[[nodiscard]] const IamAlias* FindIamAlias(std::string_view token_without_suffix);

}  // namespace bindery
