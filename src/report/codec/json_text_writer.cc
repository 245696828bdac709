#include "report/codec/json_text_writer.h"

#include <algorithm>

#include "core/text/printable.h"
#include "core/text/time_text.h"

namespace bindery::report {
namespace {

/// A text that JSON shows as the text is.
bool NeedsNoEscape(std::string_view text) {
  return std::ranges::all_of(text,
                             [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
}

}  // namespace

void JsonTextWriter::AppendText(std::string_view text) {
  if (!NeedsNoEscape(text)) {
    AppendTree(Json(text));
    return;
  }
  out_ += '"';
  out_ += text;
  out_ += '"';
}

void JsonTextWriter::AppendTime(WallTime time) {
  if (time == WallTime{}) {
    out_ += "null";
    return;
  }
  out_ += '"';
  out_ += FormatRfc3339(time);
  out_ += '"';
}

void JsonTextWriter::AppendTree(const Json& tree) {
  const int indent = step_ == 0 ? -1 : static_cast<int>(step_);
  const std::string text =
      PrintableJson(tree.dump(indent, ' ', false, Json::error_handler_t::replace));
  if (step_ == 0) {
    out_ += text;
    return;
  }
  for (const char c : text) {  // Within texts, line breaks are escapes.
    out_ += c;
    if (c == '\n') out_.append(step_ * depth_, ' ');
  }
}

void JsonTextWriter::AppendGrant(const GrantLine& line) {
  if (line.grant.condition) {
    AppendTree(MakeJson(line));
    return;
  }
  out_ += '{';
  ++depth_;
  AppendName(line.words.role, true);
  AppendText(line.grant.role);
  AppendName(line.words.principal, false);
  AppendText(line.grant.principal);
  End(false, '}');
}

void JsonTextWriter::AppendName(std::string_view name, bool first) {
  BeginLine(first);
  AppendText(name);
  out_ += step_ == 0 ? ":" : ": ";
}

void JsonTextWriter::BeginLine(bool first) {
  if (!first) out_ += ',';
  if (step_ == 0) return;
  out_ += '\n';
  out_.append(step_ * depth_, ' ');
}

void JsonTextWriter::End(bool empty, char bracket) {
  --depth_;
  if (!empty && step_ > 0) {
    out_ += '\n';
    out_.append(step_ * depth_, ' ');
  }
  out_ += bracket;
}

}  // namespace bindery::report
