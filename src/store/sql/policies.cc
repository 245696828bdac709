#include "store/sql/policies.h"

#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "store/sql/engine_error.h"
#include "store/sql/last_policy.h"
#include "store/sql/policy_codec.h"
#include "store/sql/wide_statement.h"

namespace bindery::store {
namespace {

constexpr const char* kAdd = R"sql(
INSERT INTO policies (digest, base, spent, body) VALUES (?1, ?2, ?3, ?4)
)sql";

struct Packed {
  std::int64_t base = 0;
  std::int64_t spent = 0;
  std::string body;
};

std::optional<LastPolicy> ReadLastPolicy(Connection& connection, std::int64_t target_id) {
  std::optional<LastPolicy> last;
  ReadLastPolicies(connection, {&target_id, 1},
                   [&last](std::int64_t /*target*/, LastPolicy read) { last = std::move(read); });
  return last;
}

/// The body as a difference to the last whole policy of the target. Nothing without such a policy,
/// or when the differences would exceed the policy itself: a new whole policy is cheaper then.
/// Nothing too when the last whole policy is damaged: the old policy may be lost, the new policy
/// must not be.
std::optional<Packed> PackDifference(const std::optional<LastPolicy>& last,
                                     const std::string& body) {
  if (!last || !last->whole || last->budget < static_cast<std::int64_t>(kSmallestBase) ||
      last->spent >= last->budget) {
    return std::nullopt;
  }
  Packed packed{last->whole_id, last->spent, PackPolicy(body, *last->whole)};
  packed.spent += static_cast<std::int64_t>(packed.body.size());
  if (packed.spent > last->budget) return std::nullopt;
  return packed;
}

std::string PolicyText(std::int64_t id) { return "policy " + std::to_string(id); }

/// A packed policy as it is stored.
struct StoredBody {
  std::int64_t id = 0;
  std::int64_t base = 0;
  std::string packed;
};

/// Policies that are stored whole, by id; nothing for a damaged one.
using WholePolicies = std::map<std::int64_t, std::optional<std::string>>;

/// `wholes`: with the base of the policy, if that is on record.
std::string Unpacked(const StoredBody& stored, const WholePolicies& wholes) {
  std::string_view whole;
  if (stored.base != 0) {
    const auto found = wholes.find(stored.base);
    const std::string difference =
        PolicyText(stored.id) + " is a difference to " + PolicyText(stored.base);
    if (found == wholes.end()) ThrowDamaged(difference + ", which is missing");
    if (!found->second) ThrowDamaged(difference + ", which cannot be unpacked");
    whole = *found->second;
  }
  auto body = UnpackPolicy(stored.packed, whole);
  if (!body) ThrowDamaged(PolicyText(stored.id) + " cannot be unpacked");
  return std::move(*body);
}

}  // namespace

std::int64_t FindPolicy(Connection& connection, const std::string& digest) {
  Query query(connection, "SELECT id FROM policies WHERE digest = ?1", MakeDigest{digest});
  return query.Next() ? query.Int(0) : 0;
}

std::int64_t StoredPolicy(Connection& connection, const std::string& digest) {
  auto& recent = connection.caches().policies;
  if (const std::int64_t known = recent.Find(digest); known != 0) return known;
  if (const auto foreseen = connection.caches().foreseen.policies.Find(digest)) return *foreseen;
  const std::int64_t id = FindPolicy(connection, digest);
  if (id != 0) recent.Add(digest, id);
  return id;
}

std::int64_t StorePolicy(Connection& connection, std::int64_t target_id, const std::string& digest,
                         const std::string& body) {
  Foreseen& foreseen = connection.caches().foreseen;
  auto foreseen_last = foreseen.last_policies.Take(target_id);
  if (const std::int64_t known = StoredPolicy(connection, digest); known != 0) return known;
  std::optional<LastPolicy> last;
  if (body.size() >= kSmallestBase) {
    last = foreseen_last ? std::move(*foreseen_last) : ReadLastPolicy(connection, target_id);
  }
  const auto difference = PackDifference(last, body);
  const Packed packed = difference ? *difference : Packed{0, 0, PackPolicy(body, {})};
  const bool as_text = packed.base == 0 && packed.body.size() >= body.size();
  const std::int64_t id = as_text ? Insert(connection, kAdd, MakeDigest{digest}, 0, 0, body)
                                  : Insert(connection, kAdd, MakeDigest{digest}, packed.base,
                                           packed.spent, BlobOf{packed.body});
  connection.caches().policies.Add(digest, id);
  foreseen.policies.Update(digest, id);
  if (connection.IsRemote()) {
    const std::size_t stored = as_text ? body.size() : packed.body.size();
    if (!difference) last = LastPolicy{id, 0, static_cast<std::int64_t>(stored), body};
    last->spent = packed.spent;
    foreseen.last_policies.Set(target_id, std::move(last));
  }
  return id;
}

std::optional<std::string> WholePolicy(const Query& row, int body) {
  return row.IsBlob(body) ? UnpackPolicy(row.View(body), {}) : std::optional(row.Text(body));
}

std::string ReadPolicyBody(Connection& connection, std::int64_t id) {
  if (id == 0) return {};
  StoredBody stored;
  {
    Query query(connection, "SELECT base, body FROM policies WHERE id = ?1", id);
    if (!query.Next()) ThrowDamaged(PolicyText(id) + " is missing");
    if (!query.IsBlob(1)) return query.Text(1);
    stored = {id, query.Int(0), query.Text(1)};
  }
  WholePolicies wholes;
  if (stored.base != 0) {
    Query query(connection, "SELECT body FROM policies WHERE id = ?1 AND base = 0", stored.base);
    if (query.Next()) wholes.emplace(stored.base, WholePolicy(query, 0));
  }
  return Unpacked(stored, wholes);
}

void ReadPolicyBodies(Connection& connection, const std::vector<std::string>& digests,
                      const std::function<void(std::string digest, std::string body)>& take) {
  static const WideStatement kBodies("SELECT digest, id, base, body FROM policies WHERE digest IN ",
                                     1);
  static const WideStatement kWholes("SELECT id, body FROM policies WHERE base = 0 AND id IN ", 1);
  std::vector<MakeDigest> asked;
  asked.reserve(digests.size());
  for (const std::string& digest : digests) asked.push_back({digest});
  std::vector<std::pair<std::string, StoredBody>> packed;
  std::set<std::int64_t> bases;
  ForEachRow(connection, kBodies, std::span<const MakeDigest>(asked), [&](const Query& row) {
    if (!row.IsBlob(3)) return take(row.Digest(0), row.Text(3));
    packed.emplace_back(row.Digest(0), StoredBody{row.Int(1), row.Int(2), row.Text(3)});
    if (row.Int(2) != 0) bases.insert(row.Int(2));
  });
  const std::vector<std::int64_t> ids(bases.begin(), bases.end());
  WholePolicies wholes;
  ForEachRow(connection, kWholes, std::span<const std::int64_t>(ids),
             [&](const Query& row) { wholes.emplace(row.Int(0), WholePolicy(row, 1)); });
  for (auto& [digest, stored] : packed) take(std::move(digest), Unpacked(stored, wholes));
}

}  // namespace bindery::store
