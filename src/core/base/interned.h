#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>

namespace bindery {

/// A text with few values and many users: a provider's name, a role. Each is kept once,
/// for the life of the process, so not for texts that come and go. Eight bytes;
/// thread-safe.
class Interned {
 public:
  Interned() : Interned(std::string_view()) {}
  // NOLINTNEXTLINE(google-explicit-constructor): it is used like a text
  Interned(std::string_view text);
  // NOLINTNEXTLINE(google-explicit-constructor): as above
  Interned(const std::string& text) : Interned(std::string_view(text)) {}

  // NOLINTNEXTLINE(google-explicit-constructor): as above
  Interned(const char* text) : Interned(std::string_view(text)) {}

  [[nodiscard]] const std::string& str() const { return *text_; }
  // NOLINTNEXTLINE(google-explicit-constructor): as above
  operator const std::string&() const { return *text_; }
  [[nodiscard]] bool empty() const { return text_->empty(); }
  [[nodiscard]] std::size_t size() const { return text_->size(); }

  friend bool operator==(const Interned& a, const Interned& b) { return a.text_ == b.text_; }
  friend std::strong_ordering operator<=>(const Interned& a, const Interned& b) {
    return a.text_ == b.text_ ? std::strong_ordering::equal : *a.text_ <=> *b.text_;
  }

 private:
  const std::string* text_;
};

}  // namespace bindery
