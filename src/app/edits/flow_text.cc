#include "app/edits/flow_text.h"

#include <optional>
#include <string_view>
#include <utility>

namespace bindery::app {
namespace {

/// The texts may stand without quotes everywhere.
bool IsPlainScalar(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@.:/_+-";
  const bool begins =
      !text.empty() && std::string_view("@.:/_+-").find(text.front()) == std::string_view::npos;
  return begins && text.find_first_not_of(kPlain) == std::string::npos && text.back() != ':' &&
         text.find(':') != std::string::npos;
}

/// JSON without blanks.
bool IsDense(const ManifestText& file) {
  return file.IsJson() && file.text().find("\": ") == std::string::npos;
}

/// The blanks in front of a part that begins its line; nothing: the part does not.
std::optional<std::string> FindFront(const ManifestText& file, std::size_t begin) {
  const std::size_t line = file.FindLineStart(begin);
  std::string front = file.text().substr(line, begin - line);
  const bool blank = front.find_first_not_of(" \t") == std::string::npos;
  return blank ? std::optional(std::move(front)) : std::nullopt;
}

}  // namespace

std::string ScalarText(const std::string& text, bool quoted) {
  return quoted || !IsPlainScalar(text) ? Json(text).dump() : text;
}

std::string LineBreakIn(const std::string& text) {
  const std::size_t end = text.find('\n');
  return end != std::string::npos && end > 0 && text[end - 1] == '\r' ? "\r\n" : "\n";
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as a manifest
std::string FlowText(const ManifestText& file, const Json& value) {
  if (value.is_string()) return ScalarText(value.get<std::string>(), file.IsJson());
  std::string text;
  for (const auto& [key, inner] : value.items()) {
    if (!text.empty()) text += IsDense(file) ? "," : ", ";
    text += value.is_object() ? FlowField(file, key, inner) : FlowText(file, inner);
  }
  return value.is_object() ? "{" + text + "}" : "[" + text + "]";
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as a manifest
std::string FlowField(const ManifestText& file, const std::string& key, const Json& value) {
  return (file.IsJson() ? Json(key).dump() : key) + (IsDense(file) ? ":" : ": ") +
         FlowText(file, value);
}

std::string FlowSeparator(const ManifestText& file, std::size_t begin) {
  const auto front = file.IsJson() ? FindFront(file, begin) : std::nullopt;
  if (front) return "," + LineBreakIn(file.text()) + *front;
  return IsDense(file) ? "," : ", ";
}

std::string FlowEntry(const ManifestText& file, const yaml::Node& last, const Json& entry) {
  const std::size_t begin = file.FindOffset(last.at);
  const std::string separator = FlowSeparator(file, begin);
  const auto front = FindFront(file, begin);
  const bool has_lines = front && file.IsJson() && !last.fields.empty() &&
                         last.fields.front().key_at.line > last.at.line &&
                         last.fields.front().key_at.column > last.at.column;
  if (!has_lines) return separator + FlowText(file, entry);
  const int step = last.fields.front().key_at.column - last.at.column;
  const char fill = front->empty() || front->front() == ' ' ? ' ' : '\t';
  std::string text;
  for (const char c : entry.dump(step, fill)) {
    text += c == '\n' ? LineBreakIn(file.text()) + *front : std::string(1, c);
  }
  return separator + text;
}

}  // namespace bindery::app
