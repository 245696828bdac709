#pragma once
#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace bindery {

/// The name of a kind: `apiVersion:kind`, for example
/// "cloudnative:networksecurity/v1:AuthorizationPolicyIamBinding" or
/// "monitoring:RestrictionPolicy".
struct TypeToken {
  std::string api_version;
  std::string kind;
  auto operator<=>(const TypeToken&) const = default;
  [[nodiscard]] std::string Text() const { return api_version + ":" + kind; }
};

/// Accepts the spellings of the interface: `pkg:module:Kind`, and for a package without modules
/// `pkg:Kind`, `pkg:index:Kind` and `pkg:index/kind:Kind`. Also a bare `Kind`, with an empty
/// api_version, for commands that take any kind. Nothing when it is none of these.
[[nodiscard]] std::optional<TypeToken> ParseTypeToken(std::string_view text);

}  // namespace bindery
