#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.h"
#include "core/json.h"

namespace bindery::emulator {

/// A bearer token, or an API key with its application key, and what its holder may do.
struct Credential {
  std::string token;
  std::string api_key;
  std::string app_key;
  /// Globs over permission or operation names; absent: everything.
  std::optional<std::vector<std::string>> permissions;
  std::optional<WallTime> expires;
  std::string user;  ///< Id or handle of the user it belongs to; empty: the first user.

  [[nodiscard]] bool Allows(std::string_view permission) const;
};

/// Reads the kept form of a credential, which the seed reader has checked.
[[nodiscard]] Credential CredentialFromJson(const Json& value);

/// True when `text` matches `pattern`, in which `*` stands for any text and `?` for one character.
[[nodiscard]] bool MatchesGlob(std::string_view pattern, std::string_view text);

}  // namespace bindery::emulator
