#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"
#include "manifests/documents/file_list.h"
#include "manifests/files/digest_sum.h"
#include "manifests/files/directory_facts.h"
#include "manifests/schema/problem.h"

namespace bindery::manifests {

/// Decodes one file. `relative_path` is what FileContent::path and the sources of its manifests
/// get. Called from up to DirectorySettings::threads threads at once; must not depend on the order.
using FileLoader =
    std::function<FileContent(std::string_view text, const std::string& relative_path)>;

struct DirectorySettings {
  std::filesystem::path directory;  ///< May be a link, or lie behind one.
  bool recursive = true;
  std::size_t max_files = 50'000;                 ///< More: the whole directory is refused.
  std::uint64_t max_file_bytes = 16ULL << 20U;    ///< More: that file is a problem.
  std::uint64_t max_total_bytes = 512ULL << 20U;  ///< More: the whole directory is refused.
  std::size_t max_depth = 32;                     ///< Folders within folders.
  /// How long after a change a second change may leave the stamp of a file unchanged: the file is
  /// read again until a reading is later. No file system in use counts time more coarsely than FAT,
  /// with 2 s.
  std::chrono::milliseconds coarsest_clock{2000};
  /// Files that were read for this long without a change have been quiet long enough to be settled.
  /// Nothing: only a state found by two scans is settled.
  std::optional<std::chrono::milliseconds> quiet = {};
  /// Within this time each file is read again, also with the same stamp; 0: never. If stamps prove
  /// nothing, every Scan() reads all files.
  std::chrono::milliseconds verify_content{0};
  std::size_t threads = 0;  ///< For reading, when there is much to read; 0: as many as cores.
};

/// One consistent state of the directory.
struct DirectoryScan {
  /// Over all paths with their content, and all that could not be read and why: equal digests,
  /// equal meaning. The SHA-256 of the sum (modulo 2^256) of the SHA-256 of each file's path and
  /// digest, followed by `broken` and `problems`; so one file's change costs one file's hashing.
  std::string digest;
  /// False: a recent change may be incomplete. Scan again after a short quiet time before acting on
  /// the state.
  bool settled = false;
  /// False: only what was hinted was looked at. All the same `files`, `problems` and `broken` are
  /// those of the whole directory.
  bool complete = true;
  FileList files;             ///< Sorted by path.
  std::size_t manifests = 0;  ///< In all of them.
  /// Problems of the directory and of unreadable items, sorted by file; all of severity error.
  /// Problems within a file are in its FileContent.
  std::vector<Problem> problems;
  /// Those within files, file by file. Never null; a scan without news shares the list of the scan
  /// before.
  std::shared_ptr<const std::vector<Problem>> file_problems =
      std::make_shared<const std::vector<Problem>>();
  /// Unreadable or undecodable items, relative to the directory. A folder is listed by its
  /// own path and by the paths of its known files: their declarations are unknown, not
  /// gone.
  std::set<std::string> broken;
  std::size_t parsed = 0;  ///< Files the loader was called for.
  std::size_t reused = 0;  ///< Files taken over from the scan before.

  /// A file whose stamp proves its content: opened and read long enough after the change.
  struct Remembered {
    SharedFile content;
    std::string stamp;  ///< As KnownFile::stamp.
  };

  // The differences from the last settled scan that was handed out, or from the seed. All empty
  // when this scan is not settled: the next settled scan has the differences.

  /// The members of `files` that are new or changed, sorted by path.
  std::vector<SharedFile> changed;
  /// The former versions of these files, and deleted files; sorted by path.
  std::vector<SharedFile> former;
  /// Paths that left `files`, sorted. Paths that are in `broken` may still exist.
  std::vector<std::string> gone;
  /// Entries to keep for DirectorySource::Seed, replacing earlier entries of the path.
  std::vector<Remembered> remember;
  /// How far the scan can be believed when something is missing from it. Complete for every scan,
  /// but for what only a look at all folders tells.
  DirectoryFacts facts;
  /// Paths for which nothing may be kept any more: gone, unreadable, or changed too recently. None
  /// is in `remember`.
  std::vector<std::string> unremember;
};

/// A file in the knowledge of an earlier run.
struct KnownFile {
  std::string stamp;  ///< What it looked like: opaque, 40 bytes that may be NULs.
  SharedFile content;
};

/// Suffix of errors of the whole directory: says that nothing was deleted.
inline constexpr std::string_view kNothingDeleted =
    ": what was loaded before stays in force and nothing is deleted";

/// Reads a directory of manifests, and never mistakes a half-written, unreadable or just exchanged
/// file for a deletion. Keeps the read data: an unchanged file is not opened again where stamps
/// prove that it is unchanged (StampsProve), except once in `verify_content`, and a file with the
/// same bytes is not parsed again. Not thread-safe; never throws.
///
/// Which files: `.yaml`, `.yml`, `.json`; not those whose name begins with a dot, nor
/// editors' files (`x~`, `#x#`, `*.swp`, `*.tmp`, `*.bak` and the like). The same
/// names of folders are skipped. What bears a manifest's name without being a regular
/// file is a problem. Links are followed when what they lead to lies within the
/// directory (its real path): that is how a ConfigMap volume looks, with files that
/// are links through `..data`. So are links to folders, unless that folder is read
/// already: a link back up, or to a folder with a separate place in the tree, is a
/// problem.
class DirectorySource {
 public:
  DirectorySource(DirectorySettings settings, FileLoader loader);
  ~DirectorySource();
  DirectorySource(const DirectorySource&) = delete;
  DirectorySource& operator=(const DirectorySource&) = delete;
  DirectorySource(DirectorySource&&) noexcept;
  DirectorySource& operator=(DirectorySource&&) noexcept;

  /// Lists, reads what is new, and looks again. Blocks. The result is settled when
  /// `assume_settled`, when the listing is that of the scan before, or when the change was made at
  /// a stroke, by moving the link the directory lies behind or a `..data` within it.
  ///
  /// An error says that nothing is known of the declared state; the caller keeps everything in
  /// force: kNotFound, kPermissionDenied, kUnavailable (an I/O error), kFailedPrecondition (not a
  /// directory, or no manifest file in it), kResourceExhausted (a limit), kAborted (it changed
  /// while it was read: try again soon).
  [[nodiscard]] Expected<DirectoryScan> Scan(bool assume_settled);

  /// Looks at nothing but those files (relative to the directory, each written, made, moved or
  /// removed since the last scan) and takes them for settled: its cost is that of the files,
  /// whatever the directory holds. Where that would not tell all it is Scan(true): before there is
  /// a settled scan, in a tree with links, for a file with several names or a folder that was not
  /// listed, and for what could not be read before or cannot be now. After an error the hints are
  /// as new: pass them again, or scan everything.
  [[nodiscard]] Expected<DirectoryScan> ScanHinted(const std::vector<std::string>& files);

  /// Before the first scan: the remembered files of an earlier run. A file with an unchanged stamp
  /// is taken over without being opened. Contents are trusted: they must equal the result of the
  /// run's loader. `sum`: of all these files, if known.
  void Seed(std::vector<KnownFile> files, const std::optional<DigestSum>& sum = std::nullopt);

  /// The same on a separate thread: the next scan waits for it.
  void SeedAhead(std::vector<KnownFile> files, const DigestSum& sum);

  /// Begins to list the directory, on a separate thread: the next Scan() starts from the list. The
  /// list may miss later changes.
  void ListAhead();

  /// For tests: called between reading and looking again, whenever there was something to read.
  void CallBeforeLookingAgain(std::function<void()> hook);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace bindery::manifests
