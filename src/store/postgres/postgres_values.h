#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bindery::store {

// How values stand in PostgreSQL, in the binary format of its protocol.
//
// Integers are bigint. Texts are text, where a byte that PostgreSQL does not take for text (a zero,
// what is no UTF-8) is written as the control character SUB and two hexadecimal digits, and SUB
// itself likewise. A column that holds either integers, texts or blobs is bytea: a letter that says
// which, then the bytes.

enum class ValueKind : char { kInt = 'i', kText = 't', kBlob = 'b' };

/// PostgreSQL's numbers of types (its catalog pg_type).
inline constexpr unsigned kBoolType = 16;
inline constexpr unsigned kBytesType = 17;
inline constexpr unsigned kBigintType = 20;
inline constexpr unsigned kIntType = 23;
inline constexpr unsigned kTextType = 25;

[[nodiscard]] std::string BigintBytes(std::int64_t value);
[[nodiscard]] std::string IntBytes(std::int32_t value);
/// Of 1, 4 or 8 bytes, the most significant first.
[[nodiscard]] std::int64_t IntOfBytes(std::string_view bytes);

[[nodiscard]] std::string EscapedText(std::string_view text);
[[nodiscard]] bool HasEscapes(std::string_view text);
[[nodiscard]] std::string UnescapedText(std::string_view text);

[[nodiscard]] std::string TaggedValue(ValueKind kind, std::string_view bytes);

}  // namespace bindery::store
