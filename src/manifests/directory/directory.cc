#include "manifests/directory/directory.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <optional>
#include <utility>

#include "core/text/text_search.h"
#include "manifests/directory/content_checks.h"
#include "manifests/directory/facts_keeper.h"
#include "manifests/directory/file_reader.h"
#include "manifests/directory/hinted_look.h"
#include "manifests/directory/known_directory.h"
#include "manifests/directory/listing.h"
#include "manifests/files/file_names.h"

namespace bindery::manifests {

class DirectorySource::Impl {
 public:
  Impl(DirectorySettings settings, FileLoader loader)
      : settings_(std::move(settings)), loader_(std::move(loader)) {}

  void SeedAhead(std::vector<KnownFile> files, const DigestSum& sum) {
    seeding_ = std::async(std::launch::async, [this, files = std::move(files), sum]() mutable {
      Seed(std::move(files), sum);
    });
  }

  void Seed(std::vector<KnownFile> files, const std::optional<DigestSum>& sum) {
    known_.Seed(std::move(files), sum);
    handed_ = known_.contents().files();
  }

  void ListAhead() {
    ahead_ = std::async([this] { return Look::At(settings_); });
  }

  Expected<DirectoryScan> Scan(bool assume_settled) {
    if (seeding_.valid()) seeding_.get();
    Expected<Look> look = ahead_.valid() ? ahead_.get() : Look::At(settings_);
    if (!look) return Fail(look.error());
    return ScanAll(look->root, std::move(look->listing), assume_settled);
  }

  Expected<DirectoryScan> ScanHinted(const std::vector<std::string>& hints) {
    ahead_ = {};  // What the hints tell may be newer.
    if (seeding_.valid()) seeding_.get();
    const Expected<OpenRoot> root = OpenDirectory(settings_);
    if (!root) return Fail(root.error());
    if (!HintsMayTellAll(*root, hints)) return Scan(true);
    Expected<std::optional<HintedLook>> look =
        LookAtHinted(*root, settings_, loader_, known_.listing(), hints, hook_);
    if (!look) return Fail(look.error());
    if (!look->has_value()) return Scan(true);
    return Assemble(**look);
  }

  void SetHook(std::function<void()> hook) { hook_ = std::move(hook); }

 private:
  // Scans of everything ---------------------------------------------------------------------------

  struct Look {
    OpenRoot root;
    Listing listing;

    static Expected<Look> At(const DirectorySettings& settings) {
      const auto begun = std::chrono::system_clock::now().time_since_epoch();
      Expected<OpenRoot> root = OpenDirectory(settings);
      if (!root) return Fail(root.error());
      Expected<Listing> listing = List(*root, settings);
      if (!listing) return Fail(listing.error());
      if (auto fits = CheckPaths(settings, *listing); !fits) return Fail(std::move(fits.error()));
      listing->begun_ns = std::chrono::nanoseconds(begun).count();
      return Look{std::move(*root), std::move(*listing)};
    }
  };

  Expected<DirectoryScan> ScanAll(const OpenRoot& root, Listing listing, bool assume_settled) {
    const auto begun = std::chrono::steady_clock::now();
    const bool same = known_.IsSame(listing);
    content_checks_.Mark(listing.begun_ns, listing);
    if (same && known_.is_verified() && !known_.HasUnread() && !HasMarked(listing))
      return Again(root, std::move(listing));
    if (auto omitted = CheckOmitted(root, listing, same)) return Fail(std::move(*omitted));
    const bool swapped = known_.has_listing() && !same && OnlySwapped(known_.listing(), listing);
    known_.HandOver(listing, same);
    const Expected<ReadOutcome> read = Read(root, listing);
    const bool nothing_new = read && read->FoundNothingNew();
    std::optional<Error> changed = read ? std::nullopt : std::optional(read.error());
    // The known state is still valid: nothing could have changed meanwhile.
    if (read && !(same && nothing_new)) changed = LookAgain(root, listing, settings_);
    const bool quiet =
        settings_.quiet && std::chrono::steady_clock::now() - begun >= *settings_.quiet;
    known_.Become(std::move(listing), nothing_new);
    if (changed) return Fail(std::move(*changed));

    DirectoryScan scan = Assemble(*read);
    scan.facts = facts_.Facts(root, known_.listing(), known_.contents(), scan.problems);
    scan.facts.writers_unknown = read->writers_unknown;
    scan.settled = assume_settled || swapped || ((same || quiet) && !read->rewritten);
    if (scan.files.empty()) return Fail(HoldsNothing(scan));
    known_.SetVerified();
    last_ = scan;
    HandOut(scan);
    return scan;
  }

  std::optional<Error> CheckOmitted(const OpenRoot& root, const Listing& listing, bool same) {
    if (!known_.has_listing() || same) return std::nullopt;
    return facts_.CheckOmitted(root, known_.listing(), listing);
  }

  Expected<ReadOutcome> Read(const OpenRoot& root, Listing& listing) {
    Expected<ReadOutcome> read = ReadFiles(root, settings_, loader_, listing);
    facts_.NoteWriters(listing, {});
    if (read && hook_) hook_();
    return read;
  }

  /// Nothing was read, so nothing could have changed meanwhile.
  Expected<DirectoryScan> Again(const OpenRoot& root, Listing listing) {
    // This listing has the hidden items, without the read files.
    DirectoryFacts facts = facts_.Facts(root, listing, known_.contents(), last_.problems);
    known_.Refresh(std::move(listing));
    DirectoryScan scan = last_;
    scan.facts = std::move(facts);
    scan.settled = true;
    scan.complete = true;
    scan.parsed = 0;
    scan.reused = scan.files.size();
    if (!handed_out_) HandOut(scan);
    return scan;
  }

  DirectoryScan Assemble(const ReadOutcome& read) {
    DirectoryScan scan;
    const Listing& listing = known_.listing();
    scan.problems = listing.problems;
    scan.problems.insert(scan.problems.end(), read.problems.begin(), read.problems.end());
    std::stable_sort(scan.problems.begin(), scan.problems.end(),
                     [](const Problem& a, const Problem& b) { return a.file < b.file; });
    std::set<std::string> unread = listing.broken;
    for (const std::string& folder : listing.broken_folders) AddKnownBeneath(folder, unread);
    for (const Problem& problem : read.problems) unread.insert(problem.file);
    unread_ = std::move(unread);
    known_.BringInStep();
    Describe(read.parsed, scan);
    return scan;
  }

  /// An unreadable folder still holds its last known content.
  void AddKnownBeneath(const std::string& folder, std::set<std::string>& broken) const {
    for (const auto& file : last_.files) {
      if (IsWithin(file->path, folder)) broken.insert(file->path);
    }
    for (const std::string& path : last_.broken) {
      if (IsWithin(path, folder)) broken.insert(path);
    }
  }

  // Scans of hinted files ----------------------------------------------------------------------

  /// Whether it is enough to look at the files, by the knowledge of the directory.
  [[nodiscard]] bool HintsMayTellAll(const OpenRoot& root,
                                     const std::vector<std::string>& hints) const {
    if (!known_.is_verified() || !handed_out_ || known_.listing().has_links) return false;
    const ListedFolder* top = known_.listing().Find("");
    if (top == nullptr || top->stamp.device != root.stamp.device ||
        top->stamp.inode != root.stamp.inode || known_.listing().real_root != root.real_path) {
      return false;
    }
    return std::none_of(hints.begin(), hints.end(),
                        [this](const std::string& path) { return unread_.contains(path); });
  }

  DirectoryScan Assemble(const HintedLook& look) {
    facts_.NoteGone(known_.listing(), look.gone);
    known_.Patch(look);
    facts_.NoteWriters(look.present, look.gone);
    DirectoryScan scan;
    scan.problems = last_.problems;
    scan.settled = true;
    scan.complete = false;
    Describe(look.parsed, scan);
    scan.facts = facts_.HintedFacts(look.present, known_.contents());
    scan.facts.writers_unknown = look.writers_unknown;
    last_ = scan;
    known_.NoteRecords(look.present, scan);
    NoteChanges(scan);
    return scan;
  }

  // The report of a scan ------------------------------------------------------------------------

  /// Requires: the known contents, unread_ and the problems are those of the scan.
  void Describe(std::size_t parsed, DirectoryScan& scan) const {
    const Contents& contents = known_.contents();
    scan.files = contents.files();
    scan.manifests = contents.manifest_count();
    scan.file_problems = std::make_shared<const std::vector<Problem>>(contents.Problems());
    scan.broken = unread_;
    scan.broken.insert(contents.undecodable().begin(), contents.undecodable().end());
    scan.parsed = parsed;
    scan.reused = scan.files.size() - parsed;
    scan.digest = contents.Digest(scan.broken, scan.problems);
  }

  /// Computes the differences from the last scan that was handed out, if this scan has to be acted
  /// on.
  void HandOut(DirectoryScan& scan) {
    handed_out_ = scan.settled;
    if (!scan.settled) return;
    scan.remember.reserve(scan.parsed);
    known_.NoteRecords(scan);
    NoteChanges(scan);
  }

  void NoteChanges(DirectoryScan& scan) {
    FileList::Compare(handed_, scan.files, [&](const SharedFile& before, const SharedFile& after) {
      if (before != nullptr && after != nullptr && before->digest == after->digest) return;
      if (before != nullptr) scan.former.push_back(before);
      if (after != nullptr) {
        scan.changed.push_back(after);
      } else {
        scan.gone.push_back(before->path);
      }
    });
    handed_ = scan.files;
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
  FactsKeeper facts_{settings_};
  ContentChecks content_checks_{settings_.verify_content};
  KnownDirectory known_;               ///< Of the last scan that got as far.
  std::future<Expected<Look>> ahead_;  ///< To be waited for when it goes: it reads settings_.
  std::set<std::string> unread_;  ///< DirectoryScan::broken of last_, but for undecodable files.
  DirectoryScan last_;            ///< Of the last scan that was consistent.
  bool handed_out_ = false;       ///< last_ was settled, and so was told what is different in it.
  FileList handed_;               ///< Of the last scan that was settled, or of the seed.
  std::future<void> seeding_;     ///< The last to come, the first to go: it fills the above.
};

DirectorySource::DirectorySource(DirectorySettings settings, FileLoader loader)
    : impl_(std::make_unique<Impl>(std::move(settings), std::move(loader))) {}
DirectorySource::~DirectorySource() = default;
DirectorySource::DirectorySource(DirectorySource&&) noexcept = default;
DirectorySource& DirectorySource::operator=(DirectorySource&&) noexcept = default;

Expected<DirectoryScan> DirectorySource::Scan(bool assume_settled) {
  return impl_->Scan(assume_settled);
}

Expected<DirectoryScan> DirectorySource::ScanHinted(const std::vector<std::string>& files) {
  return impl_->ScanHinted(files);
}

void DirectorySource::ListAhead() { impl_->ListAhead(); }

void DirectorySource::Seed(std::vector<KnownFile> files, const std::optional<DigestSum>& sum) {
  impl_->Seed(std::move(files), sum);
}

void DirectorySource::SeedAhead(std::vector<KnownFile> files, const DigestSum& sum) {
  impl_->SeedAhead(std::move(files), sum);
}

void DirectorySource::CallBeforeLookingAgain(std::function<void()> hook) {
  impl_->SetHook(std::move(hook));
}

}  // namespace bindery::manifests
