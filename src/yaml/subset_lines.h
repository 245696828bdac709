#pragma once

#include <cstddef>
#include <string_view>

#include "yaml/column_counter.h"
#include "yaml/node.h"
#include "yaml/text.h"

namespace bindery::yaml {

/// A place in the text of one document of the subset (subset_reader.h), which moves forward over
/// lines and spaces. The text has Unix line breaks, no tab and no control character.
class SubsetLines {
 public:
  explicit SubsetLines(const Chunk& chunk)
      : text_(chunk.text), line_(chunk.first_line), columns_(chunk.text) {}

  [[nodiscard]] std::string_view text() const { return text_; }
  /// In bytes from the start of the text, from 0.
  [[nodiscard]] std::size_t offset() const { return at_; }
  /// In bytes from the start of the line, from 0.
  [[nodiscard]] std::size_t column() const { return at_ - line_start_; }
  /// The spaces before the content of the line that NextContent() went to.
  [[nodiscard]] std::size_t indent() const { return indent_; }
  [[nodiscard]] bool end() const { return at_ >= text_.size(); }
  [[nodiscard]] Position At();

  /// A character of the text; NUL behind its end.
  [[nodiscard]] char CharacterAt(std::size_t offset) const {
    return offset < text_.size() ? text_[offset] : '\0';
  }
  [[nodiscard]] char Next() const { return CharacterAt(at_); }
  /// A space, a line break or the end of the text is there.
  [[nodiscard]] bool EndsWord(std::size_t offset) const {
    const char next = CharacterAt(offset);
    return next == ' ' || next == '\n' || next == '\0';
  }
  /// At the "-" of a list.
  [[nodiscard]] bool IsItem() const { return Next() == '-' && EndsWord(at_ + 1); }
  /// The line has no more content, but perhaps a comment.
  [[nodiscard]] bool IsLineEnd() const;
  /// The last line of the text has no line break.
  [[nodiscard]] bool EndsWithinLine() const { return text_.back() != '\n'; }
  /// The offset of the next line break, or of the end of the text.
  [[nodiscard]] std::size_t LineEnd() const;

  void MoveTo(std::size_t offset) { at_ = offset; }
  void Skip(std::size_t characters) { at_ += characters; }
  void SkipSpaces();
  /// To the start of a line, behind the line break of the current one.
  void StartLine(std::size_t offset);
  /// From the start of a line to the next content: over empty lines and comments.
  void NextContent();
  /// From behind a value to the next content. False: something other than a comment follows on the
  /// line.
  [[nodiscard]] bool FinishLine();
  /// From the start of the text over a line "---" to the content. False: as FinishLine().
  [[nodiscard]] bool SkipMarker();

 private:
  std::string_view text_;
  int line_;
  ColumnCounter columns_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::size_t indent_ = 0;
};

}  // namespace bindery::yaml
