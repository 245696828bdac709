#include "manifests/git_index.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

namespace bindery {
namespace {

constexpr std::size_t kHeaderSize = 12;
constexpr std::size_t kStatSize = 40;  ///< Of an entry: times, device, inode, mode, owner, size.
constexpr std::size_t kModeAt = 24;

constexpr std::uint32_t kExtended = 0x4000;
constexpr std::uint32_t kNameMask = 0x0FFF;
constexpr std::uint32_t kSkipWorktree = 0x4000;  ///< Of the second flags.
constexpr std::uint32_t kIntentToAdd = 0x2000;

constexpr std::uint32_t kTypeMask = 0170000;
constexpr std::uint32_t kFile = 0100000;
constexpr std::uint32_t kLink = 0120000;

std::uint32_t Number(std::string_view bytes) {
  std::uint32_t number = 0;
  for (const char c : bytes) number = (number << 8U) | static_cast<unsigned char>(c);
  return number;
}

std::string HexOf(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 0x0FU];
  }
  return text;
}

/// Reads one index with ids of `id_size` bytes. Each step says false where the bytes do not fit.
class IndexReader {
 public:
  IndexReader(std::string_view bytes, std::size_t id_size) : id_size_(id_size) {
    if (bytes.size() < kHeaderSize + id_size) return;
    // The sum at the end; git may be told to leave it at zeros.
    bytes_ = bytes.substr(0, bytes.size() - id_size);
  }

  bool Read() {
    if (bytes_.size() < kHeaderSize || !bytes_.starts_with("DIRC")) return false;
    version_ = Number(bytes_.substr(4, 4));
    if (version_ < 2 || version_ > 4) return false;
    const std::uint32_t count = Number(bytes_.substr(8, 4));
    at_ = kHeaderSize;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!ReadEntry()) return false;
    }
    return ReadExtensions();
  }

  [[nodiscard]] std::vector<GitIndexFile> Take() { return std::move(files_); }

 private:
  std::optional<std::string_view> Next(std::size_t size) {
    if (size > bytes_.size() - at_) return std::nullopt;
    const std::string_view next = bytes_.substr(at_, size);
    at_ += size;
    return next;
  }

  bool ReadEntry() {
    const std::size_t begin = at_;
    const auto stat = Next(kStatSize);
    const auto id = Next(id_size_);
    const auto flags_text = Next(2);
    if (!stat || !id || !flags_text) return false;
    const std::uint32_t flags = Number(*flags_text);
    std::uint32_t more = 0;
    if ((flags & kExtended) != 0) {
      const auto more_text = version_ >= 3 ? Next(2) : std::nullopt;
      if (!more_text) return false;
      more = Number(*more_text);
    }
    if (!(version_ == 4 ? ReadShortenedName() : ReadName(begin))) return false;
    const bool fits = (flags & kNameMask) == std::min<std::size_t>(name_.size(), kNameMask);
    if (!fits || !IsInOrder() || name_.empty()) return false;
    const std::uint32_t type = Number(stat->substr(kModeAt, 4)) & kTypeMask;
    const bool wanted = (more & (kSkipWorktree | kIntentToAdd)) == 0;
    const bool repeated = !files_.empty() && files_.back().path == name_;  // Sides of a conflict.
    if (wanted && !repeated && (type == kFile || type == kLink)) {
      files_.push_back({name_, HexOf(*id)});
    }
    return true;
  }

  /// Ended by one to eight NULs, so that entries are multiples of eight bytes long.
  bool ReadName(std::size_t begin) {
    const std::size_t nul = bytes_.find('\0', at_);
    if (nul == std::string_view::npos) return false;
    before_ = std::exchange(name_, std::string(bytes_.substr(at_, nul - at_)));
    const std::size_t size = (nul - begin + 8) / 8 * 8;
    at_ = nul;
    const auto padding = Next(begin + size - nul);
    return padding && padding->find_first_not_of('\0') == std::string_view::npos;
  }

  /// A number of bytes is taken off the end of the name before, and others are put there.
  bool ReadShortenedName() {
    const auto off = ReadOffset();
    const std::size_t nul = bytes_.find('\0', at_);
    if (!off || *off > name_.size() || nul == std::string_view::npos) return false;
    before_ = name_;
    name_.resize(name_.size() - *off);
    name_ += bytes_.substr(at_, nul - at_);
    at_ = nul + 1;
    return true;
  }

  /// Seven bits a byte, the highest first; each byte but the last has its eighth bit set.
  std::optional<std::size_t> ReadOffset() {
    std::size_t number = 0;
    for (int i = 0; i < 5; ++i) {
      const auto next = Next(1);
      if (!next) return std::nullopt;
      const auto byte = static_cast<unsigned char>(next->front());
      number = (number << 7U) + (byte & 0x7FU);
      if ((byte & 0x80U) == 0) return number;
      ++number;
    }
    return std::nullopt;
  }

  /// The sides of a conflict bear the same name.
  [[nodiscard]] bool IsInOrder() const { return before_ <= name_; }

  /// A name of four letters, a size, and that many bytes, up to the sum.
  bool ReadExtensions() {
    while (at_ < bytes_.size()) {
      const auto name = Next(4);
      const auto size = Next(4);
      if (!name || !size || !Next(Number(*size))) return false;
      const bool plain =
          std::all_of(name->begin(), name->end(), [](char c) { return c >= 'A' && c <= 'z'; });
      if (!plain) return false;
    }
    return true;
  }

  std::string_view bytes_;
  std::size_t id_size_;
  std::size_t at_ = 0;
  std::uint32_t version_ = 0;
  std::string before_;  ///< The name of the last entry but one.
  std::string name_;    ///< Of the last entry.
  std::vector<GitIndexFile> files_;
};

}  // namespace

Expected<std::vector<GitIndexFile>> ParseGitIndex(std::string_view bytes) {
  constexpr std::array<std::size_t, 2> kIdSizes = {20, 32};
  for (const std::size_t id_size : kIdSizes) {
    IndexReader reader(bytes, id_size);
    if (reader.Read()) return reader.Take();
  }
  return Fail(Code::kInvalidArgument, "is no whole index of git of version 2, 3 or 4");
}

}  // namespace bindery
