#include "store/sqlite/clean_mark.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>
#include <tuple>

#include "core/base/private_file.h"
#include "core/base/whole_file.h"

namespace bindery::store {
namespace {

using Stat = struct stat;

std::string GetMark(const std::string& path) { return path + ".clean"; }

std::optional<Stat> ReadStat(const std::string& path) {
  Stat found = {};
  if (::stat(path.c_str(), &found) != 0) return std::nullopt;
  return found;
}

bool Older(const timespec& left, const timespec& right) {
  return std::tie(left.tv_sec, left.tv_nsec) < std::tie(right.tv_sec, right.tv_nsec);
}

std::string GetText(const Stat& file) {
  const auto number = [](auto value) { return std::to_string(value) + " "; };
  return number(file.st_size) + number(file.st_ino) + number(file.st_mtim.tv_sec) +
         number(file.st_mtim.tv_nsec) + number(file.st_ctim.tv_sec) +
         std::to_string(file.st_ctim.tv_nsec) + "\n";
}

bool WalWaits(const std::string& path) {
  const auto wal = ReadStat(path + "-wal");
  return wal && wal->st_size > 0;
}

std::string ReadMark(const std::string& path) {
  std::array<char, 1024> text{};
  const int descriptor = OpenPrivateFile(path, O_RDONLY);
  if (descriptor < 0) return {};
  const ssize_t size = ::read(descriptor, text.data(), text.size());
  ::close(descriptor);
  return {text.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

bool WriteMark(const std::string& mark, const std::string& text) {
  const int descriptor = OpenPrivateFile(mark, O_WRONLY | O_CREAT | O_TRUNC);
  if (descriptor < 0) return false;
  const ssize_t written = ::write(descriptor, text.data(), text.size());
  ::close(descriptor);
  if (written == static_cast<ssize_t>(text.size())) return true;
  ::unlink(mark.c_str());
  return false;
}

/// File systems keep time in steps of some milliseconds: only a mark that is later than the
/// database proves that the database was not changed right after.
bool IsLaterThan(const Stat& database, const Stat& mark) {
  return Older(database.st_ctim, mark.st_mtim);
}

}  // namespace

void LeaveCleanMark(const std::string& path, const std::string& content) {
  const auto database = ReadStat(path);
  if (!database || WalWaits(path)) return;
  const std::string mark = GetMark(path);
  const std::string text = GetText(*database) + content + "\n";
  // The next step of the file system's time is awaited; one that is coarser gets a useless mark.
  constexpr int kMostTries = 20;
  constexpr std::chrono::milliseconds kBetween(1);
  for (int i = 0; i < kMostTries && WriteMark(mark, text); ++i) {
    const auto marked = ReadStat(mark);
    if (!marked || IsLaterThan(*database, *marked)) return;
    std::this_thread::sleep_for(kBetween);
  }
}

CleanMark TakeCleanMark(const std::string& path) {
  const std::string mark = GetMark(path);
  const auto database = ReadStat(path);
  const auto marked = ReadStat(mark);
  if (!marked) return {};
  const std::string text = ReadMark(mark);
  const std::size_t line = std::min(text.find('\n'), text.size());
  CleanMark taken;
  taken.as_left = database && !WalWaits(path) && IsLaterThan(*database, *marked) &&
                  text.substr(0, line) + "\n" == GetText(*database);
  if (line < text.size())
    taken.content = text.substr(line + 1, text.find('\n', line + 1) - line - 1);
  if (::unlink(mark.c_str()) != 0) taken.as_left = false;
  // The removal must be on disk before the database changes.
  SyncFolder(std::filesystem::path(path).parent_path().string());
  return taken;
}

}  // namespace bindery::store
