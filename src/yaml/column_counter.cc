#include "yaml/column_counter.h"

#include "yaml/text.h"

namespace bindery::yaml {

ColumnCounter::ColumnCounter(std::string_view text) : text_(text), ascii_(IsAscii(text)) {}

std::size_t ColumnCounter::Count(std::size_t begin, std::size_t end) {
  counted_ += end - begin;
  return CountCharacters(text_.substr(begin, end - begin));
}

int ColumnCounter::Find(std::size_t line_start, std::size_t offset) {
  if (ascii_) return static_cast<int>(offset - line_start) + 1;
  if (line_start != line_start_) {
    line_start_ = line_start;
    at_ = line_start;
    characters_ = 0;
  }
  if (offset >= at_) {
    characters_ += Count(at_, offset);
  } else {
    // A list or a map may be told after its first token.
    characters_ -= Count(offset, at_);
  }
  at_ = offset;
  return static_cast<int>(characters_) + 1;
}

}  // namespace bindery::yaml
