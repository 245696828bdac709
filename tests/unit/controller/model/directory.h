#pragma once

#include <array>
#include <compare>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "controller/claims/scan_input.h"
#include "manifests/directory/content_checks.h"
#include "manifests/files/seen_to_go.h"
#include "providers/registry/kinds.h"

namespace bindery::model {

/// One thing that may be granted: "t0 roles/viewer user:u1@example.com", with " if TITLE" under a
/// condition.
using GrantText = std::string;

/// Each manifest has a slot: its name, its target and its role.
inline constexpr int kSlots = 6;
[[nodiscard]] std::string GetName(int slot);
/// The targets: two IAM policies and a restriction policy.
inline constexpr std::array<const char*, 3> kTargets{"t0", "t1", "board"};
[[nodiscard]] inline bool IsBoard(const std::string& target) { return target == kTargets[2]; }
inline constexpr const char* kBoardId = "dashboard:abc-def-ghi";
/// One principal of the restriction policy is a team that a manifest beside it looks up.
inline constexpr const char* kTeam = "sre";
inline constexpr const char* kTeamId = "t-1";
inline constexpr const char* kOtherTeamId = "t-2";
/// In full, as the service of an IAM policy names it.
[[nodiscard]] std::string NameOfTarget(const std::string& target, bool by_number = false);
inline constexpr const char* kProjectNumber = "123456789012";

/// The folder below the directory, which holds some of the files.
inline constexpr const char* kFolderPath = "sub";

/// As manifests.verifyContent.
inline constexpr std::chrono::minutes kVerifyContent(20);

/// What a manifest says.
struct Doc {
  int slot = 0;
  int members = 1;                ///< Bits: who of its four.
  bool moved = false;             ///< Another role than it mostly names.
  std::optional<WallTime> until;  ///< What it grants ends then, and is removed.
  auto operator<=>(const Doc&) const = default;

  [[nodiscard]] std::string Target() const;
  [[nodiscard]] std::string Role() const;
  [[nodiscard]] std::vector<GrantText> Grants() const;
  /// It names the team that is looked up.
  [[nodiscard]] bool LooksUp() const { return slot == 5 && (members & 1) != 0; }
};

/// Why what a file holds cannot be seen.
enum class Unread { kNo, kSyntax, kUnreadable, kBlank, kRefusedName, kIgnoredName, kAside };

/// What people have in the manifests directory, and what a look at it shows. Both are known here;
/// the daemon is told only the second.
class Directory {
 public:
  explicit Directory(const providers::Kinds& kinds) : kinds_(kinds) {}

  // What people do. `at`: the time of the local clock, for stamps.
  void Put(const Doc& doc, WallTime at);
  void Delete(int slot, WallTime at);
  void Transfer(int slot, int file, WallTime at);
  void Rename(int file, WallTime at);
  void Drop(int file, WallTime at);
  void Break(int file, int how, WallTime at);
  void Mend(WallTime at);
  void Open(int file, int shown, WallTime at);
  void Close(WallTime at);
  void Cut(int file, int shown, WallTime at);
  void Git(int hidden, WallTime at);
  void Aside(int file, int name, WallTime at);
  void Backup(int file);
  void Twin(int file, int how, WallTime at);
  void Swap(const Doc& doc, bool gone);
  void Library(int hidden, WallTime at);
  void Remount(int how);
  void Mount(int how);
  /// What is seen is what is meant: an operator says so.
  void AcceptView(WallTime at);
  /// All that hinders is over; what is meant stays.
  void Heal(WallTime at);

  /// What people mean to be declared, seen or not.
  [[nodiscard]] std::vector<Doc> Meant() const;
  /// Nobody can tell from the directory alone that these are meant: in files whose names say that
  /// they are none of ours.
  [[nodiscard]] std::set<int> Ignored() const;
  [[nodiscard]] int GetFile(int slot) const;
  /// The same one for grounds that a run cannot tell apart which did not see both; 0: that on which
  /// all that is meant lies.
  [[nodiscard]] std::uint64_t GroundNumber() const;
  /// The same where the kernel numbers the mounts alike, which it does within a run alone.
  [[nodiscard]] std::uint64_t MountNumber() const { return mount_ >= 6 ? grounds_ : 0; }
  /// The slots of manifests that other stamps would have told of: nobody sees them for a while.
  [[nodiscard]] std::set<int> Unseen() const;
  /// The slots of manifests that lie on another ground.
  [[nodiscard]] std::set<int> Away() const;
  /// Where looks go, files are being written.
  [[nodiscard]] bool UnderWay() const;
  /// A git command runs.
  [[nodiscard]] bool GitAtWork() const { return git_.has_value(); }

  /// What a look shows; nothing: it fails, as there is no manifest file.
  /// `hinted`: at single files, which tells nothing of the directory as a whole.
  [[nodiscard]] std::optional<controller::ScanInput> Look(bool hinted, WallTime at);
  /// What the last look showed to be declared.
  [[nodiscard]] const std::set<GrantText>& Seen() const { return seen_; }
  /// The next look tells no difference to the one before.
  void ForgetEdits();

 private:
  struct File {
    std::vector<Doc> docs;
    Unread unread = Unread::kNo;
    int bytes = 0;
    bool renamed = false;
    bool open = false;
    int shown = 0;          ///< While it is open: so many grants from the beginning.
    int aside = 0;          ///< Which name a tool gave it.
    int backup = 0;         ///< The number of the bytes of a copy beside it; 0: there is none.
    std::string backup_of;  ///< Its path then.
    std::vector<Doc> twin;  ///< The manifests of its conflict copy; empty: there is none.
    int indexed = 0;        ///< What git's index says of it.
  };
  /// What was read of a file, and under which stamp.
  struct Read {
    int bytes = 0;
    bool renamed = false;
    std::vector<Doc> docs;
  };
  /// The folder "sub".
  enum class Folder { kFine, kUnreadable, kReplaced };
  using Content = std::map<std::string, std::shared_ptr<const manifests::FileContent>>;

  void Touch(File& file, WallTime at);
  [[nodiscard]] bool IsThere(int index, const File& file) const;
  [[nodiscard]] const std::vector<Doc>& ReadDocs(int index, const File& file);
  void CheckContents(WallTime at);
  [[nodiscard]] std::vector<manifests::GitIndexFile> Indexed() const;
  void ShowBackup(int index, const File& file, controller::ScanInput& input);
  void ShowTwin(int index, const File& file, Content& content);
  void ShowCheckout(const Content& content, controller::ScanInput& input);
  [[nodiscard]] static std::string MakePath(int index, const File& file);
  [[nodiscard]] static std::vector<Doc> Beginning(const std::vector<Doc>& docs, int grants);
  [[nodiscard]] bool IsIndexed(const std::string& path) const;
  [[nodiscard]] bool IsAway(int index, const File& file) const;
  [[nodiscard]] bool IsElsewhere(int index) const;
  void Show(int index, const File& file, Content& content, controller::ScanInput& input);
  void ShowStale(Content& content);
  void ShowFolder(controller::ScanInput& input);
  [[nodiscard]] manifests::Ground GroundNow() const;
  [[nodiscard]] std::shared_ptr<const manifests::Manifest> FindManifest(const Doc& doc,
                                                                        const std::string& path,
                                                                        int line);
  [[nodiscard]] std::shared_ptr<const manifests::Manifest> LookupIn(const std::string& path) const;
  void Put(Content& content, const std::string& path, const std::vector<Doc>& docs, Unread how,
           int bytes);
  [[nodiscard]] controller::ScanEdit EditTo(const Content& now) const;

  const providers::Kinds& kinds_;
  std::array<File, 4> files_;
  Folder folder_ = Folder::kFine;
  int folder_changes_ = 0;
  int bytes_ = 0;
  int mount_ = 0;
  manifests::Ground home_{"/m", "/m", 1, 2, 3, false, false, {{"sub", 5, 6, "", 7}}};
  std::uint64_t grounds_ = 100;
  std::optional<int> git_;      ///< A checkout is under way; bits: these files are away.
  std::optional<int> library_;  ///< A checkout without a lock; bits: these files are away.
  std::vector<manifests::GitIndexFile> index_;
  std::vector<manifests::GitIndexFile> index_before_;  ///< At the last look.
  manifests::SeenToGo gone_;
  std::array<std::optional<Read>, 4> read_;
  manifests::Listing listing_;  ///< Its files, for the rules of reading.
  manifests::ContentChecks checks_{kVerifyContent};
  bool sub_proves_ = true;
  bool looked_ = false;
  WallTime newest_{};
  std::set<GrantText> seen_;
  std::map<Doc, std::shared_ptr<const manifests::Manifest>> made_;
  Content last_;
};

}  // namespace bindery::model
