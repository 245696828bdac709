#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "store/sql/connection.h"
#include "store/sql/neighbours.h"

namespace bindery::store {

// Texts that many rows share are kept once, in the table `words`, and named by number. A column
// that holds either kind of value (ANY) holds an integer for a word and a text for itself.

/// The number of a word, put on record when it is new.
[[nodiscard]] std::int64_t InternWord(Connection& connection, std::string_view text);

/// The number of a word on record; 0 if none exists.
[[nodiscard]] std::int64_t FindWord(Connection& connection, std::string_view text);

/// For texts of which some come again and again: as a word from the second time on. `text` must
/// outlive what is returned.
[[nodiscard]] WordOrText Shared(Connection& connection, std::string_view text);

/// The number of a name (of a resource or a target), put on record when it is new; 0 for "".
[[nodiscard]] std::int64_t InternName(Connection& connection, std::string_view name);

/// Puts a name on record that is missing yet.
[[nodiscard]] std::int64_t AddName(Connection& connection, std::string_view name);

/// The number of a name on record; 0 if none exists.
[[nodiscard]] std::int64_t FindName(Connection& connection, std::string_view name);

/// Reads words back, each from the database once as long as the connection knows the word. For a
/// single read.
class WordReader {
 public:
  explicit WordReader(Connection& connection) : connection_(connection) {}

  /// The text of an interned word or of a column that holds the text itself. Throws when the word
  /// is missing: the store is damaged.
  [[nodiscard]] std::string Text(const Query& query, int column) {
    return std::string(View(query, column));
  }
  /// The same, valid until the next row.
  [[nodiscard]] std::string_view View(const Query& query, int column);
  /// The interned word of the number; throws as Text().
  [[nodiscard]] const std::string& Word(std::int64_t id) {
    const std::string* known = connection_.words().Find(id);
    return known != nullptr ? *known : ReadWord(id);
  }

 private:
  const std::string& ReadWord(std::int64_t id);

  Connection& connection_;
  Neighbours neighbours_;
};

}  // namespace bindery::store
