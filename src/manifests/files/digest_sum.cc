#include "manifests/files/digest_sum.h"

#include <array>
#include <cstddef>

namespace bindery::manifests {
namespace {

/// Little-endian, whatever the machine.
std::array<std::uint64_t, 4> MakeWords(const Sha256Digest& digest) {
  std::array<std::uint64_t, 4> words = {};
  for (std::size_t i = 0; i < digest.bytes.size(); ++i) {
    words[i / 8] |= std::uint64_t{digest.bytes[i]} << (8 * (i % 8));
  }
  return words;
}

}  // namespace

Sha256Digest MakeDigest(const FileContent& file) {
  std::string text;  // Paths hold no NUL.
  text.reserve(file.path.size() + 1 + file.digest.size());
  text.append(file.path).append(1, '\0').append(file.digest);
  return Sha256Digest::Of(text);
}

void DigestSum::Add(const Sha256Digest& digest) { Add(DigestSum{MakeWords(digest)}); }

void DigestSum::Add(const DigestSum& sum_of_others) {
  const std::array<std::uint64_t, 4>& other = sum_of_others.words_;
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const std::uint64_t partial = words_[i] + other[i];
    const std::uint64_t sum = partial + carry;
    carry = (partial < other[i] || sum < partial) ? 1 : 0;
    words_[i] = sum;
  }
}

void DigestSum::Subtract(const Sha256Digest& digest) {
  const std::array<std::uint64_t, 4> other = MakeWords(digest);
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const std::uint64_t partial = words_[i] - other[i];
    const std::uint64_t difference = partial - borrow;
    borrow = (words_[i] < other[i] || partial < borrow) ? 1 : 0;
    words_[i] = difference;
  }
}

std::string DigestSum::Bytes() const {
  std::string bytes;
  for (const std::uint64_t word : words_) {
    for (unsigned int i = 0; i < 8; ++i) bytes += static_cast<char>((word >> (8 * i)) & 0xFFU);
  }
  return bytes;
}

}  // namespace bindery::manifests
