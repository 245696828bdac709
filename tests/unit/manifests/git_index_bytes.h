#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bindery::testing {

struct IndexEntry {
  std::string path;
  std::uint32_t mode = 0100644;
  std::uint32_t more = 0;  ///< The second flags, from version 3 on.
  std::uint32_t stage = 0;
  char id = 'i';  ///< Each byte of the id.
  /// The id in full, where it is not that.
  std::string whole_id = {};
  bool unwritten = false;  ///< Neither its time nor its size is known.
};

inline std::string BigEndian(std::uint32_t number, int bytes) {
  std::string text;
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    text += static_cast<char>((number >> static_cast<unsigned>(shift)) & 0xFFU);
  }
  return text;
}

/// An index as git writes it, but for its sum, which is zeros. `end`: its extensions.
inline std::string IndexBytes(const std::vector<IndexEntry>& entries, int version,
                              std::size_t id_size, const std::string& end = "") {
  std::string all = "DIRC" + BigEndian(static_cast<std::uint32_t>(version), 4) +
                    BigEndian(static_cast<std::uint32_t>(entries.size()), 4);
  std::string before;
  for (const IndexEntry& entry : entries) {
    const bool extended = entry.more != 0;
    const char stat = entry.unwritten ? '\0' : '\1';
    std::string text(24, stat);
    text += BigEndian(entry.mode, 4) + std::string(12, stat);
    text += entry.whole_id.empty() ? std::string(id_size, entry.id) : entry.whole_id;
    const auto size = static_cast<std::uint32_t>(entry.path.size());
    text += BigEndian(
        (extended ? 0x4000U : 0U) | (entry.stage << 12U) | (size < 0xFFFU ? size : 0xFFFU), 2);
    if (extended) text += BigEndian(entry.more, 2);
    if (version == 4) {
      std::size_t same = 0;
      while (same < before.size() && same < entry.path.size() && before[same] == entry.path[same]) {
        ++same;
      }
      // As git writes numbers: here below 128, or of two bytes.
      const std::size_t off = before.size() - same;
      if (off >= 128) text += static_cast<char>(0x80U | ((off - 128) >> 7U));
      text += static_cast<char>(off >= 128 ? (off - 128) & 0x7FU : off);
      text += entry.path.substr(same) + '\0';
      before = entry.path;
    } else {
      text += entry.path;
      text.append(8 - text.size() % 8, '\0');
    }
    all += text;
  }
  return all + end + std::string(id_size, '\0');
}

}  // namespace bindery::testing
