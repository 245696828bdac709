// What the daemon gave up fails from then on, each part has its switch, and what it needs goes on.

#include "app/process/hardening.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <functional>
#include <ostream>
#include <string>

#include "support/temp_dir.h"

namespace bindery::app {
namespace {

using testing::TempDir;
namespace fs = std::filesystem;

constexpr int kNotHardened = 250;
#ifdef BINDERY_SANITIZED
constexpr int kOfRunningAFile = 0;  // The sanitizers run programs themselves.
#else
constexpr int kOfRunningAFile = EACCES;
#endif
constexpr config::HardeningConfig kNothing = {false, false, false, true};

/// Two folders: the one that may be written, and another.
struct Folders {
  TempDir own;
  TempDir foreign;
};

int ErrnoOf(long result) { return result < 0 ? errno : 0; }

/// What `act` returns in a child that gave up these things; kNotHardened where the system lacks
/// them, -1 when a signal ended it.
int InChild(const config::HardeningConfig& config, const Folders& folders,
            const std::function<int(const Folders&)>& act) {
  std::fflush(nullptr);
  const ::pid_t child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);  // Another test may have changed its user.
    const Hardened hardened = Harden(config, {fs::path(folders.own.path())});
    const int wanted = static_cast<int>(config.no_new_privileges) +
                       static_cast<int>(config.seccomp) + static_cast<int>(config.landlock) +
                       static_cast<int>(!config.core_dumps);
    const bool done = hardened.in_force.size() == static_cast<std::size_t>(wanted);
    ::_exit(done ? act(folders) : kNotHardened);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int Create(const std::string& path) {
  const int file = ::open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (file >= 0) ::close(file);
  return ErrnoOf(file);
}

int RunProgram(const Folders& /*folders*/) {
  const char* const words[] = {"true", nullptr};
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): as execv() is declared
  ::execv("/bin/true", const_cast<char* const*>(words));
  return errno;
}

int BindSocket(const std::string& path) {
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): as the system wants it
  return ErrnoOf(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)));
}

struct HardeningCase {
  const char* name;
  config::HardeningConfig config;
  std::function<int(const Folders&)> act;
  int failure;      ///< With `config`.
  int without = 0;  ///< With all switches off; -1: not tried.
};

void PrintTo(const HardeningCase& tried, std::ostream* out) { *out << tried.name; }

constexpr config::HardeningConfig kSeccomp = {true, true, false, true};
constexpr config::HardeningConfig kLandlock = {true, false, true, true};
constexpr config::HardeningConfig kAll = {};

class HardeningTest : public ::testing::TestWithParam<HardeningCase> {};

TEST_P(HardeningTest, Fails) {
  const Folders folders;
  folders.foreign.Write("there", "as it was");
  const int result = InChild(GetParam().config, folders, GetParam().act);
  if (result == kNotHardened) GTEST_SKIP() << "this system cannot";
  EXPECT_EQ(result, GetParam().failure);
}

TEST_P(HardeningTest, IsAllowedWithoutIt) {
  if (GetParam().without < 0) GTEST_SKIP() << "only root may";
  const Folders folders;
  folders.foreign.Write("there", "as it was");
  EXPECT_EQ(InChild(kNothing, folders, GetParam().act), GetParam().without);
}

INSTANTIATE_TEST_SUITE_P(
    What, HardeningTest,
    ::testing::Values(
        HardeningCase{"RunsAProgram", kSeccomp, RunProgram, EPERM},
        HardeningCase{"RunsAFile", kLandlock, RunProgram, kOfRunningAFile},
        HardeningCase{"Traces", kSeccomp,
                      [](const Folders&) { return ErrnoOf(::ptrace(PTRACE_TRACEME, 0, 0, 0)); },
                      EPERM},
        HardeningCase{"ReadsOtherMemory", kSeccomp,
                      [](const Folders&) {
                        return ErrnoOf(
                            ::syscall(SYS_process_vm_readv, ::getpid(), nullptr, 0, nullptr, 0, 0));
                      },
                      EPERM},
        HardeningCase{"Mounts", kSeccomp,
                      [](const Folders& folders) {
                        return ErrnoOf(
                            ::mount("none", folders.own.path().c_str(), "tmpfs", 0, nullptr));
                      },
                      EPERM, -1},
        HardeningCase{"Unshares", kSeccomp,
                      [](const Folders&) { return ErrnoOf(::syscall(SYS_unshare, 0)); }, EPERM},
        HardeningCase{"ChangesPersonality", kSeccomp,
                      [](const Folders&) { return ErrnoOf(::personality(0xffffffff)); }, EPERM},
        HardeningCase{"WritesAFile", kLandlock,
                      [](const Folders& folders) { return Create(folders.foreign / "there"); },
                      EACCES},
        HardeningCase{"CreatesAFile", kLandlock,
                      [](const Folders& folders) { return Create(folders.foreign / "new"); },
                      EACCES},
        HardeningCase{"CreatesInTemporaryFolder", kLandlock,
                      [](const Folders& folders) {
                        const std::string path = folders.foreign.path().string() + ".new";
                        const int failure = Create(path);
                        ::unlink(path.c_str());
                        return failure;
                      },
                      EACCES},
        HardeningCase{"MakesAFolder", kLandlock,
                      [](const Folders& folders) {
                        return ErrnoOf(::mkdir((folders.foreign / "new").c_str(), 0700));
                      },
                      EACCES},
        HardeningCase{"RemovesAFile", kLandlock,
                      [](const Folders& folders) {
                        return ErrnoOf(::unlink((folders.foreign / "there").c_str()));
                      },
                      EACCES},
        HardeningCase{"Links", kLandlock,
                      [](const Folders& folders) {
                        return ErrnoOf(::symlink("/etc", (folders.foreign / "new").c_str()));
                      },
                      EACCES},
        HardeningCase{"BindsASocket", kLandlock,
                      [](const Folders& folders) { return BindSocket(folders.foreign / "socket"); },
                      EACCES},
        HardeningCase{"GainsPrivileges", kAll,
                      [](const Folders&) { return ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0); }, 1},
        HardeningCase{"IsDumped", kAll,
                      [](const Folders&) { return ::prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }, 0, 1},
        HardeningCase{"LeavesACoreFile", kAll,
                      [](const Folders&) {
                        rlimit limit = {1, 1};
                        ::getrlimit(RLIMIT_CORE, &limit);
                        return static_cast<int>(limit.rlim_cur + limit.rlim_max);
                      },
                      0, -1}),
    [](const auto& made) { return std::string(made.param.name); });

/// A call that this program does not know must look as on a kernel that does not know it: the next
/// release of a library may try it first.
TEST(Hardening, ACallThatIsNotKnownIsAnErrorAndNoEnd) {
  const Folders folders;
  const int result = InChild(kAll, folders, [](const Folders&) {
    constexpr long kNotYet = 9999;
    return ErrnoOf(::syscall(kNotYet));
  });
  if (result == kNotHardened) GTEST_SKIP() << "this system cannot";
  EXPECT_EQ(result, ENOSYS);
}

#if defined(__x86_64__)
/// The same calls under other numbers, where the kernel has that ABI.
TEST(Hardening, CallsOfAnotherAbiAreForbidden) {
  const Folders folders;
  const int result = InChild(kSeccomp, folders, [](const Folders&) {
    constexpr long kOtherAbi = 0x40000000;
    return ErrnoOf(::syscall(kOtherAbi | SYS_getpid));
  });
  if (result == kNotHardened) GTEST_SKIP() << "this system cannot";
  EXPECT_EQ(result, EPERM);
}
#endif

TEST(Hardening, WritesWhereItMay) {
  const Folders folders;
  const int result = InChild(kAll, folders, [](const Folders& f) {
    if (const int failure = Create(f.own / "a"); failure != 0) return failure;
    if (::mkdir((f.own / "b").c_str(), 0700) != 0) return errno;
    if (::rename((f.own / "a").c_str(), (f.own / "b/a").c_str()) != 0) return errno;
    if (::truncate((f.own / "b/a").c_str(), 0) != 0) return errno;
    if (::unlink((f.own / "b/a").c_str()) != 0) return errno;
    return BindSocket(f.own / "socket");
  });
  if (result == kNotHardened) GTEST_SKIP() << "this system cannot";
  EXPECT_EQ(result, 0);
}

TEST(Hardening, NamesTheFoldersOfFilesAndOfWhatTheyLinkTo) {
  const TempDir dir;
  fs::create_directories(dir / "far");
  dir.Write("far/bindery.db", "");
  fs::create_directories(dir / "state");
  fs::create_symlink(dir / "far/bindery.db", dir / "state/bindery.db");
  config::Config config;
  config.store = dir / "state/bindery.db";
  config.server.socket = dir / "run/bindery.sock";
  config.reports.directory = dir / "reports";
  const auto folders = WritableFolders(config);
  EXPECT_EQ(folders.front(), fs::path(dir / "state"));
  for (const char* folder : {"far", "run", "reports"}) {
    EXPECT_THAT(folders, ::testing::Contains(fs::path(dir / folder)));
  }
  EXPECT_THAT(folders, ::testing::Not(::testing::Contains(fs::path("/tmp"))));
}

}  // namespace
}  // namespace bindery::app
