#include "manifests/files/git_blob.h"

#include <openssl/evp.h>

#include <array>

namespace bindery::manifests {

std::optional<std::string> GitBlobId(std::string_view content, std::size_t digits) {
  constexpr std::size_t kSha1 = 40;
  constexpr std::size_t kSha256 = 64;
  if (digits != kSha1 && digits != kSha256) return std::nullopt;
  std::string all = "blob " + std::to_string(content.size()) + '\0';
  all += content;
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest = {};
  unsigned int size = 0;
  const EVP_MD* kind = digits == kSha1 ? EVP_sha1() : EVP_sha256();
  if (EVP_Digest(all.data(), all.size(), digest.data(), &size, kind, nullptr) != 1) {
    return std::nullopt;
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string id;
  for (unsigned int i = 0; i < size; ++i) {
    id += kDigits[digest.at(i) >> 4U];
    id += kDigits[digest.at(i) & 0x0FU];
  }
  return id;
}

}  // namespace bindery::manifests
