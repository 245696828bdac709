#pragma once

#include <string.h>  // NOLINT(modernize-deprecated-headers): explicit_bzero is not in <cstring>

#include <string>

namespace bindery {

/// Overwrites a secret that is not needed any more, which no compiler leaves out, and empties the
/// text: a later reader of the process' memory does not find the secret. The owners of copies wipe
/// their copies.
inline void Wipe(std::string& text) noexcept {
  ::explicit_bzero(text.data(), text.size());
  text.clear();
}

/// Wipes a text when the scope ends.
class WipeAtEnd {
 public:
  explicit WipeAtEnd(std::string& text) : text_(text) {}
  ~WipeAtEnd() { Wipe(text_); }
  WipeAtEnd(const WipeAtEnd&) = delete;
  WipeAtEnd& operator=(const WipeAtEnd&) = delete;

 private:
  std::string& text_;
};

}  // namespace bindery
