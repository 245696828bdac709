#include "core/base/shared_text.h"

#include <boost/flyweight.hpp>
#include <new>

namespace bindery {
namespace {

using Text = boost::flyweight<std::string>;
static_assert(sizeof(Text) == sizeof(void*) && alignof(Text) <= alignof(void*));

using Bytes = std::array<std::byte, sizeof(void*)>;

Text& TextIn(Bytes& bytes) { return *std::launder(reinterpret_cast<Text*>(bytes.data())); }
const Text& TextIn(const Bytes& bytes) {
  return *std::launder(reinterpret_cast<const Text*>(bytes.data()));
}

/// Never destroyed, as it may be copied until the last static object is gone; not looked up.
const Text& EmptyText() {
  static const Text* const kEmpty = new Text;
  return *kEmpty;
}

}  // namespace

SharedText::SharedText() noexcept { new (text_.data()) Text(EmptyText()); }

SharedText::SharedText(const std::string& text) {
  new (text_.data()) Text(text.empty() ? EmptyText() : Text(text));
}

SharedText::SharedText(const SharedText& other) noexcept {
  new (text_.data()) Text(TextIn(other.text_));
}

SharedText& SharedText::operator=(const SharedText& other) noexcept {
  TextIn(text_) = TextIn(other.text_);
  return *this;
}

SharedText::~SharedText() { TextIn(text_).~Text(); }

const std::string& SharedText::str() const { return TextIn(text_).get(); }

}  // namespace bindery
