#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "manifests/contents.h"
#include "manifests/directory.h"
#include "manifests/file_reader.h"
#include "manifests/hinted_look.h"
#include "manifests/listing.h"

namespace bindery {

/// What the scans of a directory have found so far: its listing, with the read data, and the
/// contents that follow from it. Knows what of it the caller of the scans has on record. A new
/// listing takes its place in two steps, between which its files are read: HandOver() and Become().
/// Belongs to one DirectorySource, and like it to one thread at a time.
class KnownDirectory {
 public:
  /// As an earlier run knew it. `sum`: of all these files, where it is known.
  void Seed(std::vector<KnownFile> files, const std::optional<DigestSum>& sum);

  /// False until the first listing, which nothing below but these three functions may precede.
  [[nodiscard]] bool has_listing() const { return listing_.has_value(); }
  [[nodiscard]] const Listing& listing() const { return *listing_; }
  /// The content of the listing, after BringInStep().
  [[nodiscard]] const Contents& contents() const { return contents_; }

  /// Whether `found`, a look at everything, is the knowledge. Of a seed the root is not known: it
  /// is that of the first look.
  [[nodiscard]] bool IsSame(const Listing& found);
  /// Nothing changed while it was read.
  [[nodiscard]] bool is_verified() const { return verified_; }
  /// Whether some of it is to be read again, as it could not be or may have changed unseen.
  [[nodiscard]] bool HasUnread() const;

  /// Gives the knowledge of the files of `next` to it. `same`: as IsSame() said.
  void HandOver(Listing& next, bool same);
  /// `nothing_new`: reading found that everything holds what it was known to hold.
  void Become(Listing next, bool nothing_new);
  /// Brings the contents up to the listing.
  void BringInStep();
  void SetVerified() { verified_ = true; }

  /// Takes the names of `found`, which is the same: those of Patch() leave others behind.
  void Refresh(Listing found);
  /// Takes over what some files are now, and brings the contents up to that.
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

}  // namespace bindery
