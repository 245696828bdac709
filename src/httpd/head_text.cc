#include "httpd/head_text.h"

#include <string_view>

namespace bindery::httpd {
namespace {

void Add(std::string& text, boost::beast::string_view part) {
  text.append(part.data(), part.size());
}

}  // namespace

std::string HeadText(const Message& message) {
  std::string text = "HTTP/1.1 " + std::to_string(message.result_int()) + " ";
  Add(text, message.reason());
  text += "\r\n";
  for (const auto& field : message) {
    Add(text, field.name_string());
    text += ": ";
    Add(text, field.value());
    text += "\r\n";
  }
  text += "\r\n";
  return text;
}

}  // namespace bindery::httpd
