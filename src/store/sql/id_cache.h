#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace bindery::store {

struct TextHash : std::hash<std::string_view> {
  using is_transparent = void;
};
/// Ids of texts, found by any text without a copy of it.
using IdsByText = std::unordered_map<std::string, std::int64_t, TextHash, std::equal_to<>>;

/// Ids of texts, as many as fit. What comes later is not remembered: dropping what is there would
/// make a round over more texts than fit miss every time.
class IdCache {
 public:
  static constexpr std::size_t kMost = 12'288;

  /// 0: not remembered.
  [[nodiscard]] std::int64_t Find(std::string_view text) const {
    const auto found = ids_.find(text);
    return found == ids_.end() ? 0 : found->second;
  }
  void Add(std::string_view text, std::int64_t id) {
    if (ids_.size() < kMost) ids_.emplace(text, id);
  }

 private:
  IdsByText ids_;
};

/// Ids of the texts that were asked for last, some, in little memory: one text is often asked for
/// several times in a row.
template <std::size_t kSlots>
class RecentIds {
 public:
  /// 0: not remembered.
  [[nodiscard]] std::int64_t Find(std::string_view text) const {
    const Slot& slot = slots_[ChooseSlot(text)];
    return slot.text == text ? slot.id : 0;
  }
  void Add(std::string_view text, std::int64_t id) {
    Slot& slot = slots_[ChooseSlot(text)];
    slot.text = text;
    slot.id = id;
  }

 private:
  struct Slot {
    std::string text;
    std::int64_t id = 0;
  };

  [[nodiscard]] static std::size_t ChooseSlot(std::string_view text) {
    return std::hash<std::string_view>{}(text) % kSlots;
  }

  std::array<Slot, kSlots> slots_;
};

/// Distinguishes repeated texts from single texts, approximately and in little memory.
class RepeatedTexts {
 public:
  /// True when `text` was probably among the last some hundred ones.
  [[nodiscard]] bool SeenBefore(std::string_view text) {
    const std::size_t hash = std::hash<std::string_view>{}(text);
    std::size_t& slot = seen_[hash % seen_.size()];
    return std::exchange(slot, hash) == hash;
  }

 private:
  std::array<std::size_t, 1024> seen_{};
};

}  // namespace bindery::store
