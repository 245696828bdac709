#include "store/policies.h"

#include <optional>

#include "store/engine_error.h"
#include "store/policy_codec.h"

namespace bindery::store {
namespace {

// The last policy of a target, and the size of the whole one it is based on.
constexpr const char* kLast = R"sql(
SELECT last.id, last.base, last.spent, length(whole.body)
FROM revisions r JOIN policies last ON last.id = r.policy_id
  JOIN policies whole ON whole.id = CASE WHEN last.base = 0 THEN last.id ELSE last.base END
WHERE r.target_id = ?1 AND r.id = (SELECT max(id) FROM revisions WHERE target_id = ?1)
)sql";

constexpr const char* kAdd = R"sql(
INSERT INTO policies (digest, base, spent, body) VALUES (?1, ?2, ?3, ?4)
)sql";

// A difference to something this small, or of it, saves nothing.
constexpr std::size_t kSmallestBase = 256;

struct Packed {
  std::int64_t base = 0;
  std::int64_t spent = 0;
  std::string body;
};

/// The text of a base. Nothing when it is damaged: what was before may be lost, what comes now must
/// not be, and is stored whole.
std::optional<std::string> BaseBody(Connection& connection, std::int64_t base) {
  try {
    return ReadPolicyBody(connection, base);
  } catch (const EngineError& failure) {
    if (failure.cause() != EngineError::Cause::kDamaged) throw;
    return std::nullopt;
  }
}

/// The body as a difference to the last whole policy of the target. Nothing when it has none, or
/// when the differences to it would come to more than the policy itself: then it is cheaper to
/// store this one whole and begin again.
std::optional<Packed> PackDifference(Connection& connection, std::int64_t target_id,
                                     const std::string& body) {
  Packed packed;
  std::int64_t budget = 0;
  {
    Query last(connection, kLast, target_id);
    if (!last.Next()) return std::nullopt;
    packed.base = last.Int(1) == 0 ? last.Int(0) : last.Int(1);
    packed.spent = last.Int(2);
    budget = last.Int(3);
  }
  if (budget < static_cast<std::int64_t>(kSmallestBase) || packed.spent >= budget)
    return std::nullopt;
  const auto base = BaseBody(connection, packed.base);
  if (!base) return std::nullopt;
  packed.body = PackPolicy(body, *base);
  packed.spent += static_cast<std::int64_t>(packed.body.size());
  if (packed.spent > budget) return std::nullopt;
  return packed;
}

std::string PolicyText(std::int64_t id) { return "policy " + std::to_string(id); }

}  // namespace

std::int64_t FindPolicy(Connection& connection, const std::string& digest) {
  Query query(connection, "SELECT id FROM policies WHERE digest = ?1", DigestOf{digest});
  return query.Next() ? query.Int(0) : 0;
}

std::int64_t StoredPolicy(Connection& connection, const std::string& digest) {
  auto& recent = connection.caches().policies;
  if (const std::int64_t known = recent.Find(digest); known != 0) return known;
  const std::int64_t id = FindPolicy(connection, digest);
  if (id != 0) recent.Add(digest, id);
  return id;
}

std::int64_t StorePolicy(Connection& connection, std::int64_t target_id, const std::string& digest,
                         const std::string& body) {
  if (const std::int64_t known = StoredPolicy(connection, digest); known != 0) return known;
  const bool small = body.size() < kSmallestBase;
  const auto difference = small ? std::nullopt : PackDifference(connection, target_id, body);
  const Packed packed = difference ? *difference : Packed{0, 0, PackPolicy(body, {})};
  const bool as_text = packed.base == 0 && packed.body.size() >= body.size();
  const std::int64_t id = as_text ? Insert(connection, kAdd, DigestOf{digest}, 0, 0, body)
                                  : Insert(connection, kAdd, DigestOf{digest}, packed.base,
                                           packed.spent, BlobOf{packed.body});
  connection.caches().policies.Add(digest, id);
  return id;
}

std::string ReadPolicyBody(Connection& connection, std::int64_t id) {
  if (id == 0) return {};
  std::int64_t base = 0;
  std::string packed;
  {
    Query query(connection, "SELECT base, body FROM policies WHERE id = ?1", id);
    if (!query.Next()) ThrowDamaged(PolicyText(id) + " is missing");
    if (!query.IsBlob(1)) return query.Text(1);
    base = query.Int(0);
    packed = query.Text(1);
  }
  std::string whole;
  if (base != 0) {
    Query query(connection, "SELECT body FROM policies WHERE id = ?1 AND base = 0", base);
    if (!query.Next()) {
      ThrowDamaged(PolicyText(id) + " is a difference to " + PolicyText(base) +
                   ", which is missing");
    }
    auto unpacked = query.IsBlob(0) ? UnpackPolicy(query.View(0), {}) : query.Text(0);
    if (!unpacked) {
      ThrowDamaged(PolicyText(id) + " is a difference to " + PolicyText(base) +
                   ", which cannot be unpacked");
    }
    whole = std::move(*unpacked);
  }
  auto body = UnpackPolicy(packed, whole);
  if (!body) ThrowDamaged(PolicyText(id) + " cannot be unpacked");
  return std::move(*body);
}

}  // namespace bindery::store
