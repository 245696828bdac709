#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bindery::emulator {

/// The time of a policy's last write in microseconds since 1970; 0 for an unwritten policy.
using EtagMicros = std::int64_t;

/// As Google's services spell it: base64 of 0x07 and seven big-endian bytes of the time, such as
/// "BwWWja0YfJA="; "ACAB" for an unwritten policy.
[[nodiscard]] std::string EtagText(EtagMicros micros);

/// Standard or URL-safe base64, with or without padding. Nothing when it is neither.
[[nodiscard]] std::optional<std::string> DecodeBase64(std::string_view text);

/// The time in decoded bytes; nothing when they are not an etag.
[[nodiscard]] std::optional<EtagMicros> EtagFromBytes(std::string_view bytes);

}  // namespace bindery::emulator
