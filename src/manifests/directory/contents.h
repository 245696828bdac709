#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "manifests/documents/file_list.h"
#include "manifests/files/digest_sum.h"
#include "manifests/files/directory_facts.h"
#include "manifests/schema/problem.h"

namespace bindery::manifests {

/// The files of a directory, with all derived data, kept up to date.
class Contents {
 public:
  [[nodiscard]] const FileList& files() const { return files_; }
  /// Paths of files that are no text: their declarations are unknown.
  [[nodiscard]] const std::set<std::string>& undecodable() const { return undecodable_; }

  /// Of all files, in order.
  [[nodiscard]] std::vector<Problem> Problems() const;
  /// Files with errors or without a document, sorted by path: their further declarations are
  /// unknown.
  [[nodiscard]] std::vector<UnreadItem> Unread() const;
  [[nodiscard]] std::size_t manifest_count() const { return manifest_count_; }

  void Become(FileList files);
  /// The same where the sum of all those files is known.
  void Become(FileList files, const DigestSum& sum);
  void Put(SharedFile file);
  void Remove(const std::string& path);

  /// SHA-256 over the sum of the files, `broken` and `problems`: equal digests, equal meaning.
  [[nodiscard]] std::string Digest(const std::set<std::string>& broken,
                                   const std::vector<Problem>& problems) const;

 private:
  void Exchange(const SharedFile& before, const SharedFile& after);
  void TakeUp(const SharedFile& file);

  FileList files_;
  DigestSum sum_;  ///< Of each file's path with the digest of its bytes.
  std::set<std::string> undecodable_;
  std::map<std::string, SharedFile> troubled_;  ///< Those with problems, or blank; by path.
  std::size_t manifest_count_ = 0;
};

}  // namespace bindery::manifests
