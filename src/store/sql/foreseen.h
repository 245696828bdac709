#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "store/sql/id_cache.h"
#include "store/sql/last_policy.h"
#include "store/sql/open_drift.h"

namespace bindery::store {

/// Ids of texts that were asked for together, before each is needed.
class ForeseenIds {
 public:
  /// 0: not on record. Not set: not asked for.
  [[nodiscard]] std::optional<std::int64_t> Find(std::string_view text) const {
    if (ids_.empty()) return std::nullopt;
    const auto found = ids_.find(text);
    return found == ids_.end() ? std::nullopt : std::optional(found->second);
  }
  void Add(std::string_view text, std::int64_t id) { ids_.insert_or_assign(std::string(text), id); }
  /// The text was recorded since, if a look-up was made.
  void Update(std::string_view text, std::int64_t id) {
    if (ids_.empty()) return;
    if (const auto found = ids_.find(text); found != ids_.end()) found->second = id;
  }

 private:
  IdsByText ids_;
};

/// Rows of targets that were read together. Each row is good for one use: the user is about to
/// change the recorded state.
template <typename Rows>
class ForeseenRows {
 public:
  [[nodiscard]] std::optional<Rows> Take(std::int64_t target_id) {
    auto node = rows_.extract(target_id);
    if (node.empty()) return std::nullopt;
    return std::move(node.mapped());
  }
  /// The rows are outdated.
  void Drop(std::int64_t target_id) { rows_.erase(target_id); }
  void Set(std::int64_t target_id, Rows rows) {
    rows_.insert_or_assign(target_id, std::move(rows));
  }

 private:
  std::unordered_map<std::int64_t, Rows> rows_;
};

/// What a transaction will ask for, asked for beforehand: see Foresight.
struct Foreseen {
  ForeseenIds words;
  ForeseenIds names;
  ForeseenIds targets;   ///< By TargetText().
  ForeseenIds policies;  ///< By digest.
  ForeseenRows<OpenDrift> drift;
  ForeseenRows<std::optional<LastPolicy>> last_policies;

  /// A target put on record has no rows yet.
  void AddTarget(const std::string& text, std::int64_t id) {
    if (targets.Find(text) != 0) return;
    targets.Add(text, id);
    drift.Set(id, {});
    last_policies.Set(id, {});
  }
};

}  // namespace bindery::store
