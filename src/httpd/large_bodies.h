#pragma once

// Private to src/httpd: how many large bodies are held in memory.

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>

namespace bindery::httpd {

/// Places for requests with large bodies, the same number for each listener. Thread-safe.
class LargeBodies {
 public:
  /// Given back by the destructor, possibly after the LargeBodies.
  using Place = std::shared_ptr<const void>;

  explicit LargeBodies(std::size_t each) : each_(each) {}

  /// Null when none is free.
  [[nodiscard]] Place Take(bool is_unix) {
    const auto& taken = taken_.at(is_unix ? 1 : 0);
    if (taken->fetch_add(1) >= each_) {
      taken->fetch_sub(1);
      return nullptr;
    }
    return {taken.get(), [kept = taken](const void*) { kept->fetch_sub(1); }};
  }

 private:
  using Count = std::atomic<std::size_t>;

  const std::size_t each_;
  const std::array<std::shared_ptr<Count>, 2> taken_ = {std::make_shared<Count>(0),
                                                        std::make_shared<Count>(0)};
};

}  // namespace bindery::httpd
