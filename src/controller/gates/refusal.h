#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/access/grant.h"
#include "core/base/error.h"

namespace bindery::controller {

/// The meaning of an answer that refuses the content of a write.
struct Refusal {
  std::vector<Grant> named;      ///< Additions of the write that the answer names.
  std::vector<Grant> of_policy;  ///< Grants that were there before, and that the answer names.
  /// If both are empty: an address that the answer names; empty: none.
  std::string elsewhere = {};
};

/// The added and the written-back grants of a write.
struct WrittenGrants {
  const std::vector<Grant>& adds;
  const std::vector<Grant>& before;   ///< The policy that the write was made for.
  const std::vector<Grant>& removes;  ///< Of these.
};

/// What `error` says of the content of the write that it answers. Nothing: the content is not the
/// reason. The caller lacks a permission, another writer came first, a quota of calls is used up,
/// the service is away, the etag is refused, the target is missing, or the outcome is unknown. HTTP
/// 404 refuses content only where it names an addition. Pure.
[[nodiscard]] std::optional<Refusal> FindRefusal(const Error& error, const WrittenGrants& written);

/// Whether the answer says that the policy would be too large: "The number
/// of members in the policy (1,501) is larger than the maximum allowed size 1,500." Then a removal
/// makes room for what was refused.
[[nodiscard]] bool TellsOfSize(const Error& error);

/// Whether `message` names the principal: as a policy spells it ("user:ana@example.com"), or by its
/// address or id alone. Capitals do not count, and parts of a longer name are no name.
[[nodiscard]] bool NamesPrincipal(std::string_view message, std::string_view principal);

}  // namespace bindery::controller
