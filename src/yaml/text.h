#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "yaml/reader.h"

namespace bindery::yaml {

/// The first thing that makes `text` unfit to be read at all: invalid UTF-8, a control character, a
/// byte order mark in the middle. Offsets and positions are those of `text`.
[[nodiscard]] std::optional<Fault> FindBadText(std::string_view text);

/// The text without a leading byte order mark.
[[nodiscard]] std::string_view SkipByteOrderMark(std::string_view text);

/// CRLF and lone CR become LF: every parser then counts the same lines.
[[nodiscard]] std::string WithUnixLineBreaks(std::string_view text);

/// Line and column (in characters) of a byte offset.
[[nodiscard]] Position PositionAt(std::string_view text, std::size_t offset);

/// How many characters (code points) a valid UTF-8 text holds.
[[nodiscard]] std::size_t CountCharacters(std::string_view text);

/// Whether all bytes are below 0x80.
[[nodiscard]] bool IsAscii(std::string_view text);

/// `part` is in `text` at that offset.
[[nodiscard]] bool HoldsAt(std::string_view text, std::size_t offset, std::string_view part);

/// One document of a stream, as text.
struct Chunk {
  std::string_view text;
  int first_line = 1;
};

/// Cuts a stream at its document markers. `---` and `...` at the start of a line are always
/// markers: YAML forbids them even within scalars.
[[nodiscard]] std::vector<Chunk> SplitDocuments(std::string_view text);

}  // namespace bindery::yaml
