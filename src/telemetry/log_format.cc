#include "telemetry/log_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/base/json.h"
#include "core/base/json_text.h"
#include "core/text/printable.h"
#include "core/text/time_text.h"

namespace bindery::telemetry {
namespace {

constexpr std::size_t kLevelWidth = 5;

bool IsControl(char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; }

/// Control characters would let logged data forge lines or command a terminal.
void AppendEscaped(std::string& out, std::string_view text, bool quoted) {
  std::string lines;
  for (const char c : text) {
    if (quoted && (c == '"' || c == '\\')) {
      lines += '\\';
      lines += c;
    } else if (c == '\n') {
      lines += "\\n";
    } else if (c == '\r') {
      lines += "\\r";
    } else if (c == '\t') {
      lines += "\\t";
    } else {
      lines += c;
    }
  }
  out += Printable(lines);
}

void AppendText(std::string& out, std::string_view text) {
  const bool plain = !text.empty() && std::ranges::none_of(text, [](char c) {
    return IsControl(c) || c == ' ' || c == '"' || c == '\\' || c == '=';
  });
  if (plain && Printable(text) == text) {
    out += text;
    return;
  }
  out += '"';
  AppendEscaped(out, text, true);
  out += '"';
}

struct AppendValue {
  std::string& out;
  void operator()(const std::string& text) const { AppendText(out, text); }
  void operator()(std::int64_t number) const { out += std::to_string(number); }
  void operator()(double number) const { out += fmt::format("{}", number); }
  void operator()(bool flag) const { out += flag ? "true" : "false"; }
};

std::string_view GetColor(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return "\033[2m";
    case LogLevel::kInfo:
      return "\033[32m";
    case LogLevel::kWarn:
      return "\033[33m";
    case LogLevel::kError:
      return "\033[31m";
  }
  return "";
}

}  // namespace

std::string_view ToString(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return "debug";
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kWarn:
      return "warn";
    case LogLevel::kError:
      return "error";
  }
  return "error";
}

std::string TextLine(WallTime time, LogLevel level, std::string_view message, LogFields fields,
                     bool color) {
  std::string line = FormatRfc3339(time);
  line += ' ';
  const std::string_view name = ToString(level);
  if (color) line += GetColor(level);
  line += name;
  if (color) line += "\033[0m";
  line.append(kLevelWidth - name.size() + 1, ' ');
  AppendEscaped(line, message, false);
  for (const LogField& field : fields) {
    // To a person, a missing value is noise; machines get every key they know.
    const std::string* text = std::get_if<std::string>(&field.value);
    if (text != nullptr && text->empty()) continue;
    line += ' ';
    AppendText(line, field.key);
    line += '=';
    std::visit(AppendValue{line}, field.value);
  }
  return line;
}

std::string JsonLine(WallTime time, LogLevel level, std::string_view message, LogFields fields,
                     const TraceContext& trace) {
  Json line = Json::object();
  line["level"] = ToString(level);
  line["ts"] = FormatRfc3339(time);
  line["msg"] = message;
  if (trace.valid()) {
    line["trace_id"] = TraceIdText(trace);
    line["span_id"] = SpanIdText(trace.span);
  }
  for (const LogField& field : fields) {
    std::string key = field.key;
    while (line.contains(key)) key += '_';
    std::visit([&line, &key](const auto& value) { line[key] = value; }, field.value);
  }
  return PrintableJson(CompactJson(line));
}

}  // namespace bindery::telemetry
