#include "store/witness/witness.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/base/json.h"
#include "core/base/json_text.h"
#include "core/base/private_file.h"
#include "core/base/quoted.h"
#include "core/base/whole_file.h"

namespace bindery::store {
namespace {

constexpr std::chrono::seconds kBetweenSaves(1);

std::string GetText(const StoreMark& mark) {
  Json json = {{"run", mark.run},
               {"number", mark.number},
               {"writes", mark.writes},
               {"database", mark.database},
               {"last", mark.last}};
  return CompactJson(json) + "\n";
}

std::optional<StoreMark> GetMark(const std::string& text) {
  const Expected<Json> json = ParseJson(text);
  if (!json || !json->is_object()) return std::nullopt;
  const auto number = [&json](const char* key) -> std::int64_t {
    const auto found = json->find(key);
    return found != json->end() && found->is_number_integer() ? found->get<std::int64_t>() : -1;
  };
  StoreMark mark{StringMember(*json, "run"), number("number"), number("writes"),
                 StringMember(*json, "database")};
  if (mark.run.empty() || mark.number < 0 || mark.writes < 0) return std::nullopt;
  const auto last = json->find("last");
  mark.last = last != json->end() && last->is_boolean() && last->get<bool>();
  return mark;
}

std::optional<StoreMark> Read(const std::filesystem::path& file) {
  if (file.empty()) return std::nullopt;
  const int opened = OpenPrivateFile(file.string(), O_RDONLY);
  if (opened < 0) return std::nullopt;
  constexpr std::size_t kLargest = 4096;
  const auto text = ReadAll(opened, kLargest);
  ::close(opened);
  return text ? GetMark(*text) : std::nullopt;
}

Error Failed(const std::filesystem::path& file, const std::string& why) {
  Error error;
  error.code = Code::kUnavailable;
  error.message = "cannot write the witness " + Quoted(file.string()) + ": " + why;
  return error;
}

/// Makes the folders that are not there, for this user alone.
void MakeFolder(const std::filesystem::path& folder) {
  std::error_code ignored;
  if (folder.empty() || std::filesystem::exists(folder, ignored)) return;
  MakeFolder(folder.parent_path());
  if (std::filesystem::create_directory(folder, ignored)) {
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all, ignored);
  }
}

/// Replaces the file without opening it: a link at the path has no effect.
std::optional<Error> Write(const std::filesystem::path& file, const std::string& text,
                           bool to_disk) {
  MakeFolder(file.parent_path());
  if (ReplacePrivateFile(file.string(), text, to_disk)) return std::nullopt;
  return Failed(file, PrivateFileFailure(errno));
}

}  // namespace

StoreWitness::StoreWitness(std::filesystem::path file)
    : file_(std::move(file)), seen_(Read(file_)) {}

std::optional<StoreMark> StoreWitness::seen() const {
  const MutexLock lock(mutex_);
  return seen_;
}

void StoreWitness::Keep(const StoreMark& mark) {
  const MutexLock lock(mutex_);
  seen_ = mark;
  Save(/*to_disk=*/true);
}

void StoreWitness::Note(const StoreMark& mark, bool settled) {
  const MutexLock lock(mutex_);
  seen_ = mark;
  if (saved_ == seen_) return;
  if (!settled && std::chrono::steady_clock::now() - tried_ < kBetweenSaves) return;
  Save(/*to_disk=*/false);
}

void StoreWitness::Follow(const StoreMark& mark) {
  const MutexLock lock(mutex_);
  const auto order = [](const StoreMark& of) { return std::tie(of.number, of.writes); };
  if (!seen_ || order(*seen_) < order(mark)) seen_ = mark;
}

std::optional<Error> StoreWitness::failure() const {
  const MutexLock lock(mutex_);
  return failure_;
}

void StoreWitness::Save(bool to_disk) {
  tried_ = std::chrono::steady_clock::now();
  if (file_.empty()) return;
  failure_ = Write(file_, GetText(*seen_), to_disk);
  if (!failure_) saved_ = seen_;
}

}  // namespace bindery::store
