#include "attribution/log_folder.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "attribution/entry_text.h"
#include "core/base/json.h"
#include "core/text/first_character.h"

namespace bindery::attribution {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 100'000;
constexpr std::size_t kMostEntries = 1'000;             // Brought by one look,
constexpr std::size_t kMostHarvestBytes = 64ULL << 20;  // of that many grants,
constexpr std::int64_t kMostBytes = 64LL << 20;         // and read for it.
constexpr std::size_t kChunk = 256U << 10U;

bool IsLog(const fs::path& name) {
  const fs::path extension = name.extension();
  return extension == ".json" || extension == ".jsonl" || extension == ".ndjson";
}

bool IsEnough(const Harvest& harvest) {
  return harvest.entries.size() >= kMostEntries || harvest.grant_bytes >= kMostHarvestBytes;
}

std::size_t GetBytes(const std::vector<AuditedGrant>& grants) {
  std::size_t bytes = grants.size() * sizeof(AuditedGrant);
  for (const AuditedGrant& audited : grants) bytes += CountTextBytes(audited.grant);
  return bytes;
}

/// The first character shows an array.
RecordForm FindForm(std::ifstream& file) {
  std::array<char, 4096> start{};
  file.read(start.data(), start.size());
  const std::string_view text(start.data(), static_cast<std::size_t>(file.gcount()));
  file.clear();
  return FirstCharacter(text) == '[' ? RecordForm::kArray : RecordForm::kLines;
}

/// A record can have ended before the offset. Otherwise the file was written again in its place.
bool CanEndAt(std::ifstream& file, RecordForm form, std::int64_t offset) {
  if (offset == 0) return true;
  file.seekg(offset - 1);
  const int last = file.get();
  const int next = file.get();
  file.clear();
  if (last == '\n') return form == RecordForm::kLines;
  // The last line of a file may have had no end yet.
  constexpr int kEnd = std::ifstream::traits_type::eof();
  return last == '}' &&
         (form == RecordForm::kArray || next == kEnd || next == '\n' || next == '\r');
}

}  // namespace

LogFolder::LogFolder(fs::path root, std::vector<AuditFile> known,
                     std::vector<AuditLogReader> readers)
    : root_(std::move(root)), readers_(std::move(readers)) {
  for (AuditFile& file : known) {
    State& state = states_[file.path];
    state.file = std::move(file);
  }
}

std::error_code LogFolder::ListFolder(const fs::path& folder, std::vector<fs::path>& folders,
                                      std::vector<Found>& files) const {
  constexpr std::int64_t kSecond = 1'000'000'000;
  std::error_code failed;
  std::error_code unknown;  // What vanished meanwhile is neither.
  fs::directory_iterator entry(folder, failed);
  for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
    const fs::path& path = entry->path();
    if (path.filename().native().starts_with('.')) continue;
    if (entry->is_directory(unknown) && !entry->is_symlink(unknown)) folders.push_back(path);
    struct ::stat status {};
    if (!IsLog(path) || ::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    files.push_back({path.lexically_relative(root_).string(),
                     static_cast<std::int64_t>(status.st_ino), status.st_size,
                     status.st_mtim.tv_sec * kSecond + status.st_mtim.tv_nsec});
    if (files.size() > kMostFiles) break;
  }
  return failed;
}

Expected<std::vector<LogFolder::Found>> LogFolder::List(Harvest& harvest) {
  std::vector<Found> files;
  std::set<std::string> unreadable;
  std::vector<fs::path> folders = {root_};
  while (!folders.empty()) {
    const fs::path folder = std::move(folders.back());
    folders.pop_back();
    const std::error_code failed = ListFolder(folder, folders, files);
    if (files.size() > kMostFiles) {
      return Fail(Code::kFailedPrecondition,
                  "more than " + std::to_string(kMostFiles) + " files in the folder");
    }
    if (!failed) continue;
    if (folder == root_) return Fail(Code::kFailedPrecondition, failed.message());
    const std::string name = folder.lexically_relative(root_).string();
    if (!unreadable_.contains(name)) {
      harvest.complaints.push_back(name + ": cannot be listed: " + failed.message());
    }
    unreadable.insert(name);
  }
  unreadable_ = std::move(unreadable);
  std::sort(files.begin(), files.end(),
            [](const Found& a, const Found& b) { return a.path < b.path; });
  return files;
}

Expected<Harvest> LogFolder::Read() {
  Harvest harvest;
  const Expected<std::vector<Found>> files = List(harvest);
  if (!files) return Fail(files.error());
  std::set<std::string_view> there;
  for (const Found& found : *files) there.insert(found.path);
  for (auto state = states_.begin(); state != states_.end();) {
    if (there.contains(state->first)) {
      ++state;
    } else {
      harvest.gone.push_back(state->first);
      state = states_.erase(state);
    }
  }
  std::int64_t bytes = 0;
  for (const Found& found : *files) {
    if (bytes >= kMostBytes || IsEnough(harvest)) {
      harvest.more = true;
      break;
    }
    State& state = states_[found.path];
    const std::int64_t before = state.file.offset;
    ReadFile(found, state, harvest);
    bytes += std::max<std::int64_t>(state.file.offset - before, 0);
  }
  return harvest;
}

void LogFolder::ComplainAbout(const Found& found, State& state, Harvest& harvest) {
  if (std::exchange(state.unreadable, true)) return;
  harvest.complaints.push_back(found.path + ": cannot be read");
}

void LogFolder::ReadFile(const Found& found, State& state, Harvest& harvest) const {
  const bool all_seen = state.seen_size == found.size;
  if (all_seen && state.file.inode == found.inode && state.seen_mtime == found.mtime) return;
  std::ifstream file(root_ / found.path, std::ios::binary);
  if (!file.is_open()) return ComplainAbout(found, state, harvest);
  const RecordForm form = FindForm(file);
  // As long as before, and yet of another time: written again.
  const bool same = !all_seen && state.file.inode == found.inode &&
                    state.file.offset <= found.size &&
                    (state.skip.on || CanEndAt(file, form, state.file.offset));
  if (!same) state = {{found.path, found.inode}, -1, 0, {}, false, state.unreadable};
  const AuditFile before = state.file;
  TakeRecords(found, file, form, state, harvest);
  if (file.bad()) ComplainAbout(found, state, harvest);
  if (!same || !(state.file == before)) harvest.files.push_back(state.file);
}

void LogFolder::TakeRecords(const Found& found, std::ifstream& file, RecordForm form, State& state,
                            Harvest& harvest) const {
  const std::int64_t from = state.file.offset;
  RecordCutter cutter(form, state.file.lines, [&](const RecordCutter::Record& record) {
    TakeRecord(found.path, record, state, harvest);
  });
  cutter.Resume(state.skip);
  file.seekg(from);
  std::vector<char> chunk(kChunk);
  bool whole = false;
  while (!harvest.more) {
    file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    if (file.gcount() <= 0) {
      whole = !file.bad();
      break;
    }
    cutter.Feed({chunk.data(), static_cast<std::size_t>(file.gcount())});
    harvest.more = IsEnough(harvest) || cutter.consumed() >= kMostBytes;
  }
  // A last line without an end is still being written, unless complete.
  if (whole && form == RecordForm::kLines && ParseJson(cutter.rest())) cutter.Finish();
  if (whole) {
    state.seen_size = found.size;
    state.seen_mtime = found.mtime;
    state.unreadable = false;
  }
  state.skip = cutter.skip();
  state.file.offset = from + cutter.consumed();
  state.file.lines = cutter.consumed_lines();
}

void LogFolder::TakeRecord(const std::string& path, const RecordCutter::Record& record,
                           State& state, Harvest& harvest) const {
  const std::string place = path + ":" + std::to_string(record.line);
  auto entries = record.too_long ? Expected<std::vector<AuditEntry>>(Fail(
                                       Code::kInvalidArgument, "is longer than an entry can be"))
                                 : ReadRecord(record.text, readers_);
  if (!entries) {
    ++harvest.malformed;
    if (!std::exchange(state.complained, true)) {
      harvest.complaints.push_back(place + ": " + entries.error().message);
    }
    return;
  }
  if (const auto time = TimestampIn(record.text);
      time && (!harvest.newest || *time > *harvest.newest)) {
    harvest.newest = time;
  }
  if (entries->empty()) ++harvest.ignored;
  for (AuditEntry& entry : *entries) {
    entry.source = CleanText(place);
    harvest.grant_bytes += GetBytes(entry.grants);
    harvest.entries.push_back(std::move(entry));
  }
}

}  // namespace bindery::attribution
