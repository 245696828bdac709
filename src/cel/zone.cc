#include "cel/zone.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <utility>

namespace bindery::cel {
namespace {

constexpr std::size_t kMostBytes = 1U << 20U;

/// The bytes of a file from front to back. Reading past the end yields zeros and is remembered.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  std::string_view Take(std::size_t count) {
    if (count > rest_.size()) {
      failed_ = true;
      rest_ = {};
      return {};
    }
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

  /// A big-endian two's complement number of `width` bytes, at most 8.
  std::int64_t TakeNumber(std::size_t width) {
    const std::string_view bytes = Take(width);
    if (bytes.empty()) return 0;
    std::uint64_t number = (static_cast<unsigned char>(bytes[0]) & 0x80U) != 0 ? ~0ULL : 0;
    for (const char byte : bytes) number = (number << 8U) | static_cast<unsigned char>(byte);
    return static_cast<std::int64_t>(number);
  }

  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

/// What a header says of the block behind it.
struct Counts {
  char version = 0;
  std::size_t utc_flags = 0;
  std::size_t standard_flags = 0;
  std::size_t leaps = 0;
  std::size_t changes = 0;
  std::size_t types = 0;
  std::size_t name_bytes = 0;

  [[nodiscard]] std::size_t BlockBytes(std::size_t width) const {
    return changes * (width + 1) + types * 6 + name_bytes + leaps * (width + 4) + standard_flags +
           utc_flags;
  }
};

std::optional<Counts> TakeHeader(Reader& reader) {
  if (reader.Take(4) != "TZif") return std::nullopt;
  Counts counts;
  const std::string_view version = reader.Take(1);
  counts.version = version.empty() ? '\0' : version.front();
  reader.Take(15);
  for (std::size_t* count : {&counts.utc_flags, &counts.standard_flags, &counts.leaps,
                             &counts.changes, &counts.types, &counts.name_bytes}) {
    *count = static_cast<std::size_t>(reader.TakeNumber(4)) & 0xFFFFFFFFU;
  }
  if (reader.failed()) return std::nullopt;
  return counts;
}

auto Malformed() { return Fail(Code::kInvalidArgument, "malformed time zone data"); }

/// "Europe/Berlin": words that cannot leave the directory.
bool IsZoneName(std::string_view name) {
  if (name.empty() || name.size() > 64 || name.front() == '/' || name.back() == '/') return false;
  return name.find("//") == std::string_view::npos &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '/' || c == '_' || c == '-' || c == '+';
         });
}

Expected<std::string> ReadZoneFile(const std::string& name, const std::string& directory) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(directory, error)) {
    return Fail(Code::kNotFound, "no time zone data in " + directory +
                                     ": install the package tzdata to use the zone \"" + name +
                                     "\"");
  }
  const fs::path path = fs::path(directory) / name;
  const bool regular = fs::is_regular_file(path, error);
  const std::uintmax_t size = regular ? fs::file_size(path, error) : 0;
  std::string content(std::min<std::uintmax_t>(size, kMostBytes), '\0');
  std::ifstream file(path, std::ios::binary);
  if (!regular || error ||
      !file.read(content.data(), static_cast<std::streamsize>(content.size()))) {
    return Fail(Code::kNotFound, "unknown time zone \"" + name + "\"");
  }
  return content;
}

/// "+02:00", "-09:30" or "02:00", in seconds.
std::optional<std::int64_t> FixedOffset(std::string_view text) {
  const bool west = text.starts_with('-');
  if (west || text.starts_with('+')) text.remove_prefix(1);
  const auto digit = [text](std::size_t i) { return text[i] >= '0' && text[i] <= '9'; };
  if (text.size() != 5 || text[2] != ':' || !digit(0) || !digit(1) || !digit(3) || !digit(4)) {
    return std::nullopt;
  }
  const int hours = (text[0] - '0') * 10 + (text[1] - '0');
  const int minutes = (text[3] - '0') * 10 + (text[4] - '0');
  if (hours > 23 || minutes > 59) return std::nullopt;
  return (west ? -1 : 1) * (hours * 3600 + minutes * 60);
}

}  // namespace

Expected<Zone> Zone::Parse(std::string_view file) {
  Reader reader(file);
  std::optional<Counts> counts = TakeHeader(reader);
  if (!counts) return Malformed();
  std::size_t width = 4;
  if (counts->version >= '2') {
    // The same again with 64 bits, which is what counts.
    reader.Take(counts->BlockBytes(width));
    counts = TakeHeader(reader);
    if (!counts) return Malformed();
    width = 8;
  }
  // Every count is below 2^32, so that the sum cannot overflow; no block is longer than its file.
  if (counts->BlockBytes(width) > reader.rest().size() || counts->types == 0) return Malformed();
  if (counts->leaps != 0) {
    return Fail(Code::kInvalidArgument, "time zone data that counts leap seconds is not supported");
  }
  Zone zone;
  for (std::size_t i = 0; i < counts->changes; ++i) {
    zone.changes_.push_back(reader.TakeNumber(width));
  }
  if (!std::is_sorted(zone.changes_.begin(), zone.changes_.end())) return Malformed();
  const std::string_view types_of_changes = reader.Take(counts->changes);
  std::vector<std::int64_t> offsets_of_types;
  for (std::size_t i = 0; i < counts->types; ++i) {
    offsets_of_types.push_back(reader.TakeNumber(4));
    reader.Take(2);
  }
  for (const char type : types_of_changes) {
    const auto index = static_cast<unsigned char>(type);
    if (index >= offsets_of_types.size()) return Malformed();
    zone.offsets_.push_back(offsets_of_types[index]);
  }
  zone.first_offset_ = offsets_of_types.front();
  reader.Take(counts->name_bytes + counts->standard_flags + counts->utc_flags);
  std::string_view footer = reader.rest();
  if (width == 8 && footer.size() > 2 && footer.front() == '\n' && footer.back() == '\n') {
    zone.rule_ = ZoneRule::Parse(footer.substr(1, footer.size() - 2));
    if (!zone.rule_) return Malformed();
  }
  return zone;
}

std::int64_t Zone::OffsetAt(std::int64_t time) const {
  const auto next = std::upper_bound(changes_.begin(), changes_.end(), time);
  if (next == changes_.end() && rule_) return rule_->OffsetAt(time);
  if (next == changes_.begin()) return first_offset_;
  return offsets_[static_cast<std::size_t>(next - changes_.begin()) - 1];
}

Expected<std::shared_ptr<const Zone>> FindZone(const std::string& name,
                                               const std::string& directory) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const Zone>>
      known;  // Not more than there are files.
  if (!IsZoneName(name)) return Fail(Code::kNotFound, "unknown time zone \"" + name + "\"");
  const std::string key = directory + "\n" + name;
  {
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(key); found != known.end()) return found->second;
  }
  Expected<std::string> content = ReadZoneFile(name, directory);
  if (!content) return Fail(content.error());
  Expected<Zone> zone = Zone::Parse(*content);
  if (!zone) return Fail(zone.error().Wrap(name));
  const std::lock_guard lock(mutex);
  return known.emplace(key, std::make_shared<const Zone>(*std::move(zone))).first->second;
}

Expected<std::int64_t> OffsetOf(std::string_view zone, std::int64_t time) {
  if (zone == "UTC") return 0;
  if (const std::optional<std::int64_t> fixed = FixedOffset(zone)) return *fixed;
  Expected<std::shared_ptr<const Zone>> found = FindZone(std::string(zone));
  if (!found) return Fail(found.error());
  return (*found)->OffsetAt(time);
}

}  // namespace bindery::cel
