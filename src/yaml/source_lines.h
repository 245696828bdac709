#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bindery::yaml {

/// One line of a text, cut into the parts for a diagnosis.
struct SourceLine {
  int number = 0;          ///< From 1, in the file.
  std::string_view text;   ///< Without its line break.
  std::size_t indent = 0;  ///< Spaces it begins with.
  std::string_view body;   ///< Without the indentation, a comment and trailing blanks.

  [[nodiscard]] bool blank() const { return body.empty(); }
  /// The column of a part of `text`, in characters.
  [[nodiscard]] int FindColumn(std::string_view part) const;
};

/// The lines of a text whose line breaks are LF; `first_line` is the number of the first.
[[nodiscard]] std::vector<SourceLine> MakeLines(std::string_view text, int first_line);

/// The length of a plain key that a character other than a blank follows right behind its colon:
/// of "role:roles/viewer", 4. Zero for anything else, such as "role: x", "a: b:c" and "http://x".
[[nodiscard]] std::size_t KeyWithoutSpace(std::string_view body);

/// "role: roles/viewer" of "role:roles/viewer".
[[nodiscard]] std::string WithSpaceAfterKey(std::string_view body);

/// `text` holds the syntax of a template language (Helm, Jinja, ERB): the two characters it begins
/// with; else empty.
[[nodiscard]] std::string_view TemplateMarker(std::string_view text);

/// The name of the first character that looks like one of YAML's but is none (a typographic quote,
/// a no-break space), and where; else empty.
struct LookAlike {
  std::string_view part;
  std::string_view what;  ///< "a typographic quote (U+201C): write \" or '"
};
[[nodiscard]] LookAlike FindLookAlike(std::string_view text);

}  // namespace bindery::yaml
