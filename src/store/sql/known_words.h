#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace bindery::store {

/// Words that a connection has read, by number. A number always means the same word: a swept
/// number is never given again.
class KnownWords {
 public:
  KnownWords() = default;
  ~KnownWords() = default;
  KnownWords(const KnownWords&) = delete;
  KnownWords& operator=(const KnownWords&) = delete;

  /// Null: not known. Valid until the words are forgotten.
  [[nodiscard]] const std::string* Find(std::int64_t id) {
    auto& [known, word] = frequent_[static_cast<std::size_t>(id) % frequent_.size()];
    if (word != nullptr && known == id) return word;
    const auto found = words_.find(id);
    if (found == words_.end()) return nullptr;
    known = id;
    word = &found->second;
    return word;
  }

  void Add(std::int64_t id, std::string_view word) {
    const auto [entry, added] = words_.try_emplace(id, word);
    if (added) bytes_ += entry->second.size() + kRoomOfEntry;
  }

  /// To be called where nobody uses a word, as Trim().
  void Forget() {
    words_.clear();
    frequent_.fill({});
    bytes_ = 0;
  }
  /// Forgets the words where there are many.
  void Trim() {
    constexpr std::size_t kMostBytes = std::size_t{128} << 10U;
    if (bytes_ > kMostBytes) Forget();
  }

 private:
  static constexpr std::size_t kRoomOfEntry = 64;

  std::unordered_map<std::int64_t, std::string> words_;
  /// Some, at the last digits of their numbers: most rows name the same few.
  std::array<std::pair<std::int64_t, const std::string*>, 256> frequent_{};
  std::size_t bytes_ = 0;
};

}  // namespace bindery::store
