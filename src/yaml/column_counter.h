#pragma once

#include <cstddef>
#include <string_view>

namespace bindery::yaml {

/// Columns of places in one text, in characters. A line can be as long as a document: the counter
/// goes on from the place before, so that places in the order of the text cost one look at each
/// byte.
class ColumnCounter {
 public:
  explicit ColumnCounter(std::string_view text);

  /// The column, from 1, of the byte at `offset` of the line that begins at `line_start`. Both are
  /// within the text.
  [[nodiscard]] int Find(std::size_t line_start, std::size_t offset);

  /// How many bytes were looked at for all columns so far.
  [[nodiscard]] std::size_t counted() const { return counted_; }

 private:
  [[nodiscard]] std::size_t Count(std::size_t begin, std::size_t end);

  std::string_view text_;
  bool ascii_;
  std::size_t line_start_ = 0;
  std::size_t at_ = 0;          ///< The place before.
  std::size_t characters_ = 0;  ///< From the start of the line to that place.
  std::size_t counted_ = 0;
};

}  // namespace bindery::yaml
