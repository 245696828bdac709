#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "store/sql/statement.h"

namespace bindery::store {

/// Binds a digest as 32 bytes. A text that is none is bound as it is.
struct MakeDigest {
  const std::string& text;
};

/// Binds bytes that need not be text.
struct BlobOf {
  std::string_view bytes;
};

/// Binds the number of a policy, or the digest of one that is not on record.
struct IdOrDigest {
  std::int64_t id = 0;  ///< 0: the digest.
  const std::string& digest;
};

/// Binds a text, or the same bytes as a blob.
struct TextOrBlob {
  std::string_view text;
  bool blob = false;
};

/// Binds the number of an interned word, or the text itself.
struct WordOrText {
  std::int64_t word = 0;  ///< 0: the text.
  std::string_view text;
};

/// Binds values to the parameters ?1, ?2, … of a statement, in sequence, as the store keeps them.
/// Texts and blobs are not copied: they must stay until the statement is reset. Throws
/// EngineError.
class Parameters {
 public:
  explicit Parameters(Statement& statement) : statement_(statement) {}

  void Bind(std::int64_t value) { statement_.BindInt(++last_, value); }
  void Bind(int value) { Bind(std::int64_t{value}); }
  void Bind(bool value) { Bind(std::int64_t{value ? 1 : 0}); }
  void Bind(WallTime value);
  void Bind(const std::string& value) { Bind(std::string_view(value)); }
  void Bind(std::string_view value) { statement_.BindText(++last_, value); }
  void Bind(const MakeDigest& value);
  void Bind(const BlobOf& value) { statement_.BindBlob(++last_, value.bytes); }
  void Bind(const IdOrDigest& value);
  void Bind(const WordOrText& value);
  void Bind(const TextOrBlob& value);
  void Bind(const std::optional<std::int64_t>& value);  ///< NULL for nothing.

 private:
  Statement& statement_;
  int last_ = 0;
};

}  // namespace bindery::store
