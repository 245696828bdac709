#pragma once

#include <compare>
#include <string>
#include <string_view>

namespace bindery {

/// A text that many things bear and of which there are few: a provider's name, a role. Each is kept
/// once, for the life of the process, so this is not for texts that come and go. Eight bytes;
/// thread-safe.
class Interned {
 public:
  Interned() : Interned(std::string_view()) {}
  // NOLINTNEXTLINE(google-explicit-constructor): it is a text to whoever uses it
  Interned(std::string_view text);
  // NOLINTNEXTLINE(google-explicit-constructor): as above
  Interned(const std::string& text) : Interned(std::string_view(text)) {}

  [[nodiscard]] const std::string& str() const { return *text_; }
  [[nodiscard]] bool empty() const { return text_->empty(); }
  bool operator==(const Interned& other) const { return text_ == other.text_; }

 private:
  const std::string* text_;
};

}  // namespace bindery
