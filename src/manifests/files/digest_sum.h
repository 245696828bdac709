#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/text/digest.h"
#include "manifests/documents/file_content.h"

namespace bindery::manifests {

/// Of a file's path with the digest of its bytes.
[[nodiscard]] Sha256Digest MakeDigest(const FileContent& file);

/// A sum of SHA-256 digests modulo 2^256: the digest of a set that one element can join or leave
/// without the others being looked at. Two sets with the same sum are as hard to come by as a
/// collision, but for somebody who may choose very many elements for the end; writers of the
/// directory have simpler means.
class DigestSum {
 public:
  DigestSum() = default;

  void Add(const Sha256Digest& digest);
  /// Of a set that has none of the same elements.
  void Add(const DigestSum& sum_of_others);
  void Subtract(const Sha256Digest& digest);
  /// 32 bytes, the least significant first.
  [[nodiscard]] std::string Bytes() const;

 private:
  explicit DigestSum(const std::array<std::uint64_t, 4>& words) : words_(words) {}

  std::array<std::uint64_t, 4> words_ = {};  ///< The least significant first.
};

}  // namespace bindery::manifests
