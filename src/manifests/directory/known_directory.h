#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "manifests/directory/contents.h"
#include "manifests/directory/directory.h"
#include "manifests/directory/file_reader.h"
#include "manifests/directory/hinted_look.h"
#include "manifests/directory/listing.h"

namespace bindery::manifests {

/// The findings of a directory's scans so far: its listing, with the read data, and the derived
/// contents. Also knows the part that the caller of the scans has on record. A new listing replaces
/// the old in two steps, with the reading of files between: HandOver() and Become(). Belongs to one
/// DirectorySource, and to a single thread at a time.
class KnownDirectory {
 public:
  /// The knowledge of an earlier run. `sum`: of all these files, if known.
  void Seed(std::vector<KnownFile> files, const std::optional<DigestSum>& sum);

  /// False until the first listing; before the listing only these three functions may be called.
  [[nodiscard]] bool has_listing() const { return listing_.has_value(); }
  [[nodiscard]] const Listing& listing() const { return *listing_; }
  /// The content of the listing, after BringInStep().
  [[nodiscard]] const Contents& contents() const { return contents_; }

  /// Whether `found`, a full look, equals the known listing. Of a seed the root is not known: it is
  /// that of the first look.
  [[nodiscard]] bool IsSame(const Listing& found);
  /// No change during the reading.
  [[nodiscard]] bool is_verified() const { return verified_; }
  /// Whether some of it is to be read again, as it could not be or may have changed unseen.
  [[nodiscard]] bool HasUnread() const;

  /// Gives the knowledge of the files of `next` to it. `same`: as IsSame() said.
  void HandOver(Listing& next, bool same);
  /// `nothing_new`: the reading found only known contents.
  void Become(Listing next, bool nothing_new);
  /// Brings the contents up to the listing.
  void BringInStep();
  void SetVerified() { verified_ = true; }

  /// Takes the names of `found`, an equal listing: Patch() leaves unused names behind.
  void Refresh(Listing found);
  /// Takes over the present state of some files, and updates the contents.
  void Patch(const HintedLook& look);

  /// Lists in `scan` the files to put on record and those to take off it, and counts both as done.
  void NoteRecords(DirectoryScan& scan);
  /// The same where only the files of `found` and files that are gone are different.
  void NoteRecords(const Listing& found, DirectoryScan& scan);

 private:
  void Adopt(Listing& next);
  void NoteOrphans(DirectoryScan& scan);

  std::optional<Listing> listing_;
  Contents contents_;
  std::set<std::string> orphans_;  ///< Files that are gone but on record.
  bool seeded_ = false;            ///< The listing is of an earlier run.
  bool patched_ = false;           ///< Patch() has changed the listing.
  bool verified_ = false;
  bool in_step_ = false;  ///< The contents are those of the listing.
};

}  // namespace bindery::manifests
