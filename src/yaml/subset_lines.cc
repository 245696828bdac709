#include "yaml/subset_lines.h"

#include <algorithm>

namespace bindery::yaml {

Position SubsetLines::At() { return {line_, columns_.Find(line_start_, at_)}; }

bool SubsetLines::IsLineEnd() const {
  const char next = Next();
  return next == '\n' || next == '\0' || (next == '#' && at_ > 0 && text_[at_ - 1] == ' ');
}

std::size_t SubsetLines::LineEnd() const { return std::min(text_.find('\n', at_), text_.size()); }

void SubsetLines::SkipSpaces() {
  while (at_ < text_.size() && text_[at_] == ' ') ++at_;
}

void SubsetLines::StartLine(std::size_t offset) {
  at_ = offset;
  line_start_ = offset;
  ++line_;
}

void SubsetLines::NextContent() {
  while (true) {
    SkipSpaces();
    if (Next() == '#') at_ = LineEnd();
    if (end() || text_[at_] != '\n') break;
    StartLine(at_ + 1);
  }
  indent_ = column();
}

bool SubsetLines::FinishLine() {
  SkipSpaces();
  if (!IsLineEnd()) return false;
  if (Next() == '#') at_ = LineEnd();
  if (!end()) StartLine(at_ + 1);
  NextContent();
  return true;
}

bool SubsetLines::SkipMarker() {
  if (HoldsAt(text_, 0, "---") && EndsWord(3)) {
    at_ = 3;
    return FinishLine();
  }
  NextContent();
  return true;
}

}  // namespace bindery::yaml
