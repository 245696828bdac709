#include "manifests/files/git_index.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

namespace bindery::manifests {
namespace {

constexpr std::size_t kHeaderSize = 12;
constexpr std::size_t kStatSize = 40;  ///< Of an entry: times, device, inode, mode, owner, size.
constexpr std::size_t kModeAt = 24;
constexpr std::size_t kChangedAt = 8;  ///< The time of the last change of content, and the size.
constexpr std::size_t kSizeAt = 36;

constexpr std::uint32_t kExtended = 0x4000;
constexpr std::uint32_t kNameMask = 0x0FFF;
constexpr std::uint32_t kSkipWorktree = 0x4000;  ///< Of the second flags.
constexpr std::uint32_t kIntentToAdd = 0x2000;

constexpr std::uint32_t kTypeMask = 0170000;
constexpr std::uint32_t kFile = 0100000;
constexpr std::uint32_t kLink = 0120000;
constexpr std::uint32_t kSubmodule = 0160000;

std::uint32_t Number(std::string_view bytes) {
  std::uint32_t number = 0;
  for (const char c : bytes) number = (number << 8U) | static_cast<unsigned char>(c);
  return number;
}

std::string ToHexText(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 0x0FU];
  }
  return text;
}

struct IndexEntry {
  GitIndexFile file;
  bool wanted = false;  ///< It belongs into the work tree.
};

/// The changes of a split index to its shared half.
struct SharedHalf {
  std::string id;  ///< In hex digits; empty: it is not split.
  std::string_view bitmaps;
};

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

  [[nodiscard]] std::vector<IndexEntry>& entries() { return entries_; }
  [[nodiscard]] const SharedHalf& shared() const { return shared_; }

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
    if (!fits || !IsInOrder()) return false;
    const std::uint32_t type = Number(stat->substr(kModeAt, 4)) & kTypeMask;
    const bool wanted = (more & (kSkipWorktree | kIntentToAdd)) == 0;
    const bool known = type == kFile || type == kLink || type == kSubmodule;
    constexpr std::string_view kNothing("\0\0\0\0\0\0\0\0", 8);
    const bool unwritten = type == kFile && stat->substr(kChangedAt, 8) == kNothing &&
                           stat->substr(kSizeAt, 4) == kNothing.substr(4);
    entries_.push_back({{name_, ToHexText(*id), type == kSubmodule, unwritten}, wanted && known});
    return true;
  }

  /// Ended by one to eight NULs: entries are multiples of eight bytes long.
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
      const auto content = name && size ? Next(Number(*size)) : std::nullopt;
      if (!content) return false;
      if (*name == "link") NoteShared(*content);
      const bool plain =
          std::all_of(name->begin(), name->end(), [](char c) { return c >= 'A' && c <= 'z'; });
      if (!plain) return false;
    }
    return true;
  }

  void NoteShared(std::string_view content) {
    if (content.size() < id_size_) return;
    const std::string_view id = content.substr(0, id_size_);
    if (id.find_first_not_of('\0') == std::string_view::npos) return;
    shared_ = {ToHexText(id), content.substr(id_size_)};
  }

  std::string_view bytes_;
  std::size_t id_size_;
  std::size_t at_ = 0;
  std::uint32_t version_ = 0;
  std::string before_;  ///< The name of the last entry but one.
  std::string name_;    ///< Of the last entry.
  std::vector<IndexEntry> entries_;
  SharedHalf shared_;
};

/// The places of bits that are set, counted over words.
class BitPlaces {
 public:
  static constexpr std::size_t kBits = 64;

  void TakeWord(std::uint64_t word) {
    for (std::size_t bit = 0; bit < kBits; ++bit) {
      if (((word >> bit) & 1U) != 0) places_.push_back(at_ + bit);
    }
    at_ += kBits;
  }
  /// The given number of words, with all bits equal to `set`.
  void TakeAlike(bool set, std::uint64_t words) {
    for (std::uint64_t n = 0; n < words; ++n) TakeWord(set ? ~std::uint64_t{0} : 0);
  }

  [[nodiscard]] bool AreBelow(std::size_t end) const {
    return places_.empty() || places_.back() < end;
  }
  [[nodiscard]] std::vector<std::size_t> Take() { return std::move(places_); }

 private:
  std::vector<std::size_t> places_;
  std::size_t at_ = 0;
};

/// Takes the first bitmap off `bytes`: the places of its bits that are set, all below `end`.
/// Nothing where the bytes are no such bitmap. Compressed as EWAH: gitformat-bitmap(5).
std::optional<std::vector<std::size_t>> TakeBits(std::string_view& bytes, std::size_t end) {
  constexpr std::size_t kWord = 8;
  if (bytes.size() < kWord) return std::nullopt;
  const std::size_t words = Number(bytes.substr(4, 4));
  bytes.remove_prefix(kWord);
  if (bytes.size() < words * kWord + 4) return std::nullopt;
  const auto word = [&bytes](std::size_t i) {
    return std::uint64_t{Number(bytes.substr(i * kWord, 4))} << 32U |
           Number(bytes.substr(i * kWord + 4, 4));
  };
  const std::size_t most_words = (end + BitPlaces::kBits - 1) / BitPlaces::kBits;
  BitPlaces places;
  for (std::size_t i = 0; i < words;) {
    const std::uint64_t marker = word(i++);
    const std::uint64_t alike = (marker >> 1U) & 0xFFFFFFFFU;
    const std::uint64_t given = marker >> 33U;
    if (given > words - i || alike > most_words) return std::nullopt;
    places.TakeAlike((marker & 1U) != 0, alike);
    for (std::uint64_t n = 0; n < given; ++n) places.TakeWord(word(i++));
    if (!places.AreBelow(end)) return std::nullopt;
  }
  bytes.remove_prefix(words * kWord + 4);
  return places.Take();
}

/// Changes the entries of the shared half as the other one says; false where the two do not fit.
/// Entries without a name stand for those of the shared half that are replaced, in order.
bool Merge(const SharedHalf& shared, std::vector<IndexEntry>& all, std::vector<IndexEntry>& own) {
  std::string_view bitmaps = shared.bitmaps;
  if (!bitmaps.empty()) {
    const auto deleted = TakeBits(bitmaps, all.size());
    const auto replaced = deleted ? TakeBits(bitmaps, all.size()) : std::nullopt;
    if (!replaced || replaced->size() > own.size()) return false;
    for (std::size_t i = 0; i < replaced->size(); ++i) {
      IndexEntry& old = all[(*replaced)[i]];
      if (!own[i].file.path.empty()) return false;
      own[i].file.path = std::move(old.file.path);
      old = std::move(own[i]);
    }
    for (const std::size_t place : *deleted) all[place].wanted = false;
    own.erase(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(replaced->size()));
  }
  all.insert(all.end(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
  std::stable_sort(all.begin(), all.end(), [](const IndexEntry& a, const IndexEntry& b) {
    return a.file.path < b.file.path;
  });
  return true;
}

/// Nothing where an entry has no name. The sides of a conflict are one file.
std::optional<std::vector<GitIndexFile>> NamedFiles(std::vector<IndexEntry>& entries) {
  std::vector<GitIndexFile> files;
  for (IndexEntry& entry : entries) {
    if (entry.file.path.empty()) return std::nullopt;
    const bool repeated = !files.empty() && files.back().path == entry.file.path;
    if (entry.wanted && !repeated) files.push_back(std::move(entry.file));
  }
  return files;
}

std::optional<std::vector<GitIndexFile>> Parse(std::string_view bytes, std::size_t id_size,
                                               const GitIndexNeighbour& neighbour) {
  IndexReader reader(bytes, id_size);
  if (!reader.Read()) return std::nullopt;
  const SharedHalf& shared = reader.shared();
  if (shared.id.empty()) return NamedFiles(reader.entries());
  const auto other = neighbour ? neighbour("sharedindex." + shared.id) : std::nullopt;
  IndexReader base(other ? std::string_view(*other) : std::string_view(), id_size);
  if (!base.Read() || !Merge(shared, base.entries(), reader.entries())) return std::nullopt;
  return NamedFiles(base.entries());
}

}  // namespace

Expected<std::vector<GitIndexFile>> ParseGitIndex(std::string_view bytes,
                                                  const GitIndexNeighbour& neighbour) {
  constexpr std::array<std::size_t, 2> kIdSizes = {20, 32};
  for (const std::size_t id_size : kIdSizes) {
    if (auto files = Parse(bytes, id_size, neighbour)) return *std::move(files);
  }
  return Fail(Code::kInvalidArgument, "is no whole index of git of version 2, 3 or 4");
}

}  // namespace bindery::manifests
