#include "attribution/log_records.h"

namespace bindery::attribution {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

}  // namespace

void RecordCutter::Feed(std::string_view bytes) {
  form_ == RecordForm::kLines ? FeedLines(bytes) : FeedElements(bytes);
}

void RecordCutter::FeedLines(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const bool whole = end != std::string_view::npos;
    const std::string_view piece = bytes.substr(0, whole ? end : bytes.size());
    Keep(piece);
    fed_ += static_cast<std::int64_t>(piece.size() + (whole ? 1 : 0));
    if (!whole) return;
    ++lines_;
    End();
    bytes.remove_prefix(end + 1);
  }
}

void RecordCutter::FeedElements(std::string_view bytes) {
  for (const char c : bytes) {
    ++fed_;
    FeedElement(c);
    if (c == '\n') ++lines_;
  }
}

void RecordCutter::FeedElement(char c) {
  if (skip_.depth == 0) {
    // Between elements: the array's own brackets, commas, white space.
    if (c != '{') return;
    begin_line_ = lines_ + 1;
  }
  Keep({&c, 1});
  if (skip_.in_string) {
    skip_.in_string = skip_.escaped || c != '"';
    skip_.escaped = !skip_.escaped && c == '\\';
    return;
  }
  if (c == '"') skip_.in_string = true;
  if (c == '{' || c == '[') ++skip_.depth;
  if ((c == '}' || c == ']') && --skip_.depth == 0) End();
}

void RecordCutter::Keep(std::string_view bytes) {
  if (skip_.on) return;
  if (record_.size() + bytes.size() <= kLongestRecord) {
    record_ += bytes;
    return;
  }
  Give(/*too_long=*/true);
  skip_.on = true;
}

void RecordCutter::Give(bool too_long) {
  const bool lines = form_ == RecordForm::kLines;
  const Record record{Trimmed(record_), lines ? consumed_lines_ + 1 : begin_line_, too_long};
  if (too_long || !record.text.empty()) take_(record);
  record_.clear();
}

void RecordCutter::End() {
  if (!skip_.on) Give(/*too_long=*/false);
  skip_.on = false;
  consumed_ = fed_;
  consumed_lines_ = lines_;
}

}  // namespace bindery::attribution
