#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "core/base/json_text.h"
#include "core/text/printable.h"
#include "yaml/node.h"
#include "yaml/scalar.h"

namespace bindery::yaml {
namespace {

bool IsAlnum(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// Words that are booleans for YAML 1.1 readers.
bool IsOldBoolean(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  return lower == "y" || lower == "n" || lower == "yes" || lower == "no" || lower == "on" ||
         lower == "off";
}

/// Anything that some reader might take for a number, a date or a time of day.
bool LooksNumeric(std::string_view text) {
  const char first = text.front();
  if (std::isdigit(static_cast<unsigned char>(first)) == 0 && first != '.') return false;
  return text.find_first_not_of("0123456789abcdefABCDEF_xoTZ:+-. ") == std::string_view::npos;
}

bool IsPlain(std::string_view text) {
  if (text.empty() || text.size() > 1000 || text.back() == ' ' || text.back() == ':') return false;
  if (!IsAlnum(text.front()) && text.front() != '/' && text.front() != '_' && text.front() != '.') {
    return false;
  }
  for (const char c : text) {
    if (!IsAlnum(c) && std::string_view(" _./@:+=-(),~;$").find(c) == std::string_view::npos) {
      return false;
    }
  }
  if (text.find(": ") != std::string_view::npos || text == "...") return false;
  return ResolvePlain(text) == NodeKind::kString && !IsOldBoolean(text) && !LooksNumeric(text);
}

std::string QuotedScalar(std::string_view text) {
  // JSON's escapes are YAML's.
  return PrintableYaml(CompactJson(Json(text)));
}

std::string Scalar(const Json& value) {
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    return IsPlain(text) ? text : QuotedScalar(text);
  }
  if (value.is_object()) return "{}";
  if (value.is_array()) return "[]";
  return CompactJson(value);
}

bool IsBlock(const Json& value) { return value.is_structured() && !value.empty(); }

/// Writes a non-empty list or map; its first line is not indented when `on_dash` (it follows "- ").
void Block(const Json& value, std::size_t indent,
           bool on_dash,  // NOLINT(misc-no-recursion): as deep as the value
           std::string& out) {
  bool first = true;
  for (auto it = value.begin(); it != value.end(); ++it) {
    if (!first || !on_dash) out.append(indent, ' ');
    first = false;
    if (value.is_array()) {
      out += "- ";
      if (IsBlock(*it)) {
        Block(*it, indent + 2, true, out);
      } else {
        out += Scalar(*it) + "\n";
      }
      continue;
    }
    out += Scalar(Json(it.key())) + ":";
    if (IsBlock(*it)) {
      out += "\n";
      Block(*it, indent + 2, false, out);
    } else {
      out += " " + Scalar(*it) + "\n";
    }
  }
}

}  // namespace

std::string ToYaml(const Json& value) {
  std::string out;
  if (IsBlock(value)) {
    Block(value, 0, false, out);
  } else {
    out = Scalar(value) + "\n";
  }
  return out;
}

}  // namespace bindery::yaml
