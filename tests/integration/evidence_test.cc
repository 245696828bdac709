// Nothing is taken away because something could not be read: real files, real faults.

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <ostream>

#include "integration/manifests.h"
#include "integration/world.h"
#include "support/own_mounts.h"

namespace bindery::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A daemon with one manifest that is in force, and settles soon.
class EvidenceJob : public ::testing::Test {
 protected:
  void Start(const std::string& settle) {
    world_.SetEnvironment("BINDERY_MANIFESTS_SETTLE", settle);
    world_.dir().Write("manifests/team/a.yaml", Text());
    world_.dir().Write("manifests/keep.yaml",
                       Binding("editors", "roles/editor", "[user:eve@example.com]"));
    world_.StartDaemon();
    world_.Eventually("ready",
                      [&] { return world_.IsReady("viewers") && world_.IsReady("editors"); });
  }
  static std::string Text() {
    return Binding("viewers", "roles/viewer", "[" + std::string(kAna) + "]");
  }
  /// All who look for the viewers are told what keeps them, and that this is not as declared.
  void ExpectNamedByCommands(const std::string& blocker) {
    using Arguments = std::vector<std::string>;
    for (const Arguments& command :
         {Arguments{"reconcile", "viewers"}, Arguments{"reconcile", "--now", "viewers"},
          Arguments{"plan", "viewers"}, Arguments{"plan"}}) {
      const auto told = world_.Run(command);
      EXPECT_EQ(told.exit_code, 1) << command[0] << command.back() << told.out;
      EXPECT_THAT(told.out, HasSubstr(blocker)) << command[0] << " " << command.back();
    }
    world_.Eventually("it is told of", [&] {
      const std::string told = world_.Ask("GET", "/readyz?verbose").body;
      return told.find("viewers: ") != std::string::npos && told.find(blocker) != std::string::npos;
    });
  }
  [[nodiscard]] fs::path Folder() const { return world_.dir().path() / "manifests"; }
  [[nodiscard]] std::vector<std::string> Viewers() {
    return world_.Members(kPayments, "roles/viewer");
  }

  World world_{kSeed, "guard: {maxRemovedFraction: 1.0}\nreconcile: {interval: 1s, jitter: 0}\n"};
};

struct Fault {
  const char* name;
  void (*make)(const fs::path& folder);
  const char* reason;   ///< Of the status.
  const char* blocker;  ///< Part of its message.
};

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

void WriteText(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

void Replace(const fs::path& folder, const std::string& name, const std::string& text) {
  fs::remove(folder / "team/a.yaml");
  WriteText(folder / name, text);
}

class EvidenceFault : public EvidenceJob, public ::testing::WithParamInterface<Fault> {};

TEST_P(EvidenceFault, TakesNothingAwayAndIsNamed) {
  Start("300ms");
  GetParam().make(Folder());
  world_.Eventually("it is said", [&] { return world_.Reason("viewers") == GetParam().reason; });
  EXPECT_THAT(StringMember(world_.Status("viewers"), "message"), HasSubstr(GetParam().blocker));
  // A folder that went is known to the daemon that saw it go, for one run.
  const std::set<std::string> folders = {"HiddenFolder", "FolderWithTwoDots", "TemporaryFolder",
                                         "FolderReplacedByAFile"};
  const bool for_one_run = folders.contains(GetParam().name);
  if (!for_one_run) ExpectNamedByCommands(GetParam().blocker);
  // A check of its own later, long after the directory has settled.
  const auto seen = [&] { return world_.Ask("GET", "/readyz?verbose").body; };
  world_.Eventually("two more passes", [&] {
    return world_.Run({"reconcile", "editors"}).exit_code == 0;
  });
  EXPECT_THAT(Viewers(), ElementsAre(kAna)) << seen();
  world_.Kill(SIGTERM);
  world_.StartDaemon();
  world_.Eventually("it is said again",
                    [&] { return world_.Reason("viewers") == GetParam().reason; });
  EXPECT_THAT(Viewers(), ElementsAre(kAna)) << "also not by a restart";
  if (!for_one_run) ExpectNamedByCommands(GetParam().blocker);
}

INSTANTIATE_TEST_SUITE_P(
    Directory, EvidenceFault,
    ::testing::Values(
        Fault{"RenamedAndBroken",
              [](const fs::path& folder) { Replace(folder, "b.yaml", "kind: [\n"); },
              "RemovalBlocked", "b.yaml"},
        Fault{"RenamedAndEmptied",
              [](const fs::path& folder) { Replace(folder, "b.yaml", "# moved\n---\n"); },
              "RemovalBlocked", "b.yaml"},
        Fault{"Emptied", [](const fs::path& folder) { WriteText(folder / "team/a.yaml", "---\n"); },
              "ManifestInvalid", "a.yaml"},
        Fault{"ConflictMarkers",
              [](const fs::path& folder) {
                Replace(folder, "all.yaml", "<<<<<<< ours\na: b\n=======\n>>>>>>> theirs\n");
              },
              "RemovalBlocked", "all.yaml"},
        Fault{"Hidden",
              [](const fs::path& folder) {
                fs::rename(folder / "team/a.yaml", folder / "team/.a.yaml");
              },
              "RemovalBlocked", ".a.yaml"},
        Fault{"HiddenFolder",
              [](const fs::path& folder) { fs::rename(folder / "team", folder / ".team"); },
              "RemovalBlocked", ".team"},
        Fault{"CapitalsInTheEnding",
              [](const fs::path& folder) {
                fs::rename(folder / "team/a.yaml", folder / "team/a.YAML");
              },
              "RemovalBlocked", "a.YAML"},
        Fault{"TwoDots",
              [](const fs::path& folder) {
                fs::rename(folder / "team/a.yaml", folder / "team/..a.yaml");
              },
              "RemovalBlocked", "..a.yaml"},
        Fault{"FolderWithTwoDots",
              [](const fs::path& folder) { fs::rename(folder / "team", folder / "..team"); },
              "RemovalBlocked", "..team"},
        Fault{"TemporaryFolder",
              [](const fs::path& folder) { fs::rename(folder / "team", folder / "team.tmp"); },
              "RemovalBlocked", "team.tmp"},
        Fault{"ControlCharacter",
              [](const fs::path& folder) {
                fs::rename(folder / "team/a.yaml", folder / "team/a\x01.yaml");
              },
              "RemovalBlocked", "a\\x01.yaml"},
        Fault{"DanglingLink",
              [](const fs::path& folder) {
                fs::remove(folder / "team/a.yaml");
                fs::create_symlink("/nowhere/a.yaml", folder / "b.yaml");
              },
              "RemovalBlocked", "b.yaml"},
        Fault{"FolderReplacedByAFile",
              [](const fs::path& folder) {
                fs::remove_all(folder / "team");
                WriteText(folder / "team", "x");
              },
              "RemovalBlocked", "team"}),
    [](const auto& param) { return std::string(param.param.name); });

TEST_F(EvidenceJob, WhatAnItemMayHaveHeldGoesWithTheItem) {
  Start("300ms");
  fs::rename(Folder() / "team/a.yaml", Folder() / "team/a.yaml.bak");
  world_.Eventually("it is kept", [&] { return world_.Reason("viewers") == "RemovalBlocked"; });
  fs::remove(Folder() / "team/a.yaml.bak");
  world_.Eventually("nobody is a viewer", [&] { return Viewers().empty(); });
}

TEST_F(EvidenceJob, ADeletionTakesEffectOnceTheDirectoryHasSettled) {
  Start("300ms");
  fs::remove(Folder() / "team/a.yaml");
  world_.Eventually("the grant is gone", [&] { return Viewers().empty(); });
  EXPECT_THAT(world_.Members(kPayments, "roles/editor"), ElementsAre("user:eve@example.com"));
}

TEST_F(EvidenceJob, AnUrgentDeletionDoesNotWait) {
  Start("1h");
  fs::remove(Folder() / "team/a.yaml");
  world_.Eventually("it waits", [&] { return world_.Reason("viewers") == "RemovalPending"; });
  EXPECT_THAT(Viewers(), ElementsAre(kAna));
  world_.Eventually("it is told of", [&] {
    const std::string told = world_.Ask("GET", "/readyz?verbose").body;
    return told.find("removals ok: 1 target has") != std::string::npos;
  });
  const auto waits = world_.Run({"reconcile", "viewers"});
  EXPECT_EQ(waits.exit_code, 1);
  EXPECT_THAT(waits.out, HasSubstr("viewers: a removal is blocked: 1 grant"));
  EXPECT_EQ(world_.Run({"plan", "viewers"}).exit_code, 1);
  EXPECT_EQ(world_.Run({"reconcile", "--now"}).exit_code, 2) << "of whom?";
  static_cast<void>(world_.Run({"reconcile", "--now", "viewers"}));
  world_.Eventually("the grant is gone", [&] { return Viewers().empty(); });
}

TEST_F(EvidenceJob, AFileThatIsOpenForWritingIsNotBelieved) {
  Start("300ms");
  const std::string file = Folder() / "team/a.yaml";
  const int fd = ::open(file.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  const std::string text = Binding("viewers", "roles/viewer", "[user:bob@example.com]");
  ASSERT_EQ(::write(fd, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  // Neither what it gives up nor what it adds: half of a manifest may say more than the whole.
  world_.dir().Write("manifests/later.yaml",
                     Binding("later", "roles/owner", "[user:eve@example.com]"));
  world_.Eventually("the directory is looked at", [&] { return world_.IsReady("later"); });
  EXPECT_THAT(Viewers(), ElementsAre(kAna));
  ::close(fd);
  world_.Eventually("closed and settled",
                    [&] { return Viewers() == std::vector<std::string>{"user:bob@example.com"}; });
}

TEST_F(EvidenceJob, AGitBisectBelowIsWaitedFor) {
  Start("300ms");
  world_.dir().Write("manifests/team/.git/BISECT_LOG", "git bisect start\n");
  fs::remove(Folder() / "team/a.yaml");
  world_.Eventually("it waits", [&] {
    const std::string message = StringMember(world_.Status("viewers"), "message");
    return message.find("BISECT_LOG") != std::string::npos;
  });
  EXPECT_THAT(Viewers(), ElementsAre(kAna));
  fs::remove(Folder() / "team/.git/BISECT_LOG");
  world_.Eventually("the bisect ended", [&] { return Viewers().empty(); });
}

TEST_F(EvidenceJob, FoldersThatAreNotReadAnyMoreAreAskedAbout) {
  Start("300ms");
  world_.Kill(SIGTERM);
  world_.SetEnvironment("BINDERY_MANIFESTS_RECURSIVE", "false");
  world_.StartDaemon();
  world_.Eventually("it asks", [&] { return world_.Reason("viewers") == "RemovalBlocked"; });
  EXPECT_THAT(StringMember(world_.Status("viewers"), "message"), HasSubstr("manifests.recursive"));
  EXPECT_THAT(Viewers(), ElementsAre(kAna));
}

/// Something is mounted, and then it is not: below it lies what the manifests were once.
struct Mount {
  const char* name;
  void (*make)(OwnMounts& mounts, const fs::path& folder);
  const char* where;  ///< Undone: relative to the world.
  bool down;          ///< While the daemon is down.
};

void PrintTo(const Mount& mount, std::ostream* out) { *out << mount.name; }

class EvidenceMount : public EvidenceJob, public ::testing::WithParamInterface<Mount> {
 protected:
  OwnMounts mounts_;
};

TEST_P(EvidenceMount, IsAskedAbout) {
  if (!mounts_.allowed()) GTEST_SKIP() << "mounting takes CAP_SYS_ADMIN";
  const std::string where = world_.dir() / GetParam().where;
  world_.dir().Write("manifests/keep.yaml",
                     Binding("editors", "roles/editor", "[user:eve@example.com]"));
  GetParam().make(mounts_, Folder());
  world_.SetEnvironment("BINDERY_MANIFESTS_SETTLE", "300ms");
  world_.StartDaemon();
  world_.Eventually("ready",
                    [&] { return world_.IsReady("viewers") && world_.IsReady("editors"); });
  if (GetParam().down) world_.Kill(SIGTERM);
  mounts_.Undo(where);
  if (GetParam().down) world_.StartDaemon();
  world_.Eventually("it asks", [&] { return world_.Reason("viewers") == "RemovalBlocked"; });
  EXPECT_THAT(StringMember(world_.Status("viewers"), "message"), HasSubstr("volume"));
  EXPECT_THAT(Viewers(), ElementsAre(kAna));
}

/// What is mounted on `folder` declares the viewers.
void MountOn(OwnMounts& mounts, const fs::path& folder) {
  fs::create_directories(folder);
  ASSERT_TRUE(mounts.Empty(folder));
  WriteText(folder / "a.yaml", Binding("viewers", "roles/viewer", "[" + std::string(kAna) + "]"));
}

void MountFile(OwnMounts& mounts, const fs::path& folder) {
  const fs::path other = folder.parent_path() / "other.yaml";
  WriteText(other, Binding("viewers", "roles/viewer", "[" + std::string(kAna) + "]"));
  WriteText(folder / "a.yaml", Binding("extra", "roles/browser", "[user:eve@example.com]"));
  ASSERT_TRUE(mounts.Bind(other, folder / "a.yaml"));
}

INSTANTIATE_TEST_SUITE_P(Directory, EvidenceMount,
                         ::testing::Values(Mount{"File", &MountFile, "manifests/a.yaml", false},
                                           Mount{"FileWhileDown", &MountFile, "manifests/a.yaml",
                                                 true},
                                           Mount{"Folder",
                                                 [](OwnMounts& mounts, const fs::path& folder) {
                                                   MountOn(mounts, folder / "team");
                                                 },
                                                 "manifests/team", false},
                                           Mount{"BehindALink",
                                                 [](OwnMounts& mounts, const fs::path& folder) {
                                                   MountOn(mounts, folder / ".vol");
                                                   fs::create_symlink(".vol", folder / "team");
                                                 },
                                                 "manifests/.vol", false},
                                           Mount{"BehindALinkWhileDown",
                                                 [](OwnMounts& mounts, const fs::path& folder) {
                                                   MountOn(mounts, folder / ".vol");
                                                   fs::create_symlink(".vol", folder / "team");
                                                 },
                                                 "manifests/.vol", true},
                                           Mount{"ItselfWhileDown",
                                                 [](OwnMounts& mounts, const fs::path& folder) {
                                                   MountOn(mounts, folder);
                                                   WriteText(folder / "keep.yaml",
                                                             Binding("editors", "roles/editor",
                                                                     "[user:eve@example.com]"));
                                                 },
                                                 "manifests", true}),
                         [](const auto& param) { return std::string(param.param.name); });

TEST_F(EvidenceJob, AnotherDirectoryIsAskedAbout) {
  Start("300ms");
  world_.Kill(SIGTERM);
  world_.dir().Write("others/keep.yaml",
                     Binding("editors", "roles/editor", "[user:eve@example.com]"));
  world_.SetEnvironment("BINDERY_MANIFESTS_DIRECTORY", world_.dir() / "others");
  world_.StartDaemon();
  world_.Eventually("it asks", [&] { return world_.Reason("viewers") == "RemovalBlocked"; });
  EXPECT_THAT(Viewers(), ElementsAre(kAna));
  const Json held = world_.RunJson({"guard"});
  ASSERT_EQ(held.at("holds").size(), 1U) << held.dump();
  const std::string digest = StringMember(held.at("holds").at(0), "digest");
  EXPECT_EQ(world_.Run({"guard", "approve", digest}).exit_code, 0);
  world_.Eventually("approved", [&] { return Viewers().empty(); });
}

}  // namespace
}  // namespace bindery::testing
