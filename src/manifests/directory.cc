#include "manifests/directory.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/digest.h"
#include "manifests/file_names.h"
#include "manifests/file_reader.h"
#include "manifests/listing.h"

namespace bindery {
namespace {

bool IsUndecodable(const FileContent& content) {
  return content.manifests.empty() &&
         std::any_of(content.problems.begin(), content.problems.end(), [](const Problem& problem) {
           return problem.severity == ProblemSeverity::kError && problem.code == "InvalidText";
         });
}

/// Paths hold no NUL, and neither do problems.
std::string DigestOf(const DirectoryScan& scan) {
  std::string text;
  for (const auto& file : scan.files) {
    text.append(file->path).append(1, '\0').append(file->digest).append(1, '\0');
  }
  text.append(1, '\0');
  for (const std::string& path : scan.broken) text.append(path).append(1, '\0');
  text.append(1, '\0');
  for (const Problem& problem : scan.problems) {
    text.append(problem.file).append(1, '\0').append(problem.code).append(1, '\0');
    text.append(problem.message).append(1, '\0');
  }
  return Sha256Hex(text);
}

bool HasWork(const Listing& listing) {
  return std::any_of(
      listing.folders.begin(), listing.folders.end(), [](const ListedFolder& folder) {
        return std::any_of(folder.files.begin(), folder.files.end(), [](const ListedFile& file) {
          return file.content == nullptr || !file.proven;
        });
      });
}

}  // namespace

class DirectorySource::Impl {
 public:
  Impl(DirectorySettings settings, FileLoader loader)
      : settings_(std::move(settings)), loader_(std::move(loader)) {}

  Expected<DirectoryScan> Scan(bool assume_settled) {
    const Expected<OpenRoot> root = OpenDirectory(settings_);
    if (!root) return Fail(root.error());
    Expected<Listing> listed = List(*root, settings_);
    if (!listed) return Fail(listed.error());
    Listing& listing = *listed;

    const bool same = known_ && SameListing(*known_, listing);
    if (same && verified_ && !HasWork(*known_)) return Again();
    const bool swapped = known_ && !same && OnlySwapped(*known_, listing);
    if (known_) AdoptContents(*known_, listing);
    const Expected<ReadOutcome> read = ReadFiles(*root, settings_, loader_, listing);
    if (read && hook_) hook_();
    std::optional<Error> changed =
        read ? LookAgain(*root, listing, settings_) : std::optional(read.error());
    known_ = std::move(listing);
    verified_ = false;
    if (changed) return Fail(std::move(*changed));

    DirectoryScan scan = Assemble(*read);
    scan.settled = assume_settled || swapped || (same && !read->rewritten);
    if (scan.files.empty()) return Fail(HoldsNothing(scan));
    verified_ = true;
    last_ = scan;
    return scan;
  }

  void SetHook(std::function<void()> hook) { hook_ = std::move(hook); }

 private:
  /// Nothing was read, so there was nothing that could have changed meanwhile.
  Expected<DirectoryScan> Again() {
    DirectoryScan scan = last_;
    scan.settled = true;
    scan.parsed = 0;
    scan.reused = scan.files.size();
    return scan;
  }

  DirectoryScan Assemble(const ReadOutcome& read) const {
    DirectoryScan scan;
    scan.problems = known_->problems;
    scan.problems.insert(scan.problems.end(), read.problems.begin(), read.problems.end());
    std::stable_sort(scan.problems.begin(), scan.problems.end(),
                     [](const Problem& a, const Problem& b) { return a.file < b.file; });
    scan.broken = known_->broken;
    for (const std::string& folder : known_->broken_folders) AddKnownBeneath(folder, scan.broken);
    for (const Problem& problem : read.problems) scan.broken.insert(problem.file);
    scan.files.reserve(known_->file_count);
    for (const ListedFolder& folder : known_->folders) {
      for (const ListedFile& file : folder.files) {
        if (file.content == nullptr) continue;
        scan.files.push_back(file.content);
        if (IsUndecodable(*file.content)) scan.broken.insert(file.content->path);
      }
    }
    std::sort(scan.files.begin(), scan.files.end(),
              [](const auto& a, const auto& b) { return a->path < b->path; });
    scan.parsed = read.parsed;
    scan.reused = scan.files.size() - read.parsed;
    scan.digest = DigestOf(scan);
    return scan;
  }

  /// A folder that cannot be read still holds what it held when it last could be.
  void AddKnownBeneath(const std::string& folder, std::set<std::string>& broken) const {
    for (const auto& file : last_.files) {
      if (IsWithin(file->path, folder)) broken.insert(file->path);
    }
    for (const std::string& path : last_.broken) {
      if (IsWithin(path, folder)) broken.insert(path);
    }
  }

  [[nodiscard]] Error HoldsNothing(const DirectoryScan& scan) const {
    Error error;
    error.code = Code::kFailedPrecondition;
    error.message = Named(settings_) + " holds no manifest files (.yaml, .yml, .json)";
    if (!scan.problems.empty()) {
      error.message += " that can be read (" + scan.problems.front().Text() + ")";
    }
    error.message += kNothingDeleted;
    return error;
  }

  DirectorySettings settings_;
  FileLoader loader_;
  std::function<void()> hook_;
  std::optional<Listing> known_;  ///< Of the last scan that got as far, with what was read.
  bool verified_ = false;         ///< It is that of last_: nothing changed while it was read.
  DirectoryScan last_;            ///< Of the last scan that was handed out.
};

DirectorySource::DirectorySource(DirectorySettings settings, FileLoader loader)
    : impl_(std::make_unique<Impl>(std::move(settings), std::move(loader))) {}
DirectorySource::~DirectorySource() = default;
DirectorySource::DirectorySource(DirectorySource&&) noexcept = default;
DirectorySource& DirectorySource::operator=(DirectorySource&&) noexcept = default;

Expected<DirectoryScan> DirectorySource::Scan(bool assume_settled) {
  return impl_->Scan(assume_settled);
}

void DirectorySource::CallBeforeLookingAgain(std::function<void()> hook) {
  impl_->SetHook(std::move(hook));
}

}  // namespace bindery
