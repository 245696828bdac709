#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "store/sql/connection.h"

namespace bindery::store {

// Policies are kept by content. Each is either whole or a difference to one that is whole, so that
// reading any unpacks two at the most. All functions throw EngineError.

/// A difference to, or of, such a small policy saves nothing.
inline constexpr std::size_t kSmallestBase = 256;

/// The id of a stored policy; 0 if none exists.
[[nodiscard]] std::int64_t FindPolicy(Connection& connection, const std::string& digest);

/// The same for the writer, with a cache.
[[nodiscard]] std::int64_t StoredPolicy(Connection& connection, const std::string& digest);

/// Stores a policy that becomes the last policy of a target, unless stored already; returns the id.
[[nodiscard]] std::int64_t StorePolicy(Connection& connection, std::int64_t target_id,
                                       const std::string& digest, const std::string& body);

/// The text of a policy that is stored whole, from its body; nothing when the body is damaged.
[[nodiscard]] std::optional<std::string> WholePolicy(const Query& row, int body);

/// The text of a stored policy; "" for 0. Throws, as of a damaged database, when it or what it is a
/// difference to is missing or damaged.
[[nodiscard]] std::string ReadPolicyBody(Connection& connection, std::int64_t id);

/// The same by digests, with few statements: gives each text with its digest, in no particular
/// order. A digest without a stored policy is passed over.
void ReadPolicyBodies(Connection& connection, const std::vector<std::string>& digests,
                      const std::function<void(std::string digest, std::string body)>& take);

}  // namespace bindery::store
