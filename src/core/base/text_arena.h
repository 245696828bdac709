#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace bindery {

/// Keeps many texts in few blocks of memory, all as long as the arena: a text by itself costs a
/// block and its head. Not thread-safe.
class TextArena {
 public:
  TextArena() = default;
  TextArena(TextArena&& other) noexcept { *this = std::move(other); }
  TextArena& operator=(TextArena&& other) noexcept {
    blocks_ = std::exchange(other.blocks_, {});
    next_ = std::exchange(other.next_, kFirst);
    end_ = std::exchange(other.end_, nullptr);
    left_ = std::exchange(other.left_, 0);
    return *this;
  }
  ~TextArena() = default;
  TextArena(const TextArena&) = delete;
  TextArena& operator=(const TextArena&) = delete;

  /// The copy of the text that is kept.
  std::string_view Add(std::string_view text) {
    if (text.size() > left_) AddBlock(text.size());
    char* const at = end_ - left_;
    std::copy(text.begin(), text.end(), at);
    left_ -= text.size();
    return {at, text.size()};
  }

 private:
  /// Large blocks go back to the system as soon as the arena is gone.
  static constexpr std::size_t kLargest = std::size_t{256} << 10U;
  static constexpr std::size_t kFirst = std::size_t{1} << 10U;

  void AddBlock(std::size_t least) {
    next_ = std::min(2 * next_, kLargest);
    left_ = std::max(next_, least);
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(left_));
    end_ = blocks_.back().get() + left_;
  }

  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t next_ = kFirst;
  char* end_ = nullptr;  ///< Of the last block.
  std::size_t left_ = 0;
};

}  // namespace bindery
