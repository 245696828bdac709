#include "attribution/log_folder.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "attribution/audit_log.h"
#include "attribution/entry_text.h"
#include "core/json.h"

namespace bindery::attribution {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 100'000;
constexpr std::size_t kMostEntries = 1'000;      // Brought by one look,
constexpr std::int64_t kMostBytes = 64LL << 20;  // and read for it.
constexpr std::size_t kChunk = 256U << 10U;

bool IsLog(const fs::path& name) {
  const fs::path extension = name.extension();
  return extension == ".json" || extension == ".jsonl" || extension == ".ndjson";
}

/// An array begins like one.
RecordForm FormOf(std::ifstream& file) {
  std::array<char, 4096> start{};
  file.read(start.data(), start.size());
  const std::string_view text(start.data(), static_cast<std::size_t>(file.gcount()));
  file.clear();
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool array = first != std::string_view::npos && text[first] == '[';
  return array ? RecordForm::kArray : RecordForm::kLines;
}

}  // namespace

LogFolder::LogFolder(fs::path root, std::vector<AuditFile> known) : root_(std::move(root)) {
  for (AuditFile& file : known) {
    State& state = states_[file.path];
    state.file = std::move(file);
  }
}

Expected<std::vector<LogFolder::Found>> LogFolder::List() const {
  std::vector<Found> files;
  std::error_code failed;
  fs::recursive_directory_iterator entry(root_, failed);
  for (; !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
    const fs::path& path = entry->path();
    if (path.filename().native().starts_with('.')) {
      entry.disable_recursion_pending();
      continue;
    }
    struct ::stat status {};
    if (!IsLog(path) || ::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    if (files.size() == kMostFiles) {
      return Fail(Code::kFailedPrecondition,
                  "more than " + std::to_string(kMostFiles) + " files in the folder");
    }
    files.push_back({path.lexically_relative(root_).string(),
                     static_cast<std::int64_t>(status.st_ino), status.st_size});
  }
  if (failed) return Fail(Code::kFailedPrecondition, failed.message());
  std::sort(files.begin(), files.end(),
            [](const Found& a, const Found& b) { return a.path < b.path; });
  return files;
}

Expected<Harvest> LogFolder::Read() {
  const Expected<std::vector<Found>> files = List();
  if (!files) return Fail(files.error());
  Harvest harvest;
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
    if (bytes >= kMostBytes || harvest.entries.size() >= kMostEntries) {
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

void LogFolder::ReadFile(const Found& found, State& state, Harvest& harvest) const {
  const bool same = state.file.inode == found.inode && state.file.offset <= found.size;
  if (!same) state = {{found.path, found.inode}};
  if (state.seen_size == found.size) return;
  const AuditFile before = state.file;
  std::ifstream file(root_ / found.path, std::ios::binary);
  if (!file) {
    state.seen_size = found.size;
    harvest.complaints.push_back(found.path + ": cannot be opened");
    return;
  }
  TakeRecords(found, file, state, harvest);
  if (!same || !(state.file == before)) harvest.files.push_back(state.file);
}

void LogFolder::TakeRecords(const Found& found, std::ifstream& file, State& state,
                            Harvest& harvest) const {
  const std::int64_t from = state.file.offset;
  const RecordForm form = FormOf(file);
  RecordCutter cutter(form, state.file.lines, [&](const RecordCutter::Record& record) {
    TakeRecord(found.path, record, state, harvest);
  });
  file.seekg(from);
  std::vector<char> chunk(kChunk);
  bool whole = false;
  while (!harvest.more) {
    file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    if (file.gcount() <= 0) {
      whole = true;
      break;
    }
    cutter.Feed({chunk.data(), static_cast<std::size_t>(file.gcount())});
    harvest.more = harvest.entries.size() >= kMostEntries || cutter.consumed() >= kMostBytes;
  }
  // A last line without its end is one that is still being written, unless it is complete.
  if (whole && form == RecordForm::kLines && ParseJson(cutter.rest())) cutter.Finish();
  if (whole) state.seen_size = found.size;
  state.file.offset = from + cutter.consumed();
  state.file.lines = cutter.consumed_lines();
}

void LogFolder::TakeRecord(const std::string& path, const RecordCutter::Record& record,
                           State& state, Harvest& harvest) const {
  const std::string place = path + ":" + std::to_string(record.line);
  auto entries = record.too_long ? Expected<std::vector<AuditEntry>>(Fail(
                                       Code::kInvalidArgument, "is longer than an entry can be"))
                                 : ReadRecord(record.text);
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
    harvest.entries.push_back(std::move(entry));
  }
}

}  // namespace bindery::attribution
