#include "app/process/hardening.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <system_error>
#include <tuple>
#include <utility>

#include "app/process/syscall_filter.h"
#include "app/process/witness_file.h"

namespace bindery::app {
namespace {

#ifdef BINDERY_SANITIZED
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// Of newer kernels than the headers this is built with may know.
constexpr std::uint64_t kRefer = 1ULL << 13U;
constexpr std::uint64_t kTruncate = 1ULL << 14U;

constexpr std::uint64_t kFileWrites = LANDLOCK_ACCESS_FS_WRITE_FILE;
constexpr std::uint64_t kWrites = kFileWrites | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                  LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                  LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                                  LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                  LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

std::string LastError() { return std::generic_category().message(errno); }

std::uint64_t GetWrites(long abi) {
  return kWrites | (abi >= 2 ? kRefer : 0) | (abi >= 3 ? kTruncate : 0);
}

/// What may be written of a path: of a file less than of a folder. Fails silently where nothing is:
/// then it cannot be written either.
void Allow(int rules, const std::filesystem::path& path, std::uint64_t writes) {
  const int opened = ::open(path.c_str(), O_PATH | O_CLOEXEC);
  if (opened < 0) return;
  struct stat found = {};
  if (::fstat(opened, &found) == 0) {
    landlock_path_beneath_attr rule = {};
    rule.parent_fd = opened;
    rule.allowed_access = S_ISDIR(found.st_mode) ? writes : writes & (kFileWrites | kTruncate);
    std::ignore = ::syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  }
  ::close(opened);
}

std::string ConfineWrites(const std::vector<std::filesystem::path>& writable) {
  const long abi =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (abi < 1) return "the kernel has none";
  const std::uint64_t writes = GetWrites(abi);
  landlock_ruleset_attr attributes = {};
  // The sanitizers run a program to name the functions in their reports.
  attributes.handled_access_fs = writes | (kSanitized ? 0 : LANDLOCK_ACCESS_FS_EXECUTE);
  const auto rules = static_cast<int>(
      ::syscall(SYS_landlock_create_ruleset, &attributes, sizeof(attributes.handled_access_fs), 0));
  if (rules < 0) return LastError();
  for (const std::filesystem::path& path : writable) Allow(rules, path, writes);
  Allow(rules, "/dev/null", writes);
  const bool done = ::syscall(SYS_landlock_restrict_self, rules, 0) == 0;
  std::string failure = done ? "" : LastError();
  ::close(rules);
  return failure;
}

/// SQLite looks for a folder for its temporary files where none can be written any more.
void KeepTemporaryFilesIn(const std::filesystem::path& folder) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): before there are threads
  std::ignore = ::setenv("SQLITE_TMPDIR", folder.c_str(), /*replace=*/0);
}

/// Of a file; of a link to it, of both.
void AddFoldersAbove(const std::filesystem::path& file,
                     std::vector<std::filesystem::path>& folders) {
  if (file.empty()) return;
  folders.push_back(file.has_parent_path() ? file.parent_path() : ".");
  std::error_code failed;
  const std::filesystem::path real = std::filesystem::weakly_canonical(file, failed);
  if (!failed && real.has_parent_path()) folders.push_back(real.parent_path());
}

std::string ForbidNewPrivileges() {
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? "" : LastError();
}

/// Neither a file nor a program that takes core files: the second ignores the limit.
std::string ForbidCoreDumps() {
  const rlimit none = {};
  std::ignore = ::setrlimit(RLIMIT_CORE, &none);  // A service manager may forbid the call.
  return ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? "" : LastError();
}

}  // namespace

Hardened Harden(const config::HardeningConfig& config,
                const std::vector<std::filesystem::path>& writable) {
  static Hardened hardened;
  static bool done = false;
  if (std::exchange(done, true)) return hardened;
  const auto note = [](const char* what, const std::string& failure) {
    if (failure.empty()) {
      hardened.in_force.emplace_back(what);
    } else {
      hardened.missing.push_back(std::string(what) + ": " + failure);
    }
    return failure.empty();
  };
  if (config.no_new_privileges) note("noNewPrivileges", ForbidNewPrivileges());
  if (config.landlock) {
    std::error_code ignored;
    for (const auto& folder : writable) std::filesystem::create_directories(folder, ignored);
    hardened.writes_are_confined = note("landlock", ConfineWrites(writable));
    if (hardened.writes_are_confined && !writable.empty()) KeepTemporaryFilesIn(writable.front());
  }
  // The sanitizers' own tools trace the process.
  if (config.seccomp && !kSanitized) note("seccomp", DenySystemCalls());
  if (!config.core_dumps && !kSanitized) note("noCoreDumps", ForbidCoreDumps());
  return hardened;
}

std::vector<std::filesystem::path> WritableFolders(const config::Config& config) {
  std::vector<std::filesystem::path> folders;
  AddFoldersAbove(config.store.file, folders);
  AddFoldersAbove(WitnessFile(config), folders);
  AddFoldersAbove(config.server.socket, folders);
  if (config.UsesEmbeddedCloud()) AddFoldersAbove(config.embedded_cloud.store, folders);
  if (!config.reports.directory.empty()) folders.push_back(config.reports.directory);
  // NOLINTNEXTLINE(concurrency-mt-unsafe): before there are threads
  const char* temporary = std::getenv("SQLITE_TMPDIR");
  if (temporary != nullptr && *temporary != '\0') folders.emplace_back(temporary);
#ifdef BINDERY_COVERAGE_FOLDER
  folders.emplace_back(BINDERY_COVERAGE_FOLDER);
#endif
  return folders;
}

}  // namespace bindery::app
