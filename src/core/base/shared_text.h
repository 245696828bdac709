#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <string>

namespace bindery {

/// A text with many users, kept once, while a user exists: the labels of manifests. For texts with
/// few values for the life of the process see Interned, with cheaper copies. Eight bytes;
/// thread-safe.
class SharedText {
 public:
  SharedText() noexcept;
  // NOLINTNEXTLINE(google-explicit-constructor): it is used like a text
  SharedText(const std::string& text);
  // NOLINTNEXTLINE(google-explicit-constructor): as above
  SharedText(const char* text) : SharedText(std::string(text)) {}
  SharedText(const SharedText& other) noexcept;
  SharedText& operator=(const SharedText& other) noexcept;
  ~SharedText();

  [[nodiscard]] const std::string& str() const;
  // NOLINTNEXTLINE(google-explicit-constructor): as above
  operator const std::string&() const { return str(); }
  [[nodiscard]] bool empty() const { return str().empty(); }

  friend bool operator==(const SharedText& a, const SharedText& b) { return &a.str() == &b.str(); }
  friend std::strong_ordering operator<=>(const SharedText& a, const SharedText& b) {
    return a == b ? std::strong_ordering::equal : a.str() <=> b.str();
  }

 private:
  /// A boost::flyweight: most sources include this header, and few need that library's headers.
  alignas(void*) std::array<std::byte, sizeof(void*)> text_{};
};

}  // namespace bindery
