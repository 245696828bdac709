#pragma once

#include <boost/flyweight.hpp>
#include <compare>
#include <string>
#include <string_view>

namespace bindery {

/// A text with many users, kept once, while a user exists: the labels of manifests. For texts with
/// few values for the life of the process see Interned, with cheaper copies. Eight bytes;
/// thread-safe.
class SharedText {
 public:
  SharedText() : text_(None()) {}
  // NOLINTNEXTLINE(google-explicit-constructor): it is used like a text
  SharedText(const std::string& text) : text_(text.empty() ? None() : Text(text)) {}
  // NOLINTNEXTLINE(google-explicit-constructor): as above
  SharedText(const char* text) : SharedText(std::string(text)) {}

  [[nodiscard]] const std::string& str() const { return text_.get(); }
  // NOLINTNEXTLINE(google-explicit-constructor): as above
  operator const std::string&() const { return text_.get(); }
  [[nodiscard]] bool empty() const { return str().empty(); }

  friend bool operator==(const SharedText& a, const SharedText& b) { return a.text_ == b.text_; }
  friend std::strong_ordering operator<=>(const SharedText& a, const SharedText& b) {
    return a == b ? std::strong_ordering::equal : a.str() <=> b.str();
  }

 private:
  using Text = boost::flyweight<std::string>;

  /// Never destroyed, as it may be copied until the last static object is gone; not looked up.
  static const Text& None() {
    static const Text* const kNone = new Text;
    return *kNone;
  }

  Text text_;
};

}  // namespace bindery
