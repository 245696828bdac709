#pragma once

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

/// An attribute of an element. Values are escaped; an absent attribute is left out.
struct Attribute {
  Literal name;
  std::string value;
  bool present = true;
};
using Attributes = std::initializer_list<Attribute>;

/// A piece of HTML. Whatever text becomes part of it is escaped: there is no way to put markup in
/// but El() and Void().
class Html {
 public:
  Html() = default;
  // NOLINTBEGIN(google-explicit-constructor): a text is safe wherever HTML is wanted
  Html(std::string_view text);
  Html(const std::string& text) : Html(std::string_view(text)) {}
  Html(const char* text) : Html(std::string_view(text)) {}
  // NOLINTEND(google-explicit-constructor)

  Html& Add(const Html& more);
  [[nodiscard]] bool empty() const { return markup_.empty(); }
  [[nodiscard]] const std::string& markup() const { return markup_; }

 private:
  template <typename... Children>
  friend Html El(Literal tag, Attributes attributes, const Children&... children);
  friend Html Void(Literal tag, Attributes attributes);

  void Open(Literal tag, Attributes attributes);
  void Close(Literal tag);

  std::string markup_;
};

/// The text with the characters replaced that mean something in HTML, inside of attributes too.
/// Bytes that are no UTF-8 and characters that HTML does not have become U+FFFD.
[[nodiscard]] std::string Escaped(std::string_view text);

/// An element with the content: texts, which are escaped, and HTML.
template <typename... Children>
[[nodiscard]] Html El(Literal tag, Attributes attributes, const Children&... children) {
  Html html;
  html.Open(tag, attributes);
  (html.Add(children), ...);
  html.Close(tag);
  return html;
}

/// An element without a content, such as <input>.
[[nodiscard]] Html Void(Literal tag, Attributes attributes);

}  // namespace bindery::web
