#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>

namespace bindery {

/// The texts somebody met last, so that one that comes back is the same object as before without
/// being looked up among all there are. `Text` is a text kept once for those that copy it, such as
/// SharedText. Holds few texts, and no long ones, for as long as it lives; single-threaded.
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
