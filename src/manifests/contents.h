#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/digest.h"
#include "manifests/file_list.h"
#include "manifests/problem.h"

namespace bindery {

/// A sum of SHA-256 digests modulo 2^256: the digest of a set that one element can join or leave
/// without the others being looked at. Two sets with the same sum are as hard to come by as a
/// collision, but for somebody who may choose very many elements for that end; whoever may write
/// into the directory has simpler means.
class DigestSum {
 public:
  void Add(const Sha256Digest& digest);
  void Subtract(const Sha256Digest& digest);
  /// 32 bytes, the least significant first.
  [[nodiscard]] std::string Bytes() const;

 private:
  std::array<std::uint64_t, 4> words_ = {};  ///< The least significant first.
};

/// The files of a directory, with what follows from all of them kept up as they change.
class Contents {
 public:
  [[nodiscard]] const FileList& files() const { return files_; }
  /// Paths of files that are no text, so that nothing is known of what they declare.
  [[nodiscard]] const std::set<std::string>& undecodable() const { return undecodable_; }

  /// Of all files, in their order.
  [[nodiscard]] std::vector<Problem> Problems() const;
  [[nodiscard]] std::size_t manifest_count() const { return manifest_count_; }

  void Become(FileList files);
  void Put(SharedFile file);
  void Remove(const std::string& path);

  /// SHA-256 over the sum of the files, `broken` and `problems`: equal digests, equal meaning.
  [[nodiscard]] std::string Digest(const std::set<std::string>& broken,
                                   const std::vector<Problem>& problems) const;

 private:
  void Exchange(const SharedFile& before, const SharedFile& after);

  FileList files_;
  DigestSum sum_;  ///< Of each file's path with the digest of its bytes.
  std::set<std::string> undecodable_;
  std::map<std::string, SharedFile> troubled_;  ///< Those with problems, by path.
  std::size_t manifest_count_ = 0;
};

}  // namespace bindery
