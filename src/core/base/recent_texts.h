#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>

namespace bindery {

/// The recently seen texts: a repeated text is the same object without a look-up among all texts.
/// `Text` is a shared text type, such as SharedText. Holds few and short texts, for its lifetime;
/// single-threaded.
template <typename Text>
class RecentTexts {
 public:
  Text Of(const std::string& text) {
    if (text.size() > kLong) return text;
    Text& known = recent_.at(std::hash<std::string>()(text) % kRecent);
    if (known.str() != text) known = text;
    return known;
  }

 private:
  static constexpr std::size_t kRecent = 64;
  static constexpr std::size_t kLong = 4096;  // So long a text is hardly another's too.

  std::array<Text, kRecent> recent_;
};

}  // namespace bindery
