#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/access/target.h"
#include "core/base/interned.h"
#include "core/base/text_arena.h"

namespace bindery {

/// A value for each of very many targets, in a third of the memory of a map. Nothing is taken out.
/// Not thread-safe.
template <typename Value>
class TargetTable {
 public:
  struct Row {
    Interned kind;
    Interned scope;
    std::string_view name;  ///< As long as the table.
    Value value = {};

    [[nodiscard]] Target MakeTarget() const { return {kind, scope, std::string(name)}; }
  };

  TargetTable() = default;
  TargetTable(TargetTable&&) noexcept = default;
  TargetTable& operator=(TargetTable&&) noexcept = default;
  ~TargetTable() = default;
  TargetTable(const TargetTable&) = delete;
  TargetTable& operator=(const TargetTable&) = delete;

  /// The value of the target, a new value if none is there.
  Value& Obtain(const Target& target) { return rows_[Locate(target)].value; }
  /// The same, as the place of the row.
  std::uint32_t Locate(const Target& target) {
    if (2 * (rows_.size() + 1) > slots_.size()) Grow();
    std::uint32_t& slot = ChooseSlot(target.kind, target.scope, target.name);
    if (slot == kFree) {
      slot = static_cast<std::uint32_t>(rows_.size());
      rows_.push_back({target.kind, target.scope, names_.Add(target.name), {}});
    }
    return slot;
  }
  [[nodiscard]] Value& At(std::uint32_t place) { return rows_[place].value; }
  /// Null: the target is not in the table.
  [[nodiscard]] const Value* Find(const Target& target) const {
    return const_cast<TargetTable*>(this)->Find(target);
  }
  [[nodiscard]] Value* Find(const Target& target) {
    if (slots_.empty()) return nullptr;
    const std::uint32_t slot = ChooseSlot(target.kind, target.scope, target.name);
    return slot == kFree ? nullptr : &rows_[slot].value;
  }

  /// In the order in which they came.
  [[nodiscard]] const std::deque<Row>& rows() const { return rows_; }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] bool empty() const { return rows_.empty(); }

 private:
  static constexpr std::uint32_t kFree = UINT32_MAX;

  /// The place of the target among the rows, or the place where the target belongs.
  std::uint32_t& ChooseSlot(const Interned& kind, const Interned& scope, std::string_view name) {
    const std::size_t last = slots_.size() - 1;
    std::size_t at = std::hash<std::string_view>()(name) & last;
    for (;; at = (at + 1) & last) {
      if (slots_[at] == kFree) return slots_[at];
      const Row& row = rows_[slots_[at]];
      if (row.name == name && row.kind == kind && row.scope == scope) return slots_[at];
    }
  }

  void Grow() {
    constexpr std::size_t kLeast = 16;
    slots_.assign(std::max(2 * slots_.size(), kLeast), kFree);
    std::uint32_t number = 0;
    for (const Row& row : rows_) ChooseSlot(row.kind, row.scope, row.name) = number++;
  }

  TextArena names_;
  std::deque<Row> rows_;
  std::vector<std::uint32_t> slots_;  ///< Numbers of rows, by the hashes of names; a power of two.
};

/// Rows in the order of their targets.
template <typename Row>
[[nodiscard]] bool IsTargetBefore(const Row& left, const Row& right) {
  return std::tie(left.kind.str(), left.scope.str(), left.name) <
         std::tie(right.kind.str(), right.scope.str(), right.name);
}

}  // namespace bindery
