#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace bindery::web {

/// A text of the program itself, such as the name of an element: made of a literal only.
class Literal {
 public:
  template <std::size_t size>
  // NOLINTNEXTLINE(google-explicit-constructor): literals are to be written as they are
  consteval Literal(const char (&text)[size]) : text_(text, size - 1) {}
  [[nodiscard]] constexpr std::string_view view() const { return text_; }

 private:
  std::string_view text_;
};

/// An attribute of an element. Values are escaped, and are no copies: an attribute lives as long as
/// the call that it is written in. An absent attribute is left out.
struct Attribute {
  Literal name;
  std::string_view value;
  bool present = true;
};
using Attributes = std::initializer_list<Attribute>;

/// A piece of HTML. Whatever text becomes part of it is escaped, in attributes too: there is no way
/// to put markup in but El() and Void(). Bytes that are no UTF-8 and characters that HTML does not
/// have become U+FFFD.
class Html {
 public:
  Html() = default;
  // NOLINTBEGIN(google-explicit-constructor): a text is safe wherever HTML is wanted
  Html(std::string_view text);
  Html(const std::string& text) : Html(std::string_view(text)) {}
  Html(const char* text) : Html(std::string_view(text)) {}
  // NOLINTEND(google-explicit-constructor)

  Html& Add(const Html& more);
  Html& Add(std::string_view text);
  Html& Add(const std::string& text) { return Add(std::string_view(text)); }
  Html& Add(const char* text) { return Add(std::string_view(text)); }
  [[nodiscard]] bool empty() const { return markup_.empty(); }
  [[nodiscard]] const std::string& markup() const { return markup_; }

 private:
  template <typename... Children>
  friend Html El(Literal tag, Attributes attributes, const Children&... children);
  friend Html Void(Literal tag, Attributes attributes);

  /// `length`: of the content, about.
  void Open(Literal tag, Attributes attributes, std::size_t length);
  void Close(Literal tag);
  [[nodiscard]] static std::size_t Length(const Html& html) { return html.markup_.size(); }
  [[nodiscard]] static std::size_t Length(std::string_view text) { return text.size(); }
  [[nodiscard]] static std::size_t Length(const std::string& text) { return text.size(); }
  [[nodiscard]] static std::size_t Length(const char* text) {
    return Length(std::string_view(text));
  }

  std::string markup_;
};

/// An element with the content: texts, which are escaped, and HTML.
template <typename... Children>
[[nodiscard]] Html El(Literal tag, Attributes attributes, const Children&... children) {
  Html html;
  html.Open(tag, attributes, (std::size_t{0} + ... + Html::Length(children)));
  (html.Add(children), ...);
  html.Close(tag);
  return html;
}

/// An element without a content, such as <input>.
[[nodiscard]] Html Void(Literal tag, Attributes attributes);

}  // namespace bindery::web
